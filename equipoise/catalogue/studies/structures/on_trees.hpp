#pragma once
// What structures of trees share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/spec.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::catalogue {

/// Colours in drawings, besides the shades of loads.
inline constexpr std::string_view first_colour = "#009e73";
inline constexpr std::string_view second_colour = "#cc79a7";
inline constexpr std::string_view chosen_fill = "#9ecbe8";
inline constexpr std::string_view other_fill = "#f3dca8";

/// The network as a tree of 2 to `panel_nodes_max` nodes. Throws UnsuitableError if the network is
/// not a tree, and InputError if it is too large.
[[nodiscard]] const network::Network& expect_small_tree(const Spec& spec,
                                                        const StructureInput& input);

/// The gap of a spec, 1 to n - 1; nothing if the spec names none. Throws InputError for any other
/// gap.
[[nodiscard]] std::optional<NodeId> gap_of(const Spec& spec, const network::Network& tree);

/// For each node of a tree, whether it is on the side of `inside` when the link from there to its
/// neighbour `outside` is removed. Cost O(n).
[[nodiscard]] std::vector<bool> side_of(const network::Network& tree, NodeId inside,
                                        NodeId outside);

/// The terms joined by plus signs, "3 + 6".
[[nodiscard]] std::string sum_text(const std::vector<std::uint64_t>& terms);

}  // namespace equipoise::catalogue
