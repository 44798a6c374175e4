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

}  // namespace equipoise::optimum
