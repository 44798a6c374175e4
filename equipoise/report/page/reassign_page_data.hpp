#pragma once
// The data of the page of a plan, as compact JSON.

#include <string>

#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

/// Machines, moves, figures and words, escaped for a script element. Lists are columns. Of more
/// than 20,000 machines, those that no move touches are left out; of more than 200,000 moves, all
/// but the first 1,000, and the waves cannot be played.
[[nodiscard]] std::string reassign_page_data(const ReassignAnswer& answer);

}  // namespace equipoise::report
