#pragma once
// The optimum with which runs are compared.

#include <cstdint>
#include <optional>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::report {

/// The best possible on an instance where every node ends with floor or ceiling of its share. A run
/// that ends in such loads has it in its record (`Record::optimum`), with its steps if the run
/// moves single tokens, as the optimum does.
struct Optimum {
    Step steps_at_least = 0;
    std::optional<Step> steps_at_most;  ///< nothing if none was found in 60 seconds
    Tokens exchanges = 0;               ///< fewest in any number of steps
    Tokens moves = 0;                   ///< fewest tokens that change place

    [[nodiscard]] bool exact() const { return steps_at_most && *steps_at_most == steps_at_least; }
};

}  // namespace equipoise::report
