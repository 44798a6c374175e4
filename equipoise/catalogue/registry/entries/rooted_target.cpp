#include "equipoise/protocols/baselines/rooted_target.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/catalogue/registry/rounds.hpp"

namespace equipoise::catalogue::entries::rooted_target {

namespace {

void expect_suitable(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    if (!task.facts.tree())
        throw UnsuitableError("the network is not a tree: expected one (random-tree:n=100)");
    const auto nodes = static_cast<Tokens>(network.node_count());
    const Tokens total = load::total(task.loads);
    if (total % nodes != 0)
        throw UnsuitableError(
            "every node must end with the same load, so the number of tokens must be a multiple "
            "of " +
            std::to_string(nodes) + ", found " + std::to_string(total));
    if (const std::uint64_t root = task.parameters.whole("root"); root >= network.node_count())
        throw InputError("rooted-target: expected a root from 0 to " +
                         std::to_string(network.node_count() - 1) + ", found " +
                         std::to_string(root));
}

model::Guarantee promise(const Task& /*task*/) {
    return {0, {}, "the state it ends in: every subtree has its tokens"};
}

/// The tree's links, every one pointing to the end that is nearer to the root.
network::MatchingSequence towards_root(const ColouredTree& coloured, NodeId root) {
    const network::Network& tree = coloured.tree;
    std::vector<NodeId> order{root};
    std::vector<NodeId> parent(tree.node_count(), root);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const NodeId next : tree.neighbours(order[i])) {
            if (next == parent[order[i]]) continue;
            parent[next] = order[i];
            order.push_back(next);
        }
    network::MatchingSequence classes = coloured.colouring.classes(tree);
    for (auto& links : classes)
        for (Ends& ends : links)
            if (ends.tail == root || parent[ends.tail] != ends.head)
                std::swap(ends.tail, ends.head);
    return classes;
}

network::MatchingSequence links_of(const Task& task) {
    return towards_root(task.facts.coloured_tree(),
                        static_cast<NodeId>(task.parameters.whole("root")));
}

HeldSchedule links_towards_root(const Task& task, std::uint64_t /*seed*/) {
    return {model::PeriodicSchedule(links_of(task))};
}

protocols::baselines::RootedTarget make(const Task& task, model::Notes& notes) {
    const Tokens target = load::total(task.loads) / static_cast<Tokens>(task.loads.size());
    notes.constants["target"] = std::to_string(target);
    return {target, std::max<Step>(1, task.facts.coloured_tree().colouring.colour_count)};
}

engine::RoundOutcome around(const Task& /*task*/, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    engine::RoundOutcome outcome = play(options);
    notes.constants["tokens_from_outside"] = std::to_string(outcome.created);
    return outcome;
}

}  // namespace

Algorithm entry() {
    constexpr double root_most = 4294967295.0;
    return {
        .name = "rooted-target",
        .after = "random-walks",
        .title = "every node of a rooted tree gets k tokens; the root trades with the outside",
        .source = "Sudo et al. 2018 (rule reconstructed)",
        .model = StepModel::single_port,
        .needs = "a tree of n nodes, and n * k tokens",
        .parameters = {whole_parameter("root", "0", {0, root_most}, "the number of the root")},
        .guarantee = "every node ends with k tokens: discrepancy 0",
        .stop = "all subtrees are done",
        .goal_discrepancy = 0,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .rounds = plays(make, {Links::Kind::periodic, links_towards_root}),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::rooted_target
