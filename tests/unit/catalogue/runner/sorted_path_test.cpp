// Churn that lays complete networks as paths, as runs, records and refusals show it.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

RunOptions against(const std::string& churn) {
    RunOptions options;
    options.seed = 6;
    options.churn = churn;
    options.steps_max = 60;
    options.record_level = model::RecordLevel::full;
    return options;
}

TEST(SortedPath, FullRecordsOfAllAnytimeAlgorithmsVerifyAndReplay) {
    const network::AnyNetwork network = network::generate("complete:n=9", 0);
    const NetworkFacts facts(network);
    const load::Loads loads = test::spike(network, 100);
    int played = 0;
    for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.anytime || algorithm.program) continue;
        for (const char* smoothing : {"", ",smoothing=0.5"}) {
            SCOPED_TRACE(algorithm.name + smoothing);
            RunOptions options = against(std::string("adversary:sorted-path") + smoothing);
            if (*smoothing != '\0') options.arrivals = "poisson:rate=0.2,consume=0.2";
            if (!test::refusal(algorithm, facts, loads, options).empty()) continue;  // needs a ring
            const Outcome run = catalogue::run(algorithm, facts, loads, options);
            for (const verify::Check& check : verify::verify(run.record).checks)
                EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
            const model::Record read =
                model::record_from_json(model::to_json(run.record), "record");
            EXPECT_EQ(read.churn, options.churn);
            const Replay again = replay(read);
            EXPECT_TRUE(again.same) << again.detail;
            ++played;
        }
    }
    EXPECT_GT(played, 10);
}

/// Without smoothing nothing moves in a round but along a path of rising loads.
TEST(SortedPath, LetsTokensCrossOnlyLinksOfThePath) {
    const network::AnyNetwork network = network::generate("complete:n=9", 0);
    const NetworkFacts facts(network);
    const Outcome run = catalogue::run(find_algorithm("max-neighbor"), facts,
                                       test::spike(network, 100), against("adversary:sorted-path"));
    load::Loads loads = test::spike(network, 100);
    std::size_t next = 0;
    for (Step step = 0; step < run.steps(); ++step) {
        std::vector<std::pair<Tokens, NodeId>> places;
        for (NodeId node = 0; node < 9; ++node)
            places.emplace_back(loads[node], node);
        std::sort(places.begin(), places.end());
        std::set<std::pair<NodeId, NodeId>> path;
        for (std::size_t place = 1; place < places.size(); ++place) {
            path.insert({places[place - 1].second, places[place].second});
            path.insert({places[place].second, places[place - 1].second});
        }
        for (; next < run.record.transfers.size() && run.record.transfers[next].step == step;
             ++next) {
            const model::Transfer& one = run.record.transfers[next];
            EXPECT_TRUE(path.contains({one.from, one.to}));
            loads[one.from] -= one.tokens;
            loads[one.to] += one.tokens;
        }
    }
    EXPECT_EQ(next, run.record.transfers.size());
    EXPECT_GT(next, 50U);
    EXPECT_EQ(loads, run.loads());
}

TEST(SortedPath, NeedsACompleteNetworkThatIsNotHuge) {
    for (const char* spec : {"torus:3x3", "path:n=1"}) {
        const network::AnyNetwork network = network::generate(spec, 0);
        EXPECT_EQ(
            test::message_of([&] {
                static_cast<void>(catalogue::run("max-neighbor", network, test::spike(network, 5),
                                                 against("adversary:sorted-path")));
            }),
            "churn adversary:sorted-path: expected a complete network, complete:n=N, of 2 "
            "to 1000 nodes, found one of " +
                std::to_string(network.node_count()) + " nodes and " +
                std::to_string(network.link_count()) + " links");
    }
}

}  // namespace
}  // namespace equipoise::catalogue
