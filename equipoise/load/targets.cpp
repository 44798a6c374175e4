#include "equipoise/load/targets.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
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

Shares shares_by_speed(Tokens tokens, std::span<const std::uint64_t> speeds) {
    if (tokens < 0) throw InputError("expected 0 or more tokens to share out by speed");
    UInt128 speed_total = 0;
    for (const std::uint64_t speed : speeds)
        speed_total += speed;
    if (speed_total == 0) throw InputError("expected a speed above 0 for at least one node");

    Shares shares;
    shares.least.resize(speeds.size());
    std::vector<UInt128> remainders(speeds.size());
    Tokens left = tokens;
    for (std::size_t node = 0; node < speeds.size(); ++node) {
        const UInt128 product = static_cast<UInt128>(tokens) * speeds[node];  // below 2^61 * 2^64
        shares.least[node] = static_cast<Tokens>(product / speed_total);
        remainders[node] = product % speed_total;
        left -= shares.least[node];
    }
    if (left == 0) return shares;
    // The remainders add up to left * S and each is below S: more than `left` of them are not 0.
    std::vector<UInt128> sorted = remainders;
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    for (std::size_t node = 0; node < speeds.size(); ++node) {
        if (remainders[node] == *last) shares.tied.push_back(static_cast<NodeId>(node));
        if (remainders[node] <= *last) continue;
        ++shares.least[node];
        --left;
    }
    shares.odd = left;
    if (static_cast<std::size_t>(shares.odd) < shares.tied.size()) return shares;
    for (const NodeId node : shares.tied)
        ++shares.least[node];
    shares.tied.clear();
    shares.odd = 0;
    return shares;
}

Loads targets_by_speed(Tokens tokens, std::span<const std::uint64_t> speeds) {
    Shares shares = shares_by_speed(tokens, speeds);
    for (std::size_t i = 0; i < static_cast<std::size_t>(shares.odd); ++i)
        ++shares.least[shares.tied[i]];
    return std::move(shares.least);
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
