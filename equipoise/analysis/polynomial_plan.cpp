#include "equipoise/analysis/polynomial_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>

#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

constexpr unsigned bits_least = 64;  // protocols/polynomial_scheme.hpp
constexpr unsigned bits_most = 100;
constexpr std::size_t rounds_max = 1'000'000;
/// With more eigenvalues than this, descending order is not tried: errors would grow by more than
/// 100 bits.
constexpr std::size_t descending_most = 256;
/// More than doubles can be off in sums of logarithms and in products of few factors.
constexpr double rounded_up = 1 + 1e-6;

/// ln of the part of the distance that may be left.
double log_target(const SchemeStart& start) {
    return std::log(scheme_spread_max / (4 * std::numbers::sqrt2)) - std::log(start.distance);
}

/// Bits below the token such that numbers of at most e^`log_peak` tokens, and flows, added up at a
/// node, stay below 2^125; nothing if fewer than `bits_least`.
std::optional<unsigned> fraction_bits(double log_peak) {
    const double free = std::floor(124.5 - std::max(0.0, log_peak / std::numbers::ln2));
    if (!(free >= bits_least)) return std::nullopt;
    return std::min(bits_most, static_cast<unsigned>(free));
}

double log_peak(const SchemeStart& start, double growth, double flow) {
    const double distance = std::log(start.distance + 1);
    const double loads = std::max(std::log(start.load_max + 1), growth + distance) + 1;
    return std::max(loads, flow + distance + std::log(2 * (start.degree_max + 1)));
}

/// The product of all eigenvalues times a power of 2, with at least `bits_least` bits, if they are
/// whole numbers and it has at most `bits` bits.
std::optional<Int128> exact_unit(const LaplacianSpectrum& spectrum, unsigned bits) {
    Int128 one = 1;
    for (const theory::Enclosure& eigenvalue : spectrum.distinct) {
        const auto root = static_cast<Int128>(eigenvalue.least);
        if (eigenvalue.least != eigenvalue.most || static_cast<double>(root) != eigenvalue.least)
            return std::nullopt;
        if (one > (Int128{1} << bits) / root) return std::nullopt;
        one *= root;
    }
    while (one >> bits_least == 0)
        one *= 2;
    return one;
}

/// The plan with these roots; nothing if the bound is not reached.
std::optional<ProductPlan> with_roots(const LaplacianSpectrum& spectrum, const SchemeStart& start,
                                      RootOrder order, std::vector<double> roots) {
    ProductPlan plan{order, std::move(roots), false, 0, 0};
    const theory::ProductBound bound = theory::product_bound(spectrum.distinct, plan.roots);
    const auto bits = fraction_bits(log_peak(start, bound.growth, bound.flow));
    if (!bits) return std::nullopt;
    // All eigenvalues are used if there are that many different roots.
    std::vector<double> used = plan.roots;
    std::sort(used.begin(), used.end());
    const bool all_once = std::adjacent_find(used.begin(), used.end()) == used.end() &&
                          used.size() == spectrum.distinct.size();
    if (all_once) {
        if (const auto unit = exact_unit(spectrum, *bits)) {
            plan.one = *unit;
            plan.exact = true;
            return plan;
        }
    }
    plan.one = Int128{1} << *bits;
    const double left = std::exp(bound.residual) * start.distance;
    const double noise = std::exp(bound.noise - *bits * std::numbers::ln2) * start.degree_norm / 2;
    plan.spread = std::numbers::sqrt2 * (left + noise) * rounded_up;
    if (!(plan.spread <= scheme_spread_max)) return std::nullopt;
    return plan;
}

double middle(const theory::Enclosure& eigenvalue) {
    return eigenvalue.least == eigenvalue.most ? eigenvalue.least
                                               : (eigenvalue.least + eigenvalue.most) / 2;
}

std::vector<double> ascending_roots(const LaplacianSpectrum& spectrum) {
    std::vector<double> roots;
    for (const theory::Enclosure& eigenvalue : spectrum.distinct)
        roots.push_back(middle(eigenvalue));
    return roots;
}

/// Takes, again and again, the eigenvalue whose remaining part has the largest bound.
std::vector<double> leja_roots(const LaplacianSpectrum& spectrum, const SchemeStart& start) {
    std::vector<double> roots;
    std::vector<double> left(spectrum.distinct.size(), 0);
    const double target = log_target(start);
    while (!left.empty()) {
        // Among equal bounds, the largest eigenvalue.
        const auto worst = std::max_element(left.rbegin(), left.rend());
        if (!roots.empty() && *worst <= target) break;
        if (roots.size() == 3 * distinct_eigenvalues_max) break;
        const double root =
            middle(spectrum.distinct[static_cast<std::size_t>(left.rend() - worst) - 1]);
        roots.push_back(root);
        for (std::size_t i = 0; i < left.size(); ++i)
            left[i] += theory::log_factor(spectrum.distinct[i], root);
    }
    return roots;
}

}  // namespace

ProductPlan plan_product(const LaplacianSpectrum& spectrum, const SchemeStart& start,
                         RootOrder order) {
    std::vector<double> roots = ascending_roots(spectrum);
    std::optional<ProductPlan> plan;
    if (order == RootOrder::ascending) plan = with_roots(spectrum, start, order, roots);
    std::reverse(roots.begin(), roots.end());
    if (order == RootOrder::descending ||
        (order == RootOrder::automatic && roots.size() <= descending_most))
        plan = with_roots(spectrum, start, RootOrder::descending, roots);
    if (order == RootOrder::leja || (order == RootOrder::automatic && !plan))
        plan = with_roots(spectrum, start, RootOrder::leja, leja_roots(spectrum, start));
    if (plan) return *plan;
    const std::string errors =
        "errors of " + std::to_string(spectrum.distinct.size()) +
        " eigenvalues and of 128 bits would keep the idealised loads apart: expected ";
    if (order == RootOrder::descending || order == RootOrder::ascending)
        throw UnsuitableError("in this order " + errors + "order=leja");
    throw UnsuitableError(errors + "fewer tokens, or chebyshev");
}

ChebyshevPlan plan_chebyshev(theory::Enclosure ends, const SchemeStart& start,
                             std::uint64_t rounds) {
    const double centre = (ends.least + ends.most) / 2;
    const double g = 1 - ends.least / centre + 16 * epsilon;
    if (!(g < 1))
        throw UnsuitableError("the eigenvalues of this network are too far apart for chebyshev");
    ChebyshevPlan plan;
    plan.rate = g / (1 + std::sqrt((1 - g) * (1 + g)));
    if (rounds == 0)
        rounds = theory::chebyshev_rounds(plan.rate,
                                          start.distance > 0 ? std::exp(log_target(start)) : 1);
    rounds = std::max<std::uint64_t>(1, rounds);
    if (rounds > rounds_max)
        throw UnsuitableError("chebyshev would take " + std::to_string(rounds) +
                              " rounds on this network: expected at most " +
                              std::to_string(rounds_max));

    // omega in 62 fractional bits. With 2 in place of omega_1 the general formula gives omega_2.
    constexpr unsigned omega_bits = 62;
    constexpr auto omega_one = UInt128{1} << omega_bits;
    const auto g2 = static_cast<UInt128>(std::ldexp(g * g, 64));
    UInt128 omega = 2 * omega_one;
    plan.momenta.push_back(0);
    plan.roots.push_back(centre);
    while (plan.roots.size() < rounds) {
        omega = (UInt128{1} << (2 * omega_bits)) / (omega_one - (g2 * omega >> 66));
        plan.momenta.push_back(static_cast<std::uint64_t>((omega - omega_one) << 2));
        plan.roots.push_back(centre /
                             std::ldexp(static_cast<double>(omega), -static_cast<int>(omega_bits)));
    }

    const double distance = start.distance;
    const double flow = 4 / std::sqrt(ends.least);
    const auto bits = fraction_bits(log_peak(start, std::numbers::ln2, std::log(flow)));
    if (!bits)
        throw UnsuitableError(
            "128 bits do not hold the idealised loads of this network: expected fewer tokens");
    plan.one = Int128{1} << *bits;
    // Two terms are rounded for each flow; momenta are off by less than 2^-59, divisors by less
    // than 2^-51.
    const double most = std::sqrt(ends.most);
    const double coefficients = distance * most * (0x1p-59 * flow + 0x1p-51 * 4 / centre * most);
    const double noise = theory::chebyshev_noise(plan.rate) *
                         (coefficients + std::ldexp(start.degree_norm, -static_cast<int>(*bits)));
    const double left = theory::chebyshev_residual(plan.rate, rounds) * distance;
    plan.spread = std::numbers::sqrt2 * (left + noise) * rounded_up;
    return plan;
}

}  // namespace equipoise::analysis
