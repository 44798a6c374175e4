#pragma once
// How high and how low loads were during a run, from its record.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// Loads are in units of 1 / load_scale tokens.
struct Extremes {
    Tokens least = 0;                  ///< smallest load of a node after any step
    Tokens most = 0;                   ///< largest load of a node after any step
    std::uint64_t rises_of_most = 0;   ///< steps after which the largest load was higher
    std::uint64_t falls_of_least = 0;  ///< steps after which the smallest load was lower
};

/// The extremes of all loads before the first and after every step; nothing unless the record holds
/// every move. Cost O(moves + steps with a move * nodes).
[[nodiscard]] std::optional<Extremes> extremes_of(const model::Record& record);

/// "0 to 17 at all times; the largest never rose, the least never fell".
[[nodiscard]] std::string extremes_text(const model::Record& record, const Extremes& extremes);

}  // namespace equipoise::report
