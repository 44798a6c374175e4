#pragma once
// Runs node programs across ranks; every rank plays its own nodes.

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
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/engine/ranks/item_stacks.hpp"
#include "equipoise/engine/ranks/rank_post.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/message_slab.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

// Problem: run a node program on nodes that live on several ranks, as the simulation would.
// Model: channels of any delay, first in, first out; nodes of a rank take turns.
// Source: Lamport 1978 for the clocks of nodes, which order the recorded events.
// Channels: one end of a link has its permit. This end may take the channel at once; the other end
//   asks for the permit, and receives it when the first end does not hold the channel, behind
//   everything that was sent to it before, so that these messages have then been delivered. An end
//   may take its channel again before the messages that it has sent are delivered.
// Clocks: a tick is a turn in which something was handled, or 100 microseconds without anything;
//   the clock stops while another rank does not keep up with its messages.
// Events: a start, an arrival, a timer that fires, a channel granted or refused. What a node does
//   is a function of its own events in their order, so the simulation can replay them.
// Cost: O(1) for each event; 24 bytes in addition to every message.
class RankNodes final : public model::NodeHost {
  public:
    /// Lays the rank's own nodes (`Partition::contiguous`) out anew, with these loads. Nodes and
    /// fabric must outlive it.
    RankNodes(ProgramNodes& nodes, const network::Network& network, std::span<const Tokens> loads,
              Fabric& fabric, const RankOptions& options);

    [[nodiscard]] ItemStacks& items() { return items_; }
    [[nodiscard]] RankPost& post() { return post_; }

    /// Plays until the ranks part: because every program has ended or waits for messages that will
    /// never come; because nothing can move any more, if the program can tell; or because a rank
    /// was interrupted or failed. Collective. Returns what went wrong on this rank, if anything
    /// did; the ranks must then agree on it before the report is read.
    [[nodiscard]] std::exception_ptr play();
    /// The results of this rank, at the end.
    [[nodiscard]] RankReport take_report();

    // ---- the host's side of the contract; nodes are numbered from 0 on every rank
    [[nodiscard]] Port degree(NodeId v) const override { return boxes_.degree(v); }
    [[nodiscard]] model::LinkEnd link_end(NodeId v, Port port) const override {
        return begin_ + v < sides_[side_of(v, port)].neighbour ? model::LinkEnd::tail
                                                               : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId v) const override { return nodes_[v].tokens; }
    [[nodiscard]] Tokens speed(NodeId v) const override {
        return options_.speeds.empty() ? 1 : options_.speeds[begin_ + v];
    }
    [[nodiscard]] RandomStream random(NodeId v, Step draw) const override {
        return {options_.seed, Purpose::program, begin_ + v, draw};
    }
    void send(NodeId v, Port port, const model::MessageBytes& message) override;
    void book(NodeId v, Port port, Tokens leaving) override;
    void release(NodeId v, Port port) override;
    bool poll(NodeId v, Port port, model::KindSet kinds, model::Reception& received) override;
    bool begin(NodeId v, const model::Ask& ask) override;
    bool end(NodeId v, model::Reception& received) override;

  private:
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

    using Content = RankPost::Content;
    using Label = RankPost::Label;
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::microseconds idle_tick{100};

    struct Timer {
        model::Ticks due = 0;
        NodeId node = no_node;
        std::uint32_t number = 0;
    };

    [[nodiscard]] std::uint32_t side_of(NodeId node, Port port) const {
        EQUIPOISE_HEAVY_ASSERT(port < degree(node));
        return boxes_.first(node) + port;
    }
    void start();
    void turn();
    bool tick(bool handled);
    void drop_stale_timers();
    void count(bool acted);
    void obey(RankPost::Verdict verdict);
    void send_comparisons();
    void resume(NodeId v);
    void handle(const Label& label, std::span<const std::byte> body);
    void arrive(NodeId v, std::uint32_t side, std::uint64_t sent, std::span<const std::byte> body);
    void receive(NodeId v, std::uint32_t side, model::Reception& received);
    void compare(NodeId v, std::uint32_t side, std::span<const std::byte> body);
    void audit(std::uint32_t side, std::span<const std::byte> body);
    void take(NodeId v, std::uint32_t side, Tokens tokens);
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

    ProgramNodes& program_;
    RankOptions options_;
    Partition partition_;
    NodeId begin_;  ///< the number of this rank's first node
    RankPost post_;
    std::vector<Node> nodes_;
    MessageSlab messages_;  ///< those that wait
    Mailboxes boxes_;
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
