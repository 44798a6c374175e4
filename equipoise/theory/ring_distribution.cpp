#include "equipoise/theory/ring_distribution.hpp"

#include <algorithm>

namespace equipoise::theory {

std::uint64_t ring_off_line_steps_bound(std::span<const Tokens> loads) {
    const auto nodes = static_cast<Int128>(loads.size());
    Int128 total = 0;
    for (const Tokens load : loads)
        total += load;
    Int128 before = 0;
    Int128 most = 0;
    Int128 least = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const Int128 ahead = before - static_cast<Int128>(i) * total / nodes;
        most = std::max(most, ahead);
        least = std::min(least, ahead);
        before += loads[i];
    }
    if (most == least) return 0;
    return static_cast<std::uint64_t>((most - least + 1) / 2 + nodes - 1);
}

std::uint64_t ring_distribution_steps(std::uint64_t nodes, std::uint64_t optimum) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    return optimum > (most - nodes) / 4 ? most : 4 * optimum + nodes;
}

}  // namespace equipoise::theory
