#include "equipoise/base/counts.hpp"

#include <string>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(Counts, GoUpToTheLargestAndNameWhatWouldPassIt) {
    std::uint64_t count = count_max - 3;
    count_up(count, 3, "number of steps");
    EXPECT_EQ(count, count_max);
    count_up(count, 0, "number of steps");
    for (const std::uint64_t more : {std::uint64_t{1}, count_max, ~std::uint64_t{0}}) {
        try {
            count_up(count, more, "number of steps");
            FAIL() << "nothing was thrown for " << more;
        } catch (const OverflowError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with("number of steps")) << error.what();
        }
        EXPECT_EQ(count, count_max);
    }
}

}  // namespace
}  // namespace equipoise
