#pragma once
// The simulation's replay of a recorded order of deliveries.

#include <string>

#include "equipoise/engine/simulation/simulation.hpp"

namespace equipoise::engine {

/// Nodes that started together start; the others wait for their turn in the order.
template <model::NodeProgram Program>
void Simulation<Program>::start_replayed() {
    if (options_.faults.any() || options_.churns)
        throw InputError("replay: expected a world without faults, whose order says all");
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        create_frame(v);
        nodes_[v].ask = {model::for_ever, model::any_port, model::KindSet(),
                         model::Ask::Verb::sleep};
        nodes_[v].suspended = true;
    }
    const auto& order = *options_.replays;
    while (replayed_ < order.size() && order[replayed_].arrived == 0 &&
           order[replayed_].from == order[replayed_].to) {
        const NodeId v = order[replayed_++].to;
        if (v >= nodes_.size() || nodes_[v].begun)
            throw InputError("replay: expected every node to start once, found node " +
                             std::to_string(v) + " again or unknown");
        nodes_[v].suspended = false;
        if (log_.wanted()) log_.note_clock(v, 0);
        resume(v);
    }
    run_woken();
}

/// Plays the next event of the order.
template <model::NodeProgram Program>
void Simulation<Program>::play_replayed() {
    const model::Delivery& next = (*options_.replays)[replayed_++];
    const auto refuse = [&](const char* expected) {
        throw InputError("replay: delivery " + std::to_string(replayed_) + " from node " +
                         std::to_string(next.from) + " to node " + std::to_string(next.to) +
                         ": expected " + expected + ", found none");
    };
    if (next.to >= nodes_.size()) refuse("a node of that number");
    if (next.from == next.to) {
        const Node& node = nodes_[next.to];
        if (!node.suspended || (node.begun && node.ask.within == model::for_ever))
            refuse("a node that waits for its clock");
        end_timer(next.to, next.arrived);
        return;
    }
    std::uint32_t in = sides_.first(next.to);
    const std::uint32_t end = in + degree(next.to);
    while (in < end && sides_[in].neighbour != next.from)
        ++in;
    if (in == end || !transit_.holds(in)) refuse("a message on its way");
    deliver({next.arrived, next.to, in, transit_.take_held(in)});
}

}  // namespace equipoise::engine
