#include "equipoise/engine/parts/run_parts.hpp"

#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::engine {

Partition partition_of(const RoundOptions& options, NodeId node_count) {
    const int ranks = options.fabric->ranks();
    if (options.partition == nullptr) return Partition::contiguous(node_count, ranks);
    const Partition& given = *options.partition;
    if (given.node_count() != node_count || given.ranks() != ranks)
        throw InputError("expected a partition of " + std::to_string(node_count) + " nodes for " +
                         std::to_string(ranks) + " ranks, found one of " +
                         std::to_string(given.node_count()) + " nodes for " +
                         std::to_string(given.ranks()));
    return given;
}

load::Loads share_of(load::Loads loads, const Partition& partition, const RoundOptions& options) {
    if (options.environment != nullptr && options.environment->changes_network())
        throw UnsuitableError(
            "nodes and links that go and come are for one process: expected no churn where "
            "several ranks play");
    expect_speeds(options.speeds, partition.node_count());
    const load::Loads checked = expect_one_a_node(std::move(loads), partition.node_count());
    load::Loads own;
    for (const NodeId node : partition.nodes_of(options.fabric->rank()))
        own.push_back(checked[node]);
    return own;
}

PartSchedule all_links_of(const Piece& piece) {
    PartSchedule schedule;
    schedule.period = 1;
    schedule.disjoint = piece.link_count() <= 1;
    schedule.links = [&piece](Step /*step*/, const Part& part, const PartSchedule::Visit& visit) {
        for (NodeId own = 0; own < part.own_count(); ++own) {
            const NodeId node = part.global(own);
            for (Port port = 0; port < piece.degree(node); ++port) {
                const NodeId other = piece.neighbour(node, port);
                if (node < other)
                    visit({node, other}, piece.link(node, port));
                else if (part.partition().owner(other) != part.rank())
                    visit({other, node}, piece.link(node, port));
            }
        }
    };
    return schedule;
}

}  // namespace equipoise::engine
