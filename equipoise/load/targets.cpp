#include "equipoise/load/targets.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::load {

MeanLoad mean_load(Tokens tokens, NodeId node_count) {
    EQUIPOISE_ASSERT(node_count > 0);
    MeanLoad mean;
    mean.floor = floor_divide(tokens, Tokens{node_count});
    mean.ceiling = ceil_divide(tokens, Tokens{node_count});
    mean.nodes_at_ceiling = static_cast<NodeId>(tokens - mean.floor * Tokens{node_count});
    return mean;
}

Loads even_targets(Tokens tokens, NodeId node_count) {
    const MeanLoad mean = mean_load(tokens, node_count);
    Loads targets(node_count, mean.floor);
    std::fill_n(targets.begin(), mean.nodes_at_ceiling, mean.ceiling);
    return targets;
}

Loads targets_by_speed(Tokens tokens, std::span<const std::uint64_t> speeds) {
    if (tokens < 0) throw InputError("expected 0 or more tokens to share out by speed");
    UInt128 speed_total = 0;
    for (const std::uint64_t speed : speeds)
        speed_total += speed;
    if (speed_total == 0) throw InputError("expected a speed above 0 for at least one node");

    Loads targets(speeds.size());
    Tokens left = tokens;
    const auto product = [&](std::size_t node) {  // below 2^61 * 2^64
        return static_cast<UInt128>(tokens) * speeds[node];
    };
    for (std::size_t node = 0; node < speeds.size(); ++node) {
        targets[node] = static_cast<Tokens>(product(node) / speed_total);
        left -= targets[node];
    }
    // The remainders add up to left * S and each is below S: more than `left` of them are not 0.
    std::vector<NodeId> order(speeds.size());
    for (NodeId node = 0; node < order.size(); ++node)
        order[node] = node;
    const auto larger_remainder = [&](NodeId a, NodeId b) {
        const UInt128 of_a = product(a) % speed_total;
        const UInt128 of_b = product(b) % speed_total;
        return of_a != of_b ? of_a > of_b : a < b;
    };
    if (left > 0)
        std::nth_element(order.begin(), order.begin() + left, order.end(), larger_remainder);
    for (Tokens i = 0; i < left; ++i)
        ++targets[order[static_cast<std::size_t>(i)]];
    return targets;
}

Fraction imbalance_by_speed(std::span<const Tokens> loads, std::span<const Tokens> speeds) {
    EQUIPOISE_ASSERT(loads.size() == speeds.size());
    const auto emptier = [&](std::size_t a, std::size_t b) {
        return Int128{loads[a]} * speeds[b] < Int128{loads[b]} * speeds[a];
    };
    std::optional<std::size_t> least;
    std::optional<std::size_t> most;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        if (speeds[node] == 0) continue;
        if (!least || emptier(node, *least)) least = node;
        if (!most || emptier(*most, node)) most = node;
    }
    if (!least) return {};
    return {Int128{loads[*most]} * speeds[*least] - Int128{loads[*least]} * speeds[*most],
            Int128{speeds[*most]} * speeds[*least]};
}

Fraction distance_from_shares(std::span<const Tokens> loads, std::span<const Tokens> speeds) {
    EQUIPOISE_ASSERT(loads.size() == speeds.size());
    Int128 speed_total = 0;
    for (const Tokens speed : speeds)
        speed_total += speed;
    EQUIPOISE_ASSERT(speed_total > 0);
    const Int128 tokens = total(loads);
    Int128 farthest = 0;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        const Int128 above = loads[node] * speed_total - tokens * speeds[node];
        farthest = std::max(farthest, above < 0 ? -above : above);
    }
    return {farthest, speed_total};
}

}  // namespace equipoise::load
