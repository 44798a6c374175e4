#pragma once
// The maximum stable discrepancy of complete k-ary trees far beyond what a bitset can hold.

#include <cstdint>
#include <vector>

namespace equipoise::analysis {

/// A gap of the complete k-ary tree of height h: p = sum digits[i] |T_{h-1-i}| + rest (modulo n).
struct CompleteTreeGap {
    std::vector<std::uint32_t> digits;  ///< of the largest subtrees first, each below k
    std::int64_t rest = 0;
};

/// Bounds on MSD(T_{h,k}) with their certificates.
struct CompleteTreeDiscrepancy {
    std::uint64_t lower = 0;  ///< the exact stability of `hardest_gap`, tokens
    std::uint64_t upper = 0;  ///< no gap has a larger stability, tokens
    CompleteTreeGap hardest_gap;
    [[nodiscard]] bool exact() const { return lower == upper; }
};

/// The stability of one gap of the complete k-ary tree of height h >= 1, k >= 2, exactly: the least
/// sum |y_j| with sum_{j<h} y_j |T_j| = p modulo n. A dynamic programme over the digits from the
/// top. Some best solution has |y_j| <= k (else k |T_j| + |T_0| = |T_{j+1}| saves), so what is left
/// below level j stays within 2 |T_j| and eight carries suffice.
/// Throws InputError when k < 2, h < 1, a digit is not below k, or when the digits go further down
/// than to subtrees of about 16 h + 64 nodes. Cost O(h^2) and O(k h) for the table of the rest.
[[nodiscard]] std::uint64_t stability_of_gap(std::uint64_t arity, std::uint64_t height,
                                             const CompleteTreeGap& gap);

/// MSD(T_{h,k}) for h >= 1, from the structure of its digits; by bitset search where the tree is
/// small. Both bounds are rigorous, and they meet unless more than `prefixes_max` prefixes had to
/// be told apart (then the best bounds so far are returned; `upper` is 2^64 - 1 where there is
/// none). Cost: k times the prefixes a level, times the squared height; prefixes grow with the
/// height, fast for k = 2 and slowly for larger k. Throws UnsuitableError for k = 0 or h = 0,
/// InputError when k or h exceeds 4,096.
[[nodiscard]] CompleteTreeDiscrepancy stable_discrepancy_of_complete_tree(
    std::uint64_t arity, std::uint64_t height, std::uint64_t prefixes_max = 20'000);

}  // namespace equipoise::analysis
