#pragma once
// The rows that a scenario asks for, with all placeholders filled in.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "equipoise/catalogue/studies/question.hpp"
#include "equipoise/catalogue/studies/scenario.hpp"
#include "equipoise/report/runs/sweep_rows.hpp"

namespace equipoise::catalogue {

/// One row: a question about the instance of its cell.
struct GridRow {
    std::string key;  ///< a fingerprint of all that the row depends on, and its names
    ScenarioAlgorithm algorithm;
    std::map<std::string, std::string> options;
    /// Whether the row of an earlier start with this key is what would be played now; not so for a
    /// given rule without a version, which may have changed.
    bool resumable = true;
};

/// One network with one set of loads and one seed, on which rows are played one after the other.
struct GridCell {
    std::string network;  ///< of `reassign` the file of items
    std::string loads;
    std::uint64_t seed = 0;
    std::vector<std::size_t> rows;  ///< by number, in the order of the grid
};

struct Grid {
    report::SweepShape shape;
    std::vector<GridRow> rows;  ///< by network, sizes and values, loads, seed, algorithm, options
    std::vector<GridCell> cells;
};

/// The most rows of a grid.
inline constexpr std::size_t grid_rows_max = 1'000'000;

/// A row for each combination; placeholders that do not occur in its texts do not multiply it.
/// Throws InputError naming the scenario, the key, what was expected and found for an expression or
/// an option that is wrong on every network, two columns of one name, too many rows, and
/// for what is given and not used.
[[nodiscard]] Grid make_grid(const Scenario& scenario);

/// The question of a row.
[[nodiscard]] Question question_of(const Scenario& scenario, const GridCell& cell,
                                   const GridRow& row);

}  // namespace equipoise::catalogue
