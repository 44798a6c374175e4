#include "equipoise/catalogue/studies/observers.hpp"

#include <string>

#include "equipoise/analysis/meeting_graph.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/observer_tour.hpp"

namespace equipoise::catalogue {

namespace {

using report::GapFigures;
using report::ObserverFigures;

GapFigures figures_of(const NetworkFacts& facts, const analysis::StableGaps& gaps,
                      std::uint64_t gap) {
    const network::Network& tree = facts.stored();
    GapFigures figures;
    figures.gap = gap;
    figures.stability = analysis::stabilities(gaps)[gap];
    const auto subgraph = analysis::construct_subgraph(tree, static_cast<NodeId>(gap));
    for (const NodeId node : subgraph.nodes)
        figures.subgraph.push_back(facts.network().name(node));
    figures.iterations = subgraph.iterations;
    figures.sums = analysis::decompose_gap(tree, subgraph.nodes);
    return figures;
}

}  // namespace

report::ObserverFigures find_observers(const NetworkFacts& facts,
                                       std::optional<std::uint64_t> gap) {
    const std::uint64_t nodes = facts.network().node_count();
    if (gap && !facts.tree()) throw UnsuitableError("--gap is for trees only");
    if (gap && (*gap < 1 || *gap >= nodes))
        throw InputError("--gap: expected a whole number from 1 to " + std::to_string(nodes - 1) +
                         ", found " + std::to_string(*gap));
    ObserverFigures figures;
    const network::ObserverTour tour(facts.network(), facts.colouring());
    figures.round = facts.colouring().colour_count;
    figures.tours.resize(tour.cycle_count());
    for (std::size_t cycle = 0; cycle < tour.cycle_count(); ++cycle)
        for (const NodeId node : tour.cycle(cycle))
            figures.tours[cycle].push_back(facts.network().name(node));
    figures.stability_window = facts.stability_window();
    if (nodes <= analysis::MeetingGraph::nodes_max)
        figures.kept_discrepancy =
            analysis::MeetingGraph(facts.network(), facts.colouring()).diameter();
    if (!facts.tree() || nodes < 3) return figures;
    const analysis::StableGaps gaps = analysis::stable_gaps(facts.stored());
    figures.stable_gaps = gaps.gaps;
    figures.gap = figures_of(facts, gaps,
                             gap ? *gap : analysis::maximum_stable_discrepancy(gaps).hardest_gap);
    return figures;
}

}  // namespace equipoise::catalogue
