#pragma once
// Cost profiles: the costs that a prefix of digits of a gap of the complete k-ary tree leaves to
// the levels below.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/analysis/complete_tree_gap.hpp"

namespace equipoise::analysis {

/// For a gap p = sum d_i |T_i| + q whose digits above level j are fixed: the least number of stable
/// gaps taken from levels j and up, as a function of the remainder that they leave, (a |T_j| + b) +
/// q, by carry a and carry sum b. Because |T_{i+1}| = k |T_i| + 1, a digit d and a coefficient y at
/// level j turn (a, b) into (k a + d - y, a + b) at cost |y|.
///
/// Carries are -1 and 0 only, which can only raise costs. Smaller subtrees can pay for a carry sum
/// that is d away at cost d, and for the other carry by k |T_{j-1}| + |T_0| = |T_j|; profiles are
/// closed under both, and columns that follow from others are left out. A profile is normalised:
/// least cost 0, first column 0.
class CostProfile {
  public:
    static constexpr int carries = 2;  ///< rows: carry -1, then carry 0

    /// Every carry is free: a multiple of n costs nothing.
    CostProfile() : costs_(carries, 0) {}

    struct Next;
    /// The profile one level further down, given the digit there, 0 <= digit < arity. `prices`: the
    /// costs of subtrees below any later level. Cost O(columns^2).
    [[nodiscard]] Next next(std::int64_t arity, std::int64_t digit, const RestCosts& prices) const;
    /// The profile of -p: cost(-1 - a, columns() - 1 - b).
    [[nodiscard]] CostProfile reflected() const;

    [[nodiscard]] std::int64_t columns() const { return columns_; }
    [[nodiscard]] Cost cost(int row, std::int64_t column) const {
        return costs_[static_cast<std::size_t>(row * columns_ + column)];
    }
    friend auto operator<=>(const CostProfile&, const CostProfile&) = default;

  private:
    friend class WideProfile;

    std::int64_t columns_ = 1;
    std::vector<Cost> costs_;  ///< by carry, then by column
};

struct CostProfile::Next {
    CostProfile profile;
    std::int64_t shift = 0;  ///< the carry sum of its first column, in the old columns
    std::int32_t cost = 0;   ///< the cost taken out by normalising
};

/// A profile with additional columns on both sides, which follow from its own.
class WideProfile {
  public:
    WideProfile(const CostProfile& profile, std::int64_t margin, const RestCosts& prices);

    /// The wide profile of the reflected profile.
    [[nodiscard]] WideProfile reflected() const;
    /// By how much this profile, moved up by `raise` and right by `shift` columns, rises above
    /// `low`, summed over the columns of `low`, where each entry counts at most 15; 0 if it does so
    /// nowhere. The additional columns must cover those of `low`. Since both are closed, it then
    /// rises above `low` nowhere at all.
    [[nodiscard]] std::int32_t excess(const CostProfile& low, std::int32_t raise,
                                      std::int64_t shift) const;
    /// The larger of `low` and this profile moved in that way, entry by entry, normalised.
    [[nodiscard]] CostProfile::Next raised(const CostProfile& low, std::int32_t raise,
                                           std::int64_t shift, const RestCosts& prices) const;

  private:
    friend class CostProfile;

    WideProfile(std::int64_t first, std::int64_t columns);
    [[nodiscard]] Cost& at(int row, std::int64_t column) {
        return costs_[static_cast<std::size_t>(row * (columns_) + column - first_)];
    }
    [[nodiscard]] Cost at(int row, std::int64_t column) const {
        return costs_[static_cast<std::size_t>(row * (columns_) + column - first_)];
    }
    void close(std::int64_t arity, const RestCosts& prices);
    [[nodiscard]] CostProfile::Next normalised(const RestCosts& prices) const;

    std::int64_t first_;  ///< its first column in those of the profile
    std::int64_t columns_;
    std::vector<Cost> costs_;
};

}  // namespace equipoise::analysis
