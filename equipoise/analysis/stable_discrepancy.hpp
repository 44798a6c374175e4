#pragma once
// Stable gaps, stability and the maximum stable discrepancy of trees under THRESHOLD-1.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::analysis {

/// SG_1(T): the sizes of the two components that remain when a link of the tree is taken out, for
/// all links. Two observers that are such a gap apart meet at an active link in every phase.
struct StableGaps {
    std::uint64_t nodes = 0;          ///< n
    std::vector<std::uint64_t> gaps;  ///< ascending, each in 1 .. n-1; with p also n-p
    friend bool operator==(const StableGaps&, const StableGaps&) = default;
};

/// SG_1 of a tree, by its subtrees' sizes. Houle, Symvonis, Wood 2004, Section 4.3.
/// Throws UnsuitableError when the network is not a tree. Cost O(n).
[[nodiscard]] StableGaps stable_gaps(const network::Network& tree);

/// SG_1 of the complete k-ary tree of height h >= 0, without building it: |T_j| and n - |T_j| for
/// j < h, where |T_0| = 1 and |T_j| = k |T_{j-1}| + 1.
/// Throws UnsuitableError for k = 0, OverflowError when the tree has 2^63 nodes or more. Cost O(h).
[[nodiscard]] StableGaps stable_gaps_of_complete_tree(std::uint64_t arity, std::uint64_t height);

/// A maximum stable discrepancy and a gap that attains it.
struct StableDiscrepancy {
    std::uint64_t tokens = 0;       ///< MSD(T), the largest that THRESHOLD-1 can leave
    std::uint64_t hardest_gap = 0;  ///< the smallest gap of that stability; 0 for n = 1
};

/// MSD(T) = least i >= 1 such that SG_i(T) holds all of 1 .. n-1; 0 for n = 1.
///
/// It is the eccentricity of 0 in the circulant graph on Z_n with generators SG_1: SG_i is the set
/// of gaps within distance i. (The printed definition requires SG_i to *equal* {1, .., n-1}, but
/// SG_i contains 0 from i = 2 on.) Houle, Symvonis, Wood 2004, Theorem 12.
/// Throws InputError when a gap is out of range or the gaps do not generate all of Z_n.
/// Cost O(MSD * |SG_1| * n / 64) time at most, n/4 bytes.
[[nodiscard]] StableDiscrepancy maximum_stable_discrepancy(const StableGaps& gaps);

/// stability(p) for every gap p = 0 .. n-1: the least i with p in SG_i(T), 0 for p = 0.
/// Throws as `maximum_stable_discrepancy`; same time, 4 bytes a gap more.
[[nodiscard]] std::vector<std::uint32_t> stabilities(const StableGaps& gaps);

/// A stable distribution of discrepancy MSD(T): load(v) = stability(gap_c(source, v)), 0 at the
/// source, to be started at a step congruent to `start` modulo chi.
/// Houle, Symvonis, Wood 2004, proof of Theorem 12.
/// Throws UnsuitableError when the network is not a tree, InputError when the colouring is not
/// proper or the source is not a node. Cost as `stabilities`.
[[nodiscard]] load::Loads worst_stable_loads(const network::Network& tree,
                                             const network::EdgeColouring& colouring, NodeId source,
                                             Colour start = 0);

/// Whether THRESHOLD-1 leaves a distribution stable, seen at steps congruent to `start` modulo chi:
/// nodes whose gap_c is in SG_1 differ by at most one token. Houle, Symvonis, Wood 2004, Lemma 10.
/// Throws as `worst_stable_loads`. Cost O(n |SG_1|).
[[nodiscard]] bool is_stable(const network::Network& tree, const network::EdgeColouring& colouring,
                             std::span<const Tokens> loads, Colour start = 0);

}  // namespace equipoise::analysis
