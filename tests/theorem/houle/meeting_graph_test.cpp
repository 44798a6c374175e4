// docs/results/kept-discrepancy.md, THRESHOLD-1 on networks that need not be trees.
//
// Theorem 1. From any loads THRESHOLD-1 becomes stable, with a discrepancy of at most the diameter
// of the meeting graph; the distances from an observer are stable loads.
// Theorem 2. Where two networks are multiplied, and so their colours, diameters add up: on a mesh
// coloured axis by axis THRESHOLD-1 keeps exactly 1 for each axis, on a torus 2.
// Theorem 3. The ladder of b >= 3 rungs has a colouring with three colours, the fewest, under which
// it keeps ceil(b / 2) or more.

#include "equipoise/analysis/meeting_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/support/threshold_reference.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::test::meeting_graph {
namespace {

using analysis::MeetingGraph;
using network::EdgeColouring;
using network::Grid;
using network::Network;

/// Calls `look` with every proper colouring with at most `colours` colours in which the first link
/// has colour 0: the others are the same ones at another start.
class AllColourings {
  public:
    AllColourings(const Network& network, Colour colours,
                  std::function<void(const EdgeColouring&)> look)
        : network_(network),
          colouring_{colours, std::vector<Colour>(network.link_count(), 0)},
          used_(network.node_count(), 0),
          look_(std::move(look)) {
        colour(0);
    }

  private:
    void colour(LinkId link) {
        if (link == network_.link_count()) return look_(colouring_);
        const auto [tail, head] = network_.ends(link);
        for (Colour colour_here = 0; colour_here < (link == 0 ? 1 : colouring_.colour_count);
             ++colour_here) {
            const std::uint32_t bit = 1U << colour_here;
            if (((used_[tail] | used_[head]) & bit) != 0) continue;
            used_[tail] |= bit;
            used_[head] |= bit;
            colouring_.by_link[link] = colour_here;
            colour(link + 1);
            used_[tail] ^= bit;
            used_[head] ^= bit;
        }
    }

    const Network& network_;
    EdgeColouring colouring_;
    std::vector<std::uint32_t> used_;
    std::function<void(const EdgeColouring&)> look_;
};

Network stored(const Grid& grid) {
    const network::AnyNetwork any(grid);
    return {grid.node_count(), network::all_links(any)};
}

/// How many colourings keep each discrepancy.
std::map<std::optional<NodeId>, int> colourings_by_kept(const Grid& grid, Colour colours) {
    const Network network = stored(grid);
    std::map<std::optional<NodeId>, int> found;
    const AllColourings all(network, colours, [&](const EdgeColouring& colouring) {
        ++found[MeetingGraph(network, colouring).diameter()];
    });
    return found;
}

/// A proper colouring with up to `colours` colours, each link's drawn among those that are free;
/// nothing if that fails.
std::optional<EdgeColouring> drawn_colouring(const Network& network, Colour colours,
                                             RandomStream& random) {
    EdgeColouring colouring{colours, {}};
    std::vector<std::uint32_t> used(network.node_count(), 0);
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const auto [tail, head] = network.ends(link);
        std::vector<Colour> free;
        for (Colour colour = 0; colour < colours; ++colour)
            if (((used[tail] | used[head]) >> colour & 1U) == 0) free.push_back(colour);
        if (free.empty()) return std::nullopt;
        const Colour colour = free[random.below(free.size())];
        used[tail] |= 1U << colour;
        used[head] |= 1U << colour;
        colouring.by_link.push_back(colour);
    }
    return colouring;
}

/// Plays until a whole window was quiet.
void settle(const Network& network, const EdgeColouring& colouring, load::Loads& loads) {
    const Step window = network::stability_window(network, colouring);
    Step step = 0;
    for (Step quiet = 0; quiet < window; ++step)
        quiet = threshold_step(network, colouring, loads, step, 1) < 2 ? quiet + 1 : 0;
}

void expect_kept(const Network& network, const EdgeColouring& colouring, load::Loads loads) {
    const Tokens before = load::discrepancy(loads);
    settle(network, colouring, loads);
    ASSERT_EQ(load::discrepancy(loads), before);
}

TEST(MeetingGraph, OnATreeHasTheMaximumStableDiscrepancyAsDiameter) {
    RandomStream random(41, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 9; ++nodes)
        for (const Network& tree : all_trees(nodes)) {
            const auto colouring = random_tree_colouring(
                tree, tree.degree_max() + static_cast<Colour>(random.below(2)), random);
            EXPECT_EQ(MeetingGraph(tree, colouring).diameter(),
                      analysis::maximum_stable_discrepancy(analysis::stable_gaps(tree)).tokens);
        }
}

TEST(MeetingGraph, BoundsWhatStaysFromAllSmallLoadsOnAllGraphsOfUpToFiveNodes) {
    RandomStream random(42, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const Network& network : connected_graphs(nodes))
            for (int repetition = 0; repetition < 3; ++repetition) {
                const auto colouring = drawn_colouring(network, network.degree_max() + 1, random);
                if (!colouring) continue;
                const std::optional<NodeId> kept = MeetingGraph(network, *colouring).diameter();
                load::Loads loads(nodes, 0);
                do {
                    load::Loads end = loads;
                    settle(network, *colouring, end);
                    ASSERT_LE(load::discrepancy(end), Tokens{kept.value()});
                } while (next_loads(loads, 3));
            }
}

TEST(MeetingGraph, HasDistancesThatAreStableLoads) {
    RandomStream random(43, Purpose::sampling);
    for (int repetition = 0; repetition < 300; ++repetition) {
        const auto nodes = static_cast<NodeId>(3 + random.below(8));
        const Network network =
            random_connected_graph(nodes, static_cast<LinkId>(random.below(6)), random);
        const auto colouring = drawn_colouring(
            network, network.degree_max() + static_cast<Colour>(random.below(3)), random);
        if (!colouring) continue;
        const MeetingGraph meetings(network, *colouring);
        Tokens largest = 0;
        for (NodeId source = 0; source < nodes; ++source) {
            load::Loads loads;
            for (const NodeId distance : meetings.distances(source))
                loads.push_back(distance);
            largest = std::max(largest, load::discrepancy(loads));
            expect_kept(network, *colouring, loads);
        }
        EXPECT_EQ(meetings.diameter(), static_cast<NodeId>(largest));
    }
}

/// The observers of a component of the meeting graph always stand on the same nodes, so that no
/// link leads from these to others.
TEST(MeetingGraph, IsConnectedJustWhereTheNetworkIs) {
    RandomStream random(44, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for_each_graph(nodes, [&](const Network& network) {
            const auto colouring = drawn_colouring(network, 2 * network.degree_max(), random);
            if (network.link_count() == 0 || !colouring) return;
            EXPECT_EQ(MeetingGraph(network, *colouring).diameter().has_value(),
                      network::is_connected(network));
        });
}

/// The bound of Theorem 2, counted anew.
NodeId kept_on(const Grid& grid) {
    std::uint64_t open = 0;
    std::uint64_t closed = 0;
    for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
        closed += grid.closed(axis) ? 1U : 0U;
        open += !grid.closed(axis) && grid.sides()[axis] > 1 ? 1U : 0U;
    }
    return static_cast<NodeId>(theory::stable_discrepancy_of_grid(open, closed));
}

TEST(MeshesAndTori, KeepOneTokenForEachOpenAxisAndTwoForEachClosedOne) {
    for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus}) {
        for (NodeId a = 1; a <= 8; ++a)
            for (NodeId b = 1; b <= 8; ++b) {
                const Grid grid({a, b}, shape);
                EXPECT_EQ(MeetingGraph(grid, network::colour_grid(grid)).diameter(), kept_on(grid))
                    << a << " by " << b;
            }
        for (NodeId a = 1; a <= 5; ++a)
            for (NodeId b = 1; b <= 5; ++b)
                for (NodeId c = 1; c <= 5; ++c) {
                    const Grid grid({a, b, c}, shape);
                    EXPECT_EQ(MeetingGraph(grid, network::colour_grid(grid)).diameter(),
                              kept_on(grid))
                        << a << " by " << b << " by " << c;
                }
    }
    EXPECT_EQ(theory::stable_discrepancy_of_grid(2, 0), 2U);
    EXPECT_EQ(theory::stable_discrepancy_of_grid(0, 2), 4U);
}

/// The order of the colours of different axes does not matter.
TEST(MeshesAndTori, KeepTheSameWhenTheColoursOfTheirAxesAreInterleaved) {
    for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus})
        for (const NodeId side : {3U, 4U, 5U}) {
            const Grid grid({side, 4}, shape);
            EdgeColouring colouring = network::colour_grid(grid);
            // The second axis comes between the first and the second colour of the first axis.
            const Colour first = colouring.colour_count - 2;
            for (Colour& colour : colouring.by_link)
                colour = colour == 0 ? 0 : colour >= first ? colour - first + 1 : colour + 2;
            EXPECT_EQ(MeetingGraph(grid, colouring).diameter(), kept_on(grid)) << side;
        }
}

TEST(MeshesAndTori, EndAsPromisedFromAllLoadsOfUpToThreeTokensOnSmallOnes) {
    for (const Grid& grid : {Grid({2, 2}, Grid::Shape::mesh), Grid({2, 3}, Grid::Shape::mesh),
                             Grid({2, 4}, Grid::Shape::mesh), Grid({2, 2, 2}, Grid::Shape::mesh),
                             Grid({2, 4}, Grid::Shape::torus)}) {
        const Network network = stored(grid);
        const EdgeColouring colouring = network::colour_grid(grid);
        Tokens most = 0;
        load::Loads loads(network.node_count(), 0);
        do {
            load::Loads end = loads;
            settle(network, colouring, end);
            most = std::max(most, load::discrepancy(end));
        } while (next_loads(loads, 3));
        EXPECT_EQ(most, kept_on(grid));
    }
}

/// Theorem 2 needs its colours: with others a mesh may keep more.
TEST(MeshesAndTori, KeepMoreOnLaddersFromFiveRungsOnUnderTwoColourings) {
    using Found = std::map<std::optional<NodeId>, int>;
    const auto mesh = [](NodeId a, NodeId b) { return Grid({a, b}, Grid::Shape::mesh); };
    EXPECT_EQ(colourings_by_kept(mesh(2, 2), 2), (Found{{2, 1}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 3), 3), (Found{{2, 10}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 4), 3), (Found{{2, 18}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 5), 3), (Found{{2, 32}, {3, 2}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 6), 3), (Found{{2, 64}, {3, 2}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 7), 3), (Found{{2, 128}, {4, 2}}));
    EXPECT_EQ(colourings_by_kept(mesh(2, 8), 3), (Found{{2, 256}, {4, 2}}));
    EXPECT_EQ(colourings_by_kept(mesh(3, 3), 4), (Found{{2, 2988}}));
    EXPECT_EQ(colourings_by_kept(mesh(3, 4), 4), (Found{{2, 45'440}, {3, 64}}));
}

/// Theorem 3's colouring of the ladder whose columns have the nodes j and rungs + j: rungs have
/// colour 1, the upper row 0, 2, 0, .., the lower one 2, 0, 2, ..
std::pair<Network, EdgeColouring> opposed_ladder(NodeId rungs) {
    const Network ladder = stored(Grid({2, rungs}, Grid::Shape::mesh));
    EdgeColouring colouring{3, {}};
    for (LinkId link = 0; link < ladder.link_count(); ++link) {
        const auto [tail, head] = ladder.ends(link);
        const NodeId column = std::min(tail, head) % rungs;
        const bool lower = std::min(tail, head) >= rungs;
        const bool rung = std::max(tail, head) == std::min(tail, head) + rungs;
        colouring.by_link.push_back(rung ? 1U : (column % 2 == 0) == lower ? 2U : 0U);
    }
    return {ladder, colouring};
}

TEST(MeshesAndTori, KeepHalfTheRungsOfALadderWhoseRowsAreColouredTheOppositeWay) {
    for (NodeId rungs = 3; rungs <= 31; ++rungs) {
        const auto [ladder, colouring] = opposed_ladder(rungs);
        const MeetingGraph meetings(ladder, colouring);
        EXPECT_EQ(meetings.diameter(), (rungs + 1) / 2) << rungs;
        // Who meets: observers one column apart, or two if they began in different rows.
        for (NodeId one = 0; one < 2 * rungs; ++one) {
            const auto distances = meetings.distances(one);
            for (NodeId other = 0; other < 2 * rungs; ++other) {
                if (distances[other] != 1) continue;
                const NodeId columns =
                    std::max(one % rungs, other % rungs) - std::min(one % rungs, other % rungs);
                EXPECT_LE(columns, (one < rungs) == (other < rungs) ? 1U : 2U);
            }
        }
        const auto from_a_corner = meetings.distances(0);
        const load::Loads loads(from_a_corner.begin(), from_a_corner.end());
        EXPECT_EQ(load::discrepancy(loads), Tokens{(rungs + 1) / 2});
        expect_kept(ladder, colouring, loads);
    }
}

TEST(MeshesAndToriLong, KeepAtMostThreeAndFourUnderAnyColouringOfFourByFourNodes) {
    using Found = std::map<std::optional<NodeId>, int>;
    EXPECT_EQ(colourings_by_kept(Grid({4, 4}, Grid::Shape::mesh), 4),
              (Found{{2, 1'110'354}, {3, 16'206}}));
    EXPECT_EQ(colourings_by_kept(Grid({4, 4}, Grid::Shape::torus), 4),
              (Found{{2, 1'068}, {3, 7'032}, {4, 2'940}}));
    EXPECT_EQ(colourings_by_kept(Grid({3, 3}, Grid::Shape::torus), 5),
              (Found{{1, 70'776}, {2, 108'792}, {3, 432}}));
}

}  // namespace
}  // namespace equipoise::test::meeting_graph
