#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

namespace look = report::look;
using optimum::Problem;
using report::counted;
using report::grouped;

constexpr std::string_view inside_colour = look::moving;
constexpr std::string_view matching_colour = look::colours[2];
constexpr std::string_view gate_colour = "#9fd9c6";
constexpr std::size_t zones_shown_max = 12;

/// Draws a set of nodes, and the gates that everything must pass that leaves it.
void show_set(report::Panel& panel, std::span<const NodeId> nodes, std::span<const NodeId> senders,
              std::span<const NodeId> receivers) {
    for (const NodeId node : nodes)
        panel.nodes[node].ring = inside_colour;
    for (const std::span<const NodeId> gates : {senders, receivers})
        for (const NodeId node : gates)
            panel.nodes[node].fill = gate_colour;
}

/// Draws a maximum matching between a set and its complement.
void show_matching(report::Panel& panel, const Problem& problem, std::span<const NodeId> nodes) {
    std::vector<bool> inside(problem.loads.size(), false);
    for (const NodeId node : nodes)
        inside[node] = true;
    std::vector<Ends> crossing;
    for (const Ends& link : problem.network->links())
        if (inside[link.tail] != inside[link.head]) crossing.push_back(link);
    const network::Network across(problem.network->node_count(), std::move(crossing));
    const network::Matching matching = network::maximum_matching(across).matching;
    for (report::PanelLink& link : panel.links)
        if (matching.partner[link.ends.tail] == link.ends.head) {
            link.colour = matching_colour;
            link.width = 5;
        }
}

/// The panel of the set X of Theorem 1 whose bound is largest.
report::Panel bound_panel(const report::NetworkPanels& panels, const Problem& problem,
                          const optimum::StaticBound& bound) {
    const optimum::StaticCut& cut = bound.cut;
    report::Panel panel = report::plain_panel(
        panels, bound.steps == 0
                    ? "no set has too many tokens"
                    : fmt::format("Theorem 1: {} / {}, at least {}", grouped(cut.surplus),
                                  grouped(cut.matching), counted(bound.steps, "step")));
    report::show_loads(panel, problem.loads,
                       *std::max_element(problem.loads.begin(), problem.loads.end()));
    show_set(panel, cut.nodes, cut.senders, cut.receivers);
    show_matching(panel, problem, cut.nodes);
    return panel;
}

/// One zone of a cut through layers: its nodes, and what a step lets out of it.
report::Panel zone_panel(const report::NetworkPanels& panels, const Problem& problem,
                         const optimum::Zone& zone) {
    const std::string when =
        zone.steps == 1 ? fmt::format("step {}", zone.first + 1)
                        : fmt::format("steps {} to {}", zone.first + 1, zone.first + zone.steps);
    const Tokens leaving = leaving_a_step(problem, zone);
    report::Panel panel = report::plain_panel(
        panels, when + (leaving == 0 ? std::string(": nothing can leave")
                                     : fmt::format(": at most {} a step", grouped(leaving))));
    show_set(panel, zone.nodes, zone.senders, zone.receivers);
    return panel;
}

void add_zones(report::NetworkPanels& panels, const Problem& problem,
               const optimum::Certificate& certificate) {
    for (const optimum::Zone& zone : certificate.zones) {
        if (&zone - certificate.zones.data() == zones_shown_max) break;
        panels.panels.push_back(zone_panel(panels, problem, zone));
    }
    report::Panel last = report::plain_panel(
        panels, fmt::format("in {} {} of {} can leave", counted(certificate.steps, "step"),
                            grouped(certificate.crossings), counted(certificate.surplus, "token")));
    show_set(last, certificate.last_zone, {}, {});
    panels.panels.push_back(std::move(last));
}

std::string draw_cut(const Spec& spec, const StructureInput& input) {
    PlanRequest request;
    request.loads = input.given_loads;
    request.seed = input.seed;
    request.target.text = spec.word("target", "floor-ceil");
    report::NetworkPanels panels = report::panels_of(input.network(), "");
    const PlannedInstance made = plan(request, input.network());
    const Problem& problem = made.problem;
    const optimum::Plan& found = made.plan;
    panels.title = fmt::format("{} to level {}", counted(found.at_least, "step"),
                               input.network().labels().origin);
    panels.meanings = {
        {std::string(inside_colour), "nodes that together have too many tokens"},
        {std::string(gate_colour), "gates: everything that leaves them is sent or received here"},
        {std::string(matching_colour), "a largest matching between them and the others"}};
    panels.panels.push_back(bound_panel(panels, problem, optimum::static_bound(problem)));
    const std::string zones = spec.word("zones", "yes");
    if (zones != "yes" && zones != "no")
        throw InputError("spec '" + spec.text() + "': zones=: expected yes or no, found \"" +
                         zones + '"');
    if (zones == "yes" && !found.certificate.empty() && !found.certificate.is_static())
        add_zones(panels, problem, found.certificate);
    return report::panels_svg(panels);
}

}  // namespace

Structure cut_structure() {
    return {{"cut", "cut", "which nodes have too many tokens, and why no schedule is shorter"},
            {"target", "zones"},
            draw_cut};
}

}  // namespace equipoise::catalogue
