#pragma once
// A run that several processes play together, from and to the loads of all nodes.

#include <span>
#include <utility>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/part_deals.hpp"
#include "equipoise/engine/parts/part_edges.hpp"
#include "equipoise/engine/parts/part_schedule.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// The partition that the options name, or consecutive nodes. Throws InputError where it is of
/// another network or another number of ranks.
[[nodiscard]] Partition partition_of(const RoundOptions& options, NodeId node_count);

/// The loads of a rank's own nodes. Throws InputError when loads or speeds do not fit the nodes,
/// UnsuitableError where nodes and links go and come.
[[nodiscard]] load::Loads share_of(load::Loads loads, const Partition& partition,
                                   const RoundOptions& options);

/// Plays an edge rule over a schedule on all ranks of `options.fabric`. Collective; network,
/// schedule, loads and options must be the same on every rank, but for observers, which count on
/// rank 0. The outcome is that of one process, bit by bit, on every rank.
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_parts(const R& rule, S& schedule, load::Loads loads,
                                     const N& network, const RoundOptions& options) {
    const Partition partition = partition_of(options, network.node_count());
    return PartEdges<R>(rule, part_schedule(schedule),
                        Part(network, partition, options.fabric->rank()),
                        share_of(std::move(loads), partition, options), options)
        .run();
}

/// The same for a deal rule.
template <model::DealRule R, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_parts(const R& rule, load::Loads loads, const N& network,
                                     const RoundOptions& options) {
    const Partition partition = partition_of(options, network.node_count());
    return PartDeals<R>(rule, Part(network, partition, options.fabric->rank()),
                        share_of(std::move(loads), partition, options), options)
        .run();
}

/// A schedule of a piece of a network that is nowhere whole: all its links in every step.
[[nodiscard]] PartSchedule all_links_of(const Piece& piece);

/// Plays an edge rule over all links of a network in pieces, from the loads of own nodes to theirs;
/// no rank ever holds all of network or loads, unless observers on rank 0 ask for loads.
/// Collective. The outcome is that of one process on the whole network. Speeds, where given, are of
/// all nodes.
template <model::EdgeRule R>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, std::span<const Tokens> own_loads,
                                         const Piece& piece, const RoundOptions& options) {
    return run_in_pieces(rule, all_links_of(piece), own_loads, piece, options);
}

/// The same over the rank's part of another schedule of the network (see colours_of).
template <model::EdgeRule R>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, PartSchedule schedule,
                                         std::span<const Tokens> own_loads, const Piece& piece,
                                         const RoundOptions& options) {
    return PartEdges<R>(rule, std::move(schedule),
                        Part(piece, piece.partition(), options.fabric->rank()), own_loads, options)
        .run_in_pieces();
}

/// The same over a schedule of an implicit network, whose links are computed as they are needed.
template <model::EdgeRule R, model::RowSchedule S, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, S& schedule,
                                         std::span<const Tokens> own_loads, const N& network,
                                         const Partition& partition, const RoundOptions& options) {
    return PartEdges<R>(rule, part_schedule(schedule),
                        Part(network, partition, options.fabric->rank()), own_loads, options)
        .run_in_pieces();
}

/// The same for a deal rule.
template <model::DealRule R>
[[nodiscard]] RoundOutcome run_in_pieces(const R& rule, std::span<const Tokens> own_loads,
                                         const Piece& piece, const RoundOptions& options) {
    return PartDeals<R>(rule, Part(piece, piece.partition(), options.fabric->rank()), own_loads,
                        options)
        .run_in_pieces();
}

}  // namespace equipoise::engine
