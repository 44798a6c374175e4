#include "equipoise/engine/bodies/diffusion_edges.hpp"

namespace equipoise::engine {

std::optional<Port> common_degree(Part& part) {
    if (part.own_count() == 0) return std::nullopt;
    const Port degree = part.degree(0);
    if (degree == 0) return std::nullopt;
    if (part.whole() && part.graph().stored() != nullptr) {
        const network::Network& network = *part.graph().stored();
        if (network.degree_min() != network.degree_max()) return std::nullopt;
        return degree;
    }
    static_cast<void>(part.rows());  // brings all neighbours into the halo
    for (NodeId node = 0; node < part.local_count(); ++node)
        if (part.degree(node) != degree) return std::nullopt;
    return degree;
}

}  // namespace equipoise::engine
