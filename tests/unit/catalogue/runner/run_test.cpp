#include "equipoise/catalogue/runner/run.hpp"

#include <stop_token>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"
#include "tests/support/property.hpp"

namespace {

using namespace equipoise;
using catalogue::Algorithm;
using catalogue::Outcome;
using catalogue::RunOptions;
using model::RecordLevel;
using test::message_of;
using test::spike;

bool suitable(const Algorithm& algorithm, const network::AnyNetwork& network,
              const load::Loads& loads) {
    return test::refusal(algorithm, catalogue::NetworkFacts(network), loads).empty();
}

TEST(CatalogueRun, GivesTheSameLoadsAtAnyThreadCountAndRecordLevel) {
    EXPECT_TRUE(test::holds("same loads", [] {
        const auto nodes = *rc::gen::inRange<NodeId>(2, 30);
        const network::AnyNetwork network = network::generate(
            "random-tree:n=" + std::to_string(nodes), *rc::gen::inRange<std::uint64_t>(0, 99));
        const auto loads = *rc::gen::container<load::Loads>(nodes, rc::gen::inRange<Tokens>(0, 50));
        const auto& table = catalogue::algorithms();
        const Algorithm& algorithm = table[*rc::gen::inRange<std::size_t>(0, table.size())];
        RC_PRE(suitable(algorithm, network, loads));
        RunOptions options;
        const Outcome one = catalogue::run(algorithm.name, network, loads, options);
        options.threads = *rc::gen::inRange(1, 5);
        options.record_level =
            *rc::gen::element(RecordLevel::summary, RecordLevel::sampled, RecordLevel::full);
        const Outcome other = catalogue::run(algorithm.name, network, loads, options);
        RC_ASSERT(one.loads() == other.loads());
        RC_ASSERT(one.record.costs == other.record.costs);
    }));
}

TEST(CatalogueRun, PromisesNothingForThePrintedTerminationOfDiscrepancy1) {
    const network::AnyNetwork path(network::Network(3, {{0, 1}, {0, 2}}));
    RunOptions printed;
    printed.parameters["termination"] = "local-max";
    const Outcome unsound = catalogue::run("discrepancy-1", path, {17, 0, 22}, printed);
    EXPECT_TRUE(unsound.guarantee().source.empty());
    EXPECT_EQ(unsound.reached(), unsound.discrepancy() <= 1);
    const Outcome sound = catalogue::run("discrepancy-1", path, {17, 0, 22});
    EXPECT_TRUE(sound.reached());
    EXPECT_LE(sound.discrepancy(), 1);
    EXPECT_EQ(sound.guarantee().discrepancy, 1);
}

TEST(CatalogueRun, EndsAtTheCapOrTheInterruptWithoutHavingReachedItsEnd) {
    const network::AnyNetwork torus = network::generate("torus:8x8", 0);
    RunOptions capped;
    capped.steps_max = 3;
    const Outcome short_run = catalogue::run("threshold-2", torus, spike(torus, 1000), capped);
    EXPECT_EQ(short_run.steps(), 3U);
    EXPECT_FALSE(short_run.reached());
    EXPECT_EQ(short_run.stopped_because(), "max-steps");

    std::stop_source source;
    source.request_stop();
    RunOptions stopped;
    const catalogue::Supervision supervision = {source.get_token()};
    stopped.supervision = &supervision;
    const Outcome interrupted = catalogue::run("threshold-2", torus, spike(torus, 1000), stopped);
    EXPECT_FALSE(interrupted.reached());
    EXPECT_EQ(interrupted.stopped_because(), "interrupted");
    EXPECT_EQ(load::total(interrupted.loads()), 1000);
}

TEST(CatalogueRun, PlaysNoMoreStepsThanItsCap) {
    for (const char* spec : {"mesh:4x4", "path:n=6", "tree:k=2,h=3"}) {
        const network::AnyNetwork network = network::generate(spec, 0);
        const load::Loads loads = spike(network, 105);
        for (const Algorithm& algorithm : catalogue::algorithms()) {
            if (!suitable(algorithm, network, loads)) continue;
            for (const Step cap : {0U, 1U, 2U, 3U, 4U, 5U, 7U}) {
                RunOptions options;
                options.steps_max = cap;
                const Outcome run = catalogue::run(algorithm.name, network, loads, options);
                EXPECT_LE(run.steps(), cap) << algorithm.name << " on " << spec;
                EXPECT_TRUE(verify::verify(run.record).passed()) << algorithm.name;
            }
        }
    }
}

TEST(CatalogueRun, DoesNotBeginARoundOfThreeStepsThatDoesNotFitBelowItsCap) {
    const network::AnyNetwork path = network::generate("path:n=9", 0);
    for (const char* name : {"deal-agreement-1", "deal-agreement-2", "deal-agreement-3"})
        for (const auto& [cap, steps] : {std::pair{2, 0}, {3, 3}, {5, 3}, {6, 6}}) {
            RunOptions options;
            options.steps_max = static_cast<Step>(cap);
            const Outcome run = catalogue::run(name, path, spike(path, 1000), options);
            EXPECT_EQ(run.steps(), static_cast<Step>(steps)) << name;
            EXPECT_EQ(run.stopped_because(), "max-steps") << name;
            EXPECT_FALSE(run.reached()) << name;
        }
}

/// Continues from the same loads: a steep link would lower the potential, and nothing raises it.
void expect_nothing_more_to_gain(const Outcome& end, const network::AnyNetwork& network,
                                 const load::Loads& loads) {
    RunOptions longer;
    longer.stop = model::StopRule{};
    longer.stop->own_termination = false;
    longer.steps_max = end.steps() + 20'000;
    const Outcome later = catalogue::run("threshold-1-plus", network, loads, longer);
    EXPECT_EQ(load::potential(end.loads()), load::potential(later.loads()));
}

TEST(Threshold1PlusEntry, EndsOnlyIfNoLinkCanBecomeSteepAgain) {
    const network::AnyNetwork torus = network::generate("torus:4x4", 1);
    const load::Loads zipf = catalogue::make_loads("zipf:tokens=300", torus, 1);
    const Outcome on_torus = catalogue::run("threshold-1-plus", torus, zipf);
    EXPECT_EQ(on_torus.discrepancy(), 1);
    expect_nothing_more_to_gain(on_torus, torus, zipf);

    const network::AnyNetwork complete = network::generate("complete:n=4", 0);
    const Outcome on_complete = catalogue::run("threshold-1-plus", complete, {0, 1, 0, 3});
    EXPECT_EQ(on_complete.discrepancy(), 0);
    expect_nothing_more_to_gain(on_complete, complete, {0, 1, 0, 3});

    for (const char* spec : {"random-tree:n=30", "gnp:n=14,p=0.3", "mesh:3x5", "cycle:n=12"})
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const network::AnyNetwork network = network::generate(spec, seed);
            const load::Loads loads = catalogue::make_loads("zipf:tokens=200", network, seed);
            if (!suitable(catalogue::find_algorithm("threshold-1-plus"), network, loads)) continue;
            const Outcome run = catalogue::run("threshold-1-plus", network, loads);
            EXPECT_TRUE(run.reached());
            EXPECT_TRUE(verify::verify(run.record).passed());
            expect_nothing_more_to_gain(run, network, loads);
        }
}

TEST(CatalogueRun, CallsACallersStableWindowStableOnlyWhereItIsAProof) {
    const network::AnyNetwork tree = network::generate("tree:k=3,h=3", 0);
    const load::Loads loads = catalogue::make_loads("zipf:tokens=300", tree, 1);
    const auto reason = [&](const char* algorithm, Step steps, std::optional<Step> cap) {
        RunOptions options;
        options.stop = model::StopRule{};
        options.stop->own_termination = false;
        options.stop->stable_steps = steps;
        options.steps_max = cap;
        const Outcome run = catalogue::run(algorithm, tree, loads, options);
        EXPECT_TRUE(run.reached()) << algorithm;
        EXPECT_TRUE(verify::verify(run.record).passed()) << algorithm;
        return run.stopped_because();
    };
    const Step window = Step{4} * tree.node_count();  // chi n: a proof for THRESHOLD-1 on trees
    for (const std::optional<Step> cap : {std::optional<Step>(), std::optional<Step>(100'000)}) {
        EXPECT_EQ(reason("threshold-1", window, cap), "stable");
        EXPECT_EQ(reason("threshold-1", window - 1, cap), "no-progress");
    }
    EXPECT_EQ(reason("threshold-1-plus", 1, 100'000), "no-progress");
    EXPECT_EQ(reason("threshold-2", 1, 100'000), "no-progress");
}

TEST(CatalogueRun, PromisesNothingWhereTheCallersRuleEndsTheRun) {
    const network::AnyNetwork torus = network::generate("torus:8x8", 0);
    RunOptions options;
    options.stop = model::StopRule{};
    options.stop->discrepancy = 500;
    const Outcome run = catalogue::run("threshold-2", torus, spike(torus, 1000), options);
    EXPECT_TRUE(run.reached());
    EXPECT_EQ(run.stopped_because(), "discrepancy-reached");
    EXPECT_LE(run.discrepancy(), 500);
    EXPECT_GT(run.discrepancy(), 14);
    EXPECT_TRUE(run.guarantee().source.empty());
    EXPECT_TRUE(verify::verify(run.record).passed());
}

TEST(CatalogueRun, EndsWithoutHavingReachedADiscrepancyThatItNeverWill) {
    const network::AnyNetwork mesh = network::generate("mesh:4x4", 0);
    RunOptions options;
    options.stop = model::StopRule{};
    options.stop->discrepancy = 0;
    options.stop->own_termination = false;
    for (const char* algorithm : {"threshold-1", "threshold-2", "discrepancy-1", "diffusion",
                                  "steepest-matching", "perfect-tree", "mesh-weak"}) {
        const Outcome run = catalogue::run(algorithm, mesh, spike(mesh, 100), options);
        EXPECT_FALSE(run.reached()) << algorithm;
        EXPECT_GT(run.discrepancy(), 0) << algorithm;
        EXPECT_TRUE(verify::verify(run.record).passed()) << algorithm;
    }
}

TEST(CatalogueRun, RefusesCountsThatLeaveTheirRange) {
    // 2^61 tokens go to an average distance of 5.5 links: more exchanges than 2^63.
    const network::AnyNetwork path = network::generate("path:n=12", 0);
    load::Loads loads(12, 0);
    loads[0] = tokens_max;
    for (const char* name : {"mesh-weak", "mesh-strong", "perfect-tree-batched",
                             "minimum-exchange-tree", "dimension-exchange", "deal-agreement-2"}) {
        // Checked builds play moves on meshes one by one, and refuse this many.
        if (checked_build && std::string(name).starts_with("mesh-")) continue;
        RunOptions options;
        if (std::string(name) == "minimum-exchange-tree") options.parameters["tokens"] = "bundled";
        try {
            static_cast<void>(run(name, path, loads, options));
            ADD_FAILURE() << name;
        } catch (const OverflowError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with("number of exchanges"))
                << name << ": " << error.what();
        }
    }
}

TEST(CatalogueRun, PromisesNoStepsWhereTheBoundIsBeyond64Bits) {
    const network::AnyNetwork path = network::generate("path:n=9", 0);
    load::Loads loads(9, 0);
    loads[0] = tokens_max;
    RunOptions options;
    options.steps_max = 10;
    const Outcome run = catalogue::run("discrepancy-1", path, loads, options);
    EXPECT_EQ(run.steps(), 10U);
    EXPECT_EQ(run.guarantee().discrepancy, 1);
    EXPECT_FALSE(run.guarantee().steps);
    EXPECT_FALSE(catalogue::run("deal-agreement-3", path, loads, options).guarantee().steps);
    EXPECT_FALSE(catalogue::run("perfect-tree", path, loads, options).guarantee().steps);
}

TEST(CatalogueRun, RefusesWhatItCannotServe) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    const auto message = [&](const char* name, const network::AnyNetwork& network,
                             const load::Loads& loads) {
        return message_of([&] { static_cast<void>(catalogue::run(name, network, loads)); });
    };
    EXPECT_EQ(message("threshold-2", network::AnyNetwork(network::Network(3, {{0, 1}})), {1, 0, 0}),
              "the network is not connected: expected one component (--largest-component keeps the "
              "largest)");
    EXPECT_EQ(message("threshold-2", path, {1, 0}),
              "expected one load for each of 3 nodes, found 2");
    EXPECT_EQ(message("threshold-2", path, {1, -4, 0}), "node 1 has -4 tokens: expected 0 or more");
    EXPECT_EQ(message("threshold-2", network::AnyNetwork(), {}), "the network has no nodes");
    EXPECT_EQ(message("threshhold-2", path, {1, 0, 0}),
              "unknown algorithm \"threshhold-2\": did you mean \"threshold-2\"?");
    EXPECT_NE(message("threshold-2", path, {tokens_max, 1, 0}), "no error");
}

TEST(CatalogueReplay, RepeatsARecordedRunAndFindsItTheSame) {
    for (const Algorithm& algorithm : catalogue::algorithms()) {
        const network::AnyNetwork network = network::generate("random-regular:n=16,d=3", 9);
        if (!suitable(algorithm, network, spike(network, 77))) continue;
        RunOptions options;
        options.record_level = RecordLevel::full;
        const Outcome run = catalogue::run(algorithm.name, network, spike(network, 77), options);
        const catalogue::Replay again = catalogue::replay(run.record);
        EXPECT_TRUE(again.same) << algorithm.name << ": " << again.detail;
    }
}

TEST(CatalogueReplay, NamesTheFirstDifference) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    RunOptions options;
    options.record_level = RecordLevel::full;
    model::Record record = catalogue::run("threshold-2", path, {9, 0, 0, 0}, options).record;
    record.transfers[1].tokens = 2;
    const catalogue::Replay tampered = catalogue::replay(record);
    EXPECT_FALSE(tampered.same);
    EXPECT_TRUE(tampered.detail.starts_with("recorded 2 tokens from node")) << tampered.detail;
}

TEST(CatalogueReplay, RefusesARecordWhoseNetworkIsNotTheRecordedOne) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    model::Record record = catalogue::run("threshold-2", path, {9, 0, 0, 0}).record;
    record.network_digest ^= 1;
    EXPECT_THROW(static_cast<void>(catalogue::replay(record)), InputError);
}

}  // namespace
