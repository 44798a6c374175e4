#include "equipoise/engine/simulation/message_slab.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/tokens.hpp"

namespace equipoise::engine {
namespace {

std::vector<std::byte> bytes_of(std::size_t size, unsigned seed) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>(seed * 31 + i * 7 + 1);
    return bytes;
}

TEST(MessageSlab, GivesEveryMessageBackAsItWasWhateverItsSizeAndTheOrder) {
    for (const std::size_t size : {1U, 7U, 8U, 12U, 24U, 37U, 64U}) {
        MessageSlab slab(size);
        std::vector<std::pair<std::uint32_t, unsigned>> kept;
        const auto take_at = [&](std::size_t at) {
            const auto [number, seed] = kept[at];
            kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(at));
            EXPECT_EQ(slab.tokens(number), Tokens{seed} * 3);
            EXPECT_EQ(slab.kind(number), seed % 5);
            std::vector<std::byte> read(size);
            slab.take(number, read.data());
            EXPECT_EQ(read, bytes_of(size, seed)) << size << " bytes, message " << seed;
        };
        // Three are stored for every two that are taken, from all places.
        for (unsigned seed = 0; seed < 600; ++seed) {
            const std::vector<std::byte> bytes = bytes_of(size, seed);
            kept.emplace_back(slab.store({bytes.data(), Tokens{seed} * 3, seed % 5}), seed);
            if (seed % 3 != 0) take_at((seed * 17) % kept.size());
        }
        while (!kept.empty())
            take_at(kept.size() / 2);
    }
}

TEST(MessageSlab, CopiesAMessageIntoOneOfItsOwn) {
    MessageSlab slab(24);
    const std::vector<std::byte> bytes = bytes_of(24, 9);
    const std::uint32_t first = slab.store({bytes.data(), 0, 2});
    const std::uint32_t second = slab.copy(first);
    EXPECT_NE(first, second);
    slab.drop(first);
    std::vector<std::byte> read(24);
    EXPECT_EQ(slab.kind(second), 2U);
    slab.take(second, read.data());
    EXPECT_EQ(read, bytes);
}

TEST(MessageSlab, UsesTheRoomOfWhatWasTakenAgain) {
    MessageSlab slab(8);
    const std::vector<std::byte> bytes = bytes_of(8, 1);
    const std::uint32_t first = slab.store({bytes.data(), 1, 0});
    const std::uint32_t second = slab.store({bytes.data(), 1, 0});
    slab.drop(first);
    EXPECT_EQ(slab.store({bytes.data(), 1, 0}), first);
    EXPECT_NE(slab.store({bytes.data(), 1, 0}), second);
}

}  // namespace
}  // namespace equipoise::engine
