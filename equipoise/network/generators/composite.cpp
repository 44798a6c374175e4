#include "equipoise/network/generators/composite.hpp"

#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/checked_nodes.hpp"

namespace equipoise::network {

namespace {

void add_clique(std::vector<Ends>& links, NodeId first, NodeId size) {
    for (NodeId tail = first; tail < first + size; ++tail)
        for (NodeId head = tail + 1; head < first + size; ++head)
            links.push_back({tail, head});
}

/// The path first, first+1, ..., last.
void add_path(std::vector<Ends>& links, NodeId first, NodeId last) {
    for (NodeId node = first; node < last; ++node)
        links.push_back({node, node + 1});
}

}  // namespace

Network make_barbell(NodeId clique, NodeId path) {
    const NodeId nodes = checked_nodes(2 * std::uint64_t{clique} + path);
    std::vector<Ends> links;
    add_clique(links, 0, clique);
    add_path(links, clique - 1, clique + path);
    add_clique(links, clique + path, clique);
    return {nodes, std::move(links)};
}

Network make_lollipop(NodeId clique, NodeId path) {
    const NodeId nodes = checked_nodes(std::uint64_t{clique} + path);
    std::vector<Ends> links;
    add_clique(links, 0, clique);
    add_path(links, clique - 1, nodes - 1);
    return {nodes, std::move(links)};
}

Network make_ring_of_cliques(NodeId cliques, NodeId size) {
    if (cliques < 3) throw InputError("a ring of cliques needs at least 3 cliques");
    const NodeId nodes = checked_nodes(std::uint64_t{cliques} * size);
    std::vector<Ends> links;
    for (NodeId clique = 0; clique < cliques; ++clique) {
        add_clique(links, clique * size, size);
        links.push_back({clique * size + size - 1, (clique + 1) % cliques * size});
    }
    return {nodes, std::move(links)};
}

Network make_mesh_plus_complete(NodeId side) {
    const NodeId nodes = checked_nodes(2 * std::uint64_t{side} * side);
    const NodeId cells = nodes / 2;
    std::vector<Ends> links;
    for (NodeId row = 0; row < side; ++row) {
        for (NodeId column = 0; column < side; ++column) {
            const NodeId node = row * side + column;
            if (column + 1 < side) links.push_back({node, node + 1});
            if (row + 1 < side) links.push_back({node, node + side});
        }
    }
    links.push_back({0, cells});
    add_clique(links, cells, cells);
    return {nodes, std::move(links)};
}

}  // namespace equipoise::network
