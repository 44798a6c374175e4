#include "equipoise/network/generators/hypercubic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/checked_nodes.hpp"

namespace equipoise::network {

namespace {

NodeId rows_of(unsigned dimension) {
    return checked_nodes(dimension < 32 ? std::uint64_t{1} << dimension : no_node);
}

}  // namespace

Network make_hypercube(unsigned dimension) {
    const NodeId nodes = rows_of(dimension);
    std::vector<Ends> links;
    links.reserve(std::size_t{nodes} / 2 * dimension);
    for (NodeId node = 0; node < nodes; ++node)
        for (unsigned bit = 0; bit < dimension; ++bit)
            if ((node >> bit & 1U) == 0) links.push_back({node, node | NodeId{1} << bit});
    return {nodes, std::move(links)};
}

Network make_de_bruijn(NodeId base, unsigned digits) {
    std::uint64_t count = 1;
    for (unsigned i = 0; i < digits && base > 1; ++i)
        count = checked_nodes(count * base);
    const NodeId nodes = static_cast<NodeId>(count);
    std::vector<Ends> links;
    links.reserve(std::size_t{nodes} * base);
    for (NodeId node = 0; node < nodes; ++node) {
        for (NodeId digit = 0; digit < base; ++digit) {
            const NodeId next = static_cast<NodeId>((std::uint64_t{node} * base + digit) % nodes);
            if (node != next) links.push_back({std::min(node, next), std::max(node, next)});
        }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return {nodes, std::move(links)};
}

Network make_cube_connected_cycles(unsigned dimension) {
    if (dimension < 3) throw InputError("cube-connected cycles need a dimension of at least 3");
    const NodeId rows = rows_of(dimension);
    const NodeId nodes = checked_nodes(std::uint64_t{rows} * dimension);
    std::vector<Ends> links;
    links.reserve(std::size_t{nodes} / 2 * 3);
    for (NodeId row = 0; row < rows; ++row) {
        for (unsigned bit = 0; bit < dimension; ++bit) {
            const NodeId node = row * dimension + bit;
            links.push_back({node, row * dimension + (bit + 1) % dimension});
            const NodeId across = row ^ NodeId { 1 } << bit;
            if (row < across) links.push_back({node, across * dimension + bit});
        }
    }
    return {nodes, std::move(links)};
}

Network make_butterfly(unsigned dimension, bool wrapped) {
    if (wrapped && dimension < 3)
        throw InputError("a wrapped butterfly needs a dimension of at least 3");
    const NodeId rows = rows_of(dimension);
    const unsigned levels = wrapped ? dimension : dimension + 1;
    const NodeId nodes = checked_nodes(std::uint64_t{rows} * levels);
    std::vector<Ends> links;
    links.reserve(std::size_t{rows} * dimension * 2);
    for (unsigned level = 0; level < dimension; ++level) {
        const NodeId next = (level + 1) % levels * rows;
        for (NodeId row = 0; row < rows; ++row) {
            links.push_back({level * rows + row, next + row});
            links.push_back({level * rows + row, next + (row ^ NodeId{1} << level)});
        }
    }
    return {nodes, std::move(links)};
}

}  // namespace equipoise::network
