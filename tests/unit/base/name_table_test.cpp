#include "equipoise/base/name_table.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace {

using equipoise::NameTable;

TEST(NameTable, NumbersNamesInTheOrderOfTheirFirstAppearance) {
    NameTable table;
    EXPECT_EQ(table.number_of("b"), 0U);
    EXPECT_EQ(table.number_of(""), 1U);
    EXPECT_EQ(table.number_of("a"), 2U);
    EXPECT_EQ(table.number_of("b"), 0U);
    EXPECT_EQ(table.size(), 3U);
    EXPECT_EQ(table.name(1), "");
    EXPECT_EQ(table.name(2), "a");
}

TEST(NameTable, FindsKnownNamesAndAddsNone) {
    NameTable table;
    EXPECT_EQ(table.find("a"), std::nullopt);
    table.number_of("a");
    EXPECT_EQ(table.find("a"), 0U);
    EXPECT_EQ(table.find("aa"), std::nullopt);
    EXPECT_EQ(table.size(), 1U);
}

TEST(NameTable, KeepsAllNumbersWhenItGrows) {
    NameTable table;
    constexpr std::uint32_t names = 10'000;
    for (std::uint32_t i = 0; i < names; ++i)
        ASSERT_EQ(table.number_of("node " + std::to_string(i)), i);
    for (std::uint32_t i = 0; i < names; ++i) {
        const std::string name = "node " + std::to_string(i);
        ASSERT_EQ(table.find(name), i);
        ASSERT_EQ(table.name(i), name);
    }
}

}  // namespace
