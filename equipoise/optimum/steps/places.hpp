#pragma once
// Places of nodes for flows in phases: numbers that grow by one along the links that tokens take.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// Distances from the node with too many tokens that is furthest from nodes with room: the corner
/// of a full corner, the middle of a full block. Empty if there is no such node or if it does not
/// reach all others. Cost O(links).
[[nodiscard]] std::vector<std::uint32_t> places_from_root(const Problem& problem);

/// Places along a flow of all tokens through gates for `steps` steps (static_flow.hpp): over links
/// without circles, those with the most tokens first, they grow by one the way that tokens go. On a
/// tree so over all links. Empty if there is no such flow or the search was stopped. Cost: that
/// flow, and sorting the links.
[[nodiscard]] std::vector<std::uint32_t> places_along_flow(const Problem& problem, Step steps,
                                                           const std::stop_token& stop);

/// The bytes that this takes.
[[nodiscard]] std::uint64_t places_along_flow_bytes(const Problem& problem);

}  // namespace equipoise::optimum
