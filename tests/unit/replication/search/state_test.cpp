// The running sums of a placement are those of the definition.

#include "equipoise/replication/search/state.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "equipoise/replication/search/start.hpp"
#include "tests/support/replication_draw.hpp"

namespace equipoise::replication {
namespace {

void expect_sums(const Problem& problem, const State& state) {
    const std::vector<ItemId> placement(state.placement().begin(), state.placement().end());
    const Standing standing = stand(problem, placement);
    ASSERT_TRUE(standing.allowed);
    Tokens excess = 0;
    for (MachineId machine = 0; machine < problem.machines; ++machine) {
        EXPECT_EQ(state.held(machine), standing.held[machine]);
        excess += std::max<Tokens>(0, standing.held[machine] - state.limit());
    }
    EXPECT_EQ(state.excess(), excess);
    EXPECT_EQ(state.largest(), standing.largest);
    // Without a present placement, every pair is new.
    EXPECT_EQ(state.copied(), static_cast<std::int64_t>(standing.copied));
    std::set<std::uint32_t> spare;
    for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot) {
        EXPECT_TRUE(state.has(state.machine(slot), placement[slot]));
        if (standing.copies[placement[slot]] > 1) spare.insert(slot);
    }
    EXPECT_EQ(std::set(state.spare_slots().begin(), state.spare_slots().end()), spare);
    EXPECT_EQ(state.spare_slots().size(), spare.size());
    for (ItemId item = 0; item < problem.items(); ++item) {
        ASSERT_EQ(state.copies(item), standing.copies[item]);
        std::set<std::uint32_t> slots;
        for (std::uint32_t copy = 0; copy < state.copies(item); ++copy) {
            EXPECT_EQ(state.item(state.slot_of(item, copy)), item);
            slots.insert(state.slot_of(item, copy));
        }
        EXPECT_EQ(slots.size(), state.copies(item));
    }
}

TEST(ReplicationState, KeepsItsSumsThroughReplacementsAndSwaps) {
    int replaced = 0;
    int swapped = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = test::draw_replication(seed);
        const auto hosts = hosts_of_groups(problem, 0);
        const std::vector<Pool> pools = pools_of(problem, hosts);
        const std::vector<ItemId> start = first_placement(problem, pools);
        test::Draw<std::uint32_t> draw(seed + 1000);
        State state(problem, pools, start, draw(0, 3) * stand(problem, start).largest / 3);
        expect_sums(problem, state);
        const std::uint32_t pool_slots = pools.front().machines * problem.slots;
        for (int i = 0; i < 60; ++i) {
            const std::uint32_t slot = draw(0, problem.all_slots() - 1);
            const std::uint32_t pool = slot / pool_slots;
            const std::uint32_t other = pool * pool_slots + draw(0, pool_slots - 1);
            const ItemId by =
                pools[pool]
                    .items[draw(0, static_cast<std::uint32_t>(pools[pool].items.size()) - 1)];
            if (draw(0, 1) == 0 && state.may_replace(slot, by)) {
                state.replace(slot, by, state.judge_replace(slot, by));
                ++replaced;
            } else if (state.may_swap(slot, other)) {
                state.swap(slot, other, state.judge_swap(slot, other));
                ++swapped;
            } else {
                continue;
            }
            expect_sums(problem, state);
            if (HasFailure()) FAIL() << "seed " << seed << ", change " << i;
        }
    }
    EXPECT_GT(replaced, 500);
    EXPECT_GT(swapped, 500);
}

}  // namespace
}  // namespace equipoise::replication
