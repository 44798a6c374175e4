#pragma once
// Single gaps of complete k-ary trees: written in digits, with their exact stability.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace equipoise::analysis {

/// Sizes of trees and numbers of levels stay far below 2^63.
[[nodiscard]] constexpr std::int64_t as_signed(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// A gap of the complete k-ary tree of height h: p = sum digits[i] |T_{h-1-i}| + rest (modulo n).
struct CompleteTreeGap {
    std::vector<std::uint32_t> digits;  ///< of the largest subtrees first, each below k
    std::int64_t rest = 0;
};

/// Costs of carries, tokens; small enough to be added without a check.
using Cost = std::int16_t;
inline constexpr Cost unaffordable = 16'000;

/// cost(x): the least sum |y_i| with sum_{i < level} y_i |T_i| = x, for |x| <= 8 |T_level|.
class RestCosts {
  public:
    /// Cost: level * |T_level| time, 32 |T_level| bytes. Throws InputError when |T_level| exceeds
    /// about 16 million.
    RestCosts(std::uint64_t arity, std::uint64_t level);
    [[nodiscard]] std::uint64_t level() const { return level_; }
    /// |T_level|
    [[nodiscard]] std::int64_t size() const { return size_; }
    /// |T_0|, ..., |T_{level-1}|
    [[nodiscard]] std::span<const std::int64_t> subtrees() const { return subtrees_; }
    /// `unaffordable` if out of reach.
    [[nodiscard]] Cost operator()(std::int64_t x) const {
        return x < -reach_ || x > reach_ ? unaffordable
                                         : costs_[static_cast<std::size_t>(x + reach_)];
    }
    /// The costs from x on; only those within reach may be read.
    [[nodiscard]] const Cost* from(std::int64_t x) const {
        return costs_.data() + static_cast<std::size_t>(x + reach_);
    }

  private:
    [[nodiscard]] Cost& at(std::int64_t x) { return costs_[static_cast<std::size_t>(x + reach_)]; }

    std::uint64_t level_;
    std::int64_t size_ = 1;
    std::int64_t reach_ = 0;
    std::vector<std::int64_t> subtrees_;
    std::vector<Cost> costs_;
};

/// least[i] := min(least[i], cost + rest_costs[i]), for costs that do not exceed `unaffordable`.
void lower_to(std::vector<Cost>& least, Cost cost, const Cost* rest_costs);

/// The stability of one gap of the complete k-ary tree of height h >= 1, k >= 2, exactly: the least
/// sum |y_j| with sum_{j<h} y_j |T_j| = p modulo n. A dynamic programme over the digits from the
/// top. Some best solution has |y_j| <= k (else k |T_j| + |T_0| = |T_{j+1}| saves), so the
/// remainder below level j stays within 2 |T_j| and eight carries suffice.
/// Throws InputError when k < 2, h < 1, a digit is not below k, there are more digits than levels,
/// or the digits end at subtrees that are too large for a table or too small against the rest.
/// Cost O(h^2) and O(k h) for the table of the rest.
[[nodiscard]] std::uint64_t stability_of_gap(std::uint64_t arity, std::uint64_t height,
                                             const CompleteTreeGap& gap);

/// A gap and its stability.
struct HardestRest {
    std::uint64_t stability = 0;
    std::int64_t rest = 0;
};

/// A gap of the largest stability among all gaps with these digits and a rest from `first` to
/// `last`. Throws as `stability_of_gap`. Cost O(h (last - first)) more.
[[nodiscard]] HardestRest hardest_rest(std::uint64_t arity, std::uint64_t height,
                                       std::span<const std::uint32_t> digits, std::int64_t first,
                                       std::int64_t last, const RestCosts& rest_costs);

}  // namespace equipoise::analysis
