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
/// neighbours that are up differ by more than one token; a change is everything that comes and goes
/// at the beginning of a step, including the tokens that nodes hand over as they go. Figures are
/// over all changes that hit a 1-balanced network.
struct Recovery {
    std::uint64_t changes = 0;    ///< those that hit a 1-balanced network
    std::uint64_t unsettled = 0;  ///< those that hit a network which was not 1-balanced
    std::uint64_t recovered = 0;  ///< of `changes`: it was 1-balanced before the next one
    /// Superstabilisation time: the most steps from such a change until the network was 1-balanced
    /// again.
    Step steps = 0;
    /// Adjustment measure: the most nodes whose loads then differed from those before the change,
    /// not counting nodes that came or went.
    NodeId adjusted = 0;
    NodeId distance = 0;  ///< the most links between such a node and the change
    /// The passage predicate: until the network was 1-balanced again, no load left the range of the
    /// loads right after the change.
    bool passage = true;
};

/// Nothing unless the record holds every move and nodes and links came and went. Cost O(moves +
/// steps with a move * (nodes + links)).
[[nodiscard]] std::optional<Recovery> recovery_of(const model::Record& record);

/// "1-balanced again after 3 of 4 changes, ...".
[[nodiscard]] std::string recovery_text(const Recovery& recovery);

}  // namespace equipoise::report
