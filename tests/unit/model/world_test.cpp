#include "equipoise/model/run/world.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/model/run/sorted_path.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::model {
namespace {

/// The path 0 - 1 - 2 - 3.
network::AnyNetwork path4() {
    return network::AnyNetwork(network::Network(4, {{0, 1}, {1, 2}, {2, 3}}));
}

/// A file that is removed in the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                ("world_test_" + std::to_string(::getpid()) + ".csv")) {
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

Changes round_of(Environment& world, Step round, const std::vector<Tokens>& loads) {
    Changes changes;
    world.before_round(round, loads, changes);
    return changes;
}

std::string message_of(const std::string& arrivals, const std::string& churn) {
    const network::AnyNetwork network = path4();
    try {
        if (!arrivals.empty()) static_cast<void>(make_arrivals(arrivals, network, 1));
        if (!churn.empty()) static_cast<void>(make_churn(churn, network, 1));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Arrivals, PoissonArrivalsHaveTheirMeanAndAreRepeatable) {
    const network::AnyNetwork network = path4();
    const std::vector<Tokens> loads(4, 0);
    for (const double rate : {0.5, 3.0, 150.0}) {
        const std::string spec = "poisson:rate=" + std::to_string(rate);
        const auto world = make_arrivals(spec, network, 7);
        const auto same = make_arrivals(spec, network, 7);
        world->begin(1);
        Tokens sum = 0;
        constexpr int rounds = 4000;
        for (Step round = 0; round < rounds; ++round) {
            const Changes changes = round_of(*world, round, loads);
            const Changes again = round_of(*same, round, loads);
            ASSERT_EQ(changes.arrivals.size(), again.arrivals.size());
            for (std::size_t i = 0; i < changes.arrivals.size(); ++i) {
                ASSERT_EQ(changes.arrivals[i].node, again.arrivals[i].node);
                ASSERT_EQ(changes.arrivals[i].tokens, again.arrivals[i].tokens);
                sum += changes.arrivals[i].tokens;
            }
        }
        // Seven standard deviations of the mean of 16,000 draws.
        EXPECT_NEAR(static_cast<double>(sum) / (4 * rounds), rate, 7 * std::sqrt(rate / 16000));
    }
}

TEST(Arrivals, ConsumptionIsAsPoissonAsArrival) {
    const network::AnyNetwork network = path4();
    const auto world = make_arrivals("poisson:rate=0,consume=2", network, 7);
    Tokens sum = 0;
    for (Step round = 0; round < 4000; ++round)
        for (const auto& [node, tokens] : round_of(*world, round, {9, 9, 9, 9}).arrivals) {
            ASSERT_LT(tokens, 0);
            sum -= tokens;
        }
    EXPECT_NEAR(static_cast<double>(sum) / 16000, 2, 7 * std::sqrt(2.0 / 16000));
}

TEST(Arrivals, BurstsComeAtTheirPeriod) {
    const network::AnyNetwork network = path4();
    const auto world = make_arrivals("burst:every=5,tokens=30,node=2", network, 1);
    for (Step round = 0; round < 20; ++round) {
        const Changes changes = round_of(*world, round, {0, 0, 0, 0});
        ASSERT_EQ(changes.arrivals.size(), round % 5 == 0 ? 1U : 0U);
        if (round % 5 != 0) continue;
        EXPECT_EQ(changes.arrivals[0].node, 2U);
        EXPECT_EQ(changes.arrivals[0].tokens, 30);
    }
}

TEST(Arrivals, TheSpikeHitsTheFirstOfTheFullest) {
    const network::AnyNetwork network = path4();
    const auto world = make_arrivals("spike:tokens=3", network, 1);
    EXPECT_EQ(round_of(*world, 0, {1, 8, 2, 8}).arrivals[0].node, 1U);
    EXPECT_EQ(round_of(*world, 1, {1, 8, 2, 9}).arrivals[0].node, 3U);
}

TEST(Arrivals, TokensArriveAtTheLinkThatIsActiveInTheSameRound) {
    const network::AnyNetwork network = path4();
    const auto world = make_arrivals("link:tokens=6", network, 5);
    const auto other = make_arrivals("link:tokens=6,seed=5", network, 9);
    RandomLink schedule(network, 5);
    std::set<NodeId> met;
    for (Step round = 0; round < 50; ++round) {
        schedule.prepare(round);
        const Ends ends = schedule.links(round).front();
        const Changes changes = round_of(*world, round, {0, 0, 0, 0});
        ASSERT_EQ(changes.arrivals.size(), 1U);
        const NodeId node = changes.arrivals[0].node;
        EXPECT_TRUE(node == ends.tail || node == ends.head);
        EXPECT_EQ(changes.arrivals[0].tokens, 6);
        EXPECT_EQ(round_of(*other, round, {0, 0, 0, 0}).arrivals.at(0).node, node);
        met.insert(node);
    }
    EXPECT_EQ(met.size(), 3U);
    const network::AnyNetwork alone(network::Network(1, {}));
    EXPECT_TRUE(round_of(*make_arrivals("link:tokens=6", alone, 5), 0, {0}).empty());
    EXPECT_NE(message_of("link:tokens=0", "").find("tokens="), std::string::npos);
}

TEST(Arrivals, AFileIsReplayedAtTheFirstRoundFromItsStep) {
    const TemporaryFile file("step,node,delta\n7,1,5\n0,\"0\",2\n6,3,-4\n");
    const network::AnyNetwork network = path4();
    const auto world = make_arrivals("replay:" + file.path(), network, 1);
    for (int repetition = 0; repetition < 2; ++repetition) {
        world->begin(3);
        const std::vector<Tokens> loads(4, 0);
        EXPECT_EQ(round_of(*world, 0, loads).arrivals.size(), 1U);
        EXPECT_TRUE(round_of(*world, 1, loads).empty());
        const Changes second = round_of(*world, 2, loads);
        ASSERT_EQ(second.arrivals.size(), 1U);
        EXPECT_EQ(second.arrivals[0].tokens, -4);
        const Changes third = round_of(*world, 3, loads);
        ASSERT_EQ(third.arrivals.size(), 1U);
        EXPECT_EQ(third.arrivals[0].node, 1U);
    }
}

TEST(Churn, RandomSwitchesAlternateAndHaveTheirShare) {
    const network::AnyNetwork network = path4();
    const auto world = make_churn("random:nodes=0.1,links=0.3,back=0.5", network, 3);
    EXPECT_TRUE(world->changes_network());
    std::vector<bool> nodes(4, true);
    std::vector<bool> links(3, true);
    int nodes_up = 0;
    int links_up = 0;
    constexpr int rounds = 8000;
    for (Step round = 0; round < rounds; ++round) {
        const Changes changes = round_of(*world, round, {0, 0, 0, 0});
        for (const auto& [node, up] : changes.nodes) {
            ASSERT_NE(nodes[node], up);
            nodes[node] = up;
        }
        for (const auto& [link, up] : changes.links) {
            ASSERT_NE(links[link], up);
            links[link] = up;
        }
        nodes_up += std::accumulate(nodes.begin(), nodes.end(), 0);
        links_up += std::accumulate(links.begin(), links.end(), 0);
    }
    // A node that goes with probability p and comes back with probability b is up for b / (b + p)
    // of the time.
    EXPECT_NEAR(nodes_up / (4.0 * rounds), 0.5 / 0.6, 0.02);
    EXPECT_NEAR(links_up / (3.0 * rounds), 0.5 / 0.8, 0.02);
}

TEST(Churn, AFileSwitchesNodesAndLinksByName) {
    const TemporaryFile file(
        "step,subject,id,state\n0,link,2,1,down\n1,node,3,down\n2,node,3,up\n");
    const network::AnyNetwork network = path4();
    const auto world = make_churn("replay:" + file.path(), network, 1);
    world->begin(1);
    const std::vector<Tokens> loads(4, 0);
    const Changes first = round_of(*world, 0, loads);
    ASSERT_EQ(first.links.size(), 1U);
    EXPECT_EQ(first.links[0].subject, 1U);
    EXPECT_FALSE(first.links[0].live);
    EXPECT_FALSE(round_of(*world, 1, loads).nodes.at(0).live);
    EXPECT_TRUE(round_of(*world, 2, loads).nodes.at(0).live);
}

TEST(Churn, TheAdversaryLaysAPathAlongWhichLoadsRise) {
    const network::AnyNetwork network = network::generate("complete:n=5", 0);
    const auto world = make_churn("adversary:sorted-path", network, 1);
    const auto path_after = [&, up = std::vector<bool>(10, true)](
                                Step round, const std::vector<Tokens>& loads) mutable {
        for (const auto& [link, live] : round_of(*world, round, loads).links) {
            EXPECT_NE(up[link], live);
            up[link] = live;
        }
        std::set<std::pair<NodeId, NodeId>> links;
        network.visit([&](const auto& graph) {
            for (LinkId link = 0; link < 10; ++link)
                if (up[link]) links.insert({graph.ends(link).tail, graph.ends(link).head});
        });
        return links;
    };
    using Links = std::set<std::pair<NodeId, NodeId>>;
    for (int repetition = 0; repetition < 2; ++repetition) {
        world->begin(1);
        auto path = path_after;
        EXPECT_EQ(path(0, {4, 0, 3, 1, 2}), (Links{{1, 3}, {3, 4}, {2, 4}, {0, 2}}));
        EXPECT_EQ(path(1, {4, 0, 3, 1, 2}), (Links{{1, 3}, {3, 4}, {2, 4}, {0, 2}}));
        EXPECT_EQ(path(2, {7, 7, 7, 7, 7}), (Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
    }
}

TEST(Churn, SmoothingExchangesTwoPlacesOfTheAdversarysPathAsOftenAsItSays) {
    const network::AnyNetwork network = network::generate("complete:n=6", 0);
    const std::vector<Tokens> loads = {0, 1, 2, 3, 4, 5};
    constexpr int rounds = 4000;
    for (const double smoothing : {0.25, 1.0}) {
        SortedPath world(network, smoothing, 3);
        world.begin(1);
        int exchanged = 0;
        std::map<std::pair<NodeId, NodeId>, int> pairs;
        for (Step round = 0; round < rounds; ++round) {
            static_cast<void>(round_of(world, round, loads));
            std::vector<NodeId> moved;
            for (NodeId place = 0; place < 6; ++place)
                if (world.order()[place] != place) moved.push_back(place);
            ASSERT_TRUE(moved.empty() || moved.size() == 2);
            if (moved.empty()) continue;
            ++exchanged;
            ++pairs[{moved[0], moved[1]}];
        }
        EXPECT_NEAR(exchanged, smoothing * rounds, 110);
        EXPECT_EQ(pairs.size(), 15U);
        for (const auto& [pair, count] : pairs)
            EXPECT_NEAR(count, smoothing * rounds / 15, 65);
    }
    SortedPath often(network, 2.5, 3);
    often.begin(1);
    int far = 0;
    for (Step round = 0; round < rounds; ++round) {
        static_cast<void>(round_of(often, round, loads));
        int moved = 0;
        for (NodeId place = 0; place < 6; ++place)
            moved += often.order()[place] != place ? 1 : 0;
        far += moved > 2 ? 1 : 0;
    }
    EXPECT_GT(far, rounds / 2);
}

TEST(World, MistakesNameFileAndLineOrTheSpec) {
    const auto in_file = [](const std::string& text, bool churn) {
        const TemporaryFile file(text);
        return churn ? message_of("", "replay:" + file.path())
                     : message_of("replay:" + file.path(), "");
    };
    const auto says = [](const std::string& message, const std::string& part) {
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    says(in_file("step,node,delta\n3,9,1\n", false), ".csv:2: expected");
    says(in_file("step,node,delta\n3,1,x\n", false), "expected a whole number of tokens");
    says(in_file("step,node,delta\nsoon,1,1\n", false), "expected a step");
    says(in_file("node,delta\n", false), "expected the header \"step,node,delta\"");
    says(in_file("", false), "expected the header");
    says(in_file("step,subject,id,state\n\n4,node,1,off\n", true), ".csv:3: expected up or down");
    says(in_file("step,subject,id,state\n4,link,0,3,up\n", true), "two nodes that a link joins");
    says(in_file("step,subject,id,state\n4,port,1,up\n", true), "found \"port\"");
    says(message_of("rain:rate=1", ""), "expected poisson, burst, spike, link or replay:FILE.csv");
    says(message_of("poisson:rate=-1", ""), "rate");
    says(message_of("burst:every=5,tokens=3,node=x", ""), "node=");
    says(message_of("poisson:rate=1,color=red", ""), "color");
    says(message_of("", "random:nodes=2"), "nodes");
    says(message_of("", "adversary:sorted-path"), "expected a complete network, complete:n=N");
    says(message_of("", "adversary"), "expected adversary:sorted-path, found nothing");
    says(message_of("", "adversary:star"), "expected adversary:sorted-path, found \"star\"");
    says(message_of("", "adversary:sorted-path,smothing=1"), "did you mean \"smoothing\"?");
    says(message_of("", "storm"), "expected random, adversary:sorted-path or replay:FILE.csv");
}

TEST(World, FiguresAreNearestRanksAfterTheFirstTenth) {
    WorldObserver observer;
    const Costs costs{100, 100, 300, 0};
    std::vector<Tokens> loads = {0, 0};
    for (Tokens step = 1; step <= 100; ++step) {
        loads[1] = step <= 10 ? 1000 : step;  // the first tenth does not count
        observer.on_step({costs, loads, 0, 0, {}, {}});
    }
    observer.on_end({costs, loads, 60, 7, {}, {}});
    const WorldFigures figures = observer.figures();
    EXPECT_EQ(figures.discrepancy_50, 55);
    EXPECT_EQ(figures.discrepancy_99, 100);
    EXPECT_EQ(figures.discrepancy_max, 100);
    EXPECT_EQ(figures.arrived, 60);
    EXPECT_EQ(figures.consumed, 7);
    EXPECT_DOUBLE_EQ(figures.moved_per_arrival, 5.0);
}

TEST(World, DiscrepanciesAreTakenWithinComponents) {
    WorldObserver observer;
    const Costs costs;
    const std::vector<Tokens> loads = {10, 12, 100, 103, 9999};
    const std::vector<NodeId> components = {0, 0, 2, 2, no_node};
    observer.on_step({costs, loads, 0, 0, {}, components});
    EXPECT_EQ(observer.figures().discrepancy_max, 3);
}

TEST(CsvFields, AreSplitAtCommasOutsideQuotes) {
    EXPECT_EQ(csv_fields("a, b ,\"c,\"\"d\"\"\",").value(),
              (std::vector<std::string>{"a", "b", "c,\"d\"", ""}));
    EXPECT_FALSE(csv_fields("a,\"b"));
    EXPECT_FALSE(csv_fields("\"a\"b"));
}

}  // namespace
}  // namespace equipoise::model
