#pragma once
// What every node should hold at the end.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::load {

/// The mean of T tokens on n nodes, rounded both ways: in a perfect balance `nodes_at_ceiling`
/// nodes hold `ceiling` tokens and the others hold `floor`.
struct MeanLoad {
    Tokens floor = 0;
    Tokens ceiling = 0;
    NodeId nodes_at_ceiling = 0;  ///< T mod n; 0 when floor == ceiling
    friend bool operator==(const MeanLoad&, const MeanLoad&) = default;
};

/// Requires at least one node.
[[nodiscard]] MeanLoad mean_load(Tokens tokens, NodeId node_count);

/// Every node gets the floor of the mean, and the first T mod n nodes one token more.
[[nodiscard]] Loads even_targets(Tokens tokens, NodeId node_count);

/// Shares in which only the last few tokens are undecided.
struct Shares {
    Loads least;               ///< what every node gets at least
    std::vector<NodeId> tied;  ///< the nodes of which some get one more, in rising order
    Tokens odd = 0;            ///< how many of them; 0, or fewer than there are
};

/// Shares in proportion to speeds, by largest remainder: node v gets floor(T s_v / S), and the
/// tokens that are left go one each to the nodes with the largest T s_v mod S. Where remainders
/// tie, the choice among the tied nodes is left open. The shares add up to exactly T; each differs
/// from T s_v / S by less than 1. Exact: products are held in 128 bits. Cost O(nodes). Throws
/// InputError when all speeds are 0 or the number of tokens is negative.
[[nodiscard]] Shares shares_by_speed(Tokens tokens, std::span<const std::uint64_t> speeds);

/// The same; on a tie the nodes with the smaller numbers get the last tokens.
[[nodiscard]] Loads targets_by_speed(Tokens tokens, std::span<const std::uint64_t> speeds);

/// A number of tokens, or of tokens per unit of speed, as an exact fraction.
struct Fraction {
    Int128 numerator = 0;
    Int128 denominator = 1;
    [[nodiscard]] double value() const {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }
};

/// max x_v / s_v - min x_v / s_v over the nodes with a speed above 0, computed with 128-bit cross
/// products. 0 if there are none. Requires one speed for each node, 0 or more. Cost O(nodes).
[[nodiscard]] Fraction imbalance_by_speed(std::span<const Tokens> loads,
                                          std::span<const Tokens> speeds);

/// How far the loads are from the shares T s_v / S: max |x_v - T s_v / S|. Below 1 exactly when
/// every node holds the floor or the ceiling of its share. Requires one speed a node, 0 or more and
/// at most 2^30, not all 0, and loads of at most `tokens_max` in all. Cost O(nodes).
[[nodiscard]] Fraction distance_from_shares(std::span<const Tokens> loads,
                                            std::span<const Tokens> speeds);

}  // namespace equipoise::load
