#include "equipoise/base/ranges.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

using Numbers = std::vector<std::uint64_t>;

Numbers numbers(const std::string& text) {
    return numbers_of(ranges_from(text).value(), 1000).value();
}

TEST(Ranges, AreReadWithBothTheirEndsAndInTheirOrder) {
    EXPECT_EQ(range_from("7"), (Range{7, 7}));
    EXPECT_EQ(range_from("2..32"), (Range{2, 32}));
    EXPECT_EQ(numbers("1..5,9"), (Numbers{1, 2, 3, 4, 5, 9}));
    EXPECT_EQ(numbers("9, 1..2 ,\t1..1"), (Numbers{9, 1, 2, 1}));
    EXPECT_EQ(numbers("0"), Numbers{0});
    EXPECT_EQ(numbers("18446744073709551614..18446744073709551615"),
              (Numbers{18446744073709551614U, 18446744073709551615U}));
}

TEST(Ranges, OtherTextsAreNone) {
    for (const std::string text : {"", " ", "..", "3..2", "a", "2..", "..2", "2...3", "1..2..3",
                                   "-1", "+1", "1.5", "1 2", "18446744073709551616"}) {
        EXPECT_FALSE(range_from(text)) << text;
        EXPECT_FALSE(ranges_from(text)) << text;
    }
    for (const std::string text : {",", "1,", ",1", "1,,2", "1..2;3", "1 ..2"})
        EXPECT_FALSE(ranges_from(text)) << text;
}

TEST(Ranges, TooManyNumbersAreNoneBeforeMemoryIsTaken) {
    EXPECT_EQ(numbers_of({{1, 5}}, 5), (Numbers{1, 2, 3, 4, 5}));
    EXPECT_FALSE(numbers_of({{1, 5}}, 4));
    EXPECT_FALSE(numbers_of({{1, 3}, {1, 3}}, 5));
    EXPECT_FALSE(numbers_of({{7, 7}}, 0));
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    EXPECT_FALSE(numbers_of({{0, all}}, 1'000'000));
    EXPECT_FALSE(numbers_of({{0, all}, {0, all}, {0, 1}}, 1'000'000));
}

}  // namespace
}  // namespace equipoise
