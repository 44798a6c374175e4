#pragma once
// How a network whose nodes and links come and go becomes 1-balanced again after each change, from
// the record of a run.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// Superstabilisation (Dolev, Herman 1997), measured. A network is 1-balanced while no two
/// neighbours that are up differ by more than one token; a change is all that comes and goes at the
/// beginning of a step, with the tokens that nodes hand over as they go. Figures are over all
/// changes that met a 1-balanced network.
struct Recovery {
    std::uint64_t changes = 0;    ///< that met a 1-balanced network
    std::uint64_t unsettled = 0;  ///< that met one which was not
    std::uint64_t recovered = 0;  ///< of `changes`: it was 1-balanced before the next one
    /// Superstabilisation time: most steps from such a change until then.
    Step steps = 0;
    /// Adjustment measure: most nodes that then held other loads than before the change, without
    /// those that came or went.
    NodeId adjusted = 0;
    NodeId distance = 0;  ///< most links between such a node and what changed
    /// The passage predicate: until it was 1-balanced again, no load ever left the range of the
    /// loads right after the change.
    bool passage = true;
};

/// Nothing unless the record holds every move and nodes and links came and went. Cost O(moves +
/// steps with a move * (nodes + links)).
[[nodiscard]] std::optional<Recovery> recovery_of(const model::Record& record);

/// "1-balanced again after 3 of 4 changes, ...".
[[nodiscard]] std::string recovery_text(const Recovery& recovery);

}  // namespace equipoise::report
