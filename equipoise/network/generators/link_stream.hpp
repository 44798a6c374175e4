#pragma once
// Networks link by link, for those who keep only a part.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// A network that can name its links again and again without ever holding them.
struct LinkStream {
    using Visit = std::function<void(NodeId tail, NodeId head)>;

    NodeId node_count = 0;
    /// Names every link that touches a node in first .. last-1 at least once, perhaps others too,
    /// in any order and orientation.
    std::function<void(NodeId first, NodeId last, const Visit& visit)> each_link;
    std::string file = {};     ///< that links are read from, each once; empty: generated
    std::uint64_t digest = 0;  ///< of a file's links and nodes in their order
};

/// The stream of a generator whose links follow from numbers (`path:`, `cycle:`, `mesh:`, `torus:`,
/// `hypercube:`, `de-bruijn:`: cost O(nodes asked for)), of `gnp:n=...,p=...` (hashed by tiles:
/// cost O(links asked for)), or of an edge list, two numbers a line, whose nodes are called 0 ..
/// n-1 (a regular file, read anew each time: cost O(file), at first also a bit a node). The network
/// is that of `generate` or of the file's reader. Throws UnsuitableError for other generators,
/// naming these, and for files of other formats; InputError where a file holds anything that only
/// its reader can judge: names, weights, loops, numbers that no link has.
[[nodiscard]] LinkStream stream_links(std::string_view spec, std::uint64_t seed);

/// Sorts links or arcs and drops those that came twice. Throws InputError where they come from a
/// file, which must name each link once.
void sort_once(std::vector<Ends>& ends, const LinkStream& stream);

}  // namespace equipoise::network
