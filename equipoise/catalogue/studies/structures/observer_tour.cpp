#include "equipoise/network/structure/observer_tour.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

// Houle, Symvonis, Wood 2004, Section 4.1: the arcs of the observer tour in their order.

namespace equipoise::catalogue {

namespace {

/// The other end of every node's link of one colour; the node itself if it has none.
std::vector<std::vector<NodeId>> ends_across(const network::AnyNetwork& network,
                                             const network::EdgeColouring& colouring) {
    std::vector<NodeId> stays(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node)
        stays[node] = node;
    std::vector<std::vector<NodeId>> across(colouring.colour_count, stays);
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        across[colouring.by_link[link]][ends.tail] = ends.head;
        across[colouring.by_link[link]][ends.head] = ends.tail;
    }
    return across;
}

std::string draw_tour(const Spec& spec, const StructureInput& input) {
    const network::AnyNetwork& network = input.network();
    const NodeId n = network.node_count();
    if (n > report::panel_nodes_max)
        throw InputError(
            fmt::format("structure observer-tour: expected a network of at most {} nodes, found {}",
                        report::panel_nodes_max, n));
    const network::EdgeColouring& colouring = input.facts.colouring();
    if (colouring.colour_count == 0)
        throw UnsuitableError("structure observer-tour: expected a network with links, found none");
    const auto start = static_cast<Colour>(spec.whole("colour", 0, colouring.colour_count - 1, 0));
    const network::ObserverTour tour(network, colouring, start);
    const auto across = ends_across(network, colouring);
    report::NetworkPanels panels = report::panels_of(
        network,
        fmt::format("The observer tour of {}, from colour {} on", network.labels().origin, start));
    panels.room = 100;  // for numbers on both sides of both arcs of a link
    for (Colour colour = 0; colour < colouring.colour_count; ++colour)
        panels.meanings.push_back(
            {std::string(report::look::colour(colour)), fmt::format("colour {}", colour)});
    for (std::size_t cycle = 0; cycle < tour.cycle_count(); ++cycle) {
        const auto order = tour.cycle(cycle);
        report::Panel panel = report::plain_panel(
            panels,
            tour.cycle_count() == 1
                ? fmt::format(
                      "arcs by their steps, 1 to {}; nodes by their places in the {}-ordering",
                      order.size() * colouring.colour_count, start)
                : fmt::format("tour {} of {}: {} steps", cycle + 1, tour.cycle_count(),
                              order.size() * colouring.colour_count));
        for (std::size_t place = 0; place < order.size(); ++place) {
            panel.nodes[order[place]].inside = std::to_string(place);
            panel.nodes[order[place]].fill = std::string(report::look::paper);
        }
        NodeId at = order.front();
        for (std::uint64_t step = 0; step < order.size() * colouring.colour_count; ++step) {
            const auto colour = static_cast<Colour>((start + step) % colouring.colour_count);
            const NodeId next = across[colour][at];
            if (next != at)
                panel.arrows.push_back({.from = at,
                                        .to = next,
                                        .words = std::to_string(step + 1),
                                        .colour = std::string(report::look::colour(colour)),
                                        .width = 1.6});
            at = next;
        }
        panels.panels.push_back(std::move(panel));
    }
    return report::panels_svg(panels);
}

}  // namespace

Structure observer_tour_structure() {
    return {{"observer-tour", "observer-tour:colour=0",
             "the arcs that an observer of threshold-1 follows"},
            {"colour"},
            draw_tour};
}

}  // namespace equipoise::catalogue
