#include "equipoise/report/pictures/spine_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace equipoise::report {

namespace {

using network::Network;
using network::Position;

constexpr std::size_t row_nodes_max = 24;  ///< of a line that is one row
constexpr double row_width_max = 48;       ///< of the same with its branches
constexpr double shape = 1.8;              ///< width by height of several rows

/// The nodes that are reached from some nodes, in the order of their distance.
struct Search {
    std::vector<NodeId> order;
    std::vector<NodeId> parent;
    std::vector<std::uint32_t> depth;
};

Search search_from(const Network& network, std::vector<NodeId> sources) {
    Search search{std::move(sources), std::vector<NodeId>(network.node_count(), no_node),
                  std::vector<std::uint32_t>(network.node_count(), 0)};
    std::vector<bool> seen(network.node_count(), false);
    for (const NodeId source : search.order)
        seen[source] = true;
    for (std::size_t next = 0; next < search.order.size(); ++next) {
        const NodeId node = search.order[next];
        for (const NodeId other : network.neighbours(node)) {
            if (seen[other]) continue;
            seen[other] = true;
            search.parent[other] = node;
            search.depth[other] = search.depth[node] + 1;
            search.order.push_back(other);
        }
    }
    return search;
}

/// A longest path of a tree, from the end with the smaller number.
std::vector<NodeId> longest_path(const Network& tree) {
    const NodeId end = search_from(tree, {0}).order.back();
    const Search search = search_from(tree, {end});
    std::vector<NodeId> path = {search.order.back()};
    while (path.back() != end)
        path.push_back(search.parent[path.back()]);
    if (path.back() < path.front()) std::reverse(path.begin(), path.end());
    return path;
}

/// Where a node of the line stands, and whether its branches rise or hang.
struct Place {
    Position at;
    bool rises = false;
};

/// Places of the nodes of a line whose branches are so wide. Where the line turns down to the next
/// row, branches rise, so that they do not cover it.
std::vector<Place> places_of(const std::vector<double>& widths,
                             const std::vector<std::uint32_t>& depths) {
    const std::uint32_t deepest = *std::max_element(depths.begin(), depths.end());
    double total = 0;
    for (const double width : widths)
        total += width;
    const bool one = widths.size() <= row_nodes_max && total <= row_width_max;
    const double rows =
        one ? 1 : std::max(1.0, std::round(std::sqrt(total / shape / (1 + deepest))));
    const double row_width = std::ceil(total / rows);
    std::vector<Place> places(widths.size());
    double x = 0;
    double y = 0;
    double way = 1;
    for (std::size_t begin = 0; begin < widths.size();) {
        double filled = widths[begin];
        std::size_t end = begin + 1;
        while (end < widths.size() && filled + widths[end] / 2 < row_width)
            filled += widths[end++];
        const bool turns = end < widths.size();
        if (begin > 0 && turns) y += depths[end - 1];
        std::uint32_t below = 0;
        for (std::size_t index = begin; index < end; ++index) {
            if (index > begin) x += way * (widths[index - 1] + widths[index]) / 2;
            places[index] = {{x, y}, turns && index + 1 == end};
            if (!places[index].rises) below = std::max(below, depths[index]);
        }
        y += 1 + below;
        way = -way;
        begin = end;
    }
    return places;
}

}  // namespace

std::vector<Position> spine_layout(const Network& network) {
    const NodeId count = network.node_count();
    if (count < 2 || network.link_count() + 1 != count) return {};
    if (search_from(network, {0}).order.size() != count) return {};
    const std::vector<NodeId> line = longest_path(network);
    const Search search = search_from(network, line);
    const std::uint32_t deepest = search.depth[search.order.back()];
    if (4 * std::size_t{deepest} > line.size() - 2) return {};

    // By node: the leaves of its branches, and how far these reach.
    std::vector<double> leaves(count, 0);
    std::vector<std::uint32_t> depths(count, 0);
    for (auto node = search.order.rbegin(); node != search.order.rend(); ++node) {
        leaves[*node] = std::max(1.0, leaves[*node]);
        const NodeId parent = search.parent[*node];
        if (parent == no_node) continue;
        leaves[parent] += leaves[*node];
        depths[parent] = std::max(depths[parent], depths[*node] + 1);
    }
    std::vector<double> widths;
    std::vector<std::uint32_t> line_depths;
    for (const NodeId node : line) {
        widths.push_back(leaves[node]);
        line_depths.push_back(depths[node]);
    }
    const std::vector<Place> places = places_of(widths, line_depths);

    std::vector<Position> positions(count);
    std::vector<double> next(count);  // the left edge of the next branch of a node
    std::vector<double> sign(count);
    for (std::size_t index = 0; index < line.size(); ++index) {
        const NodeId node = line[index];
        positions[node] = places[index].at;
        next[node] = places[index].at.x - leaves[node] / 2;
        sign[node] = places[index].rises ? -1 : 1;
    }
    for (const NodeId node : search.order) {
        const NodeId parent = search.parent[node];
        if (parent == no_node) continue;
        sign[node] = sign[parent];
        positions[node] = {next[parent] + leaves[node] / 2, positions[parent].y + sign[node]};
        next[node] = next[parent];
        next[parent] += leaves[node];
    }
    return positions;
}

}  // namespace equipoise::report
