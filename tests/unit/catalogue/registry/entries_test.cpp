// What entries make of their parameters, files and facts.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace {

using namespace equipoise;
using catalogue::Outcome;
using catalogue::RunOptions;
using test::message_of;
using test::spike;

double number(const Outcome& run, const std::string& constant) {
    const auto found = run.record.constants.find(constant);
    return found == run.record.constants.end() ? -1 : std::stod(found->second);
}

TEST(BalancingCircuitEntry, SaysAfterWhichRoundTheLoadsWereCounted) {
    const auto rounds = [](const char* spec, const char* matchings, const char* initial) {
        const network::AnyNetwork network = network::generate(spec, 0);
        RunOptions options;
        options.parameters["initial"] = initial;
        if (*matchings != 0) options.matchings = network::named_matchings(matchings, network);
        options.stop = model::StopRule{};
        options.stop->quiet_steps = 50;
        const Outcome run =
            catalogue::run("balancing-circuit", network, spike(network, 40), options);
        const double counted = number(run, "counted_after_rounds");
        const double promised = number(run, "counts_within_rounds");
        EXPECT_TRUE(promised < 0 || counted <= promised) << spec;
        if (counted > 0) {
            // One round less, and the loads are not what they become.
            options.stop.reset();
            options.steps_max = static_cast<Step>((counted - 1) * number(run, "round_length"));
            EXPECT_NE(
                catalogue::run("balancing-circuit", network, spike(network, 40), options).loads(),
                run.loads());
        }
        return std::pair(counted, promised >= 0);
    };
    for (const char* initial : {"up", "down"}) {
        EXPECT_GT(rounds("cycle:n=8", "", initial).first, 0);
        EXPECT_TRUE(rounds("cycle:n=8", "", initial).second);
        EXPECT_GT(rounds("torus:4x4", "snake", initial).first, 0);
        EXPECT_TRUE(rounds("torus:4x4", "snake", initial).second);
    }
    // Around the axes tokens never come to rest, or in no order.
    EXPECT_EQ(rounds("torus:4x4", "", "up"), std::pair(-1.0, false));
    EXPECT_EQ(rounds("cycle:n=8", "", "random").second, false);
}

TEST(BalancingCircuitEntry, SaysWhetherTheLoadsAreCountedInTheEnd) {
    const auto counted = [](const char* spec, const char* matchings, Step steps) {
        const network::AnyNetwork network = network::generate(spec, 0);
        RunOptions options;
        options.matchings = network::named_matchings(matchings, network);
        options.steps_max = steps;
        const Outcome run =
            catalogue::run("balancing-circuit", network, spike(network, 43), options);
        return run.record.constants.at("counted");
    };
    // One round of a counting network is enough; half of one is not.
    EXPECT_EQ(counted("complete:n=8", "bitonic", 6), "yes");
    EXPECT_EQ(counted("complete:n=8", "bitonic", 3), "no");
    EXPECT_EQ(counted("complete:n=8", "periodic", 9), "yes");
    EXPECT_EQ(counted("torus:4x4", "snake", 400), "yes");
}

TEST(DealAgreement1Entry, ReachesEveryEpsilonWithinTheoremOne) {
    const network::AnyNetwork path = network::generate("path:n=12", 0);
    for (const char* epsilon : {"4", "1", "0.25", "0.001"}) {
        RunOptions options;
        options.parameters["epsilon"] = epsilon;
        const Outcome run = catalogue::run("deal-agreement-1", path, spike(path, 1000), options);
        EXPECT_TRUE(run.reached());
        EXPECT_GT(run.record.load_scale, 1U);
        EXPECT_LE(
            static_cast<double>(run.discrepancy()) / static_cast<double>(run.record.load_scale),
            std::stod(epsilon));
        EXPECT_LE(run.steps(), run.guarantee().steps.value());
        EXPECT_TRUE(verify::verify(run.record).passed());
        EXPECT_TRUE(catalogue::replay(run.record).same);
    }
}

TEST(DealAgreement1Entry, CountsACallersDiscrepancyInTokens) {
    const network::AnyNetwork path = network::generate("path:n=12", 0);
    RunOptions options;
    options.stop = model::StopRule{};
    options.stop->discrepancy = 100;
    const Outcome run = catalogue::run("deal-agreement-1", path, spike(path, 1000), options);
    const auto scale = static_cast<Tokens>(run.record.load_scale);
    EXPECT_LE(run.discrepancy(), 100 * scale);
    EXPECT_GT(run.discrepancy(), 50 * scale);
    EXPECT_TRUE(catalogue::replay(run.record).same);
}

TEST(DealAgreement1Entry, RefusesLoadsThatFixedPointCannotHold) {
    const network::AnyNetwork path = network::generate("path:n=12", 0);
    EXPECT_NE(message_of([&] {
                  static_cast<void>(
                      catalogue::run("deal-agreement-1", path, spike(path, tokens_max / 2)));
              }).find("too large"),
              std::string::npos);
}

TEST(DealAgreement3Entry, PromisesNothingForThePrintedAcceptance) {
    const network::AnyNetwork star(network::Network(6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}));
    const load::Loads loads = {0, 6, 2, 2, 2, 2};
    RunOptions printed;
    printed.parameters["acceptance"] = "as-printed";
    EXPECT_TRUE(
        catalogue::run("deal-agreement-3", star, loads, printed).guarantee().source.empty());
    for (const char* acceptance : {"residual-drain", "minimal-repair"}) {
        RunOptions repaired;
        repaired.parameters["acceptance"] = acceptance;
        const Outcome run = catalogue::run("deal-agreement-3", star, loads, repaired);
        EXPECT_TRUE(run.reached());
        EXPECT_LE(run.local_imbalance(), 1);
        EXPECT_LE(run.steps(), run.guarantee().steps.value());
    }
}

TEST(DiffusionEntry, KnowsTheLocalDivergenceOfToriHypercubesAndCompleteNetworks) {
    const auto divergence = [](const char* name, const char* spec) {
        const network::AnyNetwork network = network::generate(spec, 0);
        return number(catalogue::run(name, network, spike(network, 500)), "local_divergence");
    };
    EXPECT_NEAR(divergence("diffusion", "torus:8x8"), 20, 1e-3);  // r(2r+1)s/4
    EXPECT_NEAR(divergence("diffusion", "hypercube:d=6"), 21, 1e-3);
    EXPECT_NEAR(divergence("diffusion", "complete:n=9"), 8, 1e-3);
    EXPECT_NEAR(divergence("diffusion", "cycle:n=12"), 9, 1e-3);
    EXPECT_NEAR(divergence("diffusion", "path:n=7"), 9, 1e-3);
    EXPECT_NEAR(divergence("balancing-circuit", "torus:8x8"), 8, 1e-3);
    EXPECT_NEAR(divergence("balancing-circuit", "hypercube:d=6"), 6, 1e-3);
    EXPECT_NEAR(divergence("balancing-circuit", "cycle:n=12"), 6, 1e-3);
    EXPECT_NEAR(divergence("balancing-circuit", "path:n=7"), 6, 1e-3);
}

TEST(DiffusionEntry, StaysWithinTheSharpenedDeviation) {
    for (const char* spec : {"torus:8x8", "hypercube:d=5", "path:n=9", "random-regular:n=30,d=4"}) {
        const network::AnyNetwork network = network::generate(spec, 3);
        for (const char* name : {"diffusion", "balancing-circuit"}) {
            RunOptions options;
            options.with_deviation = true;
            const Outcome run = catalogue::run(name, network, spike(network, 999), options);
            EXPECT_GT(run.record.deviation.value().value, 0) << name << spec;
            EXPECT_LE(run.record.deviation.value().value,
                      run.record.deviation.value().bound.value())
                << name << spec;
            EXPECT_TRUE(catalogue::replay(run.record).same);
        }
    }
}

/// The largest deviation of tokens that diffuse on a grid from the idealised process, played in
/// long double until its loads are level.
double played_deviation(const network::AnyNetwork& network, load::Loads loads) {
    const std::vector<Ends> links = network::all_links(network);
    const Tokens divisor = Tokens{network.degree_max()} + 1;
    std::vector<long double> ideal(loads.begin(), loads.end());
    long double largest = 0;
    for (int step = 0; step < 20'000; ++step) {
        const load::Loads tokens = loads;
        const std::vector<long double> whole = ideal;
        for (const auto& [tail, head] : links) {
            const Tokens flow = (tokens[tail] - tokens[head]) / divisor;
            loads[tail] -= flow;
            loads[head] += flow;
            const long double ideal_flow =
                (whole[tail] - whole[head]) / static_cast<long double>(divisor);
            ideal[tail] -= ideal_flow;
            ideal[head] += ideal_flow;
        }
        for (std::size_t node = 0; node < loads.size(); ++node)
            largest =
                std::max(largest, std::fabs(static_cast<long double>(loads[node]) - ideal[node]));
    }
    return static_cast<double>(largest);
}

TEST(DeviationOfARun, IsTheLargestOfAllTimeWhereverTheRunEnds) {
    const network::AnyNetwork torus = network::generate("torus:6x6", 0);
    const double truth = played_deviation(torus, spike(torus, 3000));
    for (const Step most : {Step{1}, Step{7}, ~Step{0}}) {
        RunOptions options;
        options.with_deviation = true;
        if (most != ~Step{0}) options.steps_max = most;
        const Outcome run = catalogue::run("diffusion", torus, spike(torus, 3000), options);
        EXPECT_NEAR(run.record.deviation.value().value, truth,
                    run.record.deviation.value().error.value());
        EXPECT_LT(run.record.deviation.value().error.value(), 1e-4);
    }
}

TEST(DeviationOfARun, OfThePapersHillIsAQuarterOfTheCycle) {
    const network::AnyNetwork cycle = network::generate("cycle:n=100", 0);
    load::Loads hill(100);
    for (NodeId node = 0; node < 100; ++node)
        hill[node] = std::min<Tokens>(node, 100 - Tokens{node});
    RunOptions options;
    options.with_deviation = true;
    const Outcome run = catalogue::run("diffusion", cycle, hill, options);
    EXPECT_NEAR(run.record.deviation.value().value, 25, run.record.deviation.value().error.value());
    EXPECT_LT(run.record.deviation.value().error.value(), 1e-4);
}

TEST(DeviationOfARun, IsKnownForHugeLoads) {
    const network::AnyNetwork cycle = network::generate("cycle:n=12", 0);
    for (const char* name : {"diffusion", "balancing-circuit"}) {
        RunOptions options;
        options.with_deviation = true;
        const Outcome run = catalogue::run(name, cycle, spike(cycle, tokens_max), options);
        EXPECT_LE(run.record.deviation.value().value, run.record.deviation.value().bound.value())
            << name;
        EXPECT_LT(run.record.deviation.value().error.value(), 1e-4) << name;
        EXPECT_TRUE(verify::verify(run.record).passed()) << name;
    }
}

TEST(DeviationOfARun, OfTokensThatNeverRestIsKnown) {
    // One token goes round the torus for ever; the idealised one is everywhere.
    const network::AnyNetwork torus = network::generate("torus:8", 0);
    RunOptions options;
    options.with_deviation = true;
    const Outcome run = catalogue::run("balancing-circuit", torus, spike(torus, 1), options);
    // Two rounds on, the token is where a sixteenth is.
    EXPECT_NEAR(run.record.deviation.value().value, 15.0 / 16,
                run.record.deviation.value().error.value());
    EXPECT_LT(run.record.deviation.value().error.value(), 1e-4);
}

TEST(BalancingCircuitEntry, RunsOnLongRingsWhoseGapIsTiny) {
    for (const char* spec : {"torus:20000", "torus:3001", "torus:200000", "mesh:5000"}) {
        const network::AnyNetwork ring = network::generate(spec, 0);
        RunOptions options;
        options.steps_max = 4;
        const Outcome run = catalogue::run("balancing-circuit", ring, spike(ring, 1000), options);
        EXPECT_EQ(run.steps(), 4U) << spec;
        EXPECT_TRUE(run.record.constants.contains("second_eigenvalue")) << spec;
    }
    // Only these are refused: matchings that do not connect the network.
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    RunOptions options;
    options.matchings = {{{0, 1}}};
    EXPECT_NE(message_of([&] {
                  static_cast<void>(catalogue::run("balancing-circuit", path, {9, 0, 0}, options));
              }).find("eigenvalue gap 0"),
              std::string::npos);
}

TEST(DiffusionEntry, RefusesWeightsThatSwapLoadsForEver) {
    const network::AnyNetwork cycle = network::generate("cycle:n=4", 0);
    const auto refusal = [&](const network::RoundWeights& weights) {
        RunOptions options;
        options.weights = weights;
        return message_of([&] {
            static_cast<void>(catalogue::run("diffusion", cycle, {9, 0, 0, 0}, options));
        });
    };
    EXPECT_NE(refusal({{1, 2}, {1, 2}, {1, 2}, {1, 2}}).find("eigenvalue gap 0"),
              std::string::npos);
    EXPECT_EQ(refusal({{1, 2}, {1, 2}, {1, 2}, {49, 100}}), "no error");
}

TEST(DiffusionEntry, RunsTheIdealisedProcessInFixedPoint) {
    const network::AnyNetwork torus = network::generate("torus:6x6", 0);
    RunOptions options;
    options.parameters["idealised"] = "yes";
    for (const char* name : {"diffusion", "diffusion-2"}) {
        const Outcome run = catalogue::run(name, torus, spike(torus, 1000), options);
        const auto scale = static_cast<double>(run.record.load_scale);
        EXPECT_LT(static_cast<double>(run.discrepancy()) / scale, 0.01) << name;
        for (const Tokens load : run.loads())
            EXPECT_NEAR(static_cast<double>(load) / scale, 1000.0 / 36, 0.01);
        EXPECT_TRUE(catalogue::replay(run.record).same);
    }
}

TEST(DiffusionEntry, TakesWeightsThatAreNotMetropolis) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    RunOptions options;
    options.weights = {{1, 4}, {1, 2}};
    options.steps_max = 1;
    const Outcome one = catalogue::run("diffusion", path, {9, 0, 8}, options);
    EXPECT_EQ(one.loads(), (load::Loads{7, 6, 4}));
    EXPECT_TRUE(catalogue::replay(one.record).same);

    options.steps_max.reset();
    const Outcome run = catalogue::run("diffusion", path, {900, 0, 800}, options);
    EXPECT_TRUE(run.reached());
    EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value());
    EXPECT_LE(run.steps(), run.guarantee().steps.value());

    options.weights = {{1, 4}, {0, 1}};
    EXPECT_NE(message_of([&] {
                  static_cast<void>(catalogue::run("diffusion", path, {9, 0, 0}, options));
              }).find("eigenvalue gap 0"),
              std::string::npos);
}

TEST(BalancingCircuitEntry, TakesMatchingsSharesAndStates) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    RunOptions options;
    options.matchings = {{{1, 0}, {2, 3}}, {{2, 1}}};
    options.parameters = {{"initial", "given"}};
    options.steps_max = 2;
    const Outcome run = catalogue::run("balancing-circuit", path, {3, 0, 0, 3}, options);
    EXPECT_EQ(run.loads(), (load::Loads{1, 2, 2, 1}));
    EXPECT_TRUE(catalogue::replay(run.record).same);
    options.steps_max.reset();
    for (const char* initial : {"up", "down", "random"})
        for (const char* share : {"1/2", "1/3", "3/4"}) {
            options.parameters = {{"initial", initial}, {"share", share}};
            const Outcome whole = catalogue::run("balancing-circuit", path, {90, 0, 0, 3}, options);
            EXPECT_TRUE(whole.reached()) << initial << share;
            EXPECT_LE(whole.discrepancy(), whole.guarantee().discrepancy.value());
            EXPECT_LE(whole.steps(), whole.guarantee().steps.value());
            RunOptions beside = options;
            beside.with_deviation = true;
            const Outcome measured =
                catalogue::run("balancing-circuit", path, {90, 0, 0, 3}, beside);
            const model::Deviation deviation = measured.record.deviation.value();
            EXPECT_LE(deviation.value - deviation.error.value(), deviation.bound.value()) << share;
        }
}

TEST(BalancingCircuitEntry, PromisesByTheGapAloneWherePsiWouldTakeLong) {
    const network::AnyNetwork network = network::generate("random-regular:n=8000,d=6", 3);
    const Outcome run = catalogue::run("balancing-circuit", network, spike(network, 8'000'000));
    EXPECT_NE(run.guarantee().source.find("Corollary 5"), std::string::npos);
    EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value());
    EXPECT_LE(run.steps(), run.guarantee().steps.value());
}

TEST(BalancingCircuitEntry, KnowsThatCountingNetworksCountInARound) {
    const network::AnyNetwork complete = network::generate("complete:n=8", 0);
    for (const char* name : {"bitonic", "periodic"}) {
        RunOptions options;
        options.matchings = network::named_matchings(name, complete);
        const Outcome run =
            catalogue::run("balancing-circuit", complete, spike(complete, 100), options);
        EXPECT_EQ(run.record.constants.at("counts_within_rounds"), "1") << name;
        EXPECT_EQ(run.record.constants.at("counted_after_rounds"), "1") << name;
        options.parameters = {{"initial", "down"}};
        EXPECT_FALSE(catalogue::run("balancing-circuit", complete, spike(complete, 100), options)
                         .record.constants.contains("counts_within_rounds"));
    }
}

TEST(DiffusionEntry, TakesMatricesThatAreNotSymmetric) {
    const network::AnyNetwork cycle = network::generate("cycle:n=5", 0);
    RunOptions options;
    // Links 0-1, 0-4, 1-2, 2-3, 3-4: two thirds to the next node, nothing back.
    options.weights = {{2, 3}, {0, 1}, {2, 3}, {2, 3}, {2, 3},
                       {0, 1}, {2, 3}, {0, 1}, {0, 1}, {0, 1}};
    options.with_deviation = true;
    for (const char* rounding : {"net", "down"}) {
        options.parameters = {{"rounding", rounding}};
        const Outcome run = catalogue::run("diffusion", cycle, {500, 0, 0, 7, 0}, options);
        EXPECT_TRUE(run.reached()) << rounding;
        EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value());
        EXPECT_LE(run.steps(), run.guarantee().steps.value());
        const model::Deviation deviation = run.record.deviation.value();
        EXPECT_LE(deviation.value - deviation.error.value(), deviation.bound.value());
        EXPECT_TRUE(catalogue::replay(run.record).same);
    }
    options.with_deviation = false;
    options.speeds = {1, 1, 2, 1, 1};
    options.parameters = {};
    EXPECT_NE(message_of([&] {
                  static_cast<void>(catalogue::run("diffusion", cycle, {9, 0, 0, 0, 0}, options));
              }).find("symmetric weights and net flows"),
              std::string::npos);
    options.speeds = {};
    // Everything to the next node: loads go round and are never level.
    for (network::Weight& weight : options.weights)
        if (weight.numerator > 0) weight = {1, 1};
    EXPECT_NE(message_of([&] {
                  static_cast<void>(catalogue::run("diffusion", cycle, {9, 0, 0, 0, 0}, options));
              }).find("eigenvalue gap 0"),
              std::string::npos);
}

TEST(DiffusionEntry, RoundsSingleTransfersDownWithinTheSameBound) {
    const network::AnyNetwork star = network::generate("star:leaves=5", 0);
    RunOptions options;
    options.parameters = {{"rounding", "down"}};
    options.with_deviation = true;
    const Outcome run = catalogue::run("diffusion", star, spike(star, 600), options);
    EXPECT_TRUE(run.reached());
    EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value());
    const model::Deviation deviation = run.record.deviation.value();
    EXPECT_LE(deviation.value - deviation.error.value(), deviation.bound.value());
    // A third of 2 is less than a token, so each end sends the other nothing; of 4 and 1 one goes.
    const network::AnyNetwork triangle = network::generate("cycle:n=3", 0);
    options.with_deviation = false;
    options.steps_max = 1;
    EXPECT_EQ(catalogue::run("diffusion", triangle, {4, 1, 2}, options).loads(),
              (load::Loads{2, 2, 3}));
}

TEST(BalancingCircuitEntry, KeepsBalancersWhereAskedTo) {
    // A token between two nodes: a reset balancer leaves it where it is, one that is kept sends it
    // back and forth, and a quiet round would be no end.
    const network::AnyNetwork pair = network::generate("path:n=2", 0);
    for (const char* initial : {"up", "down"}) {
        RunOptions options;
        options.parameters = {{"balancers", "kept"}, {"initial", initial}};
        options.steps_max = 3;
        const load::Loads expected =
            std::string(initial) == "up" ? load::Loads{1, 0} : load::Loads{0, 1};
        const Outcome run = catalogue::run("balancing-circuit", pair, {1, 0}, options);
        EXPECT_EQ(run.loads(), expected) << initial;
        EXPECT_TRUE(catalogue::replay(run.record).same);
    }
    for (const char* spec : {"torus:4x6", "hypercube:d=4", "path:n=9"}) {
        const network::AnyNetwork network = network::generate(spec, 0);
        RunOptions options;
        options.parameters = {{"balancers", "kept"}};
        options.with_deviation = true;
        const Outcome run =
            catalogue::run("balancing-circuit", network, spike(network, 777), options);
        EXPECT_TRUE(run.reached()) << spec;
        EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value()) << spec;
        EXPECT_LE(run.record.deviation.value().value, run.record.deviation.value().bound.value())
            << spec;
    }
    const auto refusal = [&](const catalogue::ParameterTexts& parameters) {
        RunOptions options;
        options.parameters = parameters;
        return message_of([&] {
            static_cast<void>(catalogue::run("balancing-circuit", pair, {5, 0}, options));
        });
    };
    EXPECT_NE(refusal({{"balancers", "kept"}, {"share", "1/3"}}).find("share=1/2"),
              std::string::npos);
    EXPECT_NE(refusal({{"balancers", "kept"}, {"initial", "random"}}).find("initial up"),
              std::string::npos);
}

TEST(DimensionExchangeEntry, LevelsAHypercubeToItsDimensionInThatManySteps) {
    const network::AnyNetwork cube = network::generate("hypercube:d=6", 0);
    for (Tokens tokens = 1; tokens < 200; tokens += 7) {
        RunOptions options;
        options.steps_max = 6;
        EXPECT_LE(
            catalogue::run("dimension-exchange", cube, spike(cube, tokens), options).discrepancy(),
            6);
    }
}

TEST(Speeds, AreServedByThoseThatSaySoAndRefusedByTheOthers) {
    const network::AnyNetwork cycle = network::generate("cycle:n=6", 0);
    RunOptions options;
    options.speeds = {1, 2, 3, 1, 2, 3};
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms()) {
        const auto run = [&] {
            const Outcome outcome =
                catalogue::run(algorithm.name, cycle, spike(cycle, 12'000), options);
            EXPECT_TRUE(outcome.reached()) << algorithm.name;
            // Bounds on discrepancy and steps are for equal speeds.
            EXPECT_FALSE(outcome.guarantee().discrepancy) << algorithm.name;
            EXPECT_FALSE(outcome.guarantee().steps) << algorithm.name;
            for (NodeId node = 0; node < 6; ++node)
                EXPECT_NEAR(static_cast<double>(outcome.loads()[node]),
                            1000.0 * static_cast<double>(options.speeds[node]), 60)
                    << algorithm.name;
        };
        if (algorithm.serves_speeds) {
            run();
        } else {
            EXPECT_EQ(
                message_of(run),
                algorithm.name + " works with equal speeds only: --speeds cannot be used with it");
        }
    }
    options.speeds = {1, 2, 3, 0, 2, 3};
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(catalogue::run("diffusion", cycle, spike(cycle, 12), options));
              }),
              "diffusion cannot empty nodes: expected a speed of 1 or more for node 3, found 0 "
              "(minimum-exchange-tree accepts 0, as does plan --target speeds:FILE)");
    options.speeds = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(catalogue::run("diffusion", cycle, spike(cycle, 12), options));
              }),
              "expected a speed above 0 for at least one node, found none");
}

TEST(SpeedsOfZero, EmptyNodesThatStillPassTokensOnWithTheFewestExchanges) {
    const network::AnyNetwork path = network::generate("path:n=5", 0);
    RunOptions options;
    options.speeds = {1, 0, 3, 0, 2};
    const Outcome outcome =
        catalogue::run("minimum-exchange-tree", path, load::Loads{4, 9, 0, 11, 0}, options);
    EXPECT_EQ(outcome.loads(), (load::Loads{4, 0, 12, 0, 8}));
    EXPECT_EQ(outcome.exchanges(), 20U);  // 9 and 3 to the middle, 8 to the end
}

}  // namespace
