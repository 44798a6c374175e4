// How much slots hold, by samples of their keys, and what servers say of themselves.

#include "equipoise/adapters/redis/sizes.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "tests/support/redis_model.hpp"
#include "tests/support/redis_mover.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;

/// Keys of these sizes, of which the first are those that are sampled.
void put_sizes(RedisModel& model, std::uint16_t slot, const std::vector<std::size_t>& sizes) {
    for (std::size_t at = 0; at < sizes.size(); ++at)
        model.put(test::key_of(slot, at), std::string(sizes[at], 'x'));
}

TEST(SizesOfSlots, AreExactWhereAllKeysAreAsked) {
    RedisModel model(2);
    put_sizes(model, 5, {10, 20});
    put_sizes(model, 6, {1, 2, 300});
    put_sizes(model, 16000, {7});
    const test::RedisMover mover(model);
    const SlotSizes sizes = read_sizes(model.dial(), mover.cluster);
    ASSERT_EQ(sizes.keys.size(), slot_count);
    ASSERT_EQ(sizes.bytes.size(), slot_count);
    EXPECT_EQ(sizes.keys[5], 2U);
    EXPECT_EQ(sizes.bytes[5], 30U);
    EXPECT_EQ(sizes.keys[6], 3U);
    EXPECT_EQ(sizes.bytes[6], 303U);
    EXPECT_EQ(sizes.bytes[16000], 7U);
    EXPECT_EQ(sizes.keys[7] + sizes.bytes[7], 0U);
    EXPECT_EQ(sizes.sampled, 6U);
    EXPECT_EQ(sizes.error, (std::vector<double>{0, 0}));
}

TEST(SizesOfSlots, AreThoseOfSampledKeysTimesTheKeys) {
    RedisModel model(2);
    put_sizes(model, 5, {100, 200, 300, 1, 1, 1});
    const test::RedisMover mover(model);
    const SlotSizes sizes = read_sizes(model.dial(), mover.cluster);
    EXPECT_EQ(sizes.bytes[5], 1200U);
    EXPECT_EQ(sizes.sampled, sampled_keys);
    // 6 keys, 3 of them asked, with a variance of 10,000.
    EXPECT_NEAR(sizes.error[0], 2 * std::sqrt(36 * 10'000.0 / 3 * 3 / 5) / 1200, 1e-9);
    EXPECT_EQ(sizes.error[1], 0);
}

TEST(SizesOfSlots, OfKeysOfOneSizeHaveNoError) {
    RedisModel model(2);
    put_sizes(model, 5, std::vector<std::size_t>(50, 64));
    const test::RedisMover mover(model);
    const SlotSizes sizes = read_sizes(model.dial(), mover.cluster);
    EXPECT_EQ(sizes.bytes[5], 50U * 64U);
    EXPECT_EQ(sizes.error[0], 0);
}

TEST(SizesOfSlots, AreAlmostAlwaysAsNearTheTruthAsTheirErrorSays) {
    RandomStream random(1, Purpose::sampling);
    int within = 0;
    constexpr int draws = 20;
    for (int draw = 0; draw < draws; ++draw) {
        RedisModel model(1);
        double truth = 0;
        for (std::uint16_t slot = 0; slot < 60; ++slot) {
            std::vector<std::size_t> sizes(2 + slot % 20U);
            for (std::size_t& size : sizes) {
                size = 10 + static_cast<std::size_t>(random.below(1000));
                truth += static_cast<double>(size);
            }
            put_sizes(model, slot, sizes);
        }
        const test::RedisMover mover(model);
        const SlotSizes sizes = read_sizes(model.dial(), mover.cluster);
        double estimate = 0;
        for (const std::uint64_t bytes : sizes.bytes)
            estimate += static_cast<double>(bytes);
        EXPECT_GT(sizes.error[0], 0.01);
        EXPECT_LT(sizes.error[0], 0.2);
        if (std::abs(estimate - truth) <= sizes.error[0] * estimate) ++within;
    }
    EXPECT_GE(within, draws - 3);
}

TEST(SizesOfSlots, CountKeysThatAreGoneWhenTheyAreAsked) {
    RedisModel model(1);
    put_sizes(model, 5, {10, 20});
    const test::RedisMover mover(model);
    model.after_each = [&] {
        if (model.log().back().command[1] == "GETKEYSINSLOT") {
            EXPECT_TRUE(model.set(0, test::key_of(5, 0), ""));
        }
    };
    const SlotSizes sizes = read_sizes(model.dial(), mover.cluster);
    EXPECT_EQ(sizes.keys[5], 2U);
    EXPECT_EQ(sizes.bytes[5], 40U);
    EXPECT_EQ(sizes.sampled, 1U);
}

TEST(StatesOfMasters, AreWhatTheySay) {
    RedisModel model(2);
    model.set_config(0, "maxmemory", "1000");
    model.set_config(0, "used_memory", "600");
    model.set_config(0, "appendonly", "yes");
    model.set_config(0, "appendfsync", "always");
    model.set_config(0, "cluster-node-timeout", "5000");
    model.set_config(1, "appendonly", "yes");
    model.set_config(1, "appendfsync", "everysec");
    put_sizes(model, 5, {10, 20});
    model.put_at(0, "stray{16000}", "x");
    const test::RedisMover mover(model);
    const auto states = read_states(model.dial(), mover.cluster);
    ASSERT_EQ(states.size(), 2U);
    EXPECT_EQ(states[0].memory_max, 1000U);
    EXPECT_EQ(states[0].memory_used, 600U);
    EXPECT_EQ(states[0].keys, 3U);
    EXPECT_TRUE(states[0].saves_always);
    EXPECT_EQ(states[0].node_timeout, 5);
    EXPECT_EQ(states[1].memory_max, 0U);
    EXPECT_EQ(states[1].keys, 0U);
    EXPECT_FALSE(states[1].saves_always);
    EXPECT_EQ(states[1].node_timeout, 0);
}

TEST(StatesOfMasters, WhoseSettingsNobodyMayReadHaveTheirLimitInInfo) {
    RedisModel model(1);
    model.set_config(0, "maxmemory", "1000");
    model.set_config(0, "used_memory", "600");
    model.set_config(0, "appendonly", "yes");
    model.set_config(0, "appendfsync", "always");
    model.config_denied = true;
    const test::RedisMover mover(model);
    const MasterState state = read_states(model.dial(), mover.cluster).front();
    EXPECT_EQ(state.memory_max, 1000U);
    EXPECT_EQ(state.memory_used, 600U);
    EXPECT_FALSE(state.saves_always);
}

}  // namespace
}  // namespace equipoise::redis
