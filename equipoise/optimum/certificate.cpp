#include "equipoise/optimum/certificate.hpp"

#include <algorithm>

namespace equipoise::optimum {

Tokens leaving_a_step(const Problem& problem, const Zone& zone) {
    Tokens sum = 0;
    for (const NodeId node : zone.senders)
        sum = checked_add(sum, problem.ports_of(node));
    for (const NodeId node : zone.receivers)
        sum = checked_add(sum, problem.ports_of(node));
    for (const NodeId node : zone.dropped)
        sum = checked_add(sum, problem.capacities[node]);
    return sum;
}

void add_up(const Problem& problem, Certificate& certificate) {
    Tokens held = 0;
    if (!certificate.zones.empty())
        for (const NodeId node : certificate.zones.front().nodes)
            held = checked_add(held, problem.loads[node]);
    certificate.surplus = held - problem.target.room(certificate.last_zone);
    certificate.crossings = 0;
    for (const Zone& zone : certificate.zones)
        certificate.crossings = checked_add(
            certificate.crossings,
            checked_multiply(leaving_a_step(problem, zone), static_cast<Tokens>(zone.steps)));
}

void add_up(const Problem& problem, CutOverTime& cut) {
    const network::Network& network = *problem.network;
    cut.surplus = 0;
    cut.crossings = 0;
    const auto cross = [&](Step first, Step end, Tokens a_step) {
        if (first >= end) return;
        cut.crossings =
            checked_add(cut.crossings, checked_multiply(a_step, static_cast<Tokens>(end - first)));
    };
    std::vector<NodeId> inside;
    for (NodeId node = 0; node < cut.nodes.size(); ++node) {
        const CutOverTime::Node& at = cut.nodes[node];
        const Tokens ports = problem.ports_of(node);
        cross(at.send_first, at.send_end, ports);
        cross(at.receive_first, at.receive_end, ports);
        if (at.inside > cut.steps) continue;
        inside.push_back(node);
        if (at.inside == 0) cut.surplus = checked_add(cut.surplus, problem.loads[node]);
        if (!problem.all_ports || ports == 0) continue;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            const Step delay = problem.delay_of(network.link(node, port));
            // Tokens that cross in time, and arrive before the other node joins.
            const Step joins = std::min(cut.nodes[other].inside, cut.steps + 1);
            if (problem.ports_of(other) > 0 && joins > delay) cross(at.inside, joins - delay, 1);
        }
    }
    cut.surplus -= problem.target.room(inside);
}

}  // namespace equipoise::optimum
