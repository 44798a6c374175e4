#include "equipoise/optimum/exchanges/exchanges_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

namespace {

/// How much a node may take until it is full; 0 or less if it is.
Tokens room_of(const Problem& problem, NodeId node) {
    return problem.target.base[node] - problem.loads[node] +
           (problem.target.extras > 0 && problem.target.extra_at(node) ? 1 : 0);
}

/// The rooms of nodes that overfull ones reach, each with its distance from the nearest of them.
std::vector<std::pair<std::uint32_t, Tokens>> rooms_by_distance(const Problem& problem) {
    constexpr std::uint32_t unreached = ~std::uint32_t{0};
    const network::Network& network = *problem.network;
    std::vector<std::uint32_t> distance(network.node_count(), unreached);
    std::vector<NodeId> order;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (problem.loads[node] <= problem.target.base[node]) continue;
        distance[node] = 0;
        order.push_back(node);
    }
    std::vector<std::pair<std::uint32_t, Tokens>> rooms;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const NodeId node = order[i];
        if (distance[node] > 0 && room_of(problem, node) > 0)
            rooms.emplace_back(distance[node], room_of(problem, node));
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (distance[other] != unreached) continue;
            distance[other] = distance[node] + 1;
            order.push_back(other);
        }
    }
    return rooms;  // the nearest first, as they were found
}

}  // namespace

Int128 exchanges_at_least(const Problem& problem) {
    Tokens left = minimum_moves(problem.loads, problem.target);
    Int128 sum = 0;
    for (const auto& [distance, room] : rooms_by_distance(problem)) {
        const Tokens taken = std::min(left, room);
        sum += Int128{taken} * distance;
        left -= taken;
        if (left == 0) break;
    }
    return sum;
}

void expect_countable_exchanges(const Problem& problem) {
    const Int128 least = exchanges_at_least(problem);
    constexpr Tokens most = std::numeric_limits<Tokens>::max();
    if (least > most)
        throw InputError("a plan for " + std::to_string(load::total(problem.loads)) +
                         " tokens makes at least " + load::to_decimal(least) +
                         " exchanges (tokens times links), more than the " + std::to_string(most) +
                         " that can be counted");
}

void expect_writable_moves(const Problem& problem, const MovesLimit& limit) {
    const Int128 least = exchanges_at_least(problem);
    if (!limit.allows(least))
        throw InputError("the schedule has at least " + load::to_decimal(least) + " moves, " +
                         limit.exceeded_by(least));
}

}  // namespace equipoise::optimum
