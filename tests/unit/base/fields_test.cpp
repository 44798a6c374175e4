#include "equipoise/base/fields.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace fields {

struct Inner {
    int first = 0;
    int second = 0;
};

struct Outer {
    bool flag = false;
    std::optional<Inner> inner;
    std::string text;
    const Inner* pointer = nullptr;
    std::vector<Inner> several;
    std::map<std::string, std::string> names;
    Inner whole;

    [[nodiscard]] bool empty() const { return text.empty(); }
};

struct None {};

}  // namespace fields

namespace {

using fields::Inner;

TEST(FieldsOf, CountsFieldsOfEveryTypeButNotTheirFields) {
    EXPECT_EQ(fields_of<fields::None>(), 0U);
    EXPECT_EQ(fields_of<Inner>(), 2U);
    EXPECT_EQ(fields_of<fields::Outer>(), 7U);
}

}  // namespace
}  // namespace equipoise
