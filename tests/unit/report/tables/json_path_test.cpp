#include "equipoise/report/tables/json_path.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::report {
namespace {

constexpr const char* object = R"({"steps": 3, "gap": {"value": 0.1},
    "reached": true, "why": "a, b", "none": null, "list": [[1, 2], [3, 4]],
    "bounds": [{"theorem": "Theorem 2", "source": "A", "value": 5},
               {"theorem": "Theorem 2", "source": "B", "value": 6},
               {"theorem": "Theorem 3", "source": "B", "value": 7, "of": {"k": 8}}]})";

std::string field(const char* path) {
    return csv_fields_at({JsonPath(path)}, object);
}

TEST(JsonPath, LeadsToValuesByKeyNumberAndCondition) {
    EXPECT_EQ(field("steps"), "3");
    EXPECT_EQ(field("gap.value"), "0.1");
    EXPECT_EQ(field("reached"), "true");
    EXPECT_EQ(field("list[1][0]"), "3");
    EXPECT_EQ(field("bounds[theorem=Theorem 3].value"), "7");
    EXPECT_EQ(field("bounds[theorem=Theorem 3].of.k"), "8");
    EXPECT_EQ(field("bounds[theorem=Theorem 2].value"), "5");
    EXPECT_EQ(field("bounds[theorem=Theorem 2][source=B].value"), "6");
    EXPECT_EQ(field("bounds[theorem=Theorem 2][1].value"), "6");
    EXPECT_EQ(field("bounds[value=7].source"), "B");
}

TEST(JsonPath, WritesFieldsOfCsvLines) {
    EXPECT_EQ(field("why"), "\"a, b\"");
    EXPECT_EQ(field("list[0]"), "\"[1,2]\"");
    EXPECT_EQ(field("gap"), R"("{""value"":0.1}")");
    EXPECT_EQ(csv_fields_at({JsonPath("steps"), JsonPath("none"), JsonPath("reached")}, object),
              "3,,true");
}

TEST(JsonPath, LeadsNowhereWithoutAnError) {
    for (const char* path : {"none", "other", "steps.more", "list[2]", "list.x", "steps[0]",
                             "bounds[theorem=Theorem 9].value", "bounds[theorem=Theorem 9][0]",
                             "gap[value=0.1]", "list[a=1]"})
        EXPECT_EQ(field(path), "") << path;
}

TEST(JsonPath, NamesItsColumn) {
    EXPECT_EQ(JsonPath("guarantee.steps").name(), "guarantee_steps");
    EXPECT_EQ(JsonPath("bounds[theorem=Theorem 2].value").name(), "bounds_theorem_Theorem_2_value");
    EXPECT_EQ(JsonPath("list[1][0]").name(), "list_1_0");
}

TEST(JsonPath, IsRefusedIfItIsNone) {
    for (const char* path : {"", ".", "a.", ".a", "a..b", "a[", "a]", "a[]", "a[b", "a[=b]", "a[b]",
                             "[0]", "a[0]b", "a[-1]", "a[99999999999]", "--"})
        EXPECT_THROW(JsonPath{path}, InputError) << path;
}

}  // namespace
}  // namespace equipoise::report
