#pragma once
// Structures that a caller gives, in place of those that the program would find.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::network {

/// How algorithms that run on a tree find one on other networks.
enum class SpanningTree : std::uint8_t {
    breadth_first,     ///< default_spanning_tree
    minimum_diameter,  ///< minimum_diameter_tree
    low_degree,        ///< low_degree_tree
    given,             ///< the caller's
};
/// "breadth-first", "minimum-diameter", "low-degree", "given".
[[nodiscard]] std::string to_string(SpanningTree tree);
/// Throws InputError naming what was expected.
[[nodiscard]] SpanningTree spanning_tree_from_word(std::string_view word);

/// The tree and the colouring that a caller gave, if any.
struct GivenStructures {
    SpanningTree tree = SpanningTree::breadth_first;
    std::vector<Ends> tree_links;  ///< of the given tree, as `read_spanning_tree`
    MatchingSequence colouring;    ///< one matching for each colour; empty: the program's own
    friend bool operator==(const GivenStructures&, const GivenStructures&) = default;
};

/// Throws InputError unless every pair is a link and no matching uses a node twice.
void expect_matchings(const MatchingSequence& matchings, const AnyNetwork& network);

/// Throws InputError unless a given tree spans the network and every colour is a matching; a
/// colouring has every link exactly once.
void expect_structures(const GivenStructures& given, const AnyNetwork& network);

}  // namespace equipoise::network
