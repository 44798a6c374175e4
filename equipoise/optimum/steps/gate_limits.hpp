#pragma once
// What gates let pass, in 64 bits however many ports and steps there are.

#include <algorithm>

#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

/// The most tokens that pass a gate in these steps, if `a_step` pass in each. No gate has to pass
/// more than all tokens, so that more than `tokens_max` counts as `tokens_max`: if a gate opens
/// late, take that off the steps, not off the result. Neither number is below 0.
[[nodiscard]] constexpr Tokens most_passing(Tokens a_step, Tokens steps) {
    return static_cast<Tokens>(std::min(Int128{a_step} * steps, Int128{tokens_max}));
}

}  // namespace equipoise::optimum
