#pragma once
// Weighted items of all ranks, known to every rank, for tests of plans by weights.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {

inline std::size_t here() {
    return static_cast<std::size_t>(world_rank());
}

// What all ranks hold, known to every rank, and what they ask for.
struct Case {
    std::vector<std::vector<double>> weights;
    std::vector<std::vector<double>> sizes;
    std::vector<Tokens> pinned;
    std::vector<double> speeds;
    std::vector<int> machines;
    std::vector<Tokens> items_max;
    std::vector<double> bytes_max;
    Options common = {.policy = Policy::weighted};

    [[nodiscard]] Options options() const {
        Options mine = common;
        mine.weights = weights[here()];
        if (!sizes.empty()) mine.sizes = sizes[here()];
        if (!pinned.empty()) mine.pinned = pinned[here()];
        if (!speeds.empty()) mine.speed = speeds[here()];
        if (!machines.empty()) mine.machine = machines[here()];
        if (!items_max.empty()) mine.items_max = items_max[here()];
        if (!bytes_max.empty()) mine.bytes_max = bytes_max[here()];
        return mine;
    }
    [[nodiscard]] std::vector<Tokens> counts() const {
        std::vector<Tokens> counts;
        counts.reserve(weights.size());
        for (const auto& own : weights)
            counts.push_back(static_cast<Tokens>(own.size() / common.weights_per_item));
        return counts;
    }
    // What place() and place_in_order() are to be given.
    [[nodiscard]] std::vector<placement::RankItems> ranks() const {
        std::vector<placement::RankItems> ranks(weights.size());
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            ranks[r].weights = weights[r];
            if (!sizes.empty()) ranks[r].sizes = sizes[r];
            if (!pinned.empty()) ranks[r].pinned = pinned[r];
            if (!speeds.empty()) ranks[r].speed = speeds[r];
            if (!machines.empty()) ranks[r].machine = machines[r];
            if (!items_max.empty()) ranks[r].most = items_max[r];
            if (!bytes_max.empty()) ranks[r].bytes_most = bytes_max[r];
        }
        return ranks;
    }
    [[nodiscard]] placement::PlaceOptions place_options() const {
        return {.tolerance = common.tolerance,
                .weights_per_item = common.weights_per_item,
                .machines_first = common.machines_first};
    }
};

inline Case drawn_case(std::uint64_t seed, std::size_t items_per_rank, std::size_t kinds = 1) {
    RandomStream random(seed, Purpose::loads, 0);
    Case made;
    made.common.weights_per_item = kinds;
    for (int r = 0; r < world_size(); ++r) {
        made.weights.emplace_back();
        const std::uint64_t items = random.below(2 * items_per_rank + 1);
        for (std::uint64_t i = 0; i < items * kinds; ++i)
            made.weights.back().push_back(static_cast<double>(random.below(1000)) / 16);
    }
    return made;
}

// Lets one allocation after another fail on one rank, until none does: every rank must throw the
// same, and nothing may have moved.
inline void survive_shortages(const Case& given, int failing) {
    const std::vector<Grain> before = make_items(given.counts(), make_grain);
    std::int64_t step = 1;
    for (std::int64_t which = 0;; which += step) {
        std::vector<Grain> items = before;
        bool thrown = false;
        const bool any = test::falls_short(failing, which, [&] {
            try {
                rebalance(MPI_COMM_WORLD, items, given.options());
            } catch (const mpi::CollectiveError& error) {
                thrown = true;
            }
        });
        int all = thrown ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        ASSERT_TRUE(all == 0 || all == world_size()) << "allocation " << which;
        if (thrown)
            EXPECT_EQ(before, items);
        else
            EXPECT_TRUE(all_there(all_numbers(items)));
        if (!any) return;
        if (which > 60) step = 1 + which / 20;
    }
}

}  // namespace equipoise::balancer
