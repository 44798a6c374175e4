#include "equipoise/analysis/construct_subgraph.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/catalogue/studies/structures/on_trees.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

// Houle, Symvonis, Wood 2004, Section 4.4: the iterations of CONSTRUCT SUBGRAPH, and the subtrees
// that its subgraph leaves outside (proof of Lemma 15).

namespace equipoise::catalogue {

namespace {

using analysis::ConstructionStage;

report::Panel stage_panel(const report::NetworkPanels& panels, const ConstructionStage& stage,
                          const std::vector<NodeId>& alpha, std::size_t number) {
    report::Panel panel =
        report::plain_panel(panels, fmt::format("iteration {}: |α| = {}, |β| = {}, case {}", number,
                                                stage.taken, stage.beta.size(), stage.rule));
    for (report::PanelNode& node : panel.nodes)
        node.fill = report::look::paper;
    for (std::size_t k = 0; k < stage.taken; ++k)
        panel.nodes[alpha[k]].fill = chosen_fill;
    for (const NodeId node : stage.beta)
        panel.nodes[node].fill = other_fill;
    panel.nodes[stage.centroid].ring = report::look::moving;
    return panel;
}

report::Panel last_panel(const report::NetworkPanels& panels, const std::vector<NodeId>& alpha,
                         const analysis::GapDecomposition& sums) {
    std::vector<std::uint64_t> beyond;
    for (const analysis::CutLink& cut : sums.cut)
        beyond.push_back(cut.beyond);
    report::Panel panel = report::plain_panel(
        panels,
        fmt::format("|α| = {} = {} − ({})", alpha.size(), panels.node_count, sum_text(beyond)));
    for (report::PanelNode& node : panel.nodes)
        node.fill = report::look::paper;
    for (const NodeId node : alpha)
        panel.nodes[node].fill = chosen_fill;
    for (report::PanelLink& link : panel.links)
        for (const analysis::CutLink& cut : sums.cut)
            if ((link.ends.tail == cut.inside && link.ends.head == cut.outside) ||
                (link.ends.tail == cut.outside && link.ends.head == cut.inside)) {
                link.dashed = true;
                link.colour = report::look::ink;
                link.words = std::to_string(cut.beyond);
            }
    for (const analysis::CutLink& cut : sums.cut)
        panel.nodes[cut.inside].ring = first_colour;
    return panel;
}

std::string draw_construction(const Spec& spec, const StructureInput& input) {
    const network::Network& tree = expect_small_tree(spec, input);
    const NodeId gap =
        gap_of(spec, tree)
            .value_or(static_cast<NodeId>(
                analysis::maximum_stable_discrepancy(analysis::stable_gaps(tree)).hardest_gap));
    std::vector<NodeId> alpha;
    const std::vector<ConstructionStage> stages =
        analysis::construct_subgraph_stages(tree, gap, alpha);
    const analysis::GapDecomposition sums = analysis::decompose_gap(tree, alpha);
    report::NetworkPanels panels = report::panels_of(
        input.network(),
        fmt::format("CONSTRUCT SUBGRAPH for gap {} on {}", gap, input.network().labels().origin));
    panels.meanings = {
        {std::string(chosen_fill), "α, the subgraph"},
        {std::string(other_fill), "β, the candidates"},
        {std::string(report::look::moving), "the centroid of β"},
        {std::string(first_colour),
         "the nodes of α with links that leave it, and how many nodes lie beyond each"}};
    for (std::size_t k = 0; k < stages.size(); ++k)
        panels.panels.push_back(stage_panel(panels, stages[k], alpha, k + 1));
    panels.panels.push_back(last_panel(panels, alpha, sums));
    return report::panels_svg(panels);
}

}  // namespace

Structure construct_subgraph_structure() {
    return {
        {"construct-subgraph", "construct-subgraph:gap=2", "the iterations of CONSTRUCT SUBGRAPH"},
        {"gap"},
        draw_construction};
}

}  // namespace equipoise::catalogue
