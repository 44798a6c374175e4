#pragma once
// The maximum stable discrepancy of complete k-ary trees, also of trees far too large for a bitset.

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "equipoise/analysis/complete_tree_gap.hpp"

namespace equipoise::analysis {

/// Bounds on MSD(T_{h,k}) with their certificates.
struct CompleteTreeDiscrepancy {
    std::uint64_t lower = 0;  ///< the exact stability of `hardest_gap`, tokens
    /// No gap has a larger stability, tokens.
    std::uint64_t upper = std::numeric_limits<std::uint64_t>::max();
    CompleteTreeGap hardest_gap;
    [[nodiscard]] bool exact() const { return lower == upper; }
};

/// How much work is spent to make the bounds meet.
struct CompleteTreeEffort {
    /// The most cost profiles that are kept on a level, at least 1. Bounds are rigorous with any
    /// number.
    std::uint64_t profiles_max = 256;
    std::function<bool()> stopped;  ///< asked before every level; true: returns bounds
};

/// MSD(T_{h,k}) for all heights from `height_first` >= 1 to `height_last`, from the structure of
/// the digits or, if the tree is small, by bitset search. Both bounds of every tree are rigorous;
/// they meet for all small trees and most large ones. Cost of one pass: k * profiles * heights
/// products of profiles of about h/2 columns; passes are repeated with twice as many profiles until
/// all bounds have met or `profiles_max` is reached. Throws UnsuitableError for k = 0 or h = 0,
/// InputError when k or h exceeds 1,024.
[[nodiscard]] std::vector<CompleteTreeDiscrepancy> stable_discrepancies_of_complete_trees(
    std::uint64_t arity, std::uint64_t height_first, std::uint64_t height_last,
    const CompleteTreeEffort& effort = {});

/// The same for one height.
[[nodiscard]] CompleteTreeDiscrepancy stable_discrepancy_of_complete_tree(
    std::uint64_t arity, std::uint64_t height, const CompleteTreeEffort& effort = {});

}  // namespace equipoise::analysis
