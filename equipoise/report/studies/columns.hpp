#pragma once
// What the columns of a study are for.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/report/studies/study.hpp"

namespace equipoise::report {

/// The columns of a study by number, in their order; `seed`, and what is said about a row or its
/// algorithm, are in neither list.
struct StudyColumns {
    std::vector<std::size_t> names;    ///< with the seed they name a row
    std::vector<std::size_t> results;  ///< what was found, texts among them
    /// Two rows of the same names and seed, if there are such.
    std::optional<std::pair<std::size_t, std::size_t>> alike;
};

/// Network, items, loads, algorithm and parameters are names. Of the columns that a sweep wrote,
/// before `left_out_because`, results are the last ones, as far as they have names of results
/// (`is_name_of_path`); of all others, those of numbers. If rows of the same names and seed are
/// left, columns that tell them apart become names, from the left on: those with the same values
/// for each seed, as an axis of a grid has. Columns named in `results` are results in any case.
[[nodiscard]] StudyColumns columns_of(const Study& study,
                                      const std::vector<std::string>& results = {});

}  // namespace equipoise::report
