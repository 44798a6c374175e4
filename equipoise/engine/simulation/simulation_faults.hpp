#pragma once
// The simulation's faults of nodes, and what comes and goes: arbitrary starts, crashes, leaving and
// joining, arriving tokens, open accounts.

#include "equipoise/engine/simulation/simulation.hpp"

namespace equipoise::engine {

template <model::NodeProgram Program>
void Simulation<Program>::expect_borne() const {
    const FaultPlan& faults = options_.faults;
    if (faults.crash > 0 && !model::BearsCrashes<Program>)
        throw UnsuitableError("simulation: the program does not bear crashes of nodes");
    if (faults.corrupt_start && !model::BearsCorruption<Program>)
        throw UnsuitableError("simulation: the program does not bear arbitrary states");
    if (faults.corrupt_start && faults.capacity == 0)
        throw InputError(
            "simulation: arbitrary contents of channels need a bound on their capacity");
    if (options_.churns && !model::BearsChurn<Program>)
        throw UnsuitableError("simulation: the program does not bear nodes that come and go");
    if (model::Settles<Program> && options_.single_port &&
        options_.adversary.kind == Adversary::Kind::newest_first)
        throw UnsuitableError(
            "with single ports and newest-first the oldest messages of a program that never falls "
            "silent would wait for ever");
}

template <model::NodeProgram Program>
bool Simulation<Program>::settled() {
    if constexpr (model::Settles<Program>) {
        if (!started_ || leaving_count_ > 0 || in_flight_ != 0) return false;
        for (std::size_t i = 0; i < sides_.side_count(); ++i) {
            if (!settled(unsettled_side_)) return false;
            if (++unsettled_side_ == sides_.side_count()) unsettled_side_ = 0;
        }
        return true;
    } else {
        return false;
    }
}

template <model::NodeProgram Program>
bool Simulation<Program>::ask_to_leave(NodeId v)
    requires model::BearsChurn<Program>
{
    EQUIPOISE_ASSERT(options_.churns);
    start();
    if (nodes_[v].absent || nodes_[v].leaving) return false;
    bool accompanied = false;
    for (Port port = 0; port < degree(v); ++port) {
        const Node& neighbour = nodes_[sides_[side_of(v, port)].neighbour];
        if (neighbour.leaving) return false;
        accompanied = accompanied || !neighbour.absent;
    }
    if (!accompanied) return false;
    program_.leave(states_[v]);
    nodes_[v].leaving = true;
    ++leaving_count_;
    return true;
}

template <model::NodeProgram Program>
bool Simulation<Program>::join(NodeId v)
    requires model::BearsChurn<Program>
{
    Node& node = nodes_[v];
    if (!node.absent) return false;
    node.absent = false;
    node.done = false;
    --done_count_;
    states_[v] = {};
    transit_.drop_all_of(v);  // who was left behind may have gone on talking to nobody
    for (std::uint32_t side = sides_.first(v); side < sides_.first(v) + degree(v); ++side) {
        if (nodes_[sides_[side].neighbour].absent) {
            program_.part(ports_[side]);
        } else {
            program_.meet(ports_[side]);
            program_.meet(ports_[sides_[side].reverse]);
        }
    }
    node.begun = false;
    resume(v);
    run_woken();
    return true;
}

template <model::NodeProgram Program>
Tokens Simulation<Program>::arrive(NodeId v, Tokens tokens)
    requires model::BearsArrivals<Program>
{
    start();
    Node& node = nodes_[v];
    if (node.absent || node.leaving || node.down) return 0;
    if (tokens < 0) {
        const std::span<const PortState> ports = port_states(v);
        tokens = std::max(tokens, -program_.spare(node.tokens, states_[v], ports));
    }
    if (tokens == 0) return 0;
    if (tokens > tokens_max - ledger_.expected()) throw OverflowError("total number of tokens");
    if (tokens > 0)
        ledger_.create(tokens);
    else
        ledger_.destroy(-tokens);
    node.tokens += tokens;
    program_.arrive(states_[v], tokens);
    // A node that waits for ever would never notice.
    if (node.suspended && node.ask.verb == model::Ask::Verb::receive &&
        node.ask.within == model::for_ever) {
        node.time_over = true;
        wake(v);
        run_woken();
    }
    return tokens;
}

/// Every state and every channel begins with anything.
template <model::NodeProgram Program>
void Simulation<Program>::corrupt() {
    if constexpr (model::BearsCorruption<Program>) {
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            RandomStream random(options_.seed, Purpose::fault, v, 1);
            program_.corrupt(random, states_[v],
                             std::span(ports_.data() + sides_.first(v), degree(v)));
            for (std::uint32_t out = sides_.first(v); out < sides_.first(v) + degree(v); ++out)
                for (auto count = random.below(options_.faults.capacity + 1); count > 0; --count)
                    transit_.plant(v, out,
                                   {0, sides_[out].neighbour, sides_[out].reverse,
                                    program_.arbitrary_message(random)});
        }
    }
}

/// Whether a node has not begun, in a world where no more messages than channels hold can wait.
template <model::NodeProgram Program>
bool Simulation<Program>::is_deaf(NodeId v) const {
    return options_.faults.capacity > 0 && !nodes_[v].begun;
}

/// Whether a node is not there to handle an event, or crashes now.
template <model::NodeProgram Program>
bool Simulation<Program>::fails(NodeId v) {
    const FaultPlan& faults = options_.faults;
    Node& node = nodes_[v];
    if (node.down || node.absent) return true;
    if (faults.crash == 0 || now_ >= faults.until || !(node_fault_random_.unit() < faults.crash))
        return false;
    stop_node(v);
    node.down = true;
    ++outcome_.crashes;
    add_timer(v, 1 + node_fault_random_.below(faults.down_max));
    return true;
}

/// Timers and waiting messages are gone.
template <model::NodeProgram Program>
void Simulation<Program>::stop_node(NodeId v) {
    Node& node = nodes_[v];
    node.suspended = false;
    ++node.timer;
    for (std::uint32_t in = sides_.find(v, node.ready, model::any_port, model::KindSet::all());
         in != none; in = sides_.find(v, node.ready, model::any_port, model::KindSet::all())) {
        static_cast<void>(sides_.take(node.ready, in));
        ++outcome_.lost;
    }
}

template <model::NodeProgram Program>
void Simulation<Program>::restart(NodeId v) {
    nodes_[v].down = false;
    if constexpr (model::BearsCrashes<Program>)
        program_.restart(states_[v], std::span(ports_.data() + sides_.first(v), degree(v)));
    resume(v);
}

/// A node that was asked to leave has handed on all its tokens and ended: its channels
/// end with it.
template <model::NodeProgram Program>
void Simulation<Program>::depart(NodeId v) {
    if constexpr (model::BearsChurn<Program>) {
        Node& node = nodes_[v];
        stop_node(v);
        transit_.drop_all_of(v);
        for (std::uint32_t side = sides_.first(v); side < sides_.first(v) + degree(v); ++side) {
            close_account(v, side, 0);
            close_account(sides_[side].neighbour, sides_[side].reverse, 0);
            if (!nodes_[sides_[side].neighbour].absent) program_.part(ports_[sides_[side].reverse]);
        }
        EQUIPOISE_ASSERT(node.tokens == 0);
        node.leaving = false;
        node.absent = true;
        --leaving_count_;
        departed_.push_back(v);
    }
}

/// The end that hands over says how much.
template <model::NodeProgram Program>
void Simulation<Program>::close_account(NodeId v, std::uint32_t side, Tokens leaving) {
    const Tokens made = bookings_.hand_over(sides_.side_count(), side, leaving);
    in_flight_ += made + leaving;
    count_up(outcome_.exchanges, static_cast<std::uint64_t>(leaving), "number of exchanges");
    if (made == 0) return;
    if (made > 0)
        ledger_.create(made);
    else
        ledger_.destroy(-made);
    if (options_.lists_transfers) made_.push_back({v, made});
}

template <model::NodeProgram Program>
bool Simulation<Program>::recount() const {
    Tokens carried = 0;
    sides_.for_each_waiting([&](const Message& message) { carried += message.tokens(); });
    transit_.for_each([&](const Message& message) { carried += message.tokens(); });
    return carried - bookings_.in_doubt() == in_flight_ && ledger_.balances(loads(), in_flight_);
}

/// A link as its one end sees it, where both are there.
template <model::NodeProgram Program>
bool Simulation<Program>::settled(std::uint32_t side) const {
    const LinkSide& here = sides_[side];
    const Node& node = nodes_[sides_[here.reverse].neighbour];
    const Node& there = nodes_[here.neighbour];
    return node.absent || there.absent ||
           program_.settled(node.tokens, ports_[side], there.tokens, ports_[here.reverse]);
}

}  // namespace equipoise::engine
