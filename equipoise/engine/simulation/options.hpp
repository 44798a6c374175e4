#pragma once
// The world of a simulated asynchronous run, and the costs of such a run.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/run/delivery.hpp"

namespace equipoise::engine {

class Fabric;

/// How long messages take, in ticks. A node starts after a delay of the same kind, less one tick.
/// Channels stay first in, first out.
enum class DelayModel : std::uint8_t {
    unit,        ///< 1 tick, the unit in which the time of asynchronous algorithms is measured
    random,      ///< 1 to `delay_max` ticks, uniform
    heavy_tail,  ///< at least 2^k ticks with probability 2^-k, below 2 * `delay_max`
};

/// What works against the program, by delays only. Channels stay first in, first out, and every
/// message is delivered in the end.
struct Adversary {
    enum class Kind : std::uint8_t {
        none,
        starve_node,   ///< one node starts late, and messages from and to it take `factor`
                       ///< times as long
        slow_link,     ///< all messages on one directed link take `factor`
        newest_first,  ///< across links, the message sent last arrives first
        hold_kinds,    ///< messages of some kinds arrive only when no other can (late, if
                       ///< there are always others)
    };
    Kind kind = Kind::none;
    NodeId node = 0;         ///< starve_node
    LinkId link = 0;         ///< slow_link
    bool from_head = false;  ///< slow_link: the direction
    model::KindSet kinds;    ///< hold_kinds
    std::uint64_t factor = 1000;
};

/// The faults of a run. Programs whose messages carry tokens need channels without faults; a
/// program says by members which other faults it supports (model/local/node_faults.hpp).
struct FaultPlan {
    double loss = 0;       ///< probability that a message is lost
    double duplicate = 0;  ///< that it arrives twice
    double reorder = 0;    ///< that it does not keep its place in the channel
    /// At most this many messages are on the way in one direction of a link; further ones are lost,
    /// as are those that reach a node before it has started. 0: no bound. Holds for the whole run,
    /// unlike the other faults.
    std::uint32_t capacity = 0;
    model::Ticks until = model::for_ever;  ///< no other fault happens from this tick on
    /// Probability that a node crashes instead of handling an arrival or a timer. It loses
    /// everything that its program does not keep in stable storage and all messages that arrive
    /// while it is down; it keeps its tokens.
    double crash = 0;
    model::Ticks down_max = 64;  ///< a crashed node starts again after 1 to this many ticks
    /// Nodes begin in arbitrary states, channels with arbitrary messages, 0 to `capacity` each.
    bool corrupt_start = false;

    [[nodiscard]] bool any() const {
        return loss > 0 || duplicate > 0 || reorder > 0 || capacity > 0 || crash > 0 ||
               corrupt_start;
    }
    friend bool operator==(const FaultPlan&, const FaultPlan&) = default;
};

/// The world of a simulated run, and what is noted about the run.
struct SimulationOptions {
    std::uint64_t seed = 0;
    DelayModel delays = DelayModel::unit;
    model::Ticks delay_max = 0;  ///< 0: 16 for random delays, 2^20 for heavy tails
    Adversary adversary;
    FaultPlan faults;
    /// A node sends at most one message a tick and receives at most one; others wait in order. Not
    /// with `newest_first` for programs that never fall silent.
    bool single_port = false;
    /// Nodes will leave and join: programs must support it.
    bool churns = false;
    /// Ends a run when nothing can move any more, for programs that can tell (`model::Settles`).
    bool stops_when_settled = false;
    /// Counts all tokens again after every event. Cost O(nodes + links) an event.
    bool recounts_tokens = false;
    /// Lists the transfers of tokens, see `Simulation::transfers`.
    bool lists_transfers = false;
    /// Counts the bits of every message, if the program's messages tell them.
    bool measures_messages = false;
    /// Follows how many tokens nodes hold, see `ProgramCosts::held`. Costs O(nodes) each time a
    /// token leaves or reaches a node.
    bool follows_held = false;
    /// Keeps the order of the run's deliveries, see `Simulation::take_deliveries`, unless there are
    /// more than this many. Not in worlds that lose, duplicate or reorder messages, or lose nodes.
    std::size_t deliveries_max = 0;
    /// Replays this order, whatever the delays and the adversary; null: no replay.
    const std::vector<model::Delivery>* replays = nullptr;
    /// Networks of this many nodes or more lie in memory in depth-first order, in worlds with unit
    /// delays that neither fail nor change and keep no order of deliveries. The course of the run
    /// is the same.
    std::size_t reordered_nodes_min = std::size_t{1} << 15U;
    std::uint64_t events_max = ~std::uint64_t{0};
    std::stop_token interrupt;
    /// Ranks that are to run the nodes, for callers that can do both; null: the nodes are
    /// simulated.
    Fabric* fabric = nullptr;
};

/// Why a simulation stopped.
enum class SimulationEnd : std::uint8_t {
    all_done,  ///< every node's program has ended
    quiet,     ///< nothing is on the way and no timer runs, but programs still wait
    settled,   ///< messages go on, but no token will move any more
    events_max,
    interrupted,
};

/// The outcome of a simulated run, and its costs.
struct SimulationOutcome {
    load::Loads loads;
    SimulationEnd end = SimulationEnd::quiet;
    model::Ticks time = 0;           ///< of the last event
    std::uint64_t events = 0;        ///< deliveries and timers
    std::uint64_t messages = 0;      ///< sent, without those of the arbitration of channels
    std::uint64_t exchanges = 0;     ///< tokens times links crossed
    std::uint64_t reservations = 0;  ///< channels granted
    std::uint64_t lost = 0;          ///< messages lost by faults
    std::uint64_t duplicated = 0;    ///< messages duplicated by faults
    std::uint64_t crashes = 0;
    std::uint64_t largest_message_bits = 0;  ///< if measured
    std::uint64_t digest = 0;        ///< of the trace of events; same seed and options, same digest
    std::uint64_t memory_bytes = 0;  ///< of nodes and ports, without messages
};

}  // namespace equipoise::engine
