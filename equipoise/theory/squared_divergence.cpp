#include "equipoise/theory/squared_divergence.hpp"

#include <algorithm>
#include <cmath>

namespace equipoise::theory {

namespace {

/// A row of the identity less 1/N has this squared length.
double start(std::uint64_t node_count) {
    return node_count < 2 ? 0 : 1 - 1 / static_cast<double>(node_count);
}

}  // namespace

double squared_divergence_of_matchings(std::uint64_t node_count, double share) {
    return start(node_count) / (2 * share * (1 - share));
}

double squared_divergence_of_diffusion(std::uint64_t node_count, double weight_min,
                                       double eigenvalue_min) {
    return start(node_count) / (weight_min * (1 + eigenvalue_min));
}

double divergence_by_squares(double links, double squared, double decay) {
    // sqrt(x) / (1 - e^-x) is least where e^x = 1 + 2x.
    constexpr double best = 1.2564312086;
    const double rate = -std::log(decay);
    const auto bound = [&](double tau) {
        return std::sqrt(tau * links * squared) / -std::expm1(-rate * tau);
    };
    const double tau = std::max(1.0, std::floor(best / rate));
    return std::min(bound(tau), bound(tau + 1));
}

double random_rounding_deviation(std::uint64_t node_count, double squared, double probability) {
    return std::sqrt(squared * std::log(2 * static_cast<double>(node_count) / probability) / 2);
}

double divergence_of_rounds_together(double degree_max, double links, double gap,
                                     std::uint64_t rounds) {
    // q^tau / (1 - q) and what it saves: a further block costs d k and saves k sqrt(2 d m) q^tau.
    const double decay = std::sqrt(1 - gap);
    const double tail = std::sqrt(2 * degree_max * links);
    const double below_one = gap / (1 + decay);
    double blocks = 0;
    if (tail > degree_max && decay > 0)
        blocks = std::ceil(std::log(tail / degree_max) / -std::log(decay));
    return static_cast<double>(rounds) *
           (degree_max * blocks + tail * std::pow(decay, blocks) / below_one);
}

double odd_cycle_circuit_divergence(std::uint64_t node_count) {
    const auto n = static_cast<double>(node_count);
    return n / 2 + 1 / (2 * n) + 1 / (n * n);
}

}  // namespace equipoise::theory
