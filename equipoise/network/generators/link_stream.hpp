#pragma once
// Networks read link by link, for processes that keep only a part of them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::network {

/// A network whose links can be visited any number of times without being held in memory.
struct LinkStream {
    using Visit = std::function<void(NodeId tail, NodeId head)>;

    NodeId node_count = 0;
    /// Visits every link that touches a node in first .. last-1 at least once, perhaps others too,
    /// in any order and orientation.
    std::function<void(NodeId first, NodeId last, const Visit& visit)> each_link;
    std::string file = {};     ///< the file that holds the links, each once; empty: generated
    std::uint64_t digest = 0;  ///< of a file's links and nodes in their order
};

/// Networks whose links follow from numbers: cost O(nodes visited).
[[nodiscard]] LinkStream stream_grid(Grid grid);
/// `dimension` at most 31.
[[nodiscard]] LinkStream stream_hypercube(unsigned dimension);
/// Throws InputError for too many nodes.
[[nodiscard]] LinkStream stream_de_bruijn(NodeId base, unsigned digits);
/// Hashed by tiles: cost O(links visited).
[[nodiscard]] LinkStream stream_gnp(NodeId nodes, double probability, std::uint64_t seed);
/// An edge list with two numbers per line, whose nodes are named 0 .. n-1: a regular file, which is
/// read again each time. Cost O(file), the first time also a bit per node. Throws UnsuitableError
/// for files of other formats; InputError if the file holds anything that only the full reader can
/// judge: names, weights, loops, numbers that no link has.
[[nodiscard]] LinkStream stream_edge_list(const std::string& path);

/// Sorts links or arcs and drops repeated ones. If they come from a file, which must name each link
/// once, a repeated link throws InputError instead.
void sort_once(std::vector<Ends>& ends, const LinkStream& stream);

}  // namespace equipoise::network
