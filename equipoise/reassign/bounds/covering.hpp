#pragma once
// The cheapest items that leave a machine, so that enough of several resources leaves with them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::reassign {

/// One way to decide about an item, or about items of which at most one may stay.
struct CoveringOption {
    Tokens cost = 0;
    Tokens second = 0;          ///< of another kind of cost, of which there is a limit
    std::vector<Tokens> gives;  ///< by need
};

/// One option of each choice is taken.
struct CoveringProblem {
    std::vector<Tokens> needs;  ///< above 0
    std::vector<std::vector<CoveringOption>> choices;
    Tokens second_most = tokens_max;
};

struct Covered {
    Tokens at_least = 0;   ///< no choice of options that gives what is needed costs less
    bool exact = false;    ///< and one costs as much
    bool possible = true;  ///< whether some choice gives what is needed; if not, known to be so
};

/// Solves the problem by dynamic programming over undominated partial choices, as long as `effort`
/// suffices; it is reduced by the steps done. Otherwise the bound is the best of the linear
/// relaxations for single needs.
[[nodiscard]] Covered least_cost(const CoveringProblem& problem, std::uint64_t& effort);

}  // namespace equipoise::reassign
