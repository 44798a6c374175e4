// Single ports: a node sends at most one message a tick and receives at most one, and no port idles
// while a message waits for it.

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/perfect_tree_batched.hpp"
#include "equipoise/programs/self_stabilising.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::engine {
namespace {

/// At the start a node sends a message for each of its tokens through its first port, and then one
/// through its last; it then listens.
class Burst {
  public:
    enum class Kind : std::uint8_t { note };
    struct Message {
        Kind kind;
        [[nodiscard]] static Tokens tokens() { return 0; }
    };
    struct State {};
    struct PortState {};

    struct Node {
        model::NodeContext<Message> context;

        void start() const {
            if (context.tokens() == 0) return;
            for (Tokens i = 0; i < context.tokens(); ++i)
                context.send(0, {Kind::note});
            context.send(context.degree() - 1, {Kind::note});
        }
        [[nodiscard]] static model::Ask awaited() { return model::Ask::message(); }
        static void handle(const model::Received<Message>& /*note*/) {}
    };
    [[nodiscard]] static Node node(model::NodeContext<Message> context, State& /*state*/,
                                   std::span<PortState> /*ports*/) {
        return {context};
    }
};

template <class Program>
std::vector<model::Delivery> messages_of(const Program& program, const network::Network& network,
                                         const std::vector<Tokens>& loads,
                                         SimulationOptions options) {
    options.single_port = true;
    options.deliveries_max = 1'000'000;
    Simulation run(program, network, loads, options);
    static_cast<void>(run.run());
    std::vector<model::Delivery> all = run.take_deliveries();
    std::erase_if(all, [](const model::Delivery& event) { return event.from == event.to; });
    EXPECT_FALSE(all.empty());
    return all;
}

TEST(SinglePort, AMessageDoesNotWaitForOneThatHasNotYetLeftItsSender) {
    // 0 - 1 - 2 - 3: node 1 has ten messages for 0 before its one for 2; node 3 has one for 2 now.
    const network::Network path(4, {{0, 1}, {1, 2}, {2, 3}});
    const auto all = messages_of(Burst(), path, {0, 10, 0, 1}, {});
    const auto arrival_at_2 = [&](NodeId from) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const model::Delivery& event) {
            return event.from == from && event.to == 2;
        });
        return found == all.end() ? 0 : found->arrived;
    };
    EXPECT_EQ(arrival_at_2(3), 1U);
    EXPECT_EQ(arrival_at_2(1), 11U);
}

/// When messages that are there from `ready` on are served one a tick without a pause.
std::vector<model::Ticks> served(std::vector<model::Ticks> ready) {
    std::sort(ready.begin(), ready.end());
    model::Ticks free = 0;
    for (model::Ticks& time : ready) {
        time = std::max(time, free);
        free = time + 1;
    }
    return ready;
}

/// With unit delays: whether some choice of ticks in which messages leave fits the ticks in which
/// they were sent and received, one leaving a node in a tick.
void expect_one_leaves_a_tick(const std::vector<model::Delivery>& all) {
    std::map<NodeId, std::vector<std::pair<model::Ticks, model::Ticks>>> of;  // until, from
    for (const model::Delivery& event : all)
        of[event.from].emplace_back(event.arrived - 1, event.sent);
    for (auto& [node, windows] : of) {
        std::sort(windows.begin(), windows.end());
        std::map<model::Ticks, bool> used;
        for (const auto& [until, from] : windows) {
            model::Ticks leaves = from;
            while (used.contains(leaves))
                ++leaves;
            EXPECT_LE(leaves, until) << "node " << node;
            used[leaves] = true;
        }
    }
}

void expect_single_port(const std::vector<model::Delivery>& all) {
    std::map<NodeId, std::vector<model::Ticks>> received;
    for (const model::Delivery& event : all)
        received[event.to].push_back(event.arrived);
    for (auto& [node, times] : received)
        EXPECT_EQ(std::adjacent_find(times.begin(), times.end()), times.end()) << "node " << node;
}

TEST(SinglePort, ANodeSendsOneMessageATickAtMostAndReceivesOneInEveryWorld) {
    RandomStream random(1, Purpose::sampling);
    for (int round = 0; round < 10; ++round) {
        const auto nodes = static_cast<NodeId>(3 + random.below(30));
        const network::Network tree = test::random_tree(nodes, random);
        std::vector<Tokens> loads(nodes);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(20));
        ++loads[0];
        std::vector<SimulationOptions> worlds(4);
        worlds[1].delays = DelayModel::random;
        worlds[2].delays = DelayModel::heavy_tail;
        worlds[3].adversary.kind = Adversary::Kind::starve_node;
        for (const SimulationOptions& options : worlds) {
            std::vector<std::vector<model::Delivery>> runs;
            runs.push_back(messages_of(Burst(), tree, loads, options));
            runs.push_back(messages_of(programs::PerfectTree(), tree, loads, options));
            runs.push_back(messages_of(programs::PerfectTreeBatched(), tree, loads, options));
            runs.push_back(messages_of(programs::MinimumExchangeTree(), tree, loads, options));
            runs.push_back(messages_of(programs::AsyncDealAgreement(), tree, loads, options));
            for (const auto& all : runs) {
                expect_single_port(all);
                if (&options == &worlds[0]) expect_one_leaves_a_tick(all);
            }
        }
    }
}

TEST(SinglePort, NoPortIdlesWhileAMessageWaitsForIt) {
    // Leaves with a token each: every leaf sends its centre two messages in the first two ticks.
    for (const NodeId leaves : {1U, 5U, 40U}) {
        std::vector<Ends> links;
        for (NodeId leaf = 1; leaf <= leaves; ++leaf)
            links.push_back({0, leaf});
        std::vector<Tokens> loads(leaves + 1, 1);
        loads[0] = 0;
        std::vector<model::Ticks> arrived;
        std::vector<model::Ticks> there;
        for (const model::Delivery& event :
             messages_of(Burst(), network::Network(leaves + 1, links), loads, {}))
            arrived.push_back(event.arrived);
        for (NodeId leaf = 1; leaf <= leaves; ++leaf)
            there.insert(there.end(), {1, 2});
        EXPECT_EQ(arrived, served(there));
    }
}

TEST(SinglePort, KeepsEveryChannelInOrder) {
    // A token that overtook another of its kind would not show; a Finished that overtook one would.
    RandomStream random(2, Purpose::sampling);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const network::Network tree = test::random_tree(12, random);
        std::vector<Tokens> loads(12, 0);
        loads[random.below(12)] = 100;
        SimulationOptions options;
        options.seed = seed;
        options.single_port = true;
        options.delays = seed % 2 == 0 ? DelayModel::unit : DelayModel::random;
        const programs::PerfectTree program;
        Simulation run(program, tree, loads, options);
        EXPECT_EQ(run.run().end, SimulationEnd::all_done);
        EXPECT_TRUE(run.recount());
    }
}

TEST(SinglePort, IsRefusedWithNewestFirstToAProgramThatNeverFallsSilent) {
    const network::Network pair(2, {{0, 1}});
    const programs::SelfStabilising program{programs::SequenceLink()};
    SimulationOptions options;
    options.single_port = true;
    EXPECT_NO_THROW(Simulation(program, pair, std::vector<Tokens>{4, 0}, options));
    options.adversary.kind = Adversary::Kind::newest_first;
    EXPECT_THROW(Simulation(program, pair, std::vector<Tokens>{4, 0}, options), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::engine
