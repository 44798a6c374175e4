#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/analysis/rooted_tree.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/catalogue/studies/structures/on_trees.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

// Houle, Symvonis, Wood 2004, Section 4.3: a gap as the shortest sum of stable gaps, and the loads
// of Theorem 12, which show that no shorter one exists.

namespace equipoise::catalogue {

namespace {

/// The terms of a shortest sum, modulo n, of stable gaps that is `gap`.
std::vector<std::uint64_t> shortest_sum(const analysis::StableGaps& gaps,
                                        const std::vector<std::uint32_t>& stability,
                                        std::uint64_t gap) {
    std::vector<std::uint64_t> terms;
    while (stability[gap] > 0) {
        for (const std::uint64_t term : gaps.gaps) {
            const std::uint64_t rest = (gap + gaps.nodes - term) % gaps.nodes;
            if (stability[rest] + 1 != stability[gap]) continue;
            terms.push_back(term);
            gap = rest;
            break;
        }
    }
    return terms;
}

/// A link with a side of this many nodes: its end on that side, and the other end.
Ends link_with_side(const network::Network& tree, std::uint64_t size) {
    const analysis::RootedTree rooted = analysis::root_tree(tree, 0);
    for (NodeId node = 1; node < tree.node_count(); ++node) {
        if (rooted.size[node] == size) return {node, rooted.parent[node]};
        if (tree.node_count() - rooted.size[node] == size) return {rooted.parent[node], node};
    }
    EQUIPOISE_ASSERT(false);  // stable gaps are the sizes of sides
    return {};
}

/// Loads by their stability as seen from the first observer, who has no tokens.
report::Panel loads_panel(const report::NetworkPanels& panels, const network::ObserverTour& tour,
                          const std::vector<std::uint32_t>& stability, NodeId gap) {
    report::Panel panel = report::plain_panel(panels, "stable loads (Theorem 12)");
    const auto order = tour.cycle(0);
    std::vector<Tokens> loads(order.size());
    Tokens most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        loads[order[place]] = Tokens{stability[place]};
        most = std::max(most, Tokens{stability[place]});
    }
    report::show_loads(panel, loads, most);
    panel.nodes[order[0]].ring = first_colour;
    panel.nodes[order[gap]].ring = second_colour;
    return panel;
}

std::string draw_stable_gap(const Spec& spec, const StructureInput& input) {
    const network::Network& tree = expect_small_tree(spec, input);
    const analysis::StableGaps stable = analysis::stable_gaps(tree);
    const NodeId gap = gap_of(spec, tree)
                           .value_or(static_cast<NodeId>(
                               analysis::maximum_stable_discrepancy(stable).hardest_gap));
    const std::vector<std::uint32_t> stability = analysis::stabilities(stable);
    const std::vector<std::uint64_t> terms = shortest_sum(stable, stability, gap);
    const network::ObserverTour tour(tree, input.facts.colouring());
    const auto order = tour.cycle(0);
    const auto name = [&](std::uint64_t place) {
        return input.network().labels().name(order[place]);
    };
    const std::string sum = terms.size() == 1
                                ? "is a stable gap"
                                : fmt::format("= {} modulo {}", sum_text(terms), stable.nodes);
    report::NetworkPanels panels = report::panels_of(
        input.network(),
        fmt::format("Gap {} {} on {}: at most {} apart", gap, sum, input.network().labels().origin,
                    terms.size() == 1 ? "1 token" : fmt::format("{} tokens", terms.size())));
    panels.meanings = {
        {std::string(first_colour), "the observer of node " + name(0)},
        {std::string(second_colour),
         fmt::format("the observer of node {}, {} rounds on", name(gap), gap)},
        {std::string(chosen_fill),
         "a side of a link with as many nodes as the two are rounds apart: there they meet"}};
    panels.panels.push_back(loads_panel(panels, tour, stability, gap));
    std::uint64_t place = 0;
    for (const std::uint64_t term : terms) {
        const std::uint64_t next = (place + term) % stable.nodes;
        report::Panel panel = report::plain_panel(
            panels, fmt::format("{} and {}: gap {}", name(place), name(next), term));
        const Ends link = link_with_side(tree, term);
        const std::vector<bool> side = side_of(tree, link.tail, link.head);
        for (NodeId node = 0; node < tree.node_count(); ++node)
            panel.nodes[node].fill = std::string(side[node] ? chosen_fill : report::look::paper);
        for (report::PanelLink& each : panel.links)
            if (side[each.ends.tail] != side[each.ends.head]) {
                each.colour = report::look::ink;
                each.width = 3.4;
            }
        panel.nodes[order[place]].ring = place == 0 ? first_colour : report::look::frame;
        panel.nodes[order[next]].ring = next == gap ? second_colour : report::look::frame;
        panels.panels.push_back(std::move(panel));
        place = next;
    }
    return report::panels_svg(panels);
}

}  // namespace

Structure stable_gap_structure() {
    return {{"stable-gap", "stable-gap:gap=2", "stable loads, and a gap as a sum of stable gaps"},
            {"gap"},
            draw_stable_gap};
}

}  // namespace equipoise::catalogue
