#include "equipoise/engine/simulation/node_simulation.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/counts.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/prefetch.hpp"
#include "equipoise/engine/simulation/delays.hpp"

namespace equipoise::engine {

namespace {

// How many arrivals ahead memory is fetched: what an arrival touches, and what that leads to.
constexpr std::size_t far_ahead = 24;
constexpr std::size_t near_ahead = 12;

// Nodes are reordered only if the program sees no numbers of nodes and no draw or order of the
// world depends on them.
NodeOrder order_for(const ProgramNodes& nodes, const network::Network& network,
                    const SimulationOptions& options) {
    const bool reorders = network.node_count() >= options.reordered_nodes_min &&
                          Channels::keeps_order(options) && options.deliveries_max == 0 &&
                          !nodes.traits().knows_numbers;
    return reorders ? NodeOrder::depth_first(network) : NodeOrder();
}

}  // namespace

NodeSimulation::NodeSimulation(ProgramNodes& nodes, const network::Network& network,
                               std::span<const Tokens> loads, const SimulationOptions& options,
                               std::span<const Tokens> speeds)
    : program_(nodes),
      options_(options),
      ledger_(loads),
      order_(order_for(nodes, network, options_)),
      speeds_(speeds.begin(), speeds.end()),
      messages_(nodes.traits().message_bytes),
      sides_(network, messages_, order_),
      channels_(options_, network, messages_, sides_, nodes.traits().settles),
      log_(options.deliveries_max),
      phases_(nodes.traits().phases, network.node_count()),
      nodes_fail_(options.faults.crash > 0 || options.faults.capacity > 0 || options.churns),
      node_fault_random_(options.seed, Purpose::fault, 1) {
    if (loads.size() != network.node_count())
        throw InputError("simulation: there must be one load for every node");
    if (!speeds.empty() && speeds.size() != network.node_count())
        throw InputError("simulation: there must be one speed for every node");
    if (std::any_of(loads.begin(), loads.end(), [](Tokens load) { return load < 0; }))
        throw InputError("simulation: loads must not be negative");
    expect_supported();
    nodes_.resize(loads.size());
    std::uint32_t first = 0;
    for (NodeId name = 0; name < loads.size(); ++name) {
        const NodeId v = order_.place(name);
        nodes_[v].tokens = loads[name];
        nodes_[v].first = sides_.first(v);
        nodes_[v].degree = network.degree(name);
        nodes_[v].first_by_name = std::exchange(first, first + network.degree(name));
        if (!speeds.empty()) speeds_[v] = speeds[name];
    }
    program_.lay_out(loads.size(), sides_.side_count());
    states_ = program_.state_memory();
    port_states_ = program_.port_memory();
}

// ---- events

SimulationOutcome NodeSimulation::run() {
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

bool NodeSimulation::step() {
    if (!next_time()) return false;
    if (options_.replays != nullptr)
        play_replayed();
    else if (!timers_.empty() &&
             (channels_.empty() || timers_.front().due <= channels_.next_arrival(now_)))
        fire_timer();
    else
        deliver_next();
    run_woken();
    ++outcome_.events;
    if (options_.recounts_tokens) EQUIPOISE_ASSERT(recount());
    return true;
}

void NodeSimulation::start() {
    if (started_) return;
    started_ = true;
    if (options_.replays != nullptr) return start_replayed();
    if (options_.faults.corrupt_start) corrupt();
    for (NodeId name = 0; name < nodes_.size(); ++name) {
        const NodeId v = order_.place(name);
        const model::Ticks late = start_delay(options_, name);
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

load::Loads NodeSimulation::loads() const {
    load::Loads all;
    all.reserve(nodes_.size());
    for (NodeId name = 0; name < nodes_.size(); ++name)
        all.push_back(nodes_[order_.place(name)].tokens);
    return all;
}

SimulationOutcome NodeSimulation::outcome() const {
    const ProgramNodes::Traits& traits = program_.traits();
    SimulationOutcome outcome = outcome_;
    outcome.loads = loads();
    outcome.time = now_;
    outcome.lost += channels_.lost();
    outcome.duplicated = channels_.duplicated();
    outcome.digest = digest_.value();
    const std::size_t order_bytes = order_.is_trivial() ? 0 : 2 * sizeof(NodeId);
    outcome.memory_bytes =
        nodes_.size() * (order_bytes + sizeof(Node) + traits.state_bytes + sizeof(NodeId)) +
        sides_.side_count() * (sizeof(LinkSide) + traits.port_bytes) + channels_.memory_bytes();
    return outcome;
}

// ---- the host's side of the contract

model::LinkEnd NodeSimulation::link_end(NodeId node, Port port) const {
    const NodeId neighbour = sides_[side_of(node, port)].neighbour;
    return order_.name(node) < order_.name(neighbour) ? model::LinkEnd::tail : model::LinkEnd::head;
}

void NodeSimulation::send(NodeId v, Port port, const model::MessageBytes& message) {
    const Tokens carried = message.tokens;
    Node& node = nodes_[v];
    EQUIPOISE_ASSERT(carried >= 0 && carried <= node.tokens);
    node.tokens -= carried;
    in_flight_ += carried;
    if (carried > 0) ++changes_of_held_;
    count_up(outcome_.exchanges, static_cast<std::uint64_t>(carried), "number of exchanges");
    ++outcome_.messages;
    if (options_.measures_messages && program_.traits().counts_bits)
        outcome_.largest_message_bits = std::max<std::uint64_t>(
            outcome_.largest_message_bits, program_.message_bits(message.bytes));
    const std::uint32_t out = side_of(v, port);
    const Arrival arrival{now_ + 1, sides_[out].neighbour, sides_[out].reverse,
                          messages_.store(message)};
    if (log_.wanted()) log_.note_sent(sides_.side_count(), arrival.in, now_);
    if (!channels_.in_order()) {
        channels_.send(v, out, arrival, now_);
        return;
    }
    if (channels_.ring().size() < far_ahead) {
        prefetch_records(arrival);
        prefetch_other_end(arrival);
    }
    channels_.send_in_order(out, arrival);
}

void NodeSimulation::book(NodeId v, Port port, Tokens leaving) {
    Node& node = nodes_[v];
    EQUIPOISE_ASSERT(leaving <= node.tokens);
    node.tokens -= leaving;
    if (leaving != 0) ++changes_of_held_;
    const std::uint32_t side = side_of(v, port);
    if (leaving >= 0) {
        close_account(v, side, leaving);
        return;
    }
    bookings_.take_over(sides_.side_count(), sides_[side].reverse, -leaving);
    in_flight_ += leaving;
    list_transfer(v, side, -leaving);
}

void NodeSimulation::release(NodeId v, Port port) {
    const std::uint32_t out = side_of(v, port);
    EQUIPOISE_ASSERT(sides_[out].reserved);
    sides_[out].released = true;
    free_if_delivered(v, out);
}

bool NodeSimulation::poll(NodeId v, Port port, model::KindSet kinds, model::Reception& received) {
    const std::uint32_t in = sides_.find_from(nodes_[v].first, nodes_[v].ready, port, kinds);
    if (in == none) return false;
    receive(v, in, received);
    return true;
}

bool NodeSimulation::begin(NodeId v, const model::Ask& ask) {
    Node& node = nodes_[v];
    node.ask = ask;
    node.time_over = false;
    ++node.timer;
    if (ask.verb == model::Ask::Verb::receive)
        node.found = sides_.find_from(node.first, node.ready, ask.port, ask.kinds);
    if (fulfilled(v)) return true;
    node.suspended = true;
    if (ask.verb == model::Ask::Verb::acquire) sides_[side_of(v, ask.port)].awaited = true;
    if (ask.within != model::for_ever) add_timer(v, ask.within);
    return false;
}

bool NodeSimulation::end(NodeId v, model::Reception& received) {
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

// ---- messages

inline void NodeSimulation::deliver_next() {
    if (channels_.in_order()) prefetch();
    deliver(channels_.take(now_));
}

// An event mostly waits for memory, so what the next ones will touch is fetched ahead: in two
// steps, because the number of a link's other end is stored in its side.
inline void NodeSimulation::prefetch() const {
    const EventRing<Arrival>& ring = channels_.ring();
    if (ring.size() > far_ahead) prefetch_records(ring.peek(far_ahead));
    if (ring.size() > near_ahead) prefetch_other_end(ring.peek(near_ahead));
}

inline void NodeSimulation::prefetch_records(const Arrival& arrival) const {
    const ProgramNodes::Traits& traits = program_.traits();
    equipoise::prefetch(&nodes_[arrival.node]);
    messages_.prefetch(arrival.message);
    equipoise::prefetch(&sides_[arrival.in]);
    equipoise::prefetch(states_ + std::size_t{arrival.node} * traits.state_bytes,
                        traits.state_bytes);
    equipoise::prefetch(port_states_ + std::size_t{arrival.in} * traits.port_bytes,
                        traits.port_bytes);
}

inline void NodeSimulation::prefetch_other_end(const Arrival& arrival) const {
    equipoise::prefetch(&sides_[sides_[arrival.in].reverse]);
}

inline void NodeSimulation::deliver(const Arrival& arrival) {
    now_ = arrival.time;
    digest_.add(now_);
    const Node& to = nodes_[arrival.node];
    const std::uint32_t in_by_name = to.first_by_name + (arrival.in - to.first);
    digest_.add((std::uint64_t{in_by_name} << 5U) | messages_.kind(arrival.message));
    const LinkSide& in = sides_[arrival.in];
    --sides_[in.reverse].on_the_way;
    if (log_.wanted()) log_.note_arrival(arrival.in, delivery_of(arrival));
    if (nodes_fail_ && (is_deaf(arrival.node) || fails(arrival.node))) {
        messages_.drop(arrival.message);
        ++outcome_.lost;
        return;
    }
    Node& node = nodes_[arrival.node];
    const bool first = sides_.arrive(node.ready, arrival.in, arrival.message);
    if (sides_[in.reverse].reserved) free_if_delivered(in.neighbour, in.reverse);
    // Nothing that came before ends the wait of a waiting node, so only this message can.
    if (!first || !node.suspended || node.woken || !asks_for(node, arrival)) return;
    node.found = arrival.in;
    wake(arrival.node);
}

inline bool NodeSimulation::asks_for(const Node& node, const Arrival& arrival) const {
    const model::Ask& ask = node.ask;
    return ask.verb == model::Ask::Verb::receive &&
           ask.kinds.contains(messages_.kind(arrival.message)) &&
           (ask.port == model::any_port || arrival.in == node.first + ask.port);
}

// ---- timers

void NodeSimulation::fire_timer() {
    const Timer timer = timers_.front();
    timers_.pop();
    end_timer(timer.node, std::max(now_, timer.due));
}

void NodeSimulation::end_timer(NodeId v, model::Ticks now) {
    now_ = now;
    digest_.add(now_);
    digest_.add(~std::uint64_t{order_.name(v)});
    if (log_.wanted()) log_.note_event(v, now_, model::clock_event);
    if (nodes_[v].down) {
        restart(v);
        return;
    }
    if (nodes_fail_ && fails(v)) return;
    nodes_[v].time_over = true;
    wake(v);
}

}  // namespace equipoise::engine
