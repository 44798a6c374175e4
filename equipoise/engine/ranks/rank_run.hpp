#pragma once
// The report of each rank on a run of a node program, and the result of all ranks together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/ranks/rank_post.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/run/delivery.hpp"

namespace equipoise::engine {

/// How ranks run a node program; the same on all of them, except for the interrupt.
struct RankOptions {
    std::uint64_t seed = 0;
    std::span<const Tokens> speeds = {};  ///< of all nodes; empty: all 1
    bool keeps_order = false;             ///< of deliveries
    /// The bytes of an item, of which every token has one; 0: tokens are only counted.
    std::size_t item_bytes = 0;
    std::stop_token interrupt;
};

/// What the ranks count until the end; times are those of `model::Delivery`.
struct RankFigures {
    std::uint64_t time =
        0;  ///< of the last event: the longest chain of events that cause each other
    std::uint64_t events = 0;                ///< deliveries, timers, channels granted or refused
    std::uint64_t messages = 0;              ///< sent, without those about channels
    std::uint64_t exchanges = 0;             ///< tokens times links crossed
    std::uint64_t largest_message_bits = 0;  ///< if messages count their bits
    std::uint64_t nodes_done = 0;
    /// Sides of links where the other end booked as sent a different number than this end booked as
    /// received.
    std::uint64_t links_at_odds = 0;

    void operator+=(const RankFigures& other);
};

/// Tokens to be added to the load of any node.
struct Correction {
    NodeId node = no_node;
    Tokens tokens = 0;
};

/// The results of one rank when the ranks have parted.
struct RankReport {
    RankFigures figures;
    std::vector<Tokens> loads;            ///< of the rank's nodes
    std::vector<model::Delivery> events;  ///< of the rank's nodes, in its order
    std::vector<Correction> corrections;  ///< for what was sent and has not been received
};

/// A run on all ranks.
struct RankRun {
    RankFigures figures;
    load::Loads loads;  ///< of all nodes; tokens on their way count with their sender
    /// On rank 0, if asked for: all events in an order in which no event precedes its cause, which
    /// the simulation can play (`SimulationOptions::replays`).
    std::vector<model::Delivery> order;
    Parting reason = Parting::none;
};

/// Combines the reports of all ranks. Collective; every rank gets everything but the order. Throws
/// if the two ends of a link booked different numbers.
[[nodiscard]] RankRun gather_reports(Fabric& fabric, Parting reason, RankReport report);

}  // namespace equipoise::engine
