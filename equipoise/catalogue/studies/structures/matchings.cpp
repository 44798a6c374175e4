#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

using report::Panel;

constexpr std::size_t matchings_most = 40;

/// The links of this matching in its colour, with an arrow to the end that gets the odd token.
void show_matching(Panel& panel, const std::vector<Ends>& matching, std::size_t number) {
    const auto colour = std::string(report::look::colour(number));
    for (const auto& [tail, head] : matching)
        panel.arrows.push_back({.from = head, .to = tail, .colour = colour});
}

/// The number of nodes in no pair of the matching.
std::size_t left_out(const std::vector<Ends>& matching, NodeId nodes) {
    return nodes - 2 * matching.size();
}

std::string draw_matchings(const Spec& /*spec*/, const StructureInput& input) {
    const network::AnyNetwork& network = input.network();
    const network::MatchingSequence matchings = input.matchings();
    if (matchings.size() > matchings_most)
        throw InputError(
            fmt::format("--structure matchings: expected at most {} matchings, found {}",
                        matchings_most, matchings.size()));
    const NodeId nodes = network.node_count();
    report::NetworkPanels panels = report::panels_of(
        network, fmt::format("{} of {}, arrows to where odd tokens go",
                             report::counted(std::uint64_t{matchings.size()}, "matching"),
                             network.labels().origin));
    panels.names = false;
    const std::vector<NodeId> order = network::counting_order({nodes, matchings});
    Panel plain = report::plain_panel(panels, "");
    for (NodeId place = 0; place < nodes; ++place) {
        const NodeId node = order.empty() ? place : order[place];
        plain.nodes[node].inside = order.empty() ? network.name(node) : std::to_string(place);
        if (!order.empty() && network.name(node) != plain.nodes[node].inside)
            plain.nodes[node].beside = network.name(node);
    }
    Panel all = plain;
    all.words = order.empty() ? "all" : "all, numbered as they count";
    for (std::size_t k = 0; k < matchings.size(); ++k)
        show_matching(all, matchings[k], k);
    panels.panels.push_back(std::move(all));
    for (std::size_t k = 0; k < matchings.size(); ++k) {
        Panel panel = plain;
        panel.words = fmt::format("matching {}", k + 1);
        if (const std::size_t alone = left_out(matchings[k], nodes); alone > 0)
            panel.words += fmt::format(", {} left out", report::counted(alone, "node"));
        show_matching(panel, matchings[k], k);
        panels.panels.push_back(std::move(panel));
    }
    return report::panels_svg(panels);
}

}  // namespace

Structure matchings_structure() {
    return {{"matchings", "matchings", "the matchings of a balancing circuit, one by one"},
            {},
            draw_matchings};
}

}  // namespace equipoise::catalogue
