#pragma once
// Networks link by link, for those who keep only a part.

#include <cstdint>
#include <functional>
#include <string_view>

#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// A network that can name its links again and again without ever holding them.
struct LinkStream {
    using Visit = std::function<void(NodeId tail, NodeId head)>;

    NodeId node_count = 0;
    /// Names every link that touches a node in first .. last-1 at least once, perhaps others too,
    /// in any order and orientation.
    std::function<void(NodeId first, NodeId last, const Visit& visit)> each_link;
};

/// The stream of a generator whose links follow from numbers (`path:`, `cycle:`, `mesh:`, `torus:`,
/// `hypercube:`, `de-bruijn:`: cost O(nodes asked for)), of `gnp:n=...,p=...` (hashed by tiles:
/// cost O(links asked for)), or of a file of links whose nodes are called 0 .. n-1 (read anew each
/// time: cost O(file)). The network is that of `generate` or of the file's reader. Where links of a
/// file stand twice or are loops they count once or not at all. Throws InputError for other
/// generators, naming these, and for bad files at their line.
[[nodiscard]] LinkStream stream_links(std::string_view spec, std::uint64_t seed);

}  // namespace equipoise::network
