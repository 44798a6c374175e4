#include "equipoise/reassign/bounds/choice_program.hpp"

#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"

namespace equipoise::reassign {
namespace {

/// Two items of sizes 3 and 2, on a machine where they are, or, at a cost of 1 each, elsewhere; the
/// machine has room for `room`.
ChoiceProgram two_items(Tokens room) {
    ChoiceProgram program;
    const std::uint32_t row = program.add_row(room);
    for (const Tokens size : {3, 2}) {
        program.begin_choice();
        program.add_option(0);
        program.add_entry(row, size);
        program.add_option(1);
    }
    return program;
}

TEST(ReassignChoiceProgram, PricesGiveABoundThatIsRoundedUp) {
    const ChoiceProgram program = two_items(4);
    // At a third for a unit, the larger item costs as much here as elsewhere: 2/3 + 1 - 4/3.
    EXPECT_EQ(cost_at_prices(program, std::vector<double>{1.0 / 3}), 1);
    EXPECT_EQ(cost_at_prices(program, std::vector<double>{0}), 0);
    EXPECT_EQ(cost_at_prices(two_items(1), std::vector<double>{0.5}), 2);
}

TEST(ReassignChoiceProgram, PricesThatAreNoPricesSayNothingFalse) {
    const ChoiceProgram program = two_items(4);
    for (const double price : {-1.0, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN(), 1e300})
        EXPECT_LE(cost_at_prices(program, std::vector<double>{price}), 1);
}

TEST(ReassignChoiceProgram, WideCostsAreAddedUpExactly) {
    ChoiceProgram program;
    program.add_row(0);
    const Int128 cost = (Int128{1} << 90) + 1;
    for (int choice = 0; choice < 3; ++choice) {
        program.begin_choice();
        program.add_option(cost);
    }
    EXPECT_EQ(cost_at_prices(program, std::vector<double>{0}), 3 * cost);
}

/// The least cost of whole options, by trying all.
Int128 least_cost(const ChoiceProgram& program) {
    const std::size_t choices = program.choices.size();
    Int128 best = std::numeric_limits<Tokens>::max();
    for (std::size_t taken = 0; taken < std::size_t{1} << choices; ++taken) {
        std::vector<Int128> sums(program.limits.size(), 0);
        Int128 cost = 0;
        for (std::size_t choice = 0; choice < choices; ++choice) {
            const std::size_t column = program.choices[choice] + (taken >> choice) % 2;
            cost += program.columns[column].cost;
            for (const ChoiceProgram::Entry& entry : program.entries_of(column))
                sums[entry.row] += entry.coefficient;
        }
        bool fits = true;
        for (std::size_t row = 0; row < sums.size(); ++row)
            fits = fits && sums[row] <= program.limits[row];
        if (fits) best = std::min(best, cost);
    }
    return best;
}

TEST(ReassignChoiceProgram, NoPricesOfDrawnProgramsGiveMoreThanTheOptimum) {
    RandomStream random(3, Purpose::sampling);
    int reached = 0;
    int solved = 0;
    for (int number = 0; number < 500; ++number) {
        ChoiceProgram program;
        for (int row = 0; row < 3; ++row)
            program.add_row(Int128{static_cast<Tokens>(random.below(12))});
        for (int choice = 0; choice < 6; ++choice) {
            program.begin_choice();
            for (int option = 0; option < 2; ++option) {
                program.add_option(Int128{static_cast<Tokens>(random.below(5))});
                for (std::uint32_t row = 0; row < 3; ++row)
                    program.add_entry(row, static_cast<Tokens>(random.below(6)) - 1);
            }
        }
        const Int128 least = least_cost(program);
        std::vector<double> drawn;
        for (int row = 0; row < 3; ++row)
            drawn.push_back(static_cast<double>(random.below(100)) / 50);
        ASSERT_LE(cost_at_prices(program, drawn), least) << number;
        if (!has_linear_programs() || least == std::numeric_limits<Tokens>::max()) continue;
        ++solved;
        const Int128 bound = cost_at_prices(program, good_prices(program, 10));
        ASSERT_LE(bound, least) << number;
        if (bound == least) ++reached;
    }
    EXPECT_GE(reached, solved / 3);
}

}  // namespace
}  // namespace equipoise::reassign
