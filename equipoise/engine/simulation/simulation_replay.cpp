// The simulation's order of deliveries: making an entry, and replaying a recorded order.

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/node_simulation.hpp"
#include "equipoise/engine/simulation/replay_errors.hpp"

namespace equipoise::engine {

model::Delivery NodeSimulation::delivery_of(const Arrival& arrival) const {
    return {0,
            arrival.time,
            sides_[arrival.in].neighbour,
            arrival.node,
            messages_.kind(arrival.message),
            messages_.tokens(arrival.message)};
}

// Starts the nodes that started together; the others wait for their turn in the order.
void NodeSimulation::start_replayed() {
    if (options_.faults.any() || options_.churns)
        throw InputError("replay: expected a simulation without faults, whose order says all");
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        nodes_[v].ask = {model::for_ever, model::any_port, model::KindSet(),
                         model::Ask::Verb::sleep};
        nodes_[v].suspended = true;
    }
    const auto& order = *options_.replays;
    arbitrated_ = std::any_of(order.begin(), order.end(), [](const model::Delivery& event) {
        return event.from == event.to && event.kind != model::clock_event;
    });
    while (replayed_ < order.size() && order[replayed_].arrived == 0 &&
           order[replayed_].from == order[replayed_].to) {
        const NodeId v = order[replayed_++].to;
        if (v >= nodes_.size() || nodes_[v].begun) refuse_start(v);
        nodes_[v].suspended = false;
        if (log_.wanted()) log_.note_event(v, 0, model::clock_event);
        resume(v);
    }
    run_woken();
}

// Plays the next event of the order.
void NodeSimulation::play_replayed() {
    const model::Delivery& next = (*options_.replays)[replayed_++];
    const auto refuse = [&](const char* expected) { refuse_delivery(replayed_, next, expected); };
    if (next.to >= nodes_.size()) refuse("a node of that number");
    if (next.from == next.to) {
        const Node& node = nodes_[next.to];
        if (next.kind != model::clock_event) {
            using Verb = model::Ask::Verb;
            if (!node.begun || !node.suspended ||
                (node.ask.verb != Verb::reserve && node.ask.verb != Verb::acquire))
                refuse("a node that asks for a channel");
            now_ = next.arrived;
            return answer_replayed(next.to, next.kind == model::granted_event);
        }
        if (!node.suspended || (node.begun && node.ask.within == model::for_ever))
            refuse("a node that waits for its clock");
        end_timer(next.to, next.arrived);
        return;
    }
    std::uint32_t in = sides_.first(next.to);
    const std::uint32_t end = in + degree(next.to);
    while (in < end && sides_[in].neighbour != next.from)
        ++in;
    if (in == end || !channels_.holds(in)) refuse("a message on its way");
    deliver({next.arrived, next.to, in, channels_.take_held(in)});
}

// A channel goes to one end only when the other does not hold it.
void NodeSimulation::answer_replayed(NodeId v, bool granted) {
    const std::uint32_t side = side_of(v, nodes_[v].ask.port);
    LinkSide& other = sides_[sides_[side].reverse];
    if (granted && other.reserved) {
        if (!other.released) refuse_grant(replayed_, v);
        other.reserved = false;
        sides_[side].taken = false;
    }
    digest_.add(now_);
    digest_.add(~std::uint64_t{v} ^ (granted ? 1U : 2U) * (std::uint64_t{1} << 62U));
    if (log_.wanted())
        log_.note_event(v, now_, granted ? model::granted_event : model::refused_event);
    nodes_[v].granted = granted;
    nodes_[v].time_over = true;
    wake(v);
}

}  // namespace equipoise::engine
