#pragma once
// Sorting links by their ends.

#include <vector>

#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// Sorts links by (tail, head), all below `node_count`. Long lists are sorted by counting, 11 bits
/// of the ends at a time, from the lowest (radix sort): O(links) for each 11 bits, and as much
/// memory again as the links take; short ones by comparison.
void sort_links(std::vector<Ends>& links, NodeId node_count);

}  // namespace equipoise::network
