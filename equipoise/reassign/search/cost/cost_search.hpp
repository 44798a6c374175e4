#pragma once
// Where items end that have weighted costs.

#include <optional>

#include "equipoise/reassign/search/cost/cost_tables.hpp"
#include "equipoise/reassign/search/search.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

/// As `search_places`, for problems that `CostTables` suit.
[[nodiscard]] SearchedPlacement search_costs(const SearchTables& tables,
                                             const SearchOptions& options,
                                             const std::optional<Score>& good_enough);

}  // namespace equipoise::reassign
