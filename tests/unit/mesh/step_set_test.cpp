#include "equipoise/mesh/step_set.hpp"

#include <bitset>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::mesh {
namespace {

TEST(StepSet, CountsEveryStepOnceHoweverSpansOverlapOrTouch) {
    constexpr std::size_t steps = 64;
    RandomStream random(1, Purpose::sampling);
    for (int turn = 0; turn < 2000; ++turn) {
        StepSet set;
        std::bitset<steps> marked;
        for (std::uint64_t i = random.below(12); i > 0; --i) {
            const Step first = random.below(steps);
            const Step end = random.below(steps + 1);  // an empty span if it is not above `first`
            set.add(first, end);
            for (Step step = first; step < end; ++step)
                marked.set(step);
            ASSERT_EQ(set.size(), marked.count());
        }
        set.clear();
        ASSERT_EQ(set.size(), 0U);
    }
}

}  // namespace
}  // namespace equipoise::mesh
