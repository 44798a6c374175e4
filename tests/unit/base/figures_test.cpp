#include "equipoise/base/figures.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

TEST(Numbers, AreGroupedInThousands) {
    EXPECT_EQ(grouped(std::int64_t{0}), "0");
    EXPECT_EQ(grouped(std::int64_t{999}), "999");
    EXPECT_EQ(grouped(std::int64_t{1000}), "1,000");
    EXPECT_EQ(grouped(std::int64_t{-123456}), "-123,456");
    EXPECT_EQ(grouped(std::int64_t{-999}), "-999");
    EXPECT_EQ(grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Numbers, ThatAreWrittenDownAreGroupedWhateverTheirLength) {
    EXPECT_EQ(grouped_decimal(""), "");
    EXPECT_EQ(grouped_decimal("7"), "7");
    EXPECT_EQ(grouped_decimal("1234.5678"), "1,234.5678");
    EXPECT_EQ(grouped_decimal("18446744073709551616000"), "18,446,744,073,709,551,616,000");
}

TEST(RealNumbers, AreGroupedBeforeThePoint) {
    EXPECT_EQ(grouped_real(0), "0");
    EXPECT_EQ(grouped_real(0.000125), "0.000125");
    EXPECT_EQ(grouped_real(999.5), "999.5");
    EXPECT_EQ(grouped_real(4003.4712), "4,003.47");
    EXPECT_EQ(grouped_real(-12345.67), "-12,345.7");
    EXPECT_EQ(grouped_real(99999.96), "100,000");
    EXPECT_EQ(grouped_real(1234567.5), "1,234,568");
    EXPECT_EQ(grouped_real(1e20), "1e+20");
    EXPECT_EQ(grouped_real(1e-9), "1e-09");
    EXPECT_EQ(grouped_real(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Counts, HaveAPluralUnlessTheyAreOne) {
    EXPECT_EQ(counted(std::int64_t{1}, "node"), "1 node");
    EXPECT_EQ(counted(std::uint64_t{0}, "node"), "0 nodes");
    EXPECT_EQ(counted(std::int64_t{2000}, "node"), "2,000 nodes");
}

}  // namespace
}  // namespace equipoise
