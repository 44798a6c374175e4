#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/catalogue/studies/structures/on_trees.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

// Houle, Symvonis, Wood 2004, Lemma 9: two observers meet at an active link exactly when a side of
// some link has as many nodes as there are rounds between them.

namespace equipoise::catalogue {

namespace {

/// Two observers and the places in the c-ordering.
report::Panel start_panel(const report::NetworkPanels& panels, const network::ObserverTour& tour,
                          NodeId gap) {
    report::Panel panel = report::plain_panel(panels, "at the start; places on the tour");
    const auto order = tour.cycle(0);
    for (std::size_t place = 0; place < order.size(); ++place) {
        panel.nodes[order[place]].inside = std::to_string(place);
        panel.nodes[order[place]].fill = std::string(report::look::paper);
    }
    panel.nodes[order[0]].ring = first_colour;
    panel.nodes[order[gap]].ring = second_colour;
    return panel;
}

report::Panel meeting_panel(const report::NetworkPanels& panels, const network::Network& tree,
                            Ends places, std::uint64_t step, NodeId gap) {
    report::Panel panel = report::plain_panel(panels, fmt::format("step {}", step + 1));
    // The side that has as many nodes as the gap; if both have, that of the first observer.
    std::vector<bool> side = side_of(tree, places.tail, places.head);
    NodeId size = 0;
    for (const bool inside : side)
        size += inside ? 1 : 0;
    if (size != gap) side.flip();
    for (NodeId node = 0; node < tree.node_count(); ++node)
        panel.nodes[node].fill = std::string(side[node] ? chosen_fill : report::look::paper);
    panel.nodes[places.tail].ring = first_colour;
    panel.nodes[places.head].ring = second_colour;
    for (report::PanelLink& link : panel.links)
        if ((link.ends.tail == places.tail && link.ends.head == places.head) ||
            (link.ends.tail == places.head && link.ends.head == places.tail)) {
            link.colour = report::look::ink;
            link.width = 3.4;
        }
    return panel;
}

std::string draw_meeting(const Spec& spec, const StructureInput& input) {
    const network::Network& tree = expect_small_tree(spec, input);
    const analysis::StableGaps stable = analysis::stable_gaps(tree);
    const NodeId gap = gap_of(spec, tree).value_or(static_cast<NodeId>(stable.gaps.back()));
    const network::EdgeColouring& colouring = input.facts.colouring();
    const network::ObserverTour tour(tree, colouring);
    report::NetworkPanels panels = report::panels_of(
        input.network(), fmt::format("Two observers {} apart on {}",
                                     gap == 1 ? "1 round" : fmt::format("{} rounds", gap),
                                     input.network().labels().origin));
    const auto name = [&](NodeId place) {
        return input.network().labels().name(tour.cycle(0)[place]);
    };
    panels.meanings = {
        {std::string(first_colour), "the observer of node " + name(0)},
        {std::string(second_colour), "the observer of node " + name(gap)},
        {std::string(chosen_fill), fmt::format("the side of their link that has {} nodes", gap)}};
    panels.panels.push_back(start_panel(panels, tour, gap));
    const auto classes = colouring.classes(tree);
    NodeId first = tour.cycle(0)[0];
    NodeId second = tour.cycle(0)[gap];
    for (std::uint64_t step = 0; step < std::uint64_t{tree.node_count()} * classes.size(); ++step) {
        for (const Ends& link : classes[step % classes.size()]) {
            const bool meet = (link.tail == first && link.head == second) ||
                              (link.tail == second && link.head == first);
            if (meet)
                panels.panels.push_back(meeting_panel(panels, tree, {first, second}, step, gap));
            for (NodeId* observer : {&first, &second}) {
                if (*observer == link.tail) {
                    *observer = link.head;
                } else if (*observer == link.head) {
                    *observer = link.tail;
                }
            }
        }
    }
    if (panels.panels.size() == 1)
        throw UnsuitableError(fmt::format(
            "structure meeting: observers {} rounds apart never meet on {}; expected a stable gap: "
            "{}",
            gap, input.network().labels().origin, fmt::join(stable.gaps, ", ")));
    return report::panels_svg(panels);
}

}  // namespace

Structure meeting_structure() {
    return {{"meeting", "meeting:gap=3", "where two observers meet that are `gap` rounds apart"},
            {"gap"},
            draw_meeting};
}

}  // namespace equipoise::catalogue
