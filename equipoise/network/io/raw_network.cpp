#include "equipoise/network/io/raw_network.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/network/memory.hpp"
#include "equipoise/network/sort_links.hpp"

namespace equipoise::network {

namespace {

using LinkIterator = std::vector<Ends>::iterator;

std::optional<LinkFault> first_twin(LinkIterator from, LinkIterator to) {
    const auto twin = std::adjacent_find(from, to);
    if (twin == to) return std::nullopt;
    return LinkFault{*twin, true};
}

/// Moves the distinct links of a sorted range to its front; returns how many were dropped.
std::uint64_t drop_doubles(LinkIterator from, LinkIterator& to) {
    const auto last = std::unique(from, to);
    const auto dropped = static_cast<std::uint64_t>(to - last);
    to = last;
    return dropped;
}

std::optional<LinkFault> make_simple_from_both(RawNetwork& raw, bool simplify, ReadReport& report) {
    std::vector<Ends>& links = raw.links;
    const auto middle =
        std::partition(links.begin(), links.end(), [](Ends e) { return e.tail < e.head; });
    for (auto link = middle; link != links.end(); ++link)
        std::swap(link->tail, link->head);
    std::sort(links.begin(), middle);
    std::sort(middle, links.end());
    if (!simplify) {
        if (const auto fault = first_twin(links.begin(), middle)) return fault;
        if (const auto fault = first_twin(middle, links.end())) return fault;
        const auto [up, down] = std::mismatch(links.begin(), middle, middle, links.end());
        if (up != middle || down != links.end()) {
            const bool up_alone = down == links.end() || (up != middle && *up < *down);
            return LinkFault{up_alone ? *up : *down, false};
        }
        links.erase(middle, links.end());
        return std::nullopt;
    }
    auto up_end = middle;
    auto down_end = links.end();
    report.doubles = std::max(drop_doubles(links.begin(), up_end), drop_doubles(middle, down_end));
    if (std::equal(links.begin(), up_end, middle, down_end)) {
        links.erase(up_end, links.end());
        return std::nullopt;
    }
    report.directed = true;
    const auto joined = std::move(middle, down_end, up_end);
    links.erase(joined, links.end());
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return std::nullopt;
}

}  // namespace

std::string expected_instead_of(const LinkFault& fault) {
    return fault.twice ? "every link once (use --simplify to drop repeats)"
                       : "every link in both directions (use --simplify to drop directions)";
}

std::optional<LinkFault> make_simple(RawNetwork& raw, bool simplify, ReadReport& report) {
    report.loops = raw.loops;
    report.directed = raw.directed;
    report.positions_unusable = raw.positions_unusable;
    report.first_line = raw.first_line;
    if (raw.both_directions) return make_simple_from_both(raw, simplify, report);
    sort_links(raw.links, raw.node_count);
    if (!simplify) return first_twin(raw.links.begin(), raw.links.end());
    auto end = raw.links.end();
    report.doubles = drop_doubles(raw.links.begin(), end);
    raw.links.erase(end, raw.links.end());
    return std::nullopt;
}

void compact_names(RawNetwork& raw) {
    if (raw.names.empty() || !is_canonical_number(raw.names.front())) return;
    const auto first = whole_number(raw.names.front(), no_node - 1);
    if (!first) return;
    for (std::size_t node = 0; node < raw.names.size(); ++node)
        if (raw.names[node] != std::to_string(*first + node)) return;
    raw.names.clear();
    raw.names.shrink_to_fit();
    raw.first_number = static_cast<NodeId>(*first);
}

std::vector<Position> complete_positions(const Network& network,
                                         const std::vector<std::optional<Position>>& known) {
    std::vector<Position> positions(network.node_count());
    std::vector<NodeId> layer;
    Position mean_of_all;
    for (NodeId node = 0; node < known.size(); ++node) {
        if (!known[node]) continue;
        positions[node] = *known[node];
        mean_of_all.x += known[node]->x;
        mean_of_all.y += known[node]->y;
        layer.push_back(node);
    }
    if (layer.empty()) return {};
    mean_of_all.x /= static_cast<double>(layer.size());
    mean_of_all.y /= static_cast<double>(layer.size());

    std::vector<std::uint32_t> placed_neighbours(network.node_count(), 0);
    std::vector<bool> placed(network.node_count(), false);
    for (const NodeId node : layer)
        placed[node] = true;
    while (!layer.empty()) {
        std::vector<NodeId> next;
        for (const NodeId node : layer) {
            for (const NodeId other : network.neighbours(node)) {
                if (placed[other]) continue;
                if (placed_neighbours[other]++ == 0) next.push_back(other);
                positions[other].x += positions[node].x;
                positions[other].y += positions[node].y;
            }
        }
        for (const NodeId node : next) {
            positions[node].x /= placed_neighbours[node];
            positions[node].y /= placed_neighbours[node];
            placed[node] = true;
        }
        layer = std::move(next);
    }
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (!placed[node]) positions[node] = mean_of_all;
    return positions;
}

AnyNetwork largest_component_of(const AnyNetwork& network) {
    std::vector<NodeId> component(network.node_count(), no_node);  // named by its smallest node
    std::vector<NodeId> reached;
    NodeId largest = no_node;
    NodeId largest_size = 0;
    for (NodeId root = 0; root < network.node_count(); ++root) {
        if (component[root] != no_node) continue;
        reached.assign(1, root);
        component[root] = root;
        for (std::size_t at = 0; at < reached.size(); ++at) {
            for (Port port = 0; port < network.degree(reached[at]); ++port) {
                const NodeId other = network.neighbour(reached[at], port);
                if (component[other] != no_node) continue;
                component[other] = root;
                reached.push_back(other);
            }
        }
        if (reached.size() > largest_size) {
            largest = root;
            largest_size = static_cast<NodeId>(reached.size());
        }
    }
    if (largest_size == network.node_count()) return network;

    RawNetwork kept;
    std::vector<NodeId> new_number(network.node_count(), no_node);
    Labels labels = network.labels();
    labels.positions.clear();
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (component[node] != largest) continue;
        new_number[node] = kept.node_count++;
        kept.names.push_back(network.name(node));
        if (!network.labels().positions.empty())
            labels.positions.push_back(network.labels().positions[node]);
    }
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        if (component[ends.tail] == largest)
            kept.links.push_back({new_number[ends.tail], new_number[ends.head]});
    }
    compact_names(kept);
    labels.names = std::move(kept.names);
    labels.first_number = kept.first_number;
    return {Network(kept.node_count, std::move(kept.links)), std::move(labels)};
}

AnyNetwork finished(RawNetwork raw, const std::string& origin, const ReadOptions& options,
                    ReadReport& report) {
    expect_to_fit(raw.node_count, raw.links.size(), origin);
    Network network(raw.node_count, std::move(raw.links));
    Labels labels;
    labels.positions = complete_positions(network, raw.positions);
    labels.names = std::move(raw.names);
    labels.first_number = raw.first_number;
    labels.origin = origin;
    AnyNetwork result(std::move(network), std::move(labels));
    if (!options.largest_component) return result;
    const NodeId before = result.node_count();
    result = largest_component_of(result);
    report.nodes_left_out = before - result.node_count();
    return result;
}

}  // namespace equipoise::network
