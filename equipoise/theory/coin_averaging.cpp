#include "equipoise/theory/coin_averaging.hpp"

#include <cmath>

#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

Int128 averaging_gain(Tokens a, Tokens b) {
    const Int128 difference = Int128{a} - b;
    return difference * difference / 2;
}

double averaging_potential(double potential, std::uint64_t links, double probability,
                           double eigenvalue, std::uint64_t steps) {
    const double kept = 1 - probability * eigenvalue / 2;
    return std::pow(kept, static_cast<double>(steps)) * potential +
           static_cast<double>(links) / eigenvalue;
}

std::uint64_t random_pairs_steps(std::uint64_t node_count, Int128 scaled_potential, double delta) {
    const auto nodes = static_cast<double>(node_count);
    const double above = static_cast<double>(scaled_potential) / nodes - nodes / 4;
    if (above < 1) return 0;  // it is an even number
    return saturating_ceil((nodes - 1) * std::log(above / (2 * delta)));
}

}  // namespace equipoise::theory
