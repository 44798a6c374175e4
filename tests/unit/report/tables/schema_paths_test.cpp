// Columns are judged by the schemas of what verbs print.

#include "equipoise/report/tables/schema_paths.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::report {
namespace {

/// What is wrong with a column; empty if nothing is.
std::string wrong(const std::string& verb, const std::string& column) {
    try {
        expect_in_schema(JsonPath(column), column, verb);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SchemaPaths, AreAllThatVerbsMayPrint) {
    for (const char* column :
         {"steps", "guarantee.steps", "network.nodes", "constants.least_load", "parameters.share",
          "phases[0].first", "phases[phase=2].last", "extremes.rises_of_most", "guarantee"})
        EXPECT_EQ(wrong("run", column), "");
    for (const char* column : {"bound", "certificate.kind", "schedule[3]", "schedule[3][0]",
                               "certificate.zones[0].steps", "windows[1][4]"})
        EXPECT_EQ(wrong("plan", column), "");
    for (const char* column :
         {"diameter", "eigenvalue_gap.rounds", "bounds[theorem=Theorem 2].value",
          "bounds[theorem=Theorem 2][source=x].value", "observers.gap.sum_inside[0]"})
        EXPECT_EQ(wrong("analyze", column), "");
    EXPECT_EQ(wrong("worst", "worst.loads[0]"), "");
}

TEST(SchemaPaths, ThatNothingIsPrintedAtAreNamedWithWhatMayBeMeant) {
    const auto expect = [](const char* verb, const std::string& column, const std::string& rest) {
        EXPECT_EQ(wrong(verb, column), "unknown column \"" + column + "\" of " + verb + rest);
    };
    expect("run", "stepz", ": did you mean \"steps\"?");
    expect("run", "guarantee.step", ": did you mean \"guarantee.steps\"?");
    expect("run", "nodes", ": did you mean \"network.nodes\"?");
    expect("run", "extremes.peak", ": expected falls_of_least, least, most or rises_of_most");
    expect("run", "steps[0]", "");
    expect("run", "steps.all", "");
    expect("run", "phases.first", ": expected [NUMBER] or [KEY=VALUE] between a list and a key");
    expect("run", "phases[end=1].first", ": expected first, last, memory_bits or phase");
    expect("run", "phases[phase=1].frist", ": did you mean \"phases[phase=1].first\"?");
    expect("run", "constants[k=1].x", "");
    expect("plan", "schedule[0].from",
           ": expected [NUMBER] or [KEY=VALUE] between a list and a key");
    expect("worst", "worst.load", ": did you mean \"worst.loads\" or \"worst.loads_spec\"?");
    EXPECT_NE(wrong("analyze", "zzz").find(": expected "), std::string::npos);
}

}  // namespace
}  // namespace equipoise::report
