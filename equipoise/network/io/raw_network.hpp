#pragma once
// A network as its file describes it: what the readers of all formats return.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/attributes.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::network {

/// Links, names and positions of a file, before anything is sorted or dropped.
struct RawNetwork {
    NodeId node_count = 0;
    std::vector<Ends> links;                         ///< in the order of the file, no loops
    std::vector<std::uint64_t> lines;                ///< line of every link, if wanted
    std::vector<std::string> names;                  ///< of all nodes, no two the same; or empty
    NodeId first_number = 0;                         ///< if names are empty
    std::vector<std::optional<Position>> positions;  ///< of every node, or empty
    std::uint64_t loops = 0;                         ///< left out of `links`
    /// Whether every link must be given once in each direction; otherwise once, tail < head.
    bool both_directions = false;
    bool directed = false;                 ///< the file said so
    std::uint64_t positions_unusable = 0;  ///< nodes whose coordinates are not numbers
    std::optional<FirstLine> first_line;
};

struct ParseOptions {
    bool simplify = false;
    bool keep_lines = false;
    std::optional<bool> header = {};
    AttributedNetwork* attributes = nullptr;  ///< filled by formats that have attributes
};

[[nodiscard]] RawNetwork parse_edge_list(LineSource& source, const ParseOptions& options);
[[nodiscard]] RawNetwork parse_metis(LineSource& source, const ParseOptions& options);
[[nodiscard]] RawNetwork parse_matrix_market(LineSource& source, const ParseOptions& options);
[[nodiscard]] RawNetwork parse_gml(LineSource& source, const ParseOptions& options);
[[nodiscard]] RawNetwork parse_graphml(LineSource& source, const ParseOptions& options);
[[nodiscard]] RawNetwork parse_gexf(LineSource& source, const ParseOptions& options);

/// The most nodes without links that a file may have: a short file must not claim all memory.
[[nodiscard]] constexpr std::uint64_t node_count_most(std::uint64_t link_count) {
    constexpr std::uint64_t nodes_free = std::uint64_t{1} << 24U;
    constexpr std::uint64_t nodes_a_link = 64;
    constexpr std::uint64_t most = std::uint64_t{no_node} - 1;
    return link_count > most / nodes_a_link
               ? most
               : std::min(most, nodes_free + nodes_a_link * link_count);
}

/// A single link at fault: given twice, or in one direction although both are required.
struct LinkFault {
    Ends ends;
    bool twice = false;
};

/// What was expected in the place of a fault: "every link once (...)".
[[nodiscard]] std::string expected_instead_of(const LinkFault& fault);

/// Sorts the links and drops repeats and directions, counted in `report`. Without `simplify`
/// nothing is dropped: the first fault is returned instead, and the links can no longer be used.
[[nodiscard]] std::optional<LinkFault> make_simple(RawNetwork& raw, bool simplify,
                                                   ReadReport& report);

/// Names that are consecutive numbers become `first_number` alone.
void compact_names(RawNetwork& raw);

/// Puts nodes without a position at the mean of those neighbours that have one, layer by layer
/// outwards; a component without any goes to the mean of all positions. Empty if no node has a
/// position.
[[nodiscard]] std::vector<Position> complete_positions(
    const Network& network, const std::vector<std::optional<Position>>& known);

/// The largest connected component (on a tie the one with the smallest node) as a network of its
/// own, with names and positions.
[[nodiscard]] AnyNetwork largest_component_of(const AnyNetwork& network);

/// The network of links that `make_simple` has sorted, its largest component if options ask for it;
/// `origin` names it. Counts in `report` what is left out.
[[nodiscard]] AnyNetwork finished(RawNetwork raw, const std::string& origin,
                                  const ReadOptions& options, ReadReport& report);

inline constexpr std::string_view undirected_only =
    "an undirected graph (use --simplify to drop directions)";
inline constexpr std::string_view no_loop = "two different ends (use --simplify to drop loops)";

}  // namespace equipoise::network
