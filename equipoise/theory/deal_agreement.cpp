#include "equipoise/theory/deal_agreement.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/base/error.hpp"
#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

namespace {

/// (8nD + 1) ln(ceil(nK^2 / 2D^2)), not rounded.
double lemma_7(double n, double d, Tokens discrepancy) {
    const double ratio = static_cast<double>(discrepancy) / d;
    return (8 * n * d + 1) * std::log(std::max(1.0, std::ceil(n * ratio * ratio / 2)));
}

}  // namespace

std::uint64_t deal_agreement_1_rounds(std::uint64_t node_count, std::uint64_t diameter,
                                      double discrepancy, double epsilon) {
    if (node_count <= 1 || discrepancy <= epsilon) return 0;
    const auto n = static_cast<double>(node_count);
    const auto d = static_cast<double>(diameter);
    const double ratio = discrepancy / epsilon;
    return saturating_ceil((2 * n * d + 1) * std::log(std::ceil(2 * n * ratio * ratio)));
}

unsigned deal_agreement_1_fraction_bits(std::uint64_t diameter, double epsilon) {
    constexpr double guard = 256;
    constexpr double bits_max = 61;
    const double units = std::max(1.0, static_cast<double>(diameter)) * guard / epsilon;
    const double bits = std::max(0.0, std::ceil(std::log2(units)));
    if (bits > bits_max) throw OverflowError("diameter / epsilon");
    return static_cast<unsigned>(bits);
}

std::uint64_t deal_agreement_2_rounds_to_twice_the_diameter(std::uint64_t node_count,
                                                            std::uint64_t diameter,
                                                            Tokens discrepancy) {
    const auto d = static_cast<double>(diameter);
    if (node_count <= 1 || diameter == 0 || static_cast<double>(discrepancy) < 2 * d) return 0;
    return saturating_ceil(lemma_7(static_cast<double>(node_count), d, discrepancy));
}

std::uint64_t deal_agreement_2_rounds(std::uint64_t node_count, std::uint64_t diameter,
                                      Tokens discrepancy) {
    if (node_count <= 1 || discrepancy <= 1 || diameter == 0) return 0;
    const auto n = static_cast<double>(node_count);
    const auto d = static_cast<double>(diameter);
    return saturating_ceil(lemma_7(n, d, discrepancy) + 2 * n * d * d);
}

std::uint64_t deal_rounds_by_potential(Int128 scaled_potential, std::uint64_t node_count) {
    if (node_count == 0) return 0;
    const Int128 rounds = scaled_potential / (2 * static_cast<Int128>(node_count));
    return static_cast<std::uint64_t>(std::min(rounds, static_cast<Int128>(~std::uint64_t{0})));
}

double deal_agreement_2_fall(std::uint64_t diameter, Tokens discrepancy) {
    constexpr double least = 2;
    const auto d = static_cast<double>(diameter);
    const double excess = static_cast<double>(discrepancy) - d;
    if (diameter == 0 || excess <= 0) return least;
    return std::max({least, excess, excess * excess / (2 * d)});
}

double deal_agreement_2_deal_rounds(std::uint64_t node_count, std::uint64_t diameter,
                                    Tokens discrepancy) {
    if (node_count <= 1 || discrepancy <= 1 || diameter == 0) return 0;
    const auto n = static_cast<double>(node_count);
    const auto d = static_cast<double>(diameter);
    const auto k_last = static_cast<double>(discrepancy);
    double rounds = n / deal_agreement_2_fall(diameter, 2);
    const double summed = std::min(k_last, 3 * d);
    for (Tokens k = 3; static_cast<double>(k) <= summed; ++k)
        rounds += n * static_cast<double>(2 * k - 1) / (4 * deal_agreement_2_fall(diameter, k));
    if (k_last > 3 * d) rounds += n * d * (std::log((k_last - d) / (2 * d)) + 1.0 / 2);
    return rounds;
}

std::uint64_t deal_agreement_3_rounds(std::uint64_t node_count, Tokens discrepancy) {
    const UInt128 square = static_cast<UInt128>(discrepancy) * static_cast<UInt128>(discrepancy);
    constexpr UInt128 most = ~std::uint64_t{0};
    if (node_count != 0 && square / 8 > most / node_count) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(std::min(square * node_count / 8, most));
}

}  // namespace equipoise::theory
