#include "equipoise/theory/token_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::theory {

namespace {

double longest(std::span<const std::uint64_t> sides) {
    return sides.empty() ? 0 : static_cast<double>(*std::max_element(sides.begin(), sides.end()));
}

/// base^exponent, at most `most`.
Int128 power(std::uint64_t base, std::uint64_t exponent, Int128 most) {
    Int128 result = 1;
    for (std::uint64_t i = 0; i < exponent && result < most; ++i)
        result *= static_cast<Int128>(base);
    return std::min(result, most);
}

}  // namespace

std::uint64_t off_line_steps_bound(std::uint64_t static_bound, std::uint64_t node_count,
                                   std::uint64_t empty) {
    return static_bound + std::min(node_count < 2 ? 0 : node_count - 2, empty);
}

double distribution_root(std::span<const std::uint64_t> sides, Tokens tokens, Tokens load_max) {
    if (tokens <= 0 || load_max <= 0) return 0;
    std::vector<std::uint64_t> rising(sides.begin(), sides.end());
    std::sort(rising.begin(), rising.end());
    double cells = static_cast<double>(tokens) / static_cast<double>(load_max);
    double side = 0;
    for (std::size_t i = 0; i < rising.size(); ++i) {
        side = std::pow(cells, 1 / static_cast<double>(rising.size() - i));
        if (side <= static_cast<double>(rising[i])) break;
        cells /= static_cast<double>(rising[i]);  // the cube is cut off at this side
    }
    return static_cast<double>(load_max) * side;
}

std::uint64_t weak_lower_bound(std::uint64_t side, std::uint64_t dimensions, Tokens tokens,
                               Tokens load_max) {
    constexpr Int128 most = Int128{1} << 62;
    const Int128 nodes = power(side, dimensions, most);
    if (dimensions == 0 || load_max <= 0 || tokens < load_max || tokens > load_max * nodes)
        throw UnsuitableError("Theorem 2(a): expected d >= 1 and 0 < k <= N <= k n^d, found d = " +
                              std::to_string(dimensions) + ", k = " + std::to_string(load_max) +
                              ", N = " + std::to_string(tokens));
    std::uint64_t a = 1;
    while (load_max * power(a, dimensions, most) < tokens)
        ++a;
    const Int128 mean = (tokens + nodes - 1) / nodes;
    const Int128 surplus = tokens - mean * power(a, dimensions, most);
    const Int128 links = static_cast<Int128>(dimensions) * power(a, dimensions - 1, most);
    return surplus <= 0 || a >= side ? 0
                                     : static_cast<std::uint64_t>((surplus + links - 1) / links);
}

std::uint64_t most_steps(std::uint64_t static_bound, Tokens surplus) {
    std::uint64_t steps = 0;
    for (auto left = static_cast<std::uint64_t>(surplus); left > 0; ++steps)
        left -= left / static_bound + (left % static_bound != 0 ? 1 : 0);
    return steps;
}

std::uint64_t largest_excess(std::uint64_t node_count) {
    std::uint64_t largest = 0;
    for (std::uint64_t bound = 1; bound < node_count; ++bound) {
        // The largest w with w + ceil(w / bound) <= p.
        const std::uint64_t rest = node_count % (bound + 1);
        const std::uint64_t surplus = node_count / (bound + 1) * bound + (rest > 0 ? rest - 1 : 0);
        if (surplus < bound) continue;
        largest = std::max(largest, most_steps(bound, static_cast<Tokens>(surplus)) - bound);
    }
    return largest;
}

double weak_order(std::span<const std::uint64_t> sides, Tokens tokens, Tokens load_max) {
    return std::exp2(static_cast<double>(sides.size())) *
           (distribution_root(sides, tokens, load_max) + longest(sides));
}

double faster_order(std::span<const std::uint64_t> sides, Tokens tokens, Tokens load_max) {
    const auto d = static_cast<double>(sides.size());
    return d * d * (distribution_root(sides, tokens, load_max) + longest(sides));
}

double strong_order(std::uint64_t dimensions, Tokens load_max, std::uint64_t fewest_steps) {
    const auto d = static_cast<double>(dimensions);
    const double levels = load_max < 2 ? 1 : std::ceil(std::log2(static_cast<double>(load_max)));
    return d * d * d * levels * static_cast<double>(std::max<std::uint64_t>(1, fewest_steps));
}

}  // namespace equipoise::theory
