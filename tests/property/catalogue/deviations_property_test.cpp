// What `--deviation` reports, against idealised processes that are played plainly: flow by flow, in
// long double, from the rules as the pages state them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "tests/support/catalogue_runs.hpp"
#include "tests/support/property.hpp"

namespace equipoise {
namespace {

using catalogue::Outcome;
using catalogue::RunOptions;
using Real = long double;
using Reals = std::vector<Real>;

/// Keeps the loads after every step.
class Watch final : public model::Observer {
  public:
    void on_start(const model::StepView& view) override { keep(view); }
    void on_step(const model::StepView& view) override {
        if (view.costs.steps == seen_.size()) keep(view);
    }
    [[nodiscard]] const std::vector<load::Loads>& seen() const { return seen_; }

  private:
    void keep(const model::StepView& view) {
        seen_.emplace_back(view.loads.begin(), view.loads.end());
    }

    std::vector<load::Loads> seen_;
};

/// An idealised process: what every link carries in a step.
struct Ideal {
    /// The links that are active in a step.
    std::function<std::vector<Ends>(Step)> links;
    /// The weight of a link.
    std::function<Real(const Ends&)> weight;
    Real beta = 1;
    Step switch_at = ~Step{0};

    /// The loads at the start and after each of this many steps.
    [[nodiscard]] std::vector<Reals> play(const load::Loads& loads, Step steps) const {
        std::vector<Reals> all{Reals(loads.begin(), loads.end())};
        std::map<std::pair<NodeId, NodeId>, Real> last;
        for (Step step = 0; step < steps; ++step) {
            const Real now = step == 0 || step >= switch_at ? 1 : beta;
            const Reals before = all.back();
            Reals after = before;
            for (const Ends& link : links(step)) {
                Real& flow = last[{link.tail, link.head}];
                flow =
                    (now - 1) * flow + now * weight(link) * (before[link.tail] - before[link.head]);
                after[link.tail] -= flow;
                after[link.head] += flow;
            }
            all.push_back(std::move(after));
        }
        return all;
    }
};

Ideal diffusion(const network::AnyNetwork& network, Tokens divisor, Real beta = 1,
                Step switch_at = ~Step{0}) {
    return {[&network](Step /*step*/) { return network::all_links(network); },
            [&network, divisor](const Ends& link) {
                const Port degree = std::max(network.degree(link.tail), network.degree(link.head));
                return 1 / static_cast<Real>(divisor > 0 ? divisor : Tokens{degree} + 1);
            },
            beta, switch_at};
}

Ideal matched(std::function<std::vector<Ends>(Step)> links, Real share = 0.5L) {
    return {std::move(links), [share](const Ends& /*link*/) { return share; }};
}

Ideal in_turn(const network::AnyNetwork& network, Real share = 0.5L) {
    return matched([matchings = network::natural_matchings(network)](
                       Step step) { return matchings[step % matchings.size()]; },
                   share);
}

/// Random matchings, the first of them after this many steps.
Ideal in_random_matchings(const network::AnyNetwork& network, std::uint64_t seed, Step after) {
    return matched([&network, seed, after](Step step) {
        if (step < after) return std::vector<Ends>{};
        model::RandomMatching matching(network, seed);
        matching.prepare(step - after);
        const auto links = matching.links(0);
        return std::vector<Ends>(links.begin(), links.end());
    });
}

/// An algorithm, parameters, and the idealised process that its page names.
struct Case {
    std::string name;
    catalogue::ParameterTexts parameters;
    std::function<Ideal(const network::AnyNetwork&, std::uint64_t seed)> ideal;
    bool until_it_ends = false;  ///< else deviations after the run count, too
};

Tokens degree(const network::AnyNetwork& network) {
    return Tokens{network.degree_max()};
}

template <class... By>
auto diffuse(By... by) {
    return [by...](const network::AnyNetwork& network, std::uint64_t /*seed*/) {
        return diffusion(network, by...);
    };
}
/// With the weight 1 / (times * degree + more) on every link.
auto uniform(Tokens times, Tokens more, Real beta = 1, Step switch_at = ~Step{0}) {
    return [=](const network::AnyNetwork& network, std::uint64_t /*seed*/) {
        return diffusion(network, times * degree(network) + more, beta, switch_at);
    };
}
auto circuit(Real share = 0.5L) {
    return [=](const network::AnyNetwork& network, std::uint64_t /*seed*/) {
        return in_turn(network, share);
    };
}

std::vector<Case> cases() {
    const auto random_matchings = [](Step after) {
        return [after](const network::AnyNetwork& network, std::uint64_t seed) {
            return in_random_matchings(network, seed, after);
        };
    };
    const auto random_links = [](const network::AnyNetwork& network, std::uint64_t seed) {
        return matched([&network, seed](Step step) {
            model::RandomLink link(network, seed);
            link.prepare(step);
            return std::vector<Ends>{link.links(0)[0]};
        });
    };
    return {
        {"diffusion", {}, diffuse(Tokens{0})},
        {"diffusion", {{"weights", "uniform"}, {"rounding", "down"}}, uniform(1, 1)},
        {"diffusion-2", {{"beta", "1.75"}}, diffuse(Tokens{0}, Real{1.75}), true},
        {"diffusion-2", {{"beta", "1.25"}}, diffuse(Tokens{0}, Real{1.25}), true},
        {"randomised-diffusion", {{"rounds", "9"}}, uniform(1, 1), true},
        {"quasirandom-diffusion", {{"rounds", "12"}}, diffuse(Tokens{0}), true},
        {"randomised-rounding", {{"order", "first"}, {"rounds", "9"}}, uniform(1, 1), true},
        {"randomised-rounding",
         {{"order", "second"}, {"beta", "1.5"}, {"rounds", "12"}},
         uniform(1, 1, 1.5),
         true},
        {"randomised-rounding",
         {{"order", "hybrid"}, {"beta", "1.5"}, {"switch", "5"}, {"rounds", "12"}},
         uniform(1, 1, 1.5, 5),
         true},
        {"rotor-router", {{"rounds", "9"}}, uniform(2, 0), true},
        {"rotor-router", {{"variant", "star"}, {"rounds", "9"}}, uniform(2, 0), true},
        {"send-floor", {}, uniform(2, 0)},
        {"send-floor", {{"rounds", "7"}}, uniform(2, 0), true},
        {"send-round", {{"rounds", "9"}}, uniform(3, 0), true},
        {"send-round", {{"divisor", "50"}, {"rounds", "30"}}, uniform(0, 50), true},
        {"balancing-circuit", {}, circuit()},
        {"balancing-circuit", {{"initial", "random"}}, circuit()},
        {"balancing-circuit", {{"balancers", "kept"}}, circuit()},
        {"balancing-circuit", {{"share", "1/4"}}, circuit(0.25L)},
        {"dimension-exchange", {}, circuit()},
        {"coin-averaging", {{"matching", "periodic"}}, circuit()},
        {"coin-averaging", {}, random_matchings(0)},
        {"coin-averaging", {{"matching", "single"}}, random_links},
        {"flow-imitation", {}, diffuse(Tokens{0}), true},
        {"flow-imitation", {{"randomised", "yes"}}, diffuse(Tokens{0}), true},
        {"flow-imitation",
         {{"follows", "second-order"}, {"beta", "1.5"}},
         diffuse(Tokens{0}, Real{1.5}),
         true},
        {"flow-imitation", {{"follows", "dimension-exchange"}}, circuit(), true},
        {"flow-imitation", {{"follows", "random-matchings"}}, random_matchings(1), true},
    };
}

/// The largest deviation after each step of a run from the beginning on.
std::vector<Real> deviations(const std::vector<load::Loads>& tokens, const Ideal& ideal) {
    const std::vector<Reals> loads = ideal.play(tokens.front(), tokens.size() - 1);
    std::vector<Real> found;
    for (std::size_t step = 0; step < tokens.size(); ++step) {
        Real most = 0;
        for (std::size_t node = 0; node < tokens[step].size(); ++node)
            most = std::max(most,
                            std::fabs(static_cast<Real>(tokens[step][node]) - loads[step][node]));
        found.push_back(most);
    }
    return found;
}

struct Watched {
    Outcome run;
    std::vector<load::Loads> tokens;
};

Watched watched(const Case& one, const network::AnyNetwork& network, const load::Loads& loads,
                std::uint64_t seed) {
    Watch watch;
    const catalogue::Supervision supervision{.observers = {&watch}};
    RunOptions options;
    options.seed = seed;
    options.parameters = one.parameters;
    options.with_deviation = true;
    options.supervision = &supervision;
    Outcome run = catalogue::run(one.name, network, loads, options);
    return {std::move(run), watch.seen()};
}

/// What is wrong with the deviation of a run; empty if nothing.
std::string wrong_with(const Case& one, const network::AnyNetwork& network,
                       const load::Loads& loads, std::uint64_t seed) {
    const auto [run, tokens] = watched(one, network, loads, seed);
    const std::vector<Real> found = deviations(tokens, one.ideal(network, seed));
    const Real largest = *std::max_element(found.begin(), found.end());
    const model::Deviation& stated = run.record.deviation.value();
    const Real error = static_cast<Real>(stated.error.value()) + 1e-9L;
    const auto said = [&](const std::string& what) {
        return one.name + ": " + what + ": stated " + std::to_string(stated.value) + " +- " +
               std::to_string(static_cast<double>(error)) + ", played " +
               std::to_string(static_cast<double>(largest));
    };
    if (stated.value + error < largest) return said("too small");
    const bool in_run = stated.step && *stated.step < found.size();
    if ((one.until_it_ends || in_run) && stated.value - error > largest) return said("too large");
    if (one.until_it_ends && !in_run) return said("of no step of the run");
    // The error is what is unknown, not a licence.
    if (in_run && static_cast<Real>(stated.error.value()) > 1e-5L * std::max<Real>(1, largest))
        return said("not known well");
    if (in_run && found[static_cast<std::size_t>(*stated.step)] < largest - error)
        return said("not after step " + std::to_string(*stated.step));
    if (stated.bound && largest > static_cast<Real>(*stated.bound) * 1.00001L)
        return said("beyond the bound of " + std::to_string(*stated.bound));
    return "";
}

network::AnyNetwork any_network() {
    const auto spec = *rc::gen::element<std::string>(
        "cycle:n=4", "cycle:n=7", "path:n=5", "star:leaves=4", "torus:3x4", "mesh:3x3",
        "hypercube:d=3", "complete:n=5", "random-tree:n=8", "gnp:n=9,p=0.5");
    return network::generate(spec, 3);
}

TEST(Deviations, AreThoseFromTheProcessThatThePageNames) {
    for (const Case& one : cases())
        EXPECT_TRUE(test::holds(one.name, [&] {
            const network::AnyNetwork network = any_network();
            const auto loads = *rc::gen::container<load::Loads>(network.node_count(),
                                                                rc::gen::inRange<Tokens>(0, 60));
            const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
            const std::string wrong = wrong_with(one, network, loads, seed);
            if (!wrong.empty()) RC_FAIL(wrong);
        }));
}

TEST(Deviations, AreThoseFromTheProcessThatThePageNamesForManyTokens) {
    const network::AnyNetwork torus = network::generate("torus:3x5", 0);
    for (const Case& one : cases()) {
        load::Loads loads(torus.node_count(), 7);
        loads[2] = 1'000'000'007;
        EXPECT_EQ(wrong_with(one, torus, loads, 5), "");
    }
}

TEST(Deviations, HaveACaseForEveryAlgorithmThatMeasuresThem) {
    const std::vector<Case> all = cases();
    for (const std::string& name :
         test::names_of([](const catalogue::Algorithm& a) { return a.measures_deviation; }))
        EXPECT_TRUE(
            name == "random-pairs" ||
            std::any_of(all.begin(), all.end(), [&](const Case& c) { return c.name == name; }))
            << name;
}

TEST(Deviations, OfRandomPairsAreThoseFromTheSamePairs) {
    const network::AnyNetwork complete = network::generate("complete:n=6", 0);
    const Case pairs{
        "random-pairs", {}, [](const network::AnyNetwork& network, std::uint64_t seed) {
            return matched([&network, seed](Step step) {
                model::RandomPair pair(network.node_count(), seed);
                pair.prepare(step);
                return std::vector<Ends>{pair.links(0)[0]};
            });
        }};
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        EXPECT_EQ(wrong_with(pairs, complete, test::spike(complete, 41), seed), "");
}

TEST(Deviations, OfCircuitsAreLookedAtAfterEveryStep) {
    // After the first step the pairs hold 0 and 1, 2 and 1 of idealised 1/2, 1/2, 3/2, 3/2; after
    // the second all are level.
    const network::AnyNetwork cycle = network::generate("cycle:n=4", 0);
    RunOptions options;
    options.with_deviation = true;
    const Outcome run = catalogue::run("balancing-circuit", cycle, {0, 1, 0, 3}, options);
    const model::Deviation& deviation = run.record.deviation.value();
    EXPECT_DOUBLE_EQ(deviation.value, 0.5);
    EXPECT_EQ(deviation.step, 1U);
    EXPECT_EQ(deviation.bound, 1.0);
}

TEST(Deviations, HaveTheSameBoundAfterEveryStepWhereAClosedFormIsKnown) {
    for (const std::string spec : {"cycle:n=4", "cycle:n=10", "torus:4x4", "torus:2x6",
                                   "torus:4x2x6", "torus:8", "hypercube:d=1", "hypercube:d=4"}) {
        const network::AnyNetwork network = network::generate(spec, 0);
        network::MatchingSequence matchings = network::natural_matchings(network);
        const double known = analysis::known_circuit_divergence(network).value().value;
        for (std::size_t step = 0; step < matchings.size(); ++step) {
            const analysis::CircuitMatrix circuit(network.node_count(), matchings);
            const analysis::Estimate found = local_divergence(
                circuit.reversed(), second_eigenvalue(circuit), {.relative_error = 1e-9});
            EXPECT_NEAR(found.value, known, found.error + 1e-9) << spec << " from step " << step;
            std::rotate(matchings.begin(), matchings.begin() + 1, matchings.end());
        }
    }
}

/// Calls `visit` with all loads of the given length, each 0 .. most.
void for_all_loads(std::size_t nodes, Tokens most, const std::function<void(load::Loads)>& visit) {
    load::Loads loads(nodes, 0);
    while (true) {
        visit(loads);
        std::size_t node = 0;
        while (node < nodes && loads[node] == most)
            loads[node++] = 0;
        if (node == nodes) return;
        ++loads[node];
    }
}

/// Every load is less than the degree away from the loads of the process that is followed, except
/// that with second order dummies may keep it above; and the promise is kept.
void expect_close(const Case& one, const network::AnyNetwork& network, const load::Loads& loads) {
    const auto [run, tokens] = watched(one, network, loads, 1);
    const auto ideal = one.ideal(network, 1).play(loads, tokens.size() - 1);
    const bool second_order = one.parameters.contains("beta");
    const bool above = second_order && run.record.constants.at("dummies_made") != "0";
    constexpr Real fixed_point = 1e-4L;
    for (std::size_t step = 0; step < tokens.size(); ++step)
        for (NodeId node = 0; node < network.node_count(); ++node) {
            const Real ahead = static_cast<Real>(tokens[step][node]) - ideal[step][node];
            const Real most = network.degree(node) + fixed_point;
            EXPECT_GT(ahead, -most);
            EXPECT_TRUE(above || ahead < most);
        }
    const auto promised = run.record.guarantee.discrepancy;
    EXPECT_EQ(promised.has_value(), !second_order);
    EXPECT_TRUE(!promised || run.discrepancy() <= *promised);
}

TEST(FlowImitationEntry, StaysBelowTheDegreeOfWhateverItFollows) {
    for (const Case& one : cases()) {
        if (one.name != "flow-imitation" || one.parameters.contains("randomised")) continue;
        for (const auto& [spec, most] :
             std::vector<std::pair<std::string, Tokens>>{{"path:n=2", 9},
                                                         {"path:n=4", 3},
                                                         {"star:leaves=3", 3},
                                                         {"cycle:n=4", 3},
                                                         {"complete:n=4", 3}}) {
            SCOPED_TRACE(spec);
            const network::AnyNetwork network = network::generate(spec, 0);
            for_all_loads(network.node_count(), most,
                          [&](const load::Loads& loads) { expect_close(one, network, loads); });
        }
    }
}

}  // namespace
}  // namespace equipoise
