// Allowed placements to begin with.

#include "equipoise/replication/search/start.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/replication_draw.hpp"

namespace equipoise::replication {
namespace {

TEST(ReplicationStart, IsAllowedWhateverIsThere) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Problem problem = test::draw_replication(seed);
        const std::vector<Pool> pools = pools_of(problem, hosts_of_groups(problem, 0));
        EXPECT_TRUE(stand(problem, first_placement(problem, pools)).allowed) << seed;
        EXPECT_TRUE(stand(problem, level_placement(problem, pools)).allowed) << seed;
    }
}

TEST(ReplicationStart, KeepsWhatIsAllowed) {
    int kept = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.placement.empty() || problem.groups != 0) continue;
        const Standing before = stand(problem, problem.placement);
        const std::vector<ItemId> start = first_placement(problem, pools_of(problem, {}));
        const Standing after = stand(problem, start);
        if (before.allowed) {
            EXPECT_EQ(start, problem.placement);
            ++kept;
        }
        // A copy that is twice on a machine must go, an item that is missing must come.
        EXPECT_GE(after.copied, std::max(before.twice, before.missing));
    }
    EXPECT_GT(kept, 20);
}

TEST(ReplicationStart, CopiesGoToTheItemsWhoseCopiesCarryMost) {
    const Problem problem{{60, 10, 10, 10}, 3, 2, 1, 0, {}};
    const std::vector<ItemId> start = first_placement(problem, pools_of(problem, {}));
    const Standing standing = stand(problem, start);
    EXPECT_EQ(standing.copies, (std::vector<std::uint32_t>{3, 1, 1, 1}));
    EXPECT_EQ(standing.largest, 30);
}

TEST(ReplicationStart, ALevelPlacementGivesMachinesTheNumbersUnderWhichMostIsThere) {
    const Problem problem{{9, 8, 7, 6, 5, 4}, 3, 2, 1, 0, {2, 3, 0, 5, 1, 4}};
    const std::vector<ItemId> level = level_placement(problem, pools_of(problem, {}));
    EXPECT_EQ(stand(problem, level).largest, 13);
    EXPECT_EQ(stand(problem, level).copied, 0U);
}

}  // namespace
}  // namespace equipoise::replication
