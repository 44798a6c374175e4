#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/load/targets.hpp"
#include "tests/support/property.hpp"

namespace equipoise::load {
namespace {

TEST(TargetsBySpeed, AddUpAndDifferFromTheExactShareByLessThanOne) {
    EXPECT_TRUE(test::holds([] {
        auto speeds = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::uint64_t>>());
        speeds.push_back(*rc::gen::inRange<std::uint64_t>(1, 100));
        const auto tokens = *rc::gen::inRange<Tokens>(0, tokens_max);
        const Loads targets = targets_by_speed(tokens, speeds);
        RC_ASSERT(total(targets) == tokens);
        UInt128 speed_total = 0;
        for (const std::uint64_t speed : speeds)
            speed_total += speed;
        for (std::size_t node = 0; node < speeds.size(); ++node) {
            const UInt128 exact = static_cast<UInt128>(tokens) * speeds[node];
            const auto floor = static_cast<Tokens>(exact / speed_total);
            const bool whole = exact % speed_total == 0;
            RC_ASSERT(targets[node] == floor || (!whole && targets[node] == floor + 1));
        }
    }));
}

}  // namespace
}  // namespace equipoise::load
