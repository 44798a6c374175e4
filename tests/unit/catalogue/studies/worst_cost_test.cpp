// Costs of runs and their exact comparison.

#include "equipoise/catalogue/studies/worst_cost.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

using load::Fraction;

/// What a run costs by this word; it must have such a cost.
Fraction cost_by(const char* word, const char* algorithm, const char* network,
                 const load::Loads& loads) {
    const network::AnyNetwork made = network::generate(network, 0);
    const CostOfRuns& cost = find_cost(word);
    RunOptions options;
    options.with_deviation = cost.needs_deviation;
    if (cost.needs_moves) options.record_level = model::RecordLevel::full;
    Outcome outcome = run(algorithm, made, loads, options);
    if (cost.needs_optimum)
        BestPossible(made, loads, {}).note_in(outcome.record, find_algorithm(algorithm));
    return cost.of(outcome).value();
}

TEST(CostsOfRuns, AreCountsTokensAndRatios) {
    EXPECT_EQ(cost_by("rounds", "deal-agreement-2", "path:n=5", {6, 5, 0, 0, 0}).value(), 8);
    EXPECT_EQ(cost_by("discrepancy", "diffusion", "path:n=4", {5, 4, 0, 0}).value(), 5);
    EXPECT_EQ(cost_by("largest-load", "diffusion-2", "torus:8x8", load::Loads(64, 3)).value(), 3);
    // A token at an end of two nodes crosses the link once, in the first of threshold-1's steps.
    EXPECT_EQ(cost_by("exchanges/optimum", "threshold-1", "path:n=2", {2, 0}).value(), 1);
    // A round of three steps with a deal, and one that finds nothing to deal.
    EXPECT_EQ(cost_by("steps", "deal-agreement-2", "path:n=2", {2, 0}).value(), 6);
    EXPECT_EQ(cost_by("level-since", "deal-agreement-2", "path:n=2", {2, 0}).value(), 3);
    // 12 steps where a single one is enough.
    const Fraction ratio = cost_by("steps/optimum", "threshold-1", "path:n=4", {1, 2, 0, 1});
    EXPECT_TRUE(ratio.numerator == 12 && ratio.denominator == 1);
}

TEST(CostsOfRuns, TheLargestLoadIsThatOfAnyMoment) {
    // Three leaves give to the centre at once.
    EXPECT_EQ(cost_by("largest-load", "rotor-router", "star:leaves=3", {2, 3, 3, 0}).value(), 4);
    // Asynchronous: tokens under way count at no node.
    EXPECT_EQ(cost_by("largest-load", "perfect-tree", "path:n=4", {3, 3, 0, 0}).value(), 4);
}

TEST(CostsOfRuns, ADeviationIsTheDecimalThatRecordsHold) {
    for (const double value : {0.0, 0.5, 2.75, 0.857143, 12345.6, 123456.0, 0.000123457, 1e15}) {
        Outcome outcome;
        outcome.record.deviation.emplace().value = value;
        EXPECT_EQ(find_cost("deviation").of(outcome)->value(), value);
    }
}

TEST(CostsOfRuns, ThatARunDoesNotHaveAreNone) {
    const Outcome none;
    for (const char* word : {"deviation", "steps/optimum", "exchanges/optimum"})
        EXPECT_FALSE(find_cost(word).of(none)) << word;
    EXPECT_THROW(static_cast<void>(find_cost("beauty")), InputError);
}

TEST(Larger, ComparesFractionsAsProductsDo) {
    RandomStream random(5, Purpose::sampling);
    for (int i = 0; i < 2000; ++i) {
        const auto draw = [&] { return static_cast<Int128>(random.below(9)); };
        const Fraction a = {draw(), draw()};
        const Fraction b = {draw(), draw()};
        // 0 / 0 is no fraction.
        if (a.numerator + a.denominator == 0 || b.numerator + b.denominator == 0) continue;
        EXPECT_EQ(larger(a, b), a.numerator * b.denominator > b.numerator * a.denominator);
    }
}

TEST(Larger, IsExactWhereProductsWouldNotFit) {
    const Int128 huge = std::numeric_limits<Int128>::max();
    EXPECT_TRUE(larger({huge, huge - 1}, {huge - 1, huge - 1}));
    EXPECT_TRUE(larger({huge, huge - 1}, {huge - 1, huge - 2}) == false);
    EXPECT_TRUE(larger({huge - 1, huge - 2}, {huge, huge - 1}));
    EXPECT_FALSE(larger({huge, 3}, {huge, 3}));
    EXPECT_TRUE(larger({1, 0}, {huge, 1}));
    EXPECT_FALSE(larger({1, 0}, {2, 0}));
}

}  // namespace
}  // namespace equipoise::catalogue
