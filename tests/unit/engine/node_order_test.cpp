// Where nodes lie in memory changes nothing that happens.

#include "equipoise/engine/simulation/node_order.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/async_one_token_diffusion.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/perfect_tree_batched.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::engine {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

TEST(NodeOrder, LaysEveryNodeBehindTheOneThatLeadsToIt) {
    // Two components: 0 - 3 - 1 with 3 - 4, and 2 - 5.
    const network::Network network(6, {{0, 3}, {3, 1}, {3, 4}, {2, 5}});
    const NodeOrder order = NodeOrder::depth_first(network);
    EXPECT_FALSE(order.is_trivial());
    const std::vector<NodeId> names = {0, 3, 1, 4, 2, 5};
    for (NodeId place = 0; place < 6; ++place) {
        EXPECT_EQ(names[place], order.name(place));
        EXPECT_EQ(place, order.place(names[place]));
    }
    EXPECT_TRUE(NodeOrder().is_trivial());
    EXPECT_EQ(NodeId{4}, NodeOrder().place(4));
}

struct World {
    network::Network network;
    std::vector<Tokens> loads;
    std::vector<Tokens> speeds;
};

World random_world(std::uint64_t seed, bool tree, bool with_speeds) {
    RandomStream random(seed, Purpose::sampling);
    const auto nodes = static_cast<NodeId>(1 + random.below(60));
    const network::Network grown = test::random_tree(nodes, random);
    std::vector<Ends> links;
    for (LinkId link = 0; link < grown.link_count(); ++link)
        links.push_back(grown.ends(link));
    for (NodeId i = 0; !tree && i + 2 < nodes; i += 2) {
        const Ends more{i, static_cast<NodeId>(i + 2)};
        bool known = false;
        for (const Ends& ends : links)
            known = known || (ends.tail == more.tail && ends.head == more.head) ||
                    (ends.tail == more.head && ends.head == more.tail);
        if (!known) links.push_back(more);
    }
    World world{network::Network(nodes, links), std::vector<Tokens>(nodes), {}};
    for (Tokens& load : world.loads)
        load = static_cast<Tokens>(random.below(40));
    for (NodeId v = 0; with_speeds && v < nodes; ++v)
        world.speeds.push_back(static_cast<Tokens>(1 + random.below(3)));
    return world;
}

bool same(const model::Transfer& one, const model::Transfer& other) {
    return one.from == other.from && one.to == other.to && one.tokens == other.tokens;
}

// Plays a world twice, event by event: once with nodes by name, once depth-first.
template <class Program>
void expect_same_events(const Program& program, const World& world, std::uint64_t seed) {
    SimulationOptions by_name;
    by_name.seed = seed;
    by_name.lists_transfers = true;
    by_name.measures_messages = true;
    by_name.reordered_nodes_min = never;
    SimulationOptions depth_first = by_name;
    depth_first.reordered_nodes_min = 0;
    Simulation one(program, world.network, world.loads, by_name, world.speeds);
    Simulation other(program, world.network, world.loads, depth_first, world.speeds);
    ASSERT_EQ(one.outcome().memory_bytes + 8 * world.loads.size(), other.outcome().memory_bytes)
        << "the second must have been reordered";
    for (int event = 0; event < 20'000; ++event) {
        ASSERT_EQ(one.next_time(), other.next_time());
        const bool more = one.step();
        ASSERT_EQ(more, other.step());
        ASSERT_EQ(one.transfers().size(), other.transfers().size());
        for (std::size_t i = 0; i < one.transfers().size(); ++i)
            ASSERT_TRUE(same(one.transfers()[i], other.transfers()[i])) << "event " << event;
        one.clear_transfers();
        other.clear_transfers();
        if (event % 64 == 0) {
            ASSERT_EQ(one.outcome().digest, other.outcome().digest);
        }
        if (!more) break;
    }
    const SimulationOutcome ended = one.outcome();
    const SimulationOutcome after = other.outcome();
    EXPECT_EQ(ended.digest, after.digest);
    EXPECT_EQ(ended.loads, after.loads);
    EXPECT_EQ(ended.time, after.time);
    EXPECT_EQ(ended.events, after.events);
    EXPECT_EQ(ended.messages, after.messages);
    EXPECT_EQ(ended.exchanges, after.exchanges);
    EXPECT_EQ(ended.reservations, after.reservations);
    EXPECT_EQ(ended.largest_message_bits, after.largest_message_bits);
    EXPECT_EQ(one.phases(), other.phases());
    EXPECT_EQ(one.settled(), other.settled());
    EXPECT_TRUE(other.recount());
}

TEST(ReorderedRuns, AreTheSameDeliveryByDeliveryOnTrees) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        const World world = random_world(seed, true, false);
        expect_same_events(programs::PerfectTree(), world, seed);
        expect_same_events(programs::PerfectTreeBatched(), world, seed);
        expect_same_events(programs::MinimumExchangeTree(true), world, seed);
    }
}

TEST(ReorderedRuns, AreTheSameDeliveryByDeliveryWithSpeeds) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed)
        expect_same_events(programs::MinimumExchangeTree(true), random_world(seed, true, true),
                           seed);
}

TEST(ReorderedRuns, AreTheSameDeliveryByDeliveryOnNetworksWithCycles) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        const World world = random_world(seed, false, false);
        expect_same_events(programs::AsyncDealAgreement(), world, seed);
        expect_same_events(programs::AsyncOneTokenDiffusion(world.network.degree_max()), world,
                           seed);
    }
}

TEST(ReorderedRuns, AskAndGiveNodesByTheirNames) {
    const network::Network path(4, {{2, 0}, {0, 3}, {3, 1}});
    const std::vector<Tokens> loads = {5, 9, 1, 1};
    SimulationOptions options;
    options.reordered_nodes_min = 0;
    const programs::PerfectTree program;
    Simulation run(program, path, loads, options);
    EXPECT_EQ(loads, run.loads());
    EXPECT_EQ(run.run().end, SimulationEnd::all_done);
    EXPECT_EQ((std::vector<Tokens>{4, 4, 4, 4}), run.loads());
    EXPECT_EQ(run.port_states(0).size(), 2U);
    EXPECT_EQ(run.port_states(1).size(), 1U);
    EXPECT_EQ(run.port_states(2).size(), 1U);
}

TEST(ReorderedRuns, AreNotWhereTheOrderOfNodesMatters) {
    const World world = random_world(3, true, false);
    const auto memory = [&](SimulationOptions options) {
        options.reordered_nodes_min = never;
        const programs::PerfectTree program;
        const auto by_name = Simulation(program, world.network, world.loads, options).outcome();
        options.reordered_nodes_min = 0;
        const auto other = Simulation(program, world.network, world.loads, options).outcome();
        return std::pair(by_name.memory_bytes, other.memory_bytes);
    };
    SimulationOptions delayed;
    delayed.delays = DelayModel::random;
    SimulationOptions recorded;
    recorded.deliveries_max = 1000;
    SimulationOptions single;
    single.single_port = true;
    for (const SimulationOptions& options : {delayed, recorded, single}) {
        const auto [by_name, other] = memory(options);
        EXPECT_EQ(by_name, other);
    }
}

}  // namespace
}  // namespace equipoise::engine
