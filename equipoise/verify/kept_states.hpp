#pragma once
// The independent re-check of states that an algorithm keeps: files of schema equipoise-kept.

#include <string>
#include <string_view>

#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// Whether a text says that it is such a file.
[[nodiscard]] bool is_kept_text(std::string_view text);

/// Checks that every state of the file has the discrepancy that it claims and comes back after its
/// period, played by the definition of the rule alone: so the algorithm keeps this discrepancy for
/// ever, or comes back to it for ever. Rules are threshold-1 on a coloured network, the
/// rotor-router on a network whose nodes list their ports, and send-floor and send-round.
///
/// Throws InputError, naming `origin`, if the text is no such file. Cost O(period * (links +
/// nodes + tokens)) for each state; states beyond 2 * 10^8 are reported as not checked.
[[nodiscard]] Report verify_kept(const std::string& text, const std::string& origin);

}  // namespace equipoise::verify
