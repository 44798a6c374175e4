// The simulation's faults of nodes, and its comings and goings: arbitrary starts, crashes, leaving
// and joining, arriving tokens, open accounts.

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/counts.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/node_simulation.hpp"

namespace equipoise::engine {

void NodeSimulation::expect_supported() const {
    const FaultPlan& faults = options_.faults;
    const ProgramNodes::Traits& traits = program_.traits();
    if (faults.crash > 0 && !traits.supports_crashes)
        throw UnsuitableError("simulation: the program does not support crashes of nodes");
    if (faults.corrupt_start && !traits.supports_corruption)
        throw UnsuitableError("simulation: the program does not support arbitrary states");
    if (faults.corrupt_start && faults.capacity == 0)
        throw InputError(
            "simulation: arbitrary contents of channels need a bound on their capacity");
    if (options_.churns && !traits.supports_churn)
        throw UnsuitableError("simulation: the program does not support nodes that come and go");
    if (traits.settles && options_.single_port &&
        options_.adversary.kind == Adversary::Kind::newest_first)
        throw UnsuitableError(
            "with single ports and newest-first the oldest messages of a program that never falls "
            "silent would wait for ever");
}

bool NodeSimulation::settled() {
    if (!program_.traits().settles) return false;
    if (!started_ || leaving_count_ > 0 || in_flight_ != 0) return false;
    for (std::size_t i = 0; i < sides_.side_count(); ++i) {
        if (!settled(unsettled_side_)) return false;
        if (++unsettled_side_ == sides_.side_count()) unsettled_side_ = 0;
    }
    return true;
}

bool NodeSimulation::ask_to_leave(NodeId v) {
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
    program_.leave(v);
    nodes_[v].leaving = true;
    ++leaving_count_;
    return true;
}

bool NodeSimulation::join(NodeId v) {
    Node& node = nodes_[v];
    if (!node.absent) return false;
    node.absent = false;
    node.done = false;
    --done_count_;
    program_.forget(v);
    channels_.drop_all_of(v);  // neighbours may have gone on sending after the node left
    for (std::uint32_t side = sides_.first(v); side < sides_.first(v) + degree(v); ++side) {
        if (nodes_[sides_[side].neighbour].absent) {
            program_.part(side);
        } else {
            program_.meet(side);
            program_.meet(sides_[side].reverse);
        }
    }
    node.begun = false;
    resume(v);
    run_woken();
    return true;
}

Tokens NodeSimulation::arrive(NodeId name, Tokens tokens) {
    if (!program_.traits().supports_arrivals)
        throw UnsuitableError("the program does not support tokens that come and go");
    start();
    const NodeId v = order_.place(name);
    Node& node = nodes_[v];
    if (node.absent || node.leaving || node.down) return 0;
    if (tokens < 0) tokens = std::max(tokens, -program_.spare(node.tokens, v, ports(v)));
    if (tokens == 0) return 0;
    if (tokens > tokens_max - ledger_.expected()) throw OverflowError("total number of tokens");
    if (tokens > 0)
        ledger_.create(tokens);
    else
        ledger_.destroy(-tokens);
    node.tokens += tokens;
    ++changes_of_held_;
    program_.arrive(v, tokens);
    // A node that waits without a time limit would not notice the tokens.
    if (node.suspended && node.ask.verb == model::Ask::Verb::receive &&
        node.ask.within == model::for_ever) {
        node.time_over = true;
        wake(v);
        run_woken();
    }
    return tokens;
}

// Gives every node and every channel arbitrary contents.
void NodeSimulation::corrupt() {
    std::vector<std::byte> room(program_.traits().message_bytes);
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        RandomStream random(options_.seed, Purpose::fault, v, 1);
        program_.corrupt(random, v, ports(v));
        for (std::uint32_t out = sides_.first(v); out < sides_.first(v) + degree(v); ++out)
            for (auto count = random.below(options_.faults.capacity + 1); count > 0; --count)
                channels_.plant(v, out,
                                {0, sides_[out].neighbour, sides_[out].reverse,
                                 messages_.store(program_.draw_message(random, room.data()))});
    }
}

// Whether a node has not started, in a world whose channels are bounded: messages do not wait for
// it.
bool NodeSimulation::is_deaf(NodeId v) const {
    return options_.faults.capacity > 0 && !nodes_[v].begun;
}

// Whether a node is not there to handle an event, or crashes at this one.
bool NodeSimulation::fails(NodeId v) {
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

// Timers and waiting messages are gone.
void NodeSimulation::stop_node(NodeId v) {
    Node& node = nodes_[v];
    node.suspended = false;
    ++node.timer;
    for (std::uint32_t in = sides_.find(v, node.ready, model::any_port, model::KindSet::all());
         in != none; in = sides_.find(v, node.ready, model::any_port, model::KindSet::all())) {
        messages_.drop(sides_.take(node.ready, in));
        ++outcome_.lost;
    }
}

void NodeSimulation::restart(NodeId v) {
    nodes_[v].down = false;
    program_.restart(v, ports(v));
    resume(v);
}

// A node that was asked to leave has handed on all its tokens and ended: its channels
// end with it.
void NodeSimulation::depart(NodeId v) {
    Node& node = nodes_[v];
    stop_node(v);
    channels_.drop_all_of(v);
    for (std::uint32_t side = sides_.first(v); side < sides_.first(v) + degree(v); ++side) {
        close_account(v, side, 0);
        close_account(sides_[side].neighbour, sides_[side].reverse, 0);
        if (!nodes_[sides_[side].neighbour].absent) program_.part(sides_[side].reverse);
    }
    EQUIPOISE_ASSERT(node.tokens == 0);
    node.leaving = false;
    node.absent = true;
    --leaving_count_;
    departed_.push_back(v);
}

// Books the tokens that have left, as the end that hands them over says.
void NodeSimulation::close_account(NodeId v, std::uint32_t side, Tokens leaving) {
    const Tokens made = bookings_.hand_over(sides_.side_count(), side, leaving);
    in_flight_ += made + leaving;
    count_up(outcome_.exchanges, static_cast<std::uint64_t>(leaving), "number of exchanges");
    if (made == 0) return;
    if (made > 0)
        ledger_.create(made);
    else
        ledger_.destroy(-made);
    if (options_.lists_transfers) made_.push_back({order_.name(v), made});
}

bool NodeSimulation::recount() const {
    Tokens carried = 0;
    const auto add = [&](std::uint32_t message) { carried += messages_.tokens(message); };
    sides_.for_each_waiting(add);
    channels_.for_each(add);
    return carried - bookings_.in_doubt() == in_flight_ && ledger_.balances(loads(), in_flight_);
}

// Whether a link is settled as seen from one of its ends; so it is if an end is absent.
bool NodeSimulation::settled(std::uint32_t side) const {
    const LinkSide& here = sides_[side];
    const Node& node = nodes_[sides_[here.reverse].neighbour];
    const Node& there = nodes_[here.neighbour];
    return node.absent || there.absent ||
           program_.settled(
               node.tokens, side, there.tokens,
               port_states_ + std::size_t{here.reverse} * program_.traits().port_bytes);
}

}  // namespace equipoise::engine
