#pragma once
// Sparse triangular factors of a diffusion matrix plus a multiple of the identity, for solving
// systems and for inertia, if the factor is small enough.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/analysis/round_matrix.hpp"

namespace equipoise::analysis {

/// An order of elimination of the nodes and how many entries a factor has in it.
struct EliminationOrder {
    std::vector<std::int32_t> place;  ///< of every node; empty when the factor would be too large
    std::uint64_t fill = 0;           ///< entries below the diagonal

    [[nodiscard]] bool affordable() const { return !place.empty(); }
};

/// Approximate minimum degree (Amestoy, Davis, Duff 1996), then a symbolic elimination that gives
/// up beyond `fill_max` entries or if a factorisation would multiply more than `work_max` pairs of
/// them. Cost O(fill).
[[nodiscard]] EliminationOrder elimination_order(const DiffusionMatrix& matrix,
                                                 std::uint64_t fill_max, std::uint64_t work_max);

/// L D L^T = shift I + sign P, for a symmetric round matrix P.
class ShiftedFactor {
  public:
    enum class Part : std::uint8_t {
        whole,
        grounded,  ///< without the row and column of the node that is eliminated last
    };
    /// `sign` is 1 or -1. Cost O(sum of squared column lengths); `order` must be affordable.
    ShiftedFactor(const DiffusionMatrix& matrix, const EliminationOrder& order, double shift,
                  double sign, Part part = Part::whole);
    ~ShiftedFactor();
    ShiftedFactor(ShiftedFactor&& other) noexcept;
    ShiftedFactor& operator=(ShiftedFactor&& other) noexcept;
    ShiftedFactor(const ShiftedFactor&) = delete;
    ShiftedFactor& operator=(const ShiftedFactor&) = delete;

    /// Whether all pivots are other than zero.
    [[nodiscard]] bool usable() const;
    /// out solves the system; a grounded system gives 0 at the node left out. Cost O(fill).
    void solve(std::span<const double> in, std::span<double> out) const;

    /// The number of negative pivots: by Sylvester's law, the number of negative eigenvalues of a
    /// matrix that differs from the factored one by at most `error()` in the spectral norm.
    [[nodiscard]] std::uint64_t negative_pivots() const;
    /// A bound on the backward error: gamma || |L| |D| |L^T| || (Higham 2002, Theorem 10.3 for this
    /// product) and the rounding of the entries.
    [[nodiscard]] double error() const;

  private:
    struct Factor;
    std::unique_ptr<Factor> factor_;
    std::vector<std::int32_t> place_;
};

}  // namespace equipoise::analysis
