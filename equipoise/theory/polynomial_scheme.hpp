#pragma once
// Bounds of polynomial schemes: what happens to idealised loads that are levelled by a product of
// factors 1 - L / root, or by the Chebyshev iteration, and to tokens that imitate their flows. L is
// the Laplacian of a connected network, whose eigenvalues are known as enclosures. Proofs:
// docs/results/polynomial-schemes.md.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// All numbers from `least` to `most`.
struct Enclosure {
    double least = 0;
    double most = 0;
    friend bool operator==(const Enclosure&, const Enclosure&) = default;
};

/// If every link has carried at most 1/2 token more or less than its idealised flow, a load is
/// within half its node's degree of the idealised one. With idealised loads at most `spread` apart,
/// the discrepancy is at most half the sum of the two largest degrees, plus the spread.
[[nodiscard]] Tokens imitated_discrepancy(Port largest_degree, Port second_degree, double spread);

/// ln of the largest |1 - eigenvalue / root| in an enclosure, rounded up by more than the
/// arithmetic can be off.
[[nodiscard]] double log_factor(Enclosure eigenvalue, double root);

/// What rounds with these roots, in this order, do to the idealised loads; natural logarithms.
struct ProductBound {
    /// The largest |(1 - e / root_1) ... (1 - e / root_m)| over all eigenvalues e: by how much the
    /// distance from the mean has shrunk at the end (in the 2-norm).
    double residual = 0;
    /// The largest such product over the first rounds only: by how much it grows on the way.
    double growth = 0;
    /// The sum, over all rounds, of the largest product over the rounds that follow: by how much
    /// one error of every round is amplified together.
    double noise = 0;
    /// The largest growth / root of the next round: flows, as multiples of the distance.
    double flow = 0;
};
[[nodiscard]] ProductBound product_bound(std::span<const Enclosure> eigenvalues,
                                         std::span<const double> roots);

/// c of the Chebyshev iteration for eigenvalues in [least, most]: g / (1 + sqrt(1 - g^2)) with
/// g = (most - least) / (most + least).
[[nodiscard]] double chebyshev_rate(double least, double most);

/// 2 c^k / (1 + c^(2 k)): what k rounds leave of the distance from the mean (in the 2-norm).
[[nodiscard]] double chebyshev_residual(double rate, std::uint64_t rounds);

/// The fewest rounds after which at most this fraction of the distance is left.
[[nodiscard]] std::uint64_t chebyshev_rounds(double rate, double residual);

/// By how much errors of all rounds, each at most 1, are amplified together: 2 / (1 - c)^2.
[[nodiscard]] double chebyshev_noise(double rate);

}  // namespace equipoise::theory
