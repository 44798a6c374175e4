#include "equipoise/engine/bodies/nodes_by_reach.hpp"

#include <algorithm>

namespace equipoise::engine {

NodesByReach::NodesByReach(Part& part) {
    if (part.whole()) {
        inner.emplace_back(0, part.own_count());
        return;
    }
    const Rows rows = part.rows();
    for (NodeId node = 0; node < part.own_count(); ++node) {
        const auto row = rows.of(node);
        const bool is_inner =
            std::all_of(row.begin(), row.end(), [&](NodeId other) { return part.owns(other); });
        std::vector<NodeRange>& ranges = is_inner ? inner : boundary;
        if (!ranges.empty() && ranges.back().second == node)
            ++ranges.back().second;
        else
            ranges.emplace_back(node, node + 1);
    }
}

}  // namespace equipoise::engine
