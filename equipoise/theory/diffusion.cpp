#include "equipoise/theory/diffusion.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

std::uint64_t idealised_smoothing_rounds(std::uint64_t node_count, Tokens discrepancy, double gap,
                                         double smoothness) {
    const auto spread = static_cast<double>(discrepancy);
    if (spread <= smoothness || node_count <= 1) return 0;
    const auto n = static_cast<double>(node_count);
    return saturating_ceil(2 / gap * (std::log(spread / smoothness) + 2 * std::log(n)));
}

Tokens token_discrepancy(double smoothness, double deviation) {
    // A bound that is a whole number up to rounding must not lose a token to it.
    constexpr double slack = 1e-9;
    const double bound = std::floor(smoothness + 2 * deviation * (1 + slack) + slack);
    return bound < static_cast<double>(tokens_max) ? static_cast<Tokens>(bound) : tokens_max;
}

Tokens frozen_discrepancy(Tokens divisor_max, std::uint64_t diameter) {
    return checked_multiply(divisor_max - 1, static_cast<Tokens>(diameter));
}

double local_divergence_bound(std::uint64_t node_count, std::uint64_t degree_max, double gap,
                              bool symmetric, double share) {
    if (node_count <= 1) return 0;
    const double factor = symmetric ? 1 : 2;
    const auto n = static_cast<double>(node_count);
    const auto d = static_cast<double>(degree_max);
    const double rounds = std::ceil(1.5 * factor * std::log(n) / gap);
    const double uneven = std::max(1.0, std::sqrt(d / (4 * share * (1 - share))) / n);
    return d * rounds + factor * uneven / gap;
}

std::uint64_t counting_rounds(std::uint64_t node_count, Tokens discrepancy) {
    if (discrepancy <= 0 || node_count <= 1) return 0;
    if (discrepancy == 1) return node_count;
    const auto wide = 2 * static_cast<UInt128>(node_count) * static_cast<UInt128>(discrepancy - 1);
    return static_cast<std::uint64_t>(std::min(wide, static_cast<UInt128>(~std::uint64_t{0})));
}

std::uint64_t counting_rounds_after_smoothing(std::uint64_t node_count, Tokens discrepancy,
                                              double gap, double deviation) {
    constexpr double smoothness = 1;
    const std::uint64_t smoothing =
        idealised_smoothing_rounds(node_count, discrepancy, gap, smoothness);
    const std::uint64_t counting =
        counting_rounds(node_count, token_discrepancy(smoothness, deviation));
    return smoothing > ~counting ? ~std::uint64_t{0} : smoothing + counting;
}

}  // namespace equipoise::theory
