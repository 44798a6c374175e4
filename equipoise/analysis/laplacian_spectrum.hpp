#pragma once
// The eigenvalues of a connected network's Laplacian, enclosed, without the eigenvalue 0 of the
// vector of ones.

#include <cstddef>
#include <vector>

#include "equipoise/network/any_network.hpp"
#include "equipoise/theory/polynomial_scheme.hpp"

namespace equipoise::analysis {

/// Where there are no closed forms, all eigenvalues are computed for networks of up to this number
/// of nodes, in about a second.
inline constexpr NodeId laplacian_nodes_max = 1200;
/// More distinct eigenvalues than these are refused: a list of rounds holds one for each.
inline constexpr std::size_t distinct_eigenvalues_max = 8192;

struct LaplacianSpectrum {
    /// Disjoint and ascending; every eigenvalue lies in one of them. Those whose enclosures
    /// overlap are taken together, be they equal or only near. Whole numbers of closed forms are
    /// exact.
    std::vector<theory::Enclosure> distinct;
    bool closed_form = false;
};

/// Closed forms for grids, hypercubes, paths, cycles, stars and complete networks; for others a
/// dense solver and its error. Throws UnsuitableError for larger networks.
[[nodiscard]] LaplacianSpectrum laplacian_spectrum(const network::AnyNetwork& network);

/// Enclosures of the smallest and of the largest eigenvalue. `certified`: they hold unless a closed
/// form or the solver is wrong; otherwise a smaller eigenvalue may have been missed.
struct LaplacianEnds {
    theory::Enclosure smallest;
    /// For large networks only an upper bound is known: both numbers are then this bound.
    theory::Enclosure largest;
    bool certified = false;

    /// An interval that contains all eigenvalues.
    [[nodiscard]] theory::Enclosure around() const { return {smallest.least, largest.most}; }
};

/// Closed forms, a dense solver, or an iterative one for the smallest and, for the largest,
/// `laplacian_at_most`. Throws UnsuitableError for stored networks of more than 50,000 links, or if
/// the iteration does not converge.
[[nodiscard]] LaplacianEnds laplacian_ends(const network::AnyNetwork& network);

/// The largest degree of a node plus the mean of its neighbours' degrees: with D the diagonal
/// matrix of degrees and A the adjacency matrix, the largest row sum of D^-1 (D + A) D, whose
/// eigenvalues are those of D + A and thus bound those of D - A (Merris 1998). Cost O(links).
[[nodiscard]] double laplacian_at_most(const network::AnyNetwork& network);

/// Sorts enclosures and joins those that overlap.
[[nodiscard]] std::vector<theory::Enclosure> joined(std::vector<theory::Enclosure> enclosures);

}  // namespace equipoise::analysis
