#pragma once
// The nodes of one rank: everything that does not depend on the program they run.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/item_stacks.hpp"
#include "equipoise/engine/ranks/rank_post.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

// Problem: run a node program on nodes that live on several ranks, as the simulation would.
// Model: channels of any delay, first in, first out; nodes of a rank take turns.
// Source: Lamport 1978 for the clocks of nodes, which order the recorded events.
// Channels: a link's permit is at one of its ends. The end that has it may hold the channel at
//   once; the other end asks and receives the permit when the first does not hold the channel,
//   behind everything sent to it before, so that these messages have been delivered. An end may
//   take its channel again before what it sent has been delivered.
// Clocks: a tick is a turn in which something was handled, or 100 microseconds without anything;
//   the clock stops while another rank does not keep up with what it is sent.
// Events: a start, an arrival, a timer that fires, a channel granted or refused. What a node does
//   is a function of its own events in their order, so the simulation can replay them.
// Cost: O(1) for each event; 24 bytes in addition to every message.
class RankNodes {
  public:
    RankNodes(const RankNodes&) = delete;
    RankNodes& operator=(const RankNodes&) = delete;
    virtual ~RankNodes() = default;

    [[nodiscard]] ItemStacks& items() { return items_; }
    [[nodiscard]] RankPost& post() { return post_; }

    /// Plays until the ranks part: because every program has ended or waits for messages that will
    /// never come; because nothing can move any more, for programs that can tell; or because some
    /// rank was interrupted or failed. Collective. Returns what went wrong on this rank, if
    /// anything did; the ranks must then agree on it before the report is read.
    [[nodiscard]] std::exception_ptr play();
    /// What this rank knows at the end.
    [[nodiscard]] RankReport take_report();

  protected:
    static constexpr std::uint32_t none = LinkSide::none;

    struct Node {
        model::Ask ask;
        Tokens tokens = 0;
        std::uint64_t clock = 0;  ///< of its last event
        ReadyPorts ready;
        std::uint32_t found = none;  ///< the side whose message fulfils the present wait
        std::uint32_t timer = 0;     ///< number of the present wait: older timers are stale
        bool begun = false;
        bool suspended = false;
        bool time_over = false;
        bool granted = false;  ///< whether the channel asked for last was granted
        bool done = false;
    };
    /// This end of a link, with the tokens that crossed the link as booked here.
    struct Side {
        Tokens given = 0;
        Tokens taken = 0;
        Tokens waiting = 0;  ///< arrived in messages that the node has not received
        NodeId neighbour = no_node;
        Port port_there = 0;
        bool has_permit = false;
        bool held = false;    ///< by this end
        bool wanted = false;  ///< by the other end, once it is no longer held
    };

    /// Every rank numbers its nodes and sides from 0.
    RankNodes(const network::Network& network, std::span<const Tokens> loads, Fabric& fabric,
              const RankOptions& options, bool settles);

    // ---- what the program supplies
    /// Plays a node until it must wait; returns whether it has ended.
    [[nodiscard]] virtual bool take_turn(NodeId v, model::Turn turn) = 0;
    /// Handles the arrival of a message with this body.
    virtual void arrive(NodeId node, std::uint32_t side, std::uint64_t sent,
                        std::span<const std::byte> body) = 0;
    /// What a node stores for a port.
    [[nodiscard]] virtual std::span<const std::byte> port_state(std::uint32_t side) const = 0;
    /// Whether a link is settled if the other end has these tokens and stores this state.
    [[nodiscard]] virtual bool settled(NodeId node, std::uint32_t side, Tokens there,
                                       std::span<const std::byte> port_there) const = 0;

    // ---- what programs ask of their host
    [[nodiscard]] NodeId first_node() const { return begin_; }
    [[nodiscard]] std::uint32_t side_of(NodeId node, Port port) const {
        EQUIPOISE_HEAVY_ASSERT(port < degree_of(node));
        return first_side_[node] + port;
    }
    [[nodiscard]] Port degree_of(NodeId node) const {
        return first_side_[node + 1] - first_side_[node];
    }
    [[nodiscard]] Node& node(NodeId v) { return nodes_[v]; }
    [[nodiscard]] const Node& node(NodeId v) const { return nodes_[v]; }
    [[nodiscard]] Side& side(std::uint32_t number) { return sides_[number]; }
    [[nodiscard]] RankFigures& figures() { return figures_; }
    [[nodiscard]] model::LinkEnd end_of_link(NodeId node, Port port) const {
        return begin_ + node < sides_[side_of(node, port)].neighbour ? model::LinkEnd::tail
                                                                     : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens speed_of(NodeId node) const {
        return options_.speeds.empty() ? 1 : options_.speeds[begin_ + node];
    }
    [[nodiscard]] RandomStream random_of(NodeId node, Step draw) const {
        return {options_.seed, Purpose::program, begin_ + node, draw};
    }
    void send(NodeId v, std::uint32_t side, Tokens carried, std::span<const std::byte> body);
    void book_leaving(NodeId v, std::uint32_t side, Tokens leaving);
    void release_channel(NodeId v, std::uint32_t side);
    /// Begins the wait that the node's `ask` describes; returns whether it is already over.
    [[nodiscard]] bool begin_wait(NodeId v);
    /// Gives the node the tokens of a message.
    void take(NodeId v, std::uint32_t side, Tokens tokens);
    /// Notes an arrival as an event, and the tokens that wait with it.
    void note_arrival(NodeId v, std::uint32_t side, std::uint64_t sent, std::uint32_t kind,
                      Tokens carried);
    void resume(NodeId v);

  private:
    using Content = RankPost::Content;
    using Label = RankPost::Label;
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::microseconds idle_tick{100};

    struct Timer {
        model::Ticks due = 0;
        NodeId node = no_node;
        std::uint32_t number = 0;
    };

    void start();
    void turn();
    bool tick(bool handled);
    void drop_stale_timers();
    void count(bool acted);
    void obey(RankPost::Verdict verdict);
    void send_comparisons();
    void handle(const Label& label, std::span<const std::byte> body);
    void compare(NodeId v, std::uint32_t side, std::span<const std::byte> body);
    void audit(std::uint32_t side, std::span<const std::byte> body);
    void give(NodeId v, std::uint32_t side, Tokens tokens);
    void send_items(NodeId v, std::uint32_t side);
    void add_items(NodeId v, std::span<const std::byte> bytes);
    bool ask_for_channel(NodeId v, std::uint32_t side);
    void answer(NodeId v, std::uint32_t side, Content content);
    void give_permit(NodeId v, std::uint32_t side);
    void be_answered(NodeId v, std::uint32_t side, std::uint64_t sent, bool granted);
    void put(std::uint32_t side, Content content, std::uint64_t clock,
             std::span<const std::byte> body);
    void note(NodeId v, std::uint64_t time, std::uint32_t event);

    RankOptions options_;
    bool settles_;
    Partition partition_;
    NodeId begin_;  ///< the number of this rank's first node
    RankPost post_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> first_side_;
    std::vector<Side> sides_;
    ItemStacks items_;
    EventHeap<Timer> timers_;

    model::Ticks now_ = 0;
    Clock::time_point last_tick_;
    unsigned idle_turns_ = 0;
    std::uint64_t turns_acted_ = 0;

    std::int64_t moved_ = 0;
    std::int64_t in_doubt_ = 0;         ///< tokens taken minus tokens given
    std::int64_t items_under_way_ = 0;  ///< contents with items: sent minus received
    std::int64_t unsettled_ = 0;
    std::uint64_t compared_ = 0;  ///< sides, since this rank last joined a round
    bool comparing_ = false;
    RankFigures figures_;
    std::vector<model::Delivery> events_;
};

}  // namespace equipoise::engine
