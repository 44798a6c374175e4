// docs/results/perfect-and-self-stabilising.md: from any state, once links are exact, counts become
// exact and stay so while tokens move, and the end is perfect: in all orders of arrivals on tiny
// networks, and under seeded schedules of faults.

#include "equipoise/programs/perfect_self_stabilising.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/fault_runs.hpp"
#include "tests/support/reliable_link.hpp"

namespace equipoise::theorem::perfect_self_stabilising {
namespace {

using programs::LabelledLinkOf;
using programs::PerfectSelfStabilising;
using programs::SequenceLinkOf;
using programs::TreeOffer;
using programs::TreeReport;
using test::FaultyInstance;
using test::LinkExplorer;
using test::ReliableLink;
using Numbered = SequenceLinkOf<TreeOffer>;
using Labelled = LabelledLinkOf<TreeOffer>;

Tokens discrepancy(const std::vector<Tokens>& loads) {
    const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
    return *high - *low;
}

// ---- all orders on tiny networks

std::vector<Tokens> held(const LinkExplorer::World& world) {
    std::vector<Tokens> loads;
    for (const auto& node : world)
        loads.push_back(node.tokens);
    return loads;
}
/// The tokens of a world: what acknowledgements tell of is held at both ends until they arrive.
Tokens total(const LinkExplorer::World& world) {
    Tokens sum = load::total(held(world));
    for (const auto& node : world)
        for (const auto& acknowledgement : node.acknowledgements)
            if (acknowledgement) sum -= acknowledgement->deal;
    return sum;
}

/// Returns the number of configurations.
std::uint64_t expect_perfect(const network::Network& network, std::uint64_t seed,
                             const LinkExplorer::Program& program,
                             const LinkExplorer::World& start) {
    LinkExplorer explorer(program, network, seed);
    const Tokens all = total(start);
    const auto explored = explorer.explore(
        start,
        [&](const auto& world) {
            ASSERT_EQ(total(world), all);
            for (const auto& node : world)
                ASSERT_GE(node.tokens, 0);
        },
        [&](const auto& world) {
            EXPECT_LE(discrepancy(held(world)), 1);
            EXPECT_EQ(load::total(held(world)), all);
        });
    EXPECT_TRUE(explored.complete);
    EXPECT_TRUE(explored.acyclic);
    EXPECT_GT(explored.ends, 0U);
    return explored.configurations;
}

TEST(PerfectSelfStabilising, IsPerfectInAllOrdersFromACleanStartOfTwoNodes) {
    const network::Network pair(2, {{0, 1}});
    const LinkExplorer::Program program(ReliableLink(), 2);
    for (std::uint64_t seed = 0; seed < 4; ++seed)  // either node is the root
        test::for_each_loads(2, 6, [&](const load::Loads& loads) {
            const LinkExplorer::World clean = LinkExplorer(program, pair, seed).clean(loads);
            expect_perfect(pair, seed, program, clean);
        });
}

/// The nodes when they have settled without tokens: the tree stands, and all counts are 0.
LinkExplorer::World settled(const LinkExplorer::Program& program, const network::Network& network,
                            std::uint64_t seed) {
    LinkExplorer explorer(program, network, seed);
    RandomStream random(seed, Purpose::sampling);
    return explorer.play(explorer.clean(load::Loads(network.node_count(), 0)), random);
}

void move_what_arrives(NodeId nodes, LinkId links_max, Tokens tokens) {
    std::uint64_t configurations = 0;
    for (const network::Network& network : test::connected_graphs(nodes)) {
        if (network.link_count() > links_max) continue;
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const LinkExplorer::Program program(ReliableLink(), nodes);
            LinkExplorer::World world = settled(program, network, seed);
            for (NodeId v = 0; v < nodes; ++v) {
                for (LinkExplorer::Node& node : world)
                    node.tokens = 0;
                world[v].tokens = tokens;
                configurations += expect_perfect(network, seed, program, world);
            }
        }
    }
    ::testing::Test::RecordProperty("configurations", std::to_string(configurations));
}
TEST(PerfectSelfStabilising, MovesWhatArrivesInAllOrdersOnAllNetworksOfThreeNodes) {
    move_what_arrives(3, 3, 3);
}
TEST(PerfectSelfStabilisingLong, MovesWhatArrivesInAllOrdersOnAllTreesOfFourNodes) {
    move_what_arrives(4, 3, 2);
}

/// A report that any node may have heard or said: of a root that is a node, at any distance, or of
/// one that is not.
TreeReport any_report(NodeId nodes, std::uint64_t seed, RandomStream& random) {
    const auto few = [&] { return static_cast<std::uint32_t>(random.below(nodes + 1)); };
    const RandomStream words(seed, Purpose::program, random.below(nodes),
                             std::numeric_limits<Step>::max());
    const std::uint64_t kind = random.below(4);
    TreeReport report;
    if (kind == 1) report.root = random.below(2);
    if (kind > 1) report.root = words.at(0) >> 1U;
    report.distance = few();
    report.nodes = few();
    report.extras = few();
    report.tokens = static_cast<Tokens>(random.below(6));
    report.share = static_cast<Tokens>(random.below(4));
    report.child = random.coin();
    report.assigned = random.coin();
    report.mark = random.coin();
    report.echo = random.coin();
    return report;
}
/// Any variables and tokens, over links that are exact.
LinkExplorer::World any_state(LinkExplorer::World world, std::uint64_t seed, RandomStream& random) {
    const auto nodes = static_cast<NodeId>(world.size());
    for (LinkExplorer::Node& node : world) {
        node.tokens = static_cast<Tokens>(random.below(6));
        for (auto& port : node.ports) {
            port.sender.offer.report = any_report(nodes, seed, random);
            port.heard = any_report(nodes, seed, random);
            port.beyond = static_cast<Tokens>(random.below(6));
            port.mark = random.coin();
            port.counted = random.coin();
            port.closed = random.below(4) == 0;
        }
    }
    return world;
}

TEST(PerfectSelfStabilising, IsPerfectInAllOrdersFromAnyStateOfTwoNodes) {
    const network::Network pair(2, {{0, 1}});
    const LinkExplorer::Program program(ReliableLink(), 2);
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const LinkExplorer::World clean =
            LinkExplorer(program, pair, seed).clean(load::Loads(2, 0));
        SCOPED_TRACE(test::where(seed));
        expect_perfect(pair, seed, program, any_state(clean, seed, random));
    }
}

void play_from_any_state(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const auto nodes = static_cast<NodeId>(3 + random.below(6));
        const network::Network network = test::random_connected_graph(nodes, 3, random);
        const LinkExplorer::Program program(ReliableLink(), nodes);
        LinkExplorer explorer(program, network, seed);
        const LinkExplorer::World start =
            any_state(explorer.clean(load::Loads(nodes, 0)), seed, random);
        const LinkExplorer::World end = explorer.play(start, random);
        EXPECT_LE(discrepancy(held(end)), 1) << test::where(seed);
        EXPECT_EQ(total(end), total(start)) << test::where(seed);
    }
}
TEST(PerfectSelfStabilising, IsPerfectInRandomOrdersFromAnyStateOfThreeToEightNodes) {
    play_from_any_state(0, 1000);
}
TEST(PerfectSelfStabilisingLong, IsPerfectInRandomOrdersFromAnyStateOfThreeToEightNodes) {
    play_from_any_state(1000, 50'000);
}

// ---- under faults

/// The largest discrepancy of a part of the network whose nodes are present and joined.
Tokens gap(const network::Network& network, const std::vector<bool>& present,
           const std::vector<Tokens>& loads) {
    Tokens most = 0;
    std::vector<bool> seen(network.node_count());
    for (NodeId from = 0; from < network.node_count(); ++from) {
        if (!present[from] || seen[from]) continue;
        std::vector<Tokens> together;
        std::vector<NodeId> reached = {from};
        seen[from] = true;
        while (!reached.empty()) {
            const NodeId v = reached.back();
            reached.pop_back();
            together.push_back(loads[v]);
            for (Port port = 0; port < network.degree(v); ++port) {
                const NodeId other = network.neighbour(v, port);
                if (!present[other] || seen[other]) continue;
                seen[other] = true;
                reached.push_back(other);
            }
        }
        most = std::max(most, discrepancy(together));
    }
    return most;
}

engine::SimulationOptions random_world(std::uint64_t seed, std::uint32_t capacity) {
    return test::random_faulty_world(seed, capacity,
                                     PerfectSelfStabilising<Numbered>::Kind::acknowledgement);
}

/// From a clean start: every deal is booked exactly once, the sum is constant, nobody owes.
template <class Link>
void expect_exactly_once(const Link& link, const FaultyInstance& instance,
                         const engine::SimulationOptions& world) {
    const PerfectSelfStabilising program(link, instance.network.node_count());
    engine::Simulation run(program, instance.network, instance.loads, world);
    std::uint64_t events = 0;
    while (run.step() && ++events < world.events_max && !run.settled()) {
        if (events % 16 != 0) continue;
        const std::vector<Tokens> now = test::owned(run, instance.network);
        ASSERT_EQ(load::total(now), instance.total) << test::where(world.seed);
        ASSERT_GE(*std::min_element(now.begin(), now.end()), 0) << test::where(world.seed);
    }
    EXPECT_TRUE(run.settled()) << test::where(world.seed);
    EXPECT_TRUE(run.recount());
    EXPECT_EQ(run.ledger().created() + run.ledger().destroyed(), 0) << test::where(world.seed);
    EXPECT_EQ(load::total(run.loads()), instance.total);
    EXPECT_LE(discrepancy(run.loads()), 1) << test::where(world.seed);
    const std::vector<Tokens> settled = run.loads();
    for (int event = 0; event < 200; ++event)
        run.step();
    EXPECT_EQ(run.loads(), settled) << test::where(world.seed);
}

/// Calls `play(link, instance, world)` with both kinds of links.
template <class Play>
void for_seeds(std::uint64_t from, std::uint64_t to, Play play) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        const FaultyInstance instance = test::random_faulty_instance(seed, 12);
        const auto capacity = static_cast<std::uint32_t>(seed % 2 == 0 ? 0 : 1 + seed / 2 % 3);
        if (capacity == 0)
            play(Numbered(), instance, random_world(seed, 0));
        else
            play(Labelled(capacity), instance, random_world(seed, capacity));
    }
}
void run_clean_schedules(std::uint64_t from, std::uint64_t to) {
    for_seeds(from, to, [](const auto& link, const auto& instance, const auto& world) {
        expect_exactly_once(link, instance, world);
    });
}
void run_corrupted_schedules(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to && !::testing::Test::HasFailure(); ++seed) {
        constexpr Tokens room = 10'000;
        const FaultyInstance instance = test::random_faulty_instance(seed, 12);
        const auto capacity = static_cast<std::uint32_t>(1 + seed % 4);
        engine::SimulationOptions world = random_world(seed, capacity);
        world.faults.corrupt_start = true;
        const PerfectSelfStabilising program(Labelled(capacity), instance.network.node_count(), 8,
                                             room);
        test::expect_stabilises(program, room, instance, world, gap);
    }
}
void run_churned_schedules(std::uint64_t from, std::uint64_t to) {
    for_seeds(from, to, [](const auto& link, const auto& instance, const auto& world) {
        const PerfectSelfStabilising program(link, instance.network.node_count());
        test::expect_nothing_lost_by_churn(program, instance, world, gap);
    });
}

TEST(PerfectSelfStabilising, BooksEveryDealExactlyOnceFromACleanStart) {
    run_clean_schedules(0, 100);
}
TEST(PerfectSelfStabilising, IsPerfectForTheTokensLeftFromAnyState) {
    run_corrupted_schedules(0, 100);
}
/// A forged permission to leave, acknowledged after the neighbour had said all it had to say.
TEST(PerfectSelfStabilising, IsNotSettledWhileANodeTakesANeighbourForGone) {
    run_corrupted_schedules(2031, 2032);
}
TEST(PerfectSelfStabilising, LosesNothingWhileNodesLeaveAndJoin) {
    run_churned_schedules(0, 100);
}
TEST(PerfectSelfStabilising, BooksEveryTokenThatComesOrIsConsumed) {
    for_seeds(0, 40, [](const auto& link, const auto& instance, const auto& world) {
        const PerfectSelfStabilising program(link, instance.network.node_count());
        test::expect_books_what_comes_and_goes(program, instance, world, gap);
    });
}
TEST(PerfectSelfStabilisingLong, BooksEveryDealExactlyOnceFromACleanStart) {
    run_clean_schedules(100, 4'100);
}
TEST(PerfectSelfStabilisingLong, IsPerfectForTheTokensLeftFromAnyState) {
    run_corrupted_schedules(100, 4'100);
}
TEST(PerfectSelfStabilisingLong, LosesNothingWhileNodesLeaveAndJoin) {
    run_churned_schedules(100, 2'100);
}

}  // namespace
}  // namespace equipoise::theorem::perfect_self_stabilising
