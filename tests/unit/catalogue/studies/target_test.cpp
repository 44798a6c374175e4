#include "equipoise/catalogue/studies/target.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

TEST(Targets, HaveANumberOrAFile) {
    EXPECT_EQ(target_of("floor-ceil", plan_targets()).kind, Target::Kind::floor_ceil);
    const Target most = target_of("at-most:12", plan_targets());
    EXPECT_EQ(most.kind, Target::Kind::at_most);
    EXPECT_EQ(most.number, 12);
    const Target exact = target_of("exact:0", items_targets());
    EXPECT_EQ(exact.kind, Target::Kind::exact);
    EXPECT_EQ(exact.number, 0);
    EXPECT_EQ(target_of("speeds:a:b.csv", plan_targets()).file, "a:b.csv");
    const Target places = target_of("places:p.json", items_targets());
    EXPECT_EQ(places.kind, Target::Kind::places);
    EXPECT_EQ(places.file, "p.json");
}

TEST(Targets, AreOnlyThoseOfTheirPlan) {
    for (const char* text : {"places:p.csv", "", "floor-ceil:", "floor-ceil:3", "at-most", "speeds",
                             "speeds:", "as listed"})
        EXPECT_FALSE(find_target(text, plan_targets())) << text;
}

TEST(Targets, ThatAreWrongAreNamedWithWhatWasExpected) {
    const auto message = [](const std::string& text) {
        return test::message_of([&] { static_cast<void>(target_of(text, items_targets())); });
    };
    EXPECT_EQ(message("speeds:"), "unknown target \"speeds:\": did you mean \"speeds:FILE.csv\"?");
    EXPECT_EQ(message("at-most:-1"),
              "--target: expected at-most:SIZE with a whole number, found \"at-most:-1\"");
    EXPECT_EQ(message("exact:9223372036854775808"),
              "--target: expected exact:DELTA with a whole number, found "
              "\"exact:9223372036854775808\"");
}

}  // namespace
}  // namespace equipoise::catalogue
