#include "equipoise/optimum/steps/whole_steps.hpp"

#include <algorithm>

#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

WholeSteps::WholeSteps(const Problem& problem, std::span<const Tokens> flow, Step steps)
    : problem_(problem),
      steps_left_(static_cast<Tokens>(steps)),
      left_(flow.begin(), flow.end()),
      left_out_(problem.loads.size(), 0),
      left_in_(problem.loads.size(), 0),
      may_send_(problem.loads.size(), 0),
      may_take_(problem.loads.size(), 0),
      held_(problem.loads) {
    for (NodeId node = 0; node < held_.size(); ++node)
        for (Port port = 0; port < problem_.network->degree(node); ++port) {
            const Tokens tokens = left_to_send(node, port);
            (tokens > 0 ? left_out_ : left_in_)[node] += tokens > 0 ? tokens : -tokens;
        }
}

Tokens WholeSteps::left_to_send(NodeId node, Port port) const {
    const Tokens tokens = left_[problem_.network->link(node, port)];
    return node < problem_.network->neighbour(node, port) ? tokens : -tokens;
}

void WholeSteps::send(NodeId node, Port port) {
    const NodeId other = problem_.network->neighbour(node, port);
    left_[problem_.network->link(node, port)] -= node < other ? 1 : -1;
    --left_out_[node];
    --left_in_[other];
    --may_send_[node];
    --may_take_[other];
    moves_.push_back({node, port});
}

void WholeSteps::send_to_neediest(NodeId node) {
    const network::Network& network = *problem_.network;
    while (may_send_[node] > 0 && left_out_[node] > 0) {
        Port best = network.degree(node);
        Tokens most = 0;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (left_to_send(node, port) <= 0 || may_take_[other] == 0 || left_in_[other] <= most)
                continue;
            most = left_in_[other];
            best = port;
        }
        if (best == network.degree(node)) return;
        send(node, best);
    }
}

void WholeSteps::take_from_fullest(NodeId node) {
    const network::Network& network = *problem_.network;
    while (may_take_[node] > 0 && left_in_[node] > 0) {
        NodeId best = no_node;
        Tokens most = 0;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (left_to_send(node, port) >= 0 || may_send_[other] == 0 || left_out_[other] <= most)
                continue;
            most = left_out_[other];
            best = other;
        }
        if (best == no_node) return;
        send(best, *network::port_to(network, best, node));
    }
}

/// With all ports: a token over each link, first where most is left.
void WholeSteps::send_over_all(NodeId node) {
    ports_.clear();
    for (Port port = 0; port < problem_.network->degree(node); ++port)
        if (left_to_send(node, port) > 0) ports_.push_back(port);
    std::sort(ports_.begin(), ports_.end(),
              [&](Port a, Port b) { return left_to_send(node, a) > left_to_send(node, b); });
    for (const Port port : ports_)
        if (may_send_[node] > 0) send(node, port);
}

std::span<const WholeSteps::Move> WholeSteps::next() {
    const network::Network& network = *problem_.network;
    moves_.clear();
    for (NodeId node = 0; node < held_.size(); ++node) {
        may_take_[node] = problem_.ports_of(node);
        may_send_[node] =
            problem_.all_ports ? held_[node] : std::min(held_[node], problem_.ports_of(node));
    }
    if (problem_.all_ports) {
        for (NodeId node = 0; node < held_.size(); ++node)
            send_over_all(node);
    } else {
        for (NodeId node = 0; node < held_.size(); ++node) {
            const Int128 most = Int128{steps_left_} * problem_.ports_of(node);
            if (Int128{left_in_[node]} >= most) take_from_fullest(node);
            if (Int128{left_out_[node]} >= most) send_to_neediest(node);
        }
        for (NodeId node = 0; node < held_.size(); ++node)
            send_to_neediest(node);
    }
    for (const auto& [from, port] : moves_) {
        --held_[from];
        ++held_[network.neighbour(from, port)];
    }
    --steps_left_;
    return moves_;
}

}  // namespace equipoise::optimum
