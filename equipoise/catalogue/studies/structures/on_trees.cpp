#include "equipoise/catalogue/studies/structures/on_trees.hpp"

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

namespace equipoise::catalogue {

const network::Network& expect_small_tree(const Spec& spec, const StructureInput& input) {
    const NodeId n = input.network().node_count();
    if (!input.facts.tree() || n < 2)
        throw UnsuitableError("structure " + spec.name() +
                              ": expected a tree of two nodes or more, and " +
                              input.network().labels().origin + " is not one");
    if (n > report::panel_nodes_max)
        throw InputError(fmt::format("structure {}: expected a tree of at most {} nodes, found {}",
                                     spec.name(), report::panel_nodes_max, n));
    return input.facts.stored();
}

std::optional<NodeId> gap_of(const Spec& spec, const network::Network& tree) {
    if (!spec.has("gap")) return std::nullopt;
    return static_cast<NodeId>(spec.whole("gap", 1, tree.node_count() - 1));
}

std::vector<bool> side_of(const network::Network& tree, NodeId inside, NodeId outside) {
    std::vector<bool> side(tree.node_count(), false);
    std::vector<NodeId> waiting = {inside};
    side[inside] = true;
    while (!waiting.empty()) {
        const NodeId node = waiting.back();
        waiting.pop_back();
        for (const NodeId other : tree.neighbours(node)) {
            if (side[other] || (node == inside && other == outside)) continue;
            side[other] = true;
            waiting.push_back(other);
        }
    }
    return side;
}

std::string sum_text(const std::vector<std::uint64_t>& terms) {
    std::string text;
    for (const std::uint64_t term : terms)
        text += (text.empty() ? "" : " + ") + std::to_string(term);
    return text;
}

}  // namespace equipoise::catalogue
