// The one file that knows the solver of linear programs.
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/bounds/choice_program.hpp"

#ifdef EQUIPOISE_WITH_CLP
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>

#include <coin/Clp_C_Interface.h>
#endif

namespace equipoise::reassign {

#ifdef EQUIPOISE_WITH_CLP

bool has_linear_programs() {
    return true;
}

namespace {

/// The program as the solver wants it, in numbers near 1: rows are divided by their largest
/// coefficient, costs by the largest cost.
struct ScaledProgram {
    std::vector<double> row_scales;
    double cost_scale = 1;
    std::vector<CoinBigIndex> begins = {0};
    std::vector<int> rows;
    std::vector<double> coefficients;
    std::vector<double> column_most;
    std::vector<double> costs;
    std::vector<double> row_least;
    std::vector<double> row_most;
};

ScaledProgram scaled(const ChoiceProgram& program) {
    ScaledProgram scaled;
    scaled.row_scales.assign(program.limits.size(), 1);
    for (const ChoiceProgram::Entry& entry : program.entries)
        scaled.row_scales[entry.row] = std::max(scaled.row_scales[entry.row],
                                                std::abs(static_cast<double>(entry.coefficient)));
    for (const ChoiceProgram::Column& column : program.columns)
        scaled.cost_scale = std::max(scaled.cost_scale, static_cast<double>(column.cost));
    for (std::size_t row = 0; row < program.limits.size(); ++row) {
        scaled.row_least.push_back(-std::numeric_limits<double>::infinity());
        scaled.row_most.push_back(static_cast<double>(program.limits[row]) /
                                  scaled.row_scales[row]);
    }
    // The options of each choice add up to 1.
    scaled.row_least.insert(scaled.row_least.end(), program.choices.size(), 1);
    scaled.row_most.insert(scaled.row_most.end(), program.choices.size(), 1);
    std::size_t next_choice = 0;
    for (std::size_t column = 0; column < program.columns.size(); ++column) {
        for (const ChoiceProgram::Entry& entry : program.entries_of(column)) {
            scaled.rows.push_back(static_cast<int>(entry.row));
            scaled.coefficients.push_back(static_cast<double>(entry.coefficient) /
                                          scaled.row_scales[entry.row]);
        }
        const bool is_option = column < program.options;
        if (is_option) {
            if (next_choice < program.choices.size() && program.choices[next_choice] == column)
                ++next_choice;
            scaled.rows.push_back(static_cast<int>(program.limits.size() + next_choice - 1));
            scaled.coefficients.push_back(1);
        }
        scaled.begins.push_back(static_cast<CoinBigIndex>(scaled.rows.size()));
        scaled.column_most.push_back(is_option ? std::numeric_limits<double>::infinity()
                                               : static_cast<double>(program.columns[column].most));
        scaled.costs.push_back(static_cast<double>(program.columns[column].cost) /
                               scaled.cost_scale);
    }
    return scaled;
}

}  // namespace

std::vector<double> good_prices(const ChoiceProgram& program, double seconds) {
    const ScaledProgram numbers = scaled(program);
    const std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> model(Clp_newModel(),
                                                                     Clp_deleteModel);
    Clp_setLogLevel(model.get(), 0);
    const std::vector<double> column_least(program.columns.size(), 0);
    Clp_loadProblem(model.get(), static_cast<int>(program.columns.size()),
                    static_cast<int>(numbers.row_most.size()), numbers.begins.data(),
                    numbers.rows.data(), numbers.coefficients.data(), column_least.data(),
                    numbers.column_most.data(), numbers.costs.data(), numbers.row_least.data(),
                    numbers.row_most.data());
    Clp_setMaximumSeconds(model.get(), seconds);
    // No cost is negative: the dual method has a bound at every moment.
    Clp_dual(model.get(), 0);
    const double* duals = Clp_dualRowSolution(model.get());
    std::vector<double> prices;
    for (std::size_t row = 0; row < program.limits.size(); ++row)
        prices.push_back(std::max(-duals[row], 0.0) * numbers.cost_scale / numbers.row_scales[row]);
    return prices;
}

#else

bool has_linear_programs() {
    return false;
}

std::vector<double> good_prices(const ChoiceProgram& /*program*/, double /*seconds*/) {
    return {};
}

#endif

}  // namespace equipoise::reassign
