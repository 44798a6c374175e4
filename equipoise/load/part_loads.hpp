#pragma once
// Initial loads of some nodes only, for a process that holds a part of a network.

#include <cstdint>
#include <string_view>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::load {

/// The loads of nodes first .. last-1 that `make_loads` gives a network of `node_count` nodes
/// called by their numbers, for `spike:` and `uniform:`. Memory O(last - first). Throws InputError
/// as `make_loads`, UnsuitableError for other specs.
[[nodiscard]] Loads make_part_loads(std::string_view spec, NodeId node_count, NodeId first,
                                    NodeId last, std::uint64_t seed);

}  // namespace equipoise::load
