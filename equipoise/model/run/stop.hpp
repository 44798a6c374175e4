#pragma once
// When a run ends.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// When a run ends, apart from a request to stop. The first condition that holds wins.
struct StopRule {
    /// Ends when the discrepancy is at most this.
    std::optional<Tokens> discrepancy;
    /// Ends when no two neighbours differ by more than one token.
    bool one_balanced = false;
    /// Ends after this many consecutive steps in which no token moved.
    std::optional<Step> quiet_steps;
    /// Ends after this many consecutive steps in which no active link had a discrepancy of two or
    /// more (stability of rules whose tokens move for ever).
    std::optional<Step> stable_steps;
    /// Ends when every node has decided to end.
    bool own_termination = true;
    /// Ends at the latest after this many steps.
    Step steps_max = ~Step{0};
};

/// Why a run ended.
enum class StopReason : std::uint8_t {
    own_termination,  ///< every node decided to end
    discrepancy,
    one_balanced,
    quiet,
    stable,
    steps_max,
    interrupted,    ///< the caller's stop token
    nothing_to_do,  ///< there are no links
};

/// The reason as a stable word for reports: "own-termination", "quiet", ...
[[nodiscard]] std::string to_string(StopReason reason);

}  // namespace equipoise::model
