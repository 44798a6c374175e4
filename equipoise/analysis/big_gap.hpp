#pragma once
// Gaps of complete k-ary trees as whole numbers of any size.

#include <cstdint>
#include <string>

#include "equipoise/analysis/complete_tree_gap.hpp"

namespace equipoise::analysis {

/// n, the number of nodes of the complete k-ary tree of height h, in decimal. Cost O(h) products.
[[nodiscard]] std::string nodes_of_complete_tree(std::uint64_t arity, std::uint64_t height);

/// The gap itself, modulo n, in decimal. Throws InputError when it has more digits than levels.
[[nodiscard]] std::string to_decimal(std::uint64_t arity, std::uint64_t height,
                                     const CompleteTreeGap& gap);

/// The stability of a gap given in decimal: the least sum |y_j| with sum_{j<h} y_j |T_j| = p modulo
/// n. Unlike `stability_of_gap`, it does not compute with digits and carries but with the
/// remainders that are still to be expressed, from the largest subtree down: |y_j| <= k in some
/// best solution, so the remainder for smaller subtrees stays within 2 |T_j|. Exact integers
/// throughout. Cost O(h) levels of O(h) remainders. Throws InputError unless the text is a whole
/// number in 0 .. n-1, k >= 2 and h >= 1.
[[nodiscard]] std::uint64_t stability_of_decimal_gap(std::uint64_t arity, std::uint64_t height,
                                                     const std::string& gap);

}  // namespace equipoise::analysis
