#include "equipoise/engine/parts/active_links.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/grid.hpp"

namespace equipoise::engine {
namespace {

using model::LinkRow;
using network::Grid;

struct SlottedLink {
    Ends ends;
    std::uint64_t slot = 0;
    friend auto operator<=>(const SlottedLink&, const SlottedLink&) = default;
};

std::vector<SlottedLink> links_of(const LinkRow& row) {
    std::vector<SlottedLink> links;
    for (NodeId i = 0; i < row.count; ++i)
        links.push_back({{row.tail + i * row.stride, row.head + i * row.stride}, row.slot + i});
    return links;
}

/// Calls `check(network, part)` for every part of grids of one to three axes, if parts are
/// consecutive nodes and if they are not.
template <class Check>
void for_all_parts(const Check& check) {
    const std::vector<std::vector<NodeId>> sides = {{1},    {2},    {7},       {8},      {5, 4},
                                                    {4, 9}, {2, 6}, {3, 2, 4}, {4, 3, 5}};
    for (const std::vector<NodeId>& of : sides)
        for (const Grid::Shape shape : {Grid::Shape::mesh, Grid::Shape::torus}) {
            const Grid grid(of, shape);
            for (const int ranks : {1, 2, 3, 4, 7}) {
                std::vector<std::uint32_t> owners(grid.node_count());
                for (NodeId node = 0; node < grid.node_count(); ++node)
                    owners[node] = node * 5 % 7 % static_cast<std::uint32_t>(ranks);
                for (const Partition& partition : {Partition::contiguous(grid.node_count(), ranks),
                                                   Partition::of(owners, ranks)})
                    for (int rank = 0; rank < ranks; ++rank)
                        check(grid, Part(Graph(grid), partition, rank));
            }
        }
}

TEST(ActiveLinks, RowsOfAShareAreItsLinksOnceAndOfOneKindEach) {
    for_all_parts([](const Grid& grid, const Part& part) {
        const model::GridSchedule schedule(grid);
        for (Step step = 0; step < schedule.period(); ++step)
            for (std::uint64_t index = 0; index < schedule.row_count(step); ++index) {
                const LinkRow row = schedule.row(step, index);
                std::vector<SlottedLink> wanted;
                for (const SlottedLink& link : links_of(row))
                    if (part.has(link.ends.tail) || part.has(link.ends.head))
                        wanted.push_back(link);
                std::vector<SlottedLink> found;
                visit_row(row, part, [&](const LinkRow& some) {
                    for (const SlottedLink& link : links_of(some)) {
                        EXPECT_EQ(part.has(link.ends.tail), part.has(some.tail));
                        EXPECT_EQ(part.has(link.ends.head), part.has(some.head));
                        found.push_back(link);
                    }
                });
                ASSERT_EQ(found, wanted);
            }
    });
}

TEST(ActiveLinks, APlanHoldsTheLinksOfAShareInnerOnesApartFromCutOnes) {
    for_all_parts([](const Grid& grid, Part part) {
        model::GridSchedule schedule(grid);
        const AnySchedule any = any_schedule(schedule);
        for (Step step = 0; step < schedule.period(); ++step) {
            std::vector<SlottedLink> wanted;
            for (std::uint64_t index = 0; index < schedule.row_count(step); ++index)
                for (const SlottedLink& link : links_of(schedule.row(step, index)))
                    if (part.has(link.ends.tail) || part.has(link.ends.head))
                        wanted.push_back(link);
            const StepPlan plan(any, step, part, 100);
            std::vector<SlottedLink> found;
            std::uint64_t state = 100;
            for (const bool inner : {true, false})
                (inner ? plan.inner() : plan.cut())
                    .for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t of) {
                        EXPECT_EQ(part.owns(ends.tail) && part.owns(ends.head), inner);
                        EXPECT_EQ(of, state++);
                        found.push_back({{part.global(ends.tail), part.global(ends.head)}, slot});
                    });
            EXPECT_EQ(plan.states_end(), state);
            std::sort(found.begin(), found.end());
            std::sort(wanted.begin(), wanted.end());
            ASSERT_EQ(found, wanted);
        }
    });
}

TEST(ActiveLinks, LinksToOthersAreThoseWithOneOwnEnd) {
    for_all_parts([](const Grid& grid, Part part) {
        std::vector<std::pair<NodeId, NodeId>> wanted;
        for (LinkId link = 0; link < grid.link_count(); ++link) {
            auto [own, far] = grid.ends(link);
            if (!part.has(own)) std::swap(own, far);
            if (part.has(own) && !part.has(far)) wanted.emplace_back(own, far);
        }
        std::vector<std::pair<NodeId, NodeId>> found;
        for (const auto& [own, far] : links_to_others(part)) {
            EXPECT_TRUE(part.owns(own));
            found.emplace_back(part.global(own), part.global(far));
        }
        std::sort(found.begin(), found.end());
        std::sort(wanted.begin(), wanted.end());
        ASSERT_EQ(found, wanted);
    });
}

}  // namespace
}  // namespace equipoise::engine
