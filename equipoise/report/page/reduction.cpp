#include "equipoise/report/page/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace equipoise::report {

namespace {

constexpr std::size_t ranks_max = 512;
constexpr NodeId side_max = 512;  ///< of an image of cells
constexpr NodeId clusters_max = 1'000;
constexpr NodeId clusters_min = 50;

Reduction blocks(Drawing drawing, const FrameRoom& room) {
    Reduction reduction;
    const NodeId longer = std::max(drawing.rows, drawing.columns);
    reduction.block = (longer + side_max - 1) / side_max;
    while (true) {
        reduction.rows = (drawing.rows + reduction.block - 1) / reduction.block;
        reduction.columns = (drawing.columns + reduction.block - 1) / reduction.block;
        reduction.values = std::size_t{reduction.rows} * reduction.columns;
        if (reduction.values <= std::max<std::size_t>(room.values / room.frames, clusters_max))
            break;
        ++reduction.block;
    }
    reduction.kind = reduction.block == 1 ? Reduction::Kind::nodes : Reduction::Kind::blocks;
    reduction.drawing = std::move(drawing);
    return reduction;
}

/// If nodes have positions, a cluster is drawn amid its own nodes.
std::vector<network::Position> middles(const network::Labels& labels, const Clusters& clusters) {
    if (labels.positions.size() != clusters.of.size()) return {};
    std::vector<network::Position> sums(clusters.sizes.size());
    std::vector<double> known(sums.size(), 0);
    for (std::size_t node = 0; node < clusters.of.size(); ++node) {
        const network::Position& place = labels.positions[node];
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) continue;
        network::Position& sum = sums[clusters.of[node]];
        sum = {sum.x + place.x, sum.y + place.y};
        known[clusters.of[node]] += 1;
    }
    for (std::size_t cluster = 0; cluster < sums.size(); ++cluster)
        sums[cluster] = {sums[cluster].x / known[cluster], sums[cluster].y / known[cluster]};
    return sums;  // not a number without known nodes, as in files
}

Reduction in_clusters(const model::Record& record, const std::vector<Ends>& links,
                      const FrameRoom& room) {
    Reduction reduction;
    reduction.kind = Reduction::Kind::clusters;
    const auto count =
        static_cast<NodeId>(std::clamp<std::size_t>(room.nodes_max(), clusters_min, clusters_max));
    reduction.clusters = cluster_network(network::Network(record.node_count, links),
                                         std::min(count, record.node_count));
    const Clusters& clusters = reduction.clusters;
    reduction.values = clusters.sizes.size();
    network::Labels labels;
    labels.positions = middles(record.labels, clusters);
    reduction.drawing = draw_network(labels, static_cast<NodeId>(reduction.values), clusters.links);
    return reduction;
}

}  // namespace

NodeId FrameRoom::nodes_max() const {
    return static_cast<NodeId>(std::min<std::size_t>(drawn_nodes_max, values / 2));
}

Reduction reduction_of(const model::Record& record, const std::vector<Ends>& links,
                       const FrameRoom& room) {
    const NodeId nodes = record.node_count;
    const bool grid = grid_sides(record.labels, nodes).size() == 2;
    if (!grid && nodes > room.nodes_max() && !links.empty())
        return in_clusters(record, links, room);
    Drawing drawing = draw_network(record.labels, nodes, links);
    if (drawing.kind == DrawingKind::cells) return blocks(std::move(drawing), room);
    Reduction reduction;
    reduction.values = nodes;
    if (drawing.kind == DrawingKind::ranks) {
        reduction.kind = Reduction::Kind::ranks;
        reduction.values = std::min<std::size_t>(ranks_max, nodes);
    }
    reduction.drawing = std::move(drawing);
    return reduction;
}

Tokens Reduction::unit(const model::Record& record) const {
    if (kind == Kind::nodes || kind == Kind::ranks) return 1;
    const auto most = std::max_element(record.initial_loads.begin(), record.initial_loads.end());
    return *most < (Tokens{1} << 40U) ? 16 : 1;
}

std::vector<Tokens> Reduction::apply(std::span<const Tokens> loads, Tokens unit) const {
    switch (kind) {
        case Kind::nodes:
            return {loads.begin(), loads.end()};
        case Kind::ranks:
            return in_order(loads);
        case Kind::blocks:
        case Kind::clusters:
            return averages(loads, unit);
    }
    return {};
}

std::vector<Tokens> Reduction::in_order(std::span<const Tokens> loads) const {
    std::vector<Tokens> sorted(loads.begin(), loads.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    for (std::size_t index = 0; index < values; ++index)
        sorted[index] = sorted[values < 2 ? 0 : index * (loads.size() - 1) / (values - 1)];
    sorted.resize(values);
    return sorted;
}

std::size_t Reduction::cell_of(std::size_t node) const {
    if (kind == Kind::clusters) return clusters.of[node];
    const std::size_t row = node / drawing.columns / block;
    return row * columns + node % drawing.columns / block;
}

std::vector<Tokens> Reduction::averages(std::span<const Tokens> loads, Tokens unit) const {
    std::vector<double> sums(values, 0);
    std::vector<std::uint32_t> held(values, 0);
    for (std::size_t node = 0; node < loads.size(); ++node) {
        const std::size_t cell = cell_of(node);
        sums[cell] += static_cast<double>(loads[node]);
        ++held[cell];
    }
    std::vector<Tokens> means(values);
    for (std::size_t cell = 0; cell < values; ++cell)
        means[cell] = std::llround(sums[cell] / held[cell] * static_cast<double>(unit));
    return means;
}

}  // namespace equipoise::report
