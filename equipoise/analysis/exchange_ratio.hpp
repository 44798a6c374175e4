#pragma once
// Dimension exchange over a tree with one ratio at all links (generalised dimension exchange; Xu,
// Lau 1992), for infinitely divisible loads.

#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::analysis {

/// In a round every link once sends `ratio` times the difference of its ends to the lower one,
/// which is a doubly stochastic matrix. Its second largest absolute eigenvalue is the factor by
/// which, in the long run, a round shrinks the remaining imbalance. On a tree it does not depend on
/// the order of the links, hence not on the colouring: with x_v the load of v before the round and
/// mu x_v after it, each link multiplies the load of an end by a number that depends only on mu and
/// on the subtree at its other end; the products of these numbers, over the links of each node,
/// decide whether mu is an eigenvalue. No ratio r has a factor below |1 - 2r|, since the
/// determinant of the matrix is (1 - 2r) to the number of links.
///
/// The value is computed by an eigenvalue solver; the error bounds its distance from the truth,
/// with all rounding errors counted: above by a norm in which a round shrinks everything, or the
/// norm of a power of the matrix; below by the trace of that power, or the determinant. Where two
/// largest eigenvalues meet, as they do at the best ratio of many trees, the bound below is wide
/// (0.01). Throws UnsuitableError unless the network is a tree of at most `exchange_nodes_max`
/// nodes.
[[nodiscard]] Estimate exchange_factor(const network::AnyNetwork& tree, double ratio);

/// The ratio whose factor is smallest, and these factors.
struct ExchangeRatio {
    double ratio = 0.5;  ///< as precise as a search on a grid and then by sections finds it
    Estimate factor;
    Estimate factor_at_half;
};

/// Throws as above. Cost O(nodes^3): seconds for some hundred nodes.
[[nodiscard]] ExchangeRatio best_exchange_ratio(const network::AnyNetwork& tree);

inline constexpr NodeId exchange_nodes_max = 300;

}  // namespace equipoise::analysis
