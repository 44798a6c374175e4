// Advice about pages changes no byte, and blocks are as long as large pages need them.

#include "equipoise/base/large_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(BytesToReserve, FillWholeLargePagesWithWhatAHeapNotesBesideThem) {
    for (const std::size_t pages : {1U, 2U, 3U, 40U})
        for (const std::size_t less : {0U, 1U, 63U, 64U, 65U, 4096U, 1'000'000U}) {
            const std::size_t bytes = pages * large_page_bytes - less;
            const std::size_t reserved = bytes_to_reserve(bytes);
            EXPECT_GE(reserved, bytes);
            EXPECT_LT(reserved - bytes, large_page_bytes);
            EXPECT_EQ(0U, (reserved + heap_note_bytes) % large_page_bytes);
        }
}

TEST(BytesToReserve, AreNoMoreThanNeededForSmallBlocksAndForImpossibleOnes) {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{4096}, large_page_bytes / 2 - 1,
          std::numeric_limits<std::size_t>::max() - 1, std::numeric_limits<std::size_t>::max()})
        EXPECT_EQ(bytes, bytes_to_reserve(bytes));
}

// What lies in a block, and around it, stays as it is: a block may have been used before.
TEST(AdviceAboutPages, ChangesNoByte) {
    constexpr std::size_t bytes = 4 * large_page_bytes;
    std::vector<unsigned char> block(bytes);
    const auto value = [](std::size_t i) { return static_cast<unsigned char>(i * 31 + i / 4096); };
    for (std::size_t i = 0; i < bytes; ++i)
        block[i] = value(i);
    const auto address = reinterpret_cast<std::uintptr_t>(block.data());
    const std::size_t to_large = (large_page_bytes - address % large_page_bytes) % large_page_bytes;
    const std::array<std::size_t, 6> firsts = {
        0, 100, to_large, to_large + 16, to_large + heap_note_bytes, to_large + 5000};
    for (const std::size_t first : firsts)
        for (const std::size_t used : {std::size_t{1}, std::size_t{5000}, large_page_bytes / 2,
                                       large_page_bytes, 2 * large_page_bytes + 77}) {
            prefer_large_pages(block.data() + first, bytes - first, used);
            touch_pages(block.data() + first, std::min(used, bytes - first));
        }
    bool same = true;
    for (std::size_t i = 0; i < bytes; ++i)
        same = same && block[i] == value(i);
    EXPECT_TRUE(same);
}

}  // namespace
}  // namespace equipoise
