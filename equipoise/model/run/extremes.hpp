#pragma once
// How high and how low loads went during a run.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// Loads are in units of 1 / load_scale tokens.
struct Extremes {
    Tokens least = 0;                  ///< smallest load of a node, at the start or after any step
    Tokens most = 0;                   ///< largest one
    std::uint64_t rises_of_most = 0;   ///< steps after which the largest load was higher
    std::uint64_t falls_of_least = 0;  ///< steps after which the smallest load was lower
    friend bool operator==(const Extremes&, const Extremes&) = default;
};

}  // namespace equipoise::model
