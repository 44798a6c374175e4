#pragma once
// Cost profiles: what a prefix of digits of a gap of the complete k-ary tree leaves to be paid.

#include <cstdint>
#include <vector>

namespace equipoise::analysis {

/// For a gap p = sum d_i |T_i| + q whose digits above level j are fixed: the least number of stable
/// gaps taken from levels j and up, as a function of what they leave, (a |T_j| + b) + q, by carry a
/// and carry sum b. Because |T_{i+1}| = k |T_i| + 1, a digit d and a coefficient y at level j turn
/// (a, b) into (k a + d - y, a + b) at cost |y|.
///
/// Carries are kept from -2 to 1 only, which can only raise costs. One |T_0| more or less changes b
/// by one, and k |T_{j-1}| + |T_0| = |T_j|; profiles are closed under both, so that a profile grows
/// by one a column outside its columns. A profile is normalised: least cost 0, first column 0.
class CostProfile {
  public:
    static constexpr int carry_min = -2;
    static constexpr int carry_max = 1;

    /// Every carry for free: a multiple of n costs nothing.
    CostProfile();

    struct Next;
    /// The profile one level further down, by its digit there, 0 <= digit < arity. Entries dearer
    /// than the cheapest by more than `spread` are left out (and return as what closing gives).
    [[nodiscard]] Next next(std::int64_t arity, std::int64_t digit, std::int32_t spread) const;
    /// The profile of -p: cost(-1 - a, columns() - 1 - b).
    [[nodiscard]] CostProfile reflected() const;

    [[nodiscard]] std::int64_t columns() const { return columns_; }
    [[nodiscard]] std::int32_t cost(int carry, std::int64_t sum) const;
    /// Whether `extra` + this profile is at least `other`, moved by `shift` columns, everywhere.
    [[nodiscard]] bool dominates(const CostProfile& other, std::int64_t shift,
                                 std::int32_t extra) const;
    friend auto operator<=>(const CostProfile&, const CostProfile&) = default;

  private:
    static constexpr int carries = carry_max - carry_min + 1;

    [[nodiscard]] std::int32_t& at(int carry, std::int64_t column) {
        return costs_[static_cast<std::size_t>((carry - carry_min) * columns_ + column)];
    }
    void close(std::int64_t arity);
    /// Takes out the least cost and drops outer columns that follow from the next.
    [[nodiscard]] Next normalised() const;
    [[nodiscard]] bool follows(std::int64_t column, std::int64_t from) const;

    std::int64_t columns_ = 1;
    std::vector<std::int32_t> costs_;  ///< by carry, then by column
};

struct CostProfile::Next {
    CostProfile profile;
    std::int64_t shift = 0;  ///< the carry sum of its first column, in the old columns
    std::int32_t cost = 0;   ///< the cost taken out by normalising
};

}  // namespace equipoise::analysis
