#pragma once
// Rounds that level idealised loads on a network, in fixed point of 128 bits, with a proved bound
// on how far apart these loads are in the end.

#include <cstdint>
#include <vector>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::analysis {

/// The facts about loads and network that bounds need.
struct SchemeStart {
    double distance = 0;     ///< at least the 2-norm of loads minus mean, tokens
    double load_max = 0;     ///< at least the largest load, tokens
    double degree_norm = 0;  ///< at least the 2-norm of the degrees
    double degree_max = 0;
};

enum class RootOrder : std::uint8_t {
    automatic,   ///< descending where 128 bits are enough for it, else leja
    descending,  ///< no eigenvector grows on the way, but errors of early rounds do
    leja,  ///< always the eigenvalue whose eigenvector has the largest bound; first the largest
    ascending,  ///< the worst case of both
};

/// Rounds (x - y) / root.
struct ProductPlan {
    RootOrder order = RootOrder::descending;  ///< never automatic
    std::vector<double> roots;
    /// Whether all roots are whole numbers and `one` a multiple of their product, so that nothing
    /// is rounded.
    bool exact = false;
    Int128 one = 0;     ///< units per token
    double spread = 0;  ///< idealised loads are at most this far apart in the end, tokens
};

/// Idealised loads are at most this far apart when a list of rounds ends, tokens.
inline constexpr double scheme_spread_max = 0x1p-10;

/// Descending and ascending: one round for each eigenvalue. Leja order takes an eigenvalue again if
/// its enclosure was too wide, and ends as soon as the loads are level up to `scheme_spread_max`.
/// Throws UnsuitableError if the bound is not reached in this order.
[[nodiscard]] ProductPlan plan_product(const LaplacianSpectrum& spectrum, const SchemeStart& start,
                                       RootOrder order);

/// Rounds with momentum, round after round (omega - 1 in units of 2^-64), and roots centre / omega.
struct ChebyshevPlan {
    std::vector<std::uint64_t> momenta;
    std::vector<double> roots;
    Int128 one = 0;
    double spread = 0;
    double rate = 0;  ///< c
};

/// `rounds` 0: until the loads are level up to `scheme_spread_max`, as bounded without rounding.
[[nodiscard]] ChebyshevPlan plan_chebyshev(theory::Enclosure ends, const SchemeStart& start,
                                           std::uint64_t rounds);

}  // namespace equipoise::analysis
