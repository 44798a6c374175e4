#pragma once
// Round matrices: what one round of an idealised (infinitely divisible) process does to the loads.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::analysis {

/// The doubly stochastic matrix P of a diffusion: P_uv and P_vu on links, the rest of every row on
/// the diagonal. Held as one weight per link, or as two if it is not symmetric.
class DiffusionMatrix {
  public:
    /// P_uv = 1 / (max(deg u, deg v) + 1); on d-regular networks this is the uniform 1 / (d + 1).
    [[nodiscard]] static DiffusionMatrix metropolis(const network::AnyNetwork& network);
    /// P_uv = 1 / (largest degree + 1) on every link.
    [[nodiscard]] static DiffusionMatrix uniform(const network::AnyNetwork& network);

    /// Any weights. Throws InputError unless weights are positive and no row sums to more than 1.
    DiffusionMatrix(NodeId node_count, std::vector<Ends> links, std::vector<double> weights);
    /// With P_tail,head and P_head,tail of every link. Throws InputError unless at least one of the
    /// two is positive and neither negative, no row sums to more than 1, and every row has the same
    /// sum as its column. Symmetric if all pairs are equal.
    DiffusionMatrix(NodeId node_count, std::vector<Ends> links, std::vector<double> forth,
                    std::vector<double> back);

    [[nodiscard]] NodeId node_count() const { return node_count_; }
    [[nodiscard]] std::span<const Ends> links() const { return links_; }
    [[nodiscard]] bool symmetric() const { return back_.empty(); }
    /// P_tail,head, and P_head,tail.
    [[nodiscard]] std::span<const double> weights() const { return weights_; }
    [[nodiscard]] std::span<const double> weights_back() const {
        return symmetric() ? weights_ : back_;
    }
    [[nodiscard]] Port degree_max() const { return degree_max_; }
    /// P^T.
    [[nodiscard]] DiffusionMatrix transposed() const;

    /// out = in P. `in` and `out` must not overlap. Cost O(nodes + links).
    void apply(std::span<const double> in, std::span<double> out) const;
    /// out = in P^T.
    void apply_transposed(std::span<const double> in, std::span<double> out) const;

  private:
    /// Throws InputError unless weights are as the constructors demand.
    void expect_doubly_stochastic();

    NodeId node_count_ = 0;
    Port degree_max_ = 0;
    std::vector<Ends> links_;
    std::vector<double> weights_;
    std::vector<double> back_;  ///< empty: as `weights_`
};

/// Averages both ends of every pair of a matching, in place.
void average_pairs(std::span<const Ends> matching, std::span<double> row);
/// Moves this share of the difference over every pair of a matching, in place; 1/2 averages.
void share_pairs(std::span<const Ends> matching, double share, std::span<double> row);

/// The round matrix P = P^(1) ... P^(d) of a periodic balancing circuit: matchings in turn, a share
/// of the difference moved over every matched pair. Even balancers, with the share 1/2, average.
class CircuitMatrix {
  public:
    /// `share` lies strictly between 0 and 1. Throws InputError when a matching uses a node twice
    /// or names one that is not there.
    CircuitMatrix(NodeId node_count, std::vector<std::vector<Ends>> matchings, double share = 0.5);

    [[nodiscard]] NodeId node_count() const { return node_count_; }
    [[nodiscard]] std::span<const std::vector<Ends>> matchings() const { return matchings_; }
    [[nodiscard]] double share() const { return share_; }
    [[nodiscard]] bool even() const { return share_ == 0.5; }
    /// Slots of one round: sum of |M_k|.
    [[nodiscard]] std::uint64_t slot_count() const { return slot_count_; }
    /// The circuit with its matchings in reverse order: its round matrix is P transposed.
    [[nodiscard]] CircuitMatrix reversed() const;

    /// row := row P, in place. Cost O(slots).
    void apply(std::span<double> row) const;
    /// row := row P^T, in place.
    void apply_transposed(std::span<double> row) const;

  private:
    NodeId node_count_ = 0;
    double share_ = 0.5;
    std::uint64_t slot_count_ = 0;
    std::vector<std::vector<Ends>> matchings_;
};

}  // namespace equipoise::analysis
