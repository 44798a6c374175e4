#include "equipoise/theory/polynomial_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::theory {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// ln(e^a + e^b).
double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

}  // namespace

Tokens imitated_discrepancy(Port largest_degree, Port second_degree, double spread) {
    const double bound =
        (static_cast<double>(largest_degree) + static_cast<double>(second_degree)) / 2 + spread;
    return bound < static_cast<double>(tokens_max) ? static_cast<Tokens>(std::floor(bound))
                                                   : tokens_max;
}

double log_factor(Enclosure eigenvalue, double root) {
    const double low = std::abs(1 - eigenvalue.least / root);
    const double high = std::abs(1 - eigenvalue.most / root);
    // Division and subtraction, and the fixed-point form of 1 / root.
    const double slack = 8 * epsilon * std::max(1.0, eigenvalue.most / root);
    return std::log(std::max(low, high) + slack);
}

ProductBound product_bound(std::span<const Enclosure> eigenvalues, std::span<const double> roots) {
    ProductBound bound;
    bound.noise = -std::numeric_limits<double>::infinity();
    bound.flow = bound.noise;
    if (eigenvalues.empty() || roots.empty()) return bound;
    std::vector<double> product(eigenvalues.size(), 0);
    const auto multiply = [&](double root) {
        for (std::size_t i = 0; i < eigenvalues.size(); ++i)
            product[i] += log_factor(eigenvalues[i], root);
        return *std::max_element(product.begin(), product.end());
    };
    double before = 0;
    for (const double root : roots) {
        bound.flow = std::max(bound.flow, before - std::log(root));
        before = multiply(root);
        bound.growth = std::max(bound.growth, before);
    }
    bound.residual = before;
    std::fill(product.begin(), product.end(), 0);
    double after = 0;
    for (std::size_t round = roots.size(); round-- > 0;) {
        bound.noise = log_sum(bound.noise, after);
        after = multiply(roots[round]);
    }
    return bound;
}

double chebyshev_rate(double least, double most) {
    const double g = (most - least) / (most + least);
    return g / (1 + std::sqrt(1 - g * g));
}

double chebyshev_residual(double rate, std::uint64_t rounds) {
    const double power = std::pow(rate, static_cast<double>(rounds));
    return 2 * power / (1 + power * power);
}

std::uint64_t chebyshev_rounds(double rate, double residual) {
    if (residual >= 1) return 0;
    if (rate <= 0) return 1;
    // 2 y / (1 + y^2) = residual for y = residual / (1 + sqrt(1 - residual^2)).
    const double power = residual / (1 + std::sqrt(1 - residual * residual));
    return std::max<std::uint64_t>(1, saturating_ceil(std::log(power) / std::log(rate)));
}

double chebyshev_noise(double rate) {
    return 2 / ((1 - rate) * (1 - rate));
}

}  // namespace equipoise::theory
