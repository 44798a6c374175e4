// Algorithms of the catalogue while tokens, nodes and links come and go.

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

Tokens booked(const std::vector<model::Transfer>& account) {
    Tokens sum = 0;
    for (const model::Transfer& entry : account)
        sum += entry.tokens;
    return sum;
}

class ChangingWorld : public testing::Test {
  protected:
    const network::AnyNetwork torus_ = network::generate("torus:5x4", 0);
    const NetworkFacts facts_{torus_};
    // Tests run side by side: each has files of its own.
    const std::string stem_ = testing::TempDir() + "equipoise_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string arrivals_csv_ = stem_ + "_arrivals.csv";
    const std::string churn_csv_ = stem_ + "_churn.csv";

    void SetUp() override {
        std::ofstream(arrivals_csv_) << "step,node,delta\n0,3,40\n7,11,25\n30,3,-9\n90,0,50\n";
        std::ofstream(churn_csv_) << "step,subject,id,state\n10,node,3,down\n20,link,0,1,down\n"
                                     "40,node,3,up\n50,link,0,1,up\n";
    }
    void TearDown() override {
        std::remove(arrivals_csv_.c_str());
        std::remove(churn_csv_.c_str());
    }
    /// Arrivals and churn of every kind, alone and together.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> worlds() const {
        return {{"poisson:rate=0.5,consume=0.4", ""},
                {"burst:every=20,tokens=60", ""},
                {"burst:every=20,tokens=60,node=7,consume=0.1", ""},
                {"spike:tokens=3", ""},
                {"link:tokens=2,consume=0.1", ""},
                {"replay:" + arrivals_csv_, ""},
                {"", "random:nodes=0.02,links=0.03,back=0.2"},
                {"", "replay:" + churn_csv_},
                {"poisson:rate=0.3,consume=0.3", "random:nodes=0.02,links=0.02,back=0.1"},
                {"replay:" + arrivals_csv_, "replay:" + churn_csv_}};
    }
    [[nodiscard]] static RunOptions options(const std::pair<std::string, std::string>& world,
                                            Step steps) {
        RunOptions options;
        options.seed = 4;
        options.arrivals = world.first;
        options.churn = world.second;
        options.steps_max = steps;
        options.record_level = model::RecordLevel::full;
        return options;
    }
};

TEST_F(ChangingWorld, IsSupportedByEveryAnytimeAlgorithmAndItsFullRecordsVerifyAndReplay) {
    const network::AnyNetwork all_linked = network::generate("complete:n=20", 0);
    const NetworkFacts complete(all_linked);
    const network::AnyNetwork cycle = network::generate("cycle:n=20", 0);
    const NetworkFacts ring(cycle);
    const load::Loads loads = test::spike(torus_, 200);
    for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.anytime || algorithm.program) continue;
        // Those for complete networks or rings play there.
        const auto serves = [&](const NetworkFacts& facts) {
            return test::refusal(algorithm, facts, loads).empty();
        };
        const NetworkFacts& facts = serves(facts_) ? facts_ : serves(ring) ? ring : complete;
        for (const auto& world : worlds()) {
            SCOPED_TRACE(algorithm.name + ' ' + world.first + ' ' + world.second);
            const Outcome run = catalogue::run(algorithm, facts, loads, options(world, 120));
            EXPECT_TRUE(run.reached());
            EXPECT_EQ(run.stopped_because(), "max-steps");
            EXPECT_GE(run.steps(), 120U);
            EXPECT_TRUE(run.guarantee().source.empty());
            const model::Record& record = run.record;
            const Tokens before = 200 * static_cast<Tokens>(record.load_scale);
            EXPECT_EQ(load::total(run.loads()),
                      before + booked(record.created) - booked(record.destroyed));
            ASSERT_TRUE(record.world.has_value());
            EXPECT_EQ(record.world->arrived - record.world->consumed,
                      load::total(run.loads()) - before);
            EXPECT_LE(record.world->discrepancy_50, record.world->discrepancy_99);
            EXPECT_LE(record.world->discrepancy_99, record.world->discrepancy_max);
            if (record.world->arrived > 0) {
                EXPECT_DOUBLE_EQ(record.world->moved_per_arrival,
                                 static_cast<double>(run.exchanges()) /
                                     static_cast<double>(record.world->arrived));
            }
            for (const verify::Check& check : verify::verify(record).checks)
                EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
            const model::Record read = model::record_from_json(model::to_json(record), "record");
            EXPECT_EQ(read.switches, record.switches);
            const Replay again = replay(read);
            EXPECT_TRUE(again.same) << again.detail;
        }
    }
}

TEST_F(ChangingWorld, IsRefusedByAllOtherAlgorithmsWithOneClearLine) {
    const load::Loads loads = test::spike(torus_, 200);
    int refused = 0;
    for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.anytime || algorithm.program ||
            !test::refusal(algorithm, facts_, loads).empty())
            continue;
        for (const auto& world : worlds())
            EXPECT_TRUE(test::refusal(algorithm, facts_, loads, options(world, 10))
                            .starts_with(algorithm.name + " does not support " +
                                         (world.first.empty() ? "--churn" : "--arrivals") +
                                         "; these algorithms do: threshold-2, threshold-1, "));
        ++refused;
    }
    EXPECT_GT(refused, 3);
}

TEST_F(ChangingWorld, IsSupportedByNodeProgramsAsDeclaredAndTheirFullRecordsVerifyAndReplay) {
    const load::Loads loads = test::spike(torus_, 200);
    const std::string nodes = "random:nodes=0.02,back=0.2";
    for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.program || !test::refusal(algorithm, facts_, loads).empty()) continue;
        for (const auto& world : {std::pair<std::string, std::string>("spike:tokens=3", ""),
                                  {"poisson:rate=0.2,consume=0.2", ""},
                                  {"burst:every=20,tokens=60,node=7,consume=0.1", ""},
                                  {"replay:" + arrivals_csv_, ""},
                                  {"", nodes},
                                  {"poisson:rate=0.1,consume=0.1", nodes}}) {
            SCOPED_TRACE(algorithm.name + ' ' + world.first + ' ' + world.second);
            const std::string refusal =
                test::refusal(algorithm, facts_, loads, options(world, 120));
            if (!world.first.empty() && !algorithm.supports_arrivals()) {
                EXPECT_TRUE(refusal.starts_with(algorithm.name + " does not support --arrivals; "));
                continue;
            }
            if (!world.second.empty() && !algorithm.supports_churn()) {
                EXPECT_TRUE(refusal.starts_with(algorithm.name + " does not support --churn; "));
                continue;
            }
            ASSERT_EQ(refusal, "");
            const Outcome run = catalogue::run(algorithm, facts_, loads, options(world, 120));
            EXPECT_EQ(run.stopped_because(), "max-steps");
            EXPECT_EQ(run.steps(), 120U);
            const model::Record& record = run.record;
            EXPECT_EQ(load::total(run.loads()),
                      200 + booked(record.created) - booked(record.destroyed));
            EXPECT_EQ(record.world->arrived - record.world->consumed,
                      load::total(run.loads()) - 200);
            EXPECT_EQ(record.world->arrived > 0, !world.first.empty());
            for (const verify::Check& check : verify::verify(record).checks)
                EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
            const Replay again = replay(model::record_from_json(model::to_json(record), "record"));
            EXPECT_TRUE(again.same) << again.detail;
        }
    }
}

/// The column "Anytime" of the paper's Table 1: yes for its Algorithms 1 to 4; Algorithm 5 is
/// Algorithm 4 over unreliable channels.
TEST_F(ChangingWorld, IsForTheAlgorithmsThatTable1OfDinitzDolevKumarCallsAnytime) {
    for (const char* name : {"deal-agreement-1", "deal-agreement-2", "deal-agreement-3",
                             "async-deal-agreement", "self-stabilising"}) {
        EXPECT_TRUE(find_algorithm(name).anytime) << name;
        EXPECT_TRUE(find_algorithm(name).supports_arrivals()) << name;
    }
    for (const Algorithm& algorithm : algorithms())
        EXPECT_TRUE(algorithm.anytime ||
                    (!algorithm.supports_arrivals() && !algorithm.supports_churn()))
            << algorithm.name;
}

TEST_F(ChangingWorld, BringsWholeTokensToContinuousProcesses) {
    const Outcome run = catalogue::run("deal-agreement-1", torus_, test::spike(torus_, 200),
                                       options({"replay:" + arrivals_csv_, ""}, 120));
    const auto scale = static_cast<Tokens>(run.record.load_scale);
    EXPECT_GT(scale, 1);
    EXPECT_EQ(run.record.world->arrived, 115 * scale);
    EXPECT_EQ(run.record.world->consumed, 9 * scale);
}

TEST_F(ChangingWorld, LeavesRecordsOfNodeProgramsThatSayWhatHappenedNotWhatWasWished) {
    const network::AnyNetwork torus = network::generate("torus:4x4", 0);
    const NetworkFacts facts(torus);
    const Algorithm& algorithm = find_algorithm("self-stabilising");
    std::size_t departures = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RunOptions asked = options({"", "random:nodes=0.002,back=0.02"}, 400);
        asked.seed = seed;
        asked.asynchrony.faults = "loss=0.1";
        const model::Record record =
            catalogue::run(algorithm, facts, test::spike(torus, 160), asked).record;
        for (const verify::Check& check : verify::verify(record).checks)
            EXPECT_TRUE(check.passed) << seed << ' ' << check.name << ": " << check.detail;
        std::vector<bool> up(16, true);
        for (const model::NetworkSwitch& entry : record.switches) {
            EXPECT_NE(up[entry.node], entry.up) << "seed " << seed;
            up[entry.node] = entry.up;
            departures += entry.up ? 0 : 1;
        }
    }
    EXPECT_GT(departures, 100U);
}

TEST_F(ChangingWorld, RecordsNoSwitchThatChangedNothing) {
    std::ofstream(churn_csv_) << "step,subject,id,state\n9,node,3,down\n12,node,3,down\n"
                                 "18,link,0,1,down\n21,link,0,1,down\n30,node,3,up\n33,node,3,up\n";
    const Outcome run = catalogue::run("deal-agreement-2", torus_, test::spike(torus_, 200),
                                       options({"", "replay:" + churn_csv_}, 60));
    const std::vector<model::NetworkSwitch> expected = {
        {9, 3, 3, false}, {18, 0, 1, false}, {30, 3, 3, true}};
    EXPECT_EQ(run.record.switches, expected);
    EXPECT_TRUE(verify::verify(run.record).passed());
}

TEST_F(ChangingWorld, LetsANodeThatLeftTooLateForItsReturnComeBackAtOnce) {
    std::ofstream(churn_csv_) << "step,subject,id,state\n30,node,3,down\n31,node,3,up\n";
    const Outcome run = catalogue::run("self-stabilising", torus_, test::spike(torus_, 200),
                                       options({"", "replay:" + churn_csv_}, 300));
    ASSERT_EQ(run.record.switches.size(), 2U);
    const model::NetworkSwitch& gone = run.record.switches[0];
    const model::NetworkSwitch& back = run.record.switches[1];
    EXPECT_FALSE(gone.up);
    EXPECT_GT(gone.step, 31U);
    EXPECT_TRUE(back.up);
    EXPECT_EQ(back.step, gone.step);
}

TEST_F(ChangingWorld, EndsByRulesThatLookAtLiveComponentsAndVerifiesSo) {
    for (const char* name : {"deal-agreement-2", "self-stabilising"})
        for (const char* stop : {"one-balanced", "discrepancy:2"})
            for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                RunOptions asked = options({"", "random:nodes=0.03,back=0.05"}, 1000);
                asked.seed = seed;
                asked.stop = parse_stop(stop);
                const model::Record record =
                    catalogue::run(name, torus_, test::spike(torus_, 160), asked).record;
                for (const verify::Check& check : verify::verify(record).checks)
                    EXPECT_TRUE(check.passed)
                        << name << ' ' << stop << ' ' << seed << ' ' << check.detail;
                if (record.stopped_because != "one-balanced") continue;
                std::vector<bool> up(torus_.node_count(), true);
                for (const model::NetworkSwitch& entry : record.switches)
                    up[entry.node] = entry.up;
                NodeId node = 0;
                while (!up[node] || !up[torus_.neighbour(node, 0)])
                    ++node;
                model::Record moved = record;
                moved.final_loads[node] += 4;
                bool passed = true;
                for (const verify::Check& check : verify::verify(moved).checks)
                    if (check.name == "ending") passed = check.passed;
                EXPECT_FALSE(passed) << name << ' ' << seed;
            }
}

TEST_F(ChangingWorld, MakesALeavingNodeHandAllItsTokensToItsFirstNeighbour) {
    const Outcome run = catalogue::run("deal-agreement-2", torus_, test::spike(torus_, 200),
                                       options({"", "replay:" + churn_csv_}, 60));
    ASSERT_EQ(run.record.switches.size(), 4U);
    const model::NetworkSwitch& gone = run.record.switches.front();
    EXPECT_EQ(gone.node, 3U);
    EXPECT_EQ(gone.other, 3U);
    EXPECT_FALSE(gone.up);
    Tokens handed_over = 0;
    for (const model::Transfer& t : run.record.transfers) {
        const bool down = t.step >= gone.step && t.step < 40;
        if (down && (t.from == 3 || t.to == 3)) {
            EXPECT_EQ(t.step, gone.step);
            EXPECT_EQ(t.from, 3U);
            EXPECT_EQ(t.to, torus_.neighbour(3, 0));
            handed_over += t.tokens;
        }
    }
    EXPECT_GT(handed_over, 0);
    EXPECT_GT(run.loads()[3], 0);  // it came back and got its share
}

TEST_F(ChangingWorld, RecordsThatBreakItsRulesDoNotVerify) {
    const Outcome run = catalogue::run("deal-agreement-2", torus_, test::spike(torus_, 200),
                                       options({"", "replay:" + churn_csv_}, 60));
    ASSERT_TRUE(verify::verify(run.record).passed());
    model::Record gone_longer = run.record;
    for (model::NetworkSwitch& entry : gone_longer.switches)
        if (entry.up && entry.node == entry.other) entry.step = 59;
    EXPECT_FALSE(verify::verify(gone_longer).passed());

    model::Record shared = run.record;
    for (std::size_t i = 0; i < shared.transfers.size(); ++i) {
        model::Transfer& t = shared.transfers[i];
        if (t.step != shared.switches.front().step || t.from != 3 || t.tokens < 2) continue;
        model::Transfer half = t;
        half.tokens = 1;
        half.to = torus_.neighbour(3, 1);
        t.tokens -= 1;
        shared.transfers.insert(shared.transfers.begin() + static_cast<std::ptrdiff_t>(i), half);
        break;
    }
    EXPECT_FALSE(verify::verify(shared).passed());
}

TEST_F(ChangingWorld, KeepsAnAnytimeAlgorithmLevelWhileTokensComeOneByOne) {
    // The adversary puts a token on the fullest node every round; a round of deals carries it off.
    const Outcome run = catalogue::run("deal-agreement-3", torus_, test::spike(torus_, 0),
                                       options({"spike:tokens=1", ""}, 900));
    EXPECT_EQ(run.record.world->arrived, 300);  // one a round of three steps
    EXPECT_LE(run.record.world->discrepancy_max, 8);
    EXPECT_LT(run.record.world->moved_per_arrival, 8);
}

}  // namespace
}  // namespace equipoise::catalogue
