#pragma once
// The deterministic simulation: node programs over channels of any delay, one event at a time.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/engine/simulation/bookings.hpp"
#include "equipoise/engine/simulation/channels.hpp"
#include "equipoise/engine/simulation/delivery_log.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/message_slab.hpp"
#include "equipoise/engine/simulation/node_order.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/engine/simulation/phase_book.hpp"
#include "equipoise/load/ledger.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// A world of nodes that run a program. An event is the arrival of one message, or a timer; the
/// nodes whose waits it fulfils run at once, in a fixed order. Same program, network, loads and
/// options: same trace, same digest. Cost O(1) an event with unit delays, O(log messages on the
/// way) otherwise. Memory: `SimulationOutcome::memory_bytes`, and 64 bytes or so a message.
///
/// It knows nothing of the program but its nodes (`ProgramNodes`), which must outlive it, as must
/// the network; `Simulation` gives it those of a program.
class NodeSimulation : public model::NodeHost {
  public:
    /// Sets the nodes up anew. Throws InputError when loads or speeds do not fit the network, or a
    /// load is negative; UnsuitableError when the program does not support the planned faults.
    NodeSimulation(ProgramNodes& nodes, const network::Network& network,
                   std::span<const Tokens> loads, const SimulationOptions& options = {},
                   std::span<const Tokens> speeds = {});

    /// Plays events until nothing can happen or a limit of the options is reached. May be called
    /// again after `step`.
    SimulationOutcome run();
    /// Plays one event; false when none is left. The first call starts all programs.
    bool step();
    /// When the next event happens; nothing when none is left. The first call starts all programs.
    [[nodiscard]] std::optional<model::Ticks> next_time() {
        if (!started_) start();
        if (options_.replays != nullptr) {
            if (replayed_ == options_.replays->size()) return std::nullopt;
            return (*options_.replays)[replayed_].arrived;
        }
        drop_stale_timers();
        if (channels_.empty() && timers_.empty()) return std::nullopt;
        if (channels_.empty()) return timers_.front().due;
        const model::Ticks arrival = channels_.next_arrival(now_);
        return timers_.empty() ? arrival : std::min(arrival, timers_.front().due);
    }
    /// Whether every node's program has ended.
    [[nodiscard]] bool all_done() const { return done_count_ == nodes_.size(); }
    /// Tokens that reached a node since the list was last cleared, if the options ask for it;
    /// `step` is 0.
    [[nodiscard]] std::span<model::Transfer> transfers() { return transfers_; }
    /// Tokens that were made (positive) or lost because the ends of a link booked different
    /// numbers, by the node that handed over; since the list was last cleared.
    [[nodiscard]] std::span<const Made> made() const { return made_; }
    void clear_transfers() {
        transfers_.clear();
        made_.clear();
    }
    /// The order of all deliveries so far, if the options ask for it; empty if there were too many.
    [[nodiscard]] std::vector<model::Delivery> take_deliveries() { return log_.take(); }
    /// Messages sent so far.
    [[nodiscard]] std::uint64_t messages() const { return outcome_.messages; }

    [[nodiscard]] model::Ticks now() const { return now_; }
    /// Tokens in messages that were sent and not yet received, less those that both ends of a link
    /// hold because the taking end booked first.
    [[nodiscard]] Tokens in_flight() const { return in_flight_; }
    /// How many times a token has left or reached a node: as long as this number stays the same, so
    /// do the loads that nodes hold.
    [[nodiscard]] std::uint64_t changes_of_held() const { return changes_of_held_; }
    /// What programs booked apart from messages; sides are numbered as nodes lie in memory.
    [[nodiscard]] const Bookings& bookings() const { return bookings_; }
    [[nodiscard]] const load::Ledger& ledger() const { return ledger_; }
    /// Whether no token will ever move again, for programs that can tell; false for others. Cost
    /// usually O(1): it looks first at the link that was last found unsettled.
    [[nodiscard]] bool settled();

    // ---- nodes that leave and join, tokens that come and go: for programs that support it
    [[nodiscard]] bool present(NodeId node) const { return !nodes_[order_.place(node)].absent; }
    /// Asks a node to leave. Returns false, without asking, if the node is absent or leaving, has a
    /// neighbour that is leaving, or has no neighbour to hand its tokens to.
    bool ask_to_leave(NodeId v);
    /// Lets a node that has left come back, without tokens and with no memory of the past; returns
    /// false if it is there.
    bool join(NodeId v);
    /// Brings tokens to a node from outside or, if negative, consumes at most that many there,
    /// sparing those that the node has promised to others. Returns the number that arrived or,
    /// negative, was consumed: 0 at a node that is absent, leaving or down. Throws UnsuitableError
    /// for a program that does not support it, OverflowError if there would be more than
    /// `tokens_max`.
    Tokens arrive(NodeId name, Tokens tokens);
    /// Nodes that have left since the list was last cleared.
    [[nodiscard]] std::span<const NodeId> departed() const { return departed_; }
    void clear_departed() { departed_.clear(); }

    [[nodiscard]] load::Loads loads() const;
    /// Whether the tokens held and in flight, counted anew, are those with which the run began.
    [[nodiscard]] bool recount() const;
    [[nodiscard]] SimulationOutcome outcome() const;
    /// When nodes ended the phases of the program; empty if it has none.
    [[nodiscard]] const std::vector<model::PhaseEnd>& phases() const { return phases_.ends(); }
    [[nodiscard]] std::uint64_t memory_bits(Port degree) const {
        return program_.memory_bits(degree);
    }

    // ---- the host's side of the contract; nodes are known to it by their places
    [[nodiscard]] Port degree(NodeId node) const override { return nodes_[node].degree; }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override;
    [[nodiscard]] Tokens tokens(NodeId node) const override { return nodes_[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId node) const override {
        return speeds_.empty() ? 1 : speeds_[node];
    }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {options_.seed, Purpose::program, order_.name(node), draw};
    }
    void send(NodeId v, Port port, const model::MessageBytes& message) override;
    void book(NodeId v, Port port, Tokens leaving) override;
    void release(NodeId v, Port port) override;
    bool poll(NodeId v, Port port, model::KindSet kinds, model::Reception& received) override;
    bool begin(NodeId v, const model::Ask& ask) override;
    bool end(NodeId v, model::Reception& received) override;

  protected:
    [[nodiscard]] ProgramNodes::Ports ports(NodeId v) const {
        return {nodes_[v].first, nodes_[v].degree};
    }
    [[nodiscard]] NodeId place(NodeId name) const { return order_.place(name); }

  private:
    static constexpr std::uint32_t none = LinkSide::none;

    /// Everything that an event touches of a node besides its state: one cache line.
    struct alignas(64) Node {
        model::Ask ask;
        Tokens tokens = 0;
        ReadyPorts ready;
        std::uint32_t found = none;       ///< the side whose message fulfils the present wait
        std::uint32_t timer = 0;          ///< number of the present wait: older timers are stale
        std::uint32_t first = 0;          ///< its first side
        std::uint32_t first_by_name = 0;  ///< its number, if nodes lay by their names
        Port degree = 0;
        bool begun : 1 = false;
        bool suspended : 1 = false;
        /// The timer has ended; or, in a replay, the channel's answer came.
        bool time_over : 1 = false;
        bool granted : 1 = false;  ///< what that answer was
        bool woken : 1 = false;
        bool done : 1 = false;
        bool down : 1 = false;     ///< crashed, and will restart
        bool leaving : 1 = false;  ///< asked to leave
        bool absent : 1 = false;   ///< has left
    };
    static_assert(sizeof(Node) == 64);
    struct Timer {
        model::Ticks due = 0;
        NodeId node = no_node;
        std::uint32_t number = 0;
    };

    void start();
    [[nodiscard]] std::uint32_t side_of(NodeId node, Port port) const {
        EQUIPOISE_HEAVY_ASSERT(port < degree(node));
        return nodes_[node].first + port;
    }

    // ---- messages
    void deliver_next();
    void deliver(const Arrival& arrival);
    void prefetch() const;
    void prefetch_records(const Arrival& arrival) const;
    void prefetch_other_end(const Arrival& arrival) const;
    [[nodiscard]] bool asks_for(const Node& node, const Arrival& arrival) const;
    /// Hands a message and its tokens to the node.
    void receive(NodeId v, std::uint32_t in, model::Reception& received) {
        const std::uint32_t message = sides_.take(nodes_[v].ready, in);
        const Tokens carried = messages_.tokens(message);
        messages_.take(message, received.bytes);
        received.port = in - nodes_[v].first;
        nodes_[v].tokens += carried;
        in_flight_ -= carried;
        if (carried == 0) return;
        ++changes_of_held_;
        list_transfer(v, in, carried);
    }
    void list_transfer(NodeId v, std::uint32_t in, Tokens tokens) {
        if (options_.lists_transfers)
            transfers_.push_back({0, order_.name(sides_[in].neighbour), order_.name(v), tokens});
    }

    // ---- channels
    [[nodiscard]] bool busy(std::uint32_t side) const {
        return sides_[side].reserved || sides_[side].taken;
    }
    /// Frees a released channel whose messages have arrived; if the other end waits for it, that
    /// end gets it first.
    void free_if_delivered(NodeId holder, std::uint32_t out) {
        LinkSide& side = sides_[out];
        if (!side.released || side.on_the_way > 0) return;
        LinkSide& other = sides_[side.reverse];
        side.reserved = false;
        other.taken = false;
        if (other.awaited) wake(side.neighbour);
        if (side.awaited) wake(holder);
    }

    // ---- timers
    void add_timer(NodeId v, model::Ticks within) {
        timers_.push(now_ + within, {now_ + within, v, nodes_[v].timer});
    }
    void drop_stale_timers() {
        while (!timers_.empty() && (timers_.front().number != nodes_[timers_.front().node].timer ||
                                    nodes_[timers_.front().node].done))
            timers_.pop();
    }
    void fire_timer();
    void end_timer(NodeId v, model::Ticks now);

    // ---- a recorded order, see simulation_replay.cpp
    [[nodiscard]] model::Delivery delivery_of(const Arrival& arrival) const;
    void start_replayed();
    void play_replayed();
    void answer_replayed(NodeId v, bool granted);

    // ---- faults of nodes, see node_faults.cpp
    void expect_supported() const;
    void corrupt();
    [[nodiscard]] bool is_deaf(NodeId v) const;
    [[nodiscard]] bool fails(NodeId v);
    void stop_node(NodeId v);
    void restart(NodeId v);
    void depart(NodeId v);
    void close_account(NodeId v, std::uint32_t side, Tokens leaving);
    [[nodiscard]] bool settled(std::uint32_t side) const;

    // ---- nodes
    [[nodiscard]] bool fulfilled(NodeId v) const {
        const Node& node = nodes_[v];
        switch (node.ask.verb) {
            case model::Ask::Verb::receive:
                return node.time_over || node.found != none;
            case model::Ask::Verb::reserve:
                return !arbitrated_ || node.time_over;
            case model::Ask::Verb::acquire:
                return arbitrated_ ? node.time_over : !busy(side_of(v, node.ask.port));
            case model::Ask::Verb::sleep:
                return node.time_over;
            case model::Ask::Verb::nothing:
                return false;
        }
        return false;
    }
    void wake(NodeId v) {
        Node& node = nodes_[v];
        if (!node.suspended || node.woken || !fulfilled(v)) return;
        node.woken = true;
        woken_.push_back(v);
    }
    void run_woken() {
        std::size_t next = 0;
        while (next < woken_.size()) {  // a node that runs may wake others
            const NodeId v = woken_[next++];
            nodes_[v].woken = false;
            if (!fulfilled(v)) continue;  // the channel went to its other end
            resume(v);
        }
        woken_.clear();
    }
    /// Lets a node start, go on from a wait that is fulfilled, or wait anew after a crash.
    void resume(NodeId v) {
        Node& node = nodes_[v];
        const model::Turn turn = !node.begun      ? model::Turn::start
                                 : node.suspended ? model::Turn::proceed
                                                  : model::Turn::wait;
        node.begun = true;
        const bool ended = program_.take_turn(*this, v, ports(v), turn, node.ask);
        if (phases_.wanted()) note_phases(v);
        if (!ended) return;
        node.done = true;
        node.suspended = false;
        ++done_count_;
        if (node.leaving) depart(v);
    }

    void note_phases(NodeId v) {
        const std::uint32_t ended = program_.phases_ended(v);
        if (phases_.is_news(v, ended))
            phases_.note(v, ended, now_, program_.written_bits(v, ports(v)));
    }

    ProgramNodes& program_;
    SimulationOptions options_;
    load::Ledger ledger_;
    NodeOrder order_;
    std::vector<Tokens> speeds_;  ///< by place
    bool started_ = false;

    std::vector<Node, LargePages<Node>> nodes_;
    const std::byte* states_ = nullptr;  ///< what the program's nodes remember: fetched ahead
    const std::byte* port_states_ = nullptr;
    MessageSlab messages_;
    Mailboxes sides_;

    Channels channels_;
    DeliveryLog log_;
    PhaseBook phases_;
    std::size_t replayed_ = 0;  ///< events of a recorded order that have been played
    bool arbitrated_ = false;   ///< that order says when channels are granted
    bool nodes_fail_;
    RandomStream node_fault_random_;
    EventHeap<Timer> timers_;
    std::vector<NodeId> woken_;

    model::Ticks now_ = 0;
    std::size_t done_count_ = 0;
    Tokens in_flight_ = 0;
    std::uint64_t changes_of_held_ = 0;
    Bookings bookings_;
    std::vector<model::Transfer> transfers_;
    std::vector<Made> made_;
    std::vector<NodeId> departed_;
    std::size_t leaving_count_ = 0;
    std::uint32_t unsettled_side_ = 0;
    Digest digest_;
    SimulationOutcome outcome_;
};

}  // namespace equipoise::engine
