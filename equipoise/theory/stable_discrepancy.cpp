#include "equipoise/theory/stable_discrepancy.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {
namespace {

/// ceil(log2 n) for n >= 1.
std::uint64_t ceil_log2(std::uint64_t n) {
    return static_cast<std::uint64_t>(std::bit_width(n - 1));
}

void expect_tree_numbers(std::uint64_t nodes, std::uint64_t degree_max) {
    const bool exists = nodes >= 1 && degree_max < nodes &&
                        (nodes <= 2 ? degree_max == nodes - 1 : degree_max >= 2);
    if (!exists)
        throw UnsuitableError("Theorem 16 (Houle, Symvonis, Wood 2004): no tree has " +
                              std::to_string(nodes) + " nodes and largest degree " +
                              std::to_string(degree_max));
}

void expect_complete_tree(std::uint64_t arity, std::uint64_t height) {
    if (arity == 0 || height == 0)
        throw UnsuitableError(
            "complete k-ary tree of height h: expected k >= 1 and h >= 1, found k = " +
            std::to_string(arity) + ", h = " + std::to_string(height));
}

/// min{ 1 + (D-2) L, floor((D+1) L / 2) }; the first term only for D >= 2.
std::uint64_t degree_terms(std::uint64_t degree_max, std::uint64_t iterations, std::uint64_t most) {
    UInt128 least = most;
    if (degree_max >= 2) least = std::min(least, UInt128{1} + UInt128{degree_max - 2} * iterations);
    least = std::min(least, (UInt128{degree_max} + 1) * iterations / 2);
    return static_cast<std::uint64_t>(least);
}

std::uint64_t fitting(UInt128 value) {
    if (value > ~std::uint64_t{0}) throw OverflowError("bound on the stable discrepancy");
    return static_cast<std::uint64_t>(value);
}

}  // namespace

std::uint64_t stable_discrepancy_bound(std::uint64_t nodes) {
    if (nodes == 0)
        throw UnsuitableError(
            "Lemma 13 (Houle, Symvonis, Wood 2004): expected at least one node, found none");
    return nodes / 2;
}

std::uint64_t stable_discrepancy_bound(std::uint64_t nodes, std::uint64_t degree_max) {
    expect_tree_numbers(nodes, degree_max);
    if (nodes <= 2) return stable_discrepancy_bound(nodes);
    return degree_terms(degree_max, ceil_log2(nodes) - 1, stable_discrepancy_bound(nodes));
}

std::uint64_t stable_discrepancy_bound_as_printed(std::uint64_t nodes, std::uint64_t degree_max) {
    expect_tree_numbers(nodes, degree_max);
    if (nodes == 1) return 0;
    // The first degree term for D = 1 is 1 - ceil(log2 2) = 0.
    if (degree_max == 1) return 0;
    return degree_terms(degree_max, ceil_log2(nodes), stable_discrepancy_bound(nodes));
}

std::uint64_t stable_discrepancy_bound_of_complete_tree(std::uint64_t arity, std::uint64_t height) {
    expect_complete_tree(arity, height);
    const UInt128 by_height = UInt128{arity - 1} * height + 1;
    const UInt128 by_degree = arity > ~std::uint64_t{0} - 2 || height == ~std::uint64_t{0}
                                  ? by_height
                                  : UInt128{arity + 2} * (height + 1) / 2;
    return fitting(std::min(by_height, by_degree));
}

std::uint64_t stable_discrepancy_of_grid(std::uint64_t axes_open, std::uint64_t axes_closed) {
    return axes_open + 2 * axes_closed;
}

std::optional<std::uint64_t> stable_discrepancy_bound_of_tall_complete_tree(std::uint64_t arity,
                                                                            std::uint64_t height) {
    if (arity < 2 || height == 0)
        throw UnsuitableError("tall complete k-ary tree: expected k >= 2 and h >= 1, found k = " +
                              std::to_string(arity) + ", h = " + std::to_string(height));
    std::optional<std::uint64_t> least;
    Int128 size = 1;  // R
    for (std::uint64_t t = 0; t < height && 2 * size <= static_cast<Int128>(height - t); ++t) {
        const Int128 m = static_cast<Int128>(height - t);
        const Int128 squares = checked_add(checked_multiply(m, m), checked_multiply(size, size));
        const Int128 doubled = checked_add(
            checked_multiply(static_cast<Int128>(arity - 1), squares), 5 * m + 3 * size);
        const Int128 value = doubled / (2 * m);
        if (value > std::numeric_limits<std::int64_t>::max())
            throw OverflowError("the bound of a tall complete k-ary tree");
        if (!least || value < static_cast<Int128>(*least))
            least = static_cast<std::uint64_t>(value);
        size = checked_multiply(size, static_cast<Int128>(arity)) + 1;
    }
    return least;
}

ConjecturedStableDiscrepancy conjectured_stable_discrepancy(std::uint64_t arity,
                                                            std::uint64_t height) {
    expect_complete_tree(arity, height);
    const UInt128 low = UInt128{arity - 1} * height / 2;
    return {.low = fitting(low), .high = fitting(low + 1)};
}

}  // namespace equipoise::theory
