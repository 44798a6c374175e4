#pragma once
// The deterministic simulation: node programs over channels of any delay, one event at a time.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/counts.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/simulation/bookings.hpp"
#include "equipoise/engine/simulation/delays.hpp"
#include "equipoise/engine/simulation/delivery_log.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/engine/simulation/transit.hpp"
#include "equipoise/load/ledger.hpp"
#include "equipoise/model/local/node_faults.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// A world of node programs. An event is the arrival of one message, or a timer; the nodes whose
/// waits it fulfils run at once, in a fixed order. Same program, network, loads and options: same
/// trace, same digest. Cost O(1) an event with unit delays, O(log messages on the way) otherwise.
/// Memory: `SimulationOutcome::memory_bytes`, and 64 bytes or so a message.
///
/// The program and the network must outlive the simulation.
template <model::NodeProgram Program>
class Simulation final : public model::NodeHost<typename Program::Message> {
  public:
    using Message = typename Program::Message;
    using State = typename Program::State;
    using PortState = typename Program::PortState;

    /// Throws InputError when loads or speeds do not fit the network, or a load is negative;
    /// UnsuitableError when the program does not bear what is to go wrong.
    Simulation(const Program& program, const network::Network& network,
               std::span<const Tokens> loads, const SimulationOptions& options = {},
               std::span<const Tokens> speeds = {})
        : program_(program),
          options_(options),
          ledger_(loads),
          speeds_(speeds.begin(), speeds.end()),
          sides_(network),
          transit_(options_, network, sides_, model::Settles<Program>),
          log_(options.deliveries_max),
          nodes_fail_(options.faults.crash > 0 || options.faults.capacity > 0 || options.churns),
          node_fault_random_(options.seed, Purpose::fault, 1) {
        if (loads.size() != network.node_count())
            throw InputError("simulation: there must be one load for every node");
        if (!speeds.empty() && speeds.size() != network.node_count())
            throw InputError("simulation: there must be one speed for every node");
        if (std::any_of(loads.begin(), loads.end(), [](Tokens load) { return load < 0; }))
            throw InputError("simulation: loads must not be negative");
        expect_borne();
        lay_out(loads);
    }

    /// Plays events until nothing can happen, or a limit of the options is reached. May be called
    /// again after `step`.
    SimulationOutcome run() {
        start();
        outcome_.end = SimulationEnd::quiet;
        while (outcome_.events < options_.events_max) {
            if ((outcome_.events & 1023U) == 0 && options_.interrupt.stop_requested()) {
                outcome_.end = SimulationEnd::interrupted;
                return outcome();
            }
            if (!step()) {
                if (done_count_ == nodes_.size()) outcome_.end = SimulationEnd::all_done;
                return outcome();
            }
            if (options_.stops_when_settled && settled()) {
                outcome_.end = SimulationEnd::settled;
                return outcome();
            }
        }
        outcome_.end = SimulationEnd::events_max;
        return outcome();
    }

    /// Plays one event; false when none is left. The first call starts all programs.
    bool step() {
        if (!next_time()) return false;
        if (options_.replays != nullptr)
            play_replayed();
        else if (!timers_.empty() &&
                 (transit_.empty() || timers_.front().due <= transit_.next_arrival(now_)))
            fire_timer();
        else
            deliver_next();
        run_woken();
        ++outcome_.events;
        if (options_.recounts_tokens) EQUIPOISE_ASSERT(recount());
        return true;
    }

    /// When the next event happens; nothing when none is left. The first call starts all programs.
    [[nodiscard]] std::optional<model::Ticks> next_time() {
        start();
        if (options_.replays != nullptr) {
            if (replayed_ == options_.replays->size()) return std::nullopt;
            return (*options_.replays)[replayed_].arrived;
        }
        drop_stale_timers();
        if (transit_.empty() && timers_.empty()) return std::nullopt;
        if (transit_.empty()) return timers_.front().due;
        const model::Ticks arrival = transit_.next_arrival(now_);
        return timers_.empty() ? arrival : std::min(arrival, timers_.front().due);
    }
    /// Whether every node's program has ended.
    [[nodiscard]] bool all_done() const { return done_count_ == nodes_.size(); }
    /// Tokens that came to a node since the list was last cleared, where the options ask for it;
    /// `step` is 0.
    [[nodiscard]] std::span<model::Transfer> transfers() { return transfers_; }
    /// Tokens that were made (positive) or lost where the ends of a link did not book the same, by
    /// the node that handed over; since the lists were last cleared.
    [[nodiscard]] std::span<const Made> made() const { return made_; }
    void clear_transfers() {
        transfers_.clear();
        made_.clear();
    }
    /// The order of all deliveries so far, where the options ask for it; empty when there were
    /// more.
    [[nodiscard]] std::vector<model::Delivery> take_deliveries() { return log_.take(); }
    /// Messages sent so far.
    [[nodiscard]] std::uint64_t messages() const { return outcome_.messages; }

    [[nodiscard]] const State& state(NodeId node) const { return states_[node]; }
    [[nodiscard]] std::span<const PortState> port_states(NodeId node) const {
        return {ports_.data() + sides_.first(node), degree(node)};
    }
    [[nodiscard]] model::Ticks now() const { return now_; }
    /// Tokens in messages that were sent and not yet received, less those that both ends of a link
    /// hold because the taking end booked first.
    [[nodiscard]] Tokens in_flight() const { return in_flight_; }
    /// What programs booked apart from messages.
    [[nodiscard]] const Bookings& bookings() const { return bookings_; }
    [[nodiscard]] const load::Ledger& ledger() const { return ledger_; }
    /// Whether no token will ever move again, for programs that can tell; false for others.
    /// Cost O(1) as a rule: it looks first at the link that was not settled last.
    [[nodiscard]] bool settled();

    // ---- nodes that leave and join, for programs that bear it
    [[nodiscard]] bool present(NodeId node) const { return !nodes_[node].absent; }
    /// Asks a node to leave. Not asked (false) is a node that is absent or leaving, that has a
    /// neighbour who is leaving, or that has none to hand its tokens to.
    bool ask_to_leave(NodeId v)
        requires model::BearsChurn<Program>;
    /// A node that has left comes back, without tokens and without a past; false when it is there.
    bool join(NodeId v)
        requires model::BearsChurn<Program>;
    /// Tokens come to a node from outside, or, where negative, as many are consumed there as it has
    /// not promised to others. Returns what came about: nothing at a node that is absent, leaving
    /// or down. Throws OverflowError when there would be more than `tokens_max`.
    Tokens arrive(NodeId v, Tokens tokens)
        requires model::BearsArrivals<Program>;
    /// Nodes that have left since the list was last cleared.
    [[nodiscard]] std::span<const NodeId> departed() const { return departed_; }
    void clear_departed() { departed_.clear(); }

    [[nodiscard]] load::Loads loads() const {
        load::Loads all;
        all.reserve(nodes_.size());
        for (const Node& node : nodes_)
            all.push_back(node.tokens);
        return all;
    }
    /// Whether tokens held and in flight, counted anew, are those the run began with.
    [[nodiscard]] bool recount() const;
    [[nodiscard]] SimulationOutcome outcome() const {
        SimulationOutcome outcome = outcome_;
        outcome.loads = loads();
        outcome.time = now_;
        outcome.lost += transit_.lost();
        outcome.duplicated = transit_.duplicated();
        outcome.digest = digest_.value();
        outcome.memory_bytes = nodes_.size() * (sizeof(Node) + sizeof(State) + sizeof(NodeId)) +
                               sides_.side_count() * (sizeof(LinkSide) + sizeof(PortState)) +
                               transit_.memory_bytes();
        return outcome;
    }

    // ---- the host's side of the contract
    [[nodiscard]] Port degree(NodeId node) const override { return sides_.degree(node); }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override {
        return node < sides_[side_of(node, port)].neighbour ? model::LinkEnd::tail
                                                            : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId node) const override { return nodes_[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId node) const override {
        return speeds_.empty() ? 1 : speeds_[node];
    }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {options_.seed, Purpose::program, node, draw};
    }

    void send(NodeId v, Port port, const Message& message) override {
        const Tokens carried = message.tokens();
        Node& node = nodes_[v];
        EQUIPOISE_ASSERT(carried >= 0 && carried <= node.tokens);
        node.tokens -= carried;
        in_flight_ += carried;
        count_up(outcome_.exchanges, static_cast<std::uint64_t>(carried), "number of exchanges");
        ++outcome_.messages;
        if constexpr (requires { message.bits(); })
            if (options_.measures_messages)
                outcome_.largest_message_bits =
                    std::max<std::uint64_t>(outcome_.largest_message_bits, message.bits());
        const std::uint32_t out = side_of(v, port);
        const Arrival<Message> arrival{now_ + 1, sides_[out].neighbour, sides_[out].reverse,
                                       message};
        if (log_.wanted()) log_.note_sent(sides_.side_count(), arrival.in, now_);
        if (!transit_.in_order()) {
            transit_.send(v, out, arrival, now_);
            return;
        }
        if (transit_.ring().size() < 16) {
            prefetch_records(arrival);
            prefetch_other_end(arrival);
        }
        transit_.send_in_order(out, arrival);
    }

    void book(NodeId v, Port port, Tokens leaving) override {
        Node& node = nodes_[v];
        EQUIPOISE_ASSERT(leaving <= node.tokens);
        node.tokens -= leaving;
        const std::uint32_t side = side_of(v, port);
        if (leaving >= 0) {
            close_account(v, side, leaving);
            return;
        }
        bookings_.take_over(sides_.side_count(), sides_[side].reverse, -leaving);
        in_flight_ += leaving;
        list_transfer(v, side, -leaving);
    }

    void release(NodeId v, Port port) override {
        const std::uint32_t out = side_of(v, port);
        EQUIPOISE_ASSERT(sides_[out].reserved);
        sides_[out].released = true;
        free_if_delivered(v, out);
    }

    bool poll(NodeId v, Port port, model::KindSet kinds,
              model::Received<Message>& received) override {
        const std::uint32_t in = sides_.find(v, nodes_[v].ready, port, kinds);
        if (in == none) return false;
        receive(v, in, received);
        return true;
    }

    bool begin(NodeId v, const model::Ask& ask) override {
        Node& node = nodes_[v];
        node.ask = ask;
        node.time_over = false;
        ++node.timer;
        if (ask.verb == model::Ask::Verb::receive)
            node.found = sides_.find(v, node.ready, ask.port, ask.kinds);
        if (fulfilled(v)) return true;
        node.suspended = true;
        if (ask.verb == model::Ask::Verb::acquire) sides_[side_of(v, ask.port)].awaited = true;
        if (ask.within != model::for_ever) add_timer(v, ask.within);
        return false;
    }

    bool end(NodeId v, model::Received<Message>& received) override {
        Node& node = nodes_[v];
        node.suspended = false;
        switch (node.ask.verb) {
            case model::Ask::Verb::receive:
                if (node.found == none) return false;
                receive(v, node.found, received);
                return true;
            case model::Ask::Verb::reserve:
                if (arbitrated_ ? !node.granted : busy(side_of(v, node.ask.port))) return false;
                [[fallthrough]];
            case model::Ask::Verb::acquire: {
                LinkSide& side = sides_[side_of(v, node.ask.port)];
                side.reserved = true;
                side.released = false;
                side.awaited = false;
                sides_[side.reverse].taken = true;
                ++outcome_.reservations;
                return true;
            }
            case model::Ask::Verb::sleep:
            case model::Ask::Verb::nothing:
                return true;
        }
        return true;
    }

  private:
    static constexpr std::uint32_t none = LinkSide::none;

    struct Node {
        model::Ask ask;
        Tokens tokens = 0;
        ReadyPorts ready;
        std::uint32_t found = none;  ///< the side whose message fulfils the present wait
        std::uint32_t timer = 0;     ///< number of the present wait: older timers are stale
        bool begun = false;
        bool suspended = false;
        bool time_over =
            false;             ///< the timer has ended; or, in a replay, the channel's answer came
        bool granted = false;  ///< what that answer was
        bool woken = false;
        bool done = false;
        bool down = false;     ///< crashed, and will restart
        bool leaving = false;  ///< asked to leave
        bool absent = false;   ///< has left
    };
    struct Timer {
        model::Ticks due = 0;
        NodeId node = no_node;
        std::uint32_t number = 0;
    };

    void lay_out(std::span<const Tokens> loads) {
        nodes_.resize(loads.size());
        states_.resize(loads.size());
        ports_.resize(sides_.side_count());
        for (NodeId v = 0; v < loads.size(); ++v)
            nodes_[v].tokens = loads[v];
    }

    void start() {
        if (started_) return;
        started_ = true;
        if (options_.replays != nullptr) return start_replayed();
        if (options_.faults.corrupt_start) corrupt();
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            const model::Ticks late = start_delay(options_, v);
            if (late == 0) {
                if (log_.wanted()) log_.note_event(v, 0, model::clock_event);
                resume(v);
                continue;
            }
            nodes_[v].ask = {late, model::any_port, model::KindSet(), model::Ask::Verb::sleep};
            nodes_[v].suspended = true;
            add_timer(v, late);
        }
        run_woken();
    }

    [[nodiscard]] std::uint32_t side_of(NodeId node, Port port) const {
        EQUIPOISE_HEAVY_ASSERT(port < degree(node));
        return sides_.first(node) + port;
    }

    // ---- messages
    void deliver_next() {
        if (transit_.in_order()) prefetch();
        deliver(transit_.take(now_));
    }

    /// Memory is what a message waits for: fetch what the events to come will touch, in two steps,
    /// because the number of a link's other end stands in its side.
    void prefetch() const {
        constexpr std::size_t far = 16;
        constexpr std::size_t near = 6;
        const EventRing<Arrival<Message>>& ring = transit_.ring();
        if (ring.size() > far) prefetch_records(ring.peek(far));
        if (ring.size() > near) prefetch_other_end(ring.peek(near));
    }
    void prefetch_records(const Arrival<Message>& arrival) const {
        __builtin_prefetch(&nodes_[arrival.node]);
        sides_.prefetch(arrival.node, arrival.in);
        prefetch_all(&states_[arrival.node], sizeof(State));
        prefetch_all(&ports_[arrival.in], sizeof(PortState));
    }
    void prefetch_other_end(const Arrival<Message>& arrival) const {
        __builtin_prefetch(&sides_[sides_[arrival.in].reverse]);
    }
    /// All cache lines of an object.
    static void prefetch_all(const void* object, std::size_t bytes) {
        const char* const first = static_cast<const char*>(object);
        for (std::size_t at = 0; at < bytes; at += 64)
            __builtin_prefetch(first + at);
        __builtin_prefetch(first + bytes - 1);
    }

    void deliver(const Arrival<Message>& arrival) {
        now_ = arrival.time;
        digest_.add(now_);
        digest_.add((std::uint64_t{arrival.in} << 5U) |
                    static_cast<std::uint64_t>(arrival.message.kind));
        const LinkSide& in = sides_[arrival.in];
        --sides_[in.reverse].on_the_way;
        if (log_.wanted()) log_.note_arrival(arrival.in, delivery_of(arrival));
        if (nodes_fail_ && (is_deaf(arrival.node) || fails(arrival.node))) {
            ++outcome_.lost;
            return;
        }
        Node& node = nodes_[arrival.node];
        const bool first = sides_.arrive(node.ready, arrival.in, arrival.message);
        if (sides_[in.reverse].reserved) free_if_delivered(in.neighbour, in.reverse);
        // A node that waits has waited for this message, or for another one still.
        if (!first || !node.suspended || node.woken || !asks_for(node, arrival)) return;
        node.found = arrival.in;
        wake(arrival.node);
    }

    [[nodiscard]] bool asks_for(const Node& node, const Arrival<Message>& arrival) const {
        const model::Ask& ask = node.ask;
        return ask.verb == model::Ask::Verb::receive && ask.kinds.contains(arrival.message.kind) &&
               (ask.port == model::any_port || arrival.in == sides_.first(arrival.node) + ask.port);
    }

    /// A message and its tokens come to the node.
    void receive(NodeId v, std::uint32_t in, model::Received<Message>& received) {
        received = {sides_.take(nodes_[v].ready, in), in - sides_.first(v)};
        const Tokens carried = received.message.tokens();
        nodes_[v].tokens += carried;
        in_flight_ -= carried;
        if (carried > 0) list_transfer(v, in, carried);
    }
    void list_transfer(NodeId v, std::uint32_t in, Tokens tokens) {
        if (options_.lists_transfers) transfers_.push_back({0, sides_[in].neighbour, v, tokens});
    }

    // ---- channels
    [[nodiscard]] bool busy(std::uint32_t side) const {
        return sides_[side].reserved || sides_[side].taken;
    }
    /// A released channel whose messages have arrived is free; the other end has precedence.
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
    void fire_timer() {
        const Timer timer = timers_.front();
        timers_.pop();
        end_timer(timer.node, std::max(now_, timer.due));
    }
    void end_timer(NodeId v, model::Ticks now) {
        now_ = now;
        digest_.add(now_);
        digest_.add(~std::uint64_t{v});
        if (log_.wanted()) log_.note_event(v, now_, model::clock_event);
        if (nodes_[v].down) {
            restart(v);
            return;
        }
        if (nodes_fail_ && fails(v)) return;
        nodes_[v].time_over = true;
        wake(v);
    }

    // ---- a recorded order, see simulation_replay.hpp
    [[nodiscard]] model::Delivery delivery_of(const Arrival<Message>& arrival) const;
    void start_replayed();
    void play_replayed();
    void answer_replayed(NodeId v, bool granted);

    // ---- faults of nodes, see simulation_faults.hpp
    void expect_borne() const;
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
        while (next < woken_.size()) {  // who runs may wake others
            const NodeId v = woken_[next++];
            nodes_[v].woken = false;
            if (!fulfilled(v)) continue;  // the channel went to its other end
            resume(v);
        }
        woken_.clear();
    }
    /// The node starts; goes on from a wait that is fulfilled; or waits anew after a crash.
    void resume(NodeId v) {
        Node& node = nodes_[v];
        const model::Turn turn = !node.begun      ? model::Turn::start
                                 : node.suspended ? model::Turn::proceed
                                                  : model::Turn::wait;
        node.begun = true;
        const bool ended =
            model::play_node(program_, *this, v, states_[v],
                             std::span(ports_.data() + sides_.first(v), degree(v)), turn, node.ask);
        if (!ended) return;
        node.done = true;
        node.suspended = false;
        ++done_count_;
        if (node.leaving) depart(v);
    }

    const Program& program_;
    SimulationOptions options_;
    load::Ledger ledger_;
    std::vector<Tokens> speeds_;
    bool started_ = false;

    std::vector<Node, LargePages<Node>> nodes_;
    std::vector<State, LargePages<State>> states_;
    Mailboxes<Message> sides_;
    std::vector<PortState, LargePages<PortState>> ports_;

    Transit<Message> transit_;
    DeliveryLog log_;
    std::size_t replayed_ = 0;  ///< events of a recorded order that have been played
    bool arbitrated_ = false;   ///< that order says when channels are granted
    bool nodes_fail_;
    RandomStream node_fault_random_;
    EventHeap<Timer> timers_;
    std::vector<NodeId> woken_;

    model::Ticks now_ = 0;
    std::size_t done_count_ = 0;
    Tokens in_flight_ = 0;
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

#include "equipoise/engine/simulation/simulation_faults.hpp"
#include "equipoise/engine/simulation/simulation_replay.hpp"
