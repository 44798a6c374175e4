#include "equipoise/engine/bodies/diffusion_edges.hpp"

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

std::optional<Port> common_degree(Part& part) {
    if (part.own_count() == 0) return std::nullopt;
    const Port degree = part.degree(0);
    if (degree == 0) return std::nullopt;
    if (part.whole() && part.graph().stored() != nullptr) {
        const network::Network& network = *part.graph().stored();
        if (network.degree_min() != network.degree_max()) return std::nullopt;
        return degree;
    }
    static_cast<void>(part.rows());  // all neighbours join the halo
    for (NodeId node = 0; node < part.local_count(); ++node)
        if (part.degree(node) != degree) return std::nullopt;
    return degree;
}

}  // namespace equipoise::engine
