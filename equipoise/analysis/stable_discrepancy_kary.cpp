#include "equipoise/analysis/stable_discrepancy_kary.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/analysis/cost_profile.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

constexpr std::int32_t unaffordable = 1 << 28;

std::int64_t as_signed(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// The level at which digits end and what is left is looked up: the first whose subtrees are large
/// against all carry sums, or the root's if the whole tree is small.
struct Bottom {
    std::uint64_t level = 0;
    std::int64_t size = 1;  ///< |T_level|
};

Bottom bottom_of(std::uint64_t arity, std::uint64_t height) {
    Bottom bottom;
    while (bottom.level < height && bottom.size < 64 + 16 * as_signed(height)) {
        bottom.size = as_signed(arity) * bottom.size + 1;
        ++bottom.level;
    }
    return bottom;
}

/// cost(x): the least sum |y_i| with sum_{i < level} y_i |T_i| = x, for |x| <= 8 |T_level|.
class RestCosts {
  public:
    RestCosts(std::uint64_t arity, Bottom bottom)
        : reach_(8 * bottom.size), costs_(static_cast<std::size_t>(2 * reach_ + 1), unaffordable) {
        at(0) = 0;
        std::int64_t size = 1;  // |T_i|
        for (std::uint64_t i = 0; i < bottom.level; ++i) {
            for (std::int64_t x = -reach_ + size; x <= reach_; ++x)
                at(x) = std::min(at(x), at(x - size) + 1);
            for (std::int64_t x = reach_ - size; x >= -reach_; --x)
                at(x) = std::min(at(x), at(x + size) + 1);
            size = as_signed(arity) * size + 1;
        }
    }
    [[nodiscard]] std::int32_t operator()(std::int64_t x) const {
        return x < -reach_ || x > reach_ ? unaffordable
                                         : costs_[static_cast<std::size_t>(x + reach_)];
    }

  private:
    std::int32_t& at(std::int64_t x) { return costs_[static_cast<std::size_t>(x + reach_)]; }

    std::int64_t reach_;
    std::vector<std::int32_t> costs_;
};

/// Least costs of one prefix for every carry and carry sum that can be of use to any best solution.
class WideCosts {
  public:
    explicit WideCosts(std::int64_t levels)
        : offset_(-carry_min * levels),
          costs_(carries, std::vector<std::int32_t>(static_cast<std::size_t>(2 * offset_ + 1),
                                                    unaffordable)) {
        for (auto& row : costs_)
            row[static_cast<std::size_t>(offset_)] = 0;
    }

    [[nodiscard]] WideCosts next(std::int64_t arity, std::int64_t digit) const {
        WideCosts below = *this;
        for (auto& row : below.costs_)
            std::fill(row.begin(), row.end(), unaffordable);
        for (std::int64_t above = 0; above < carries; ++above) {
            const std::int64_t carry_above = above + carry_min;
            const auto& row = costs_[static_cast<std::size_t>(above)];
            for (std::size_t sum = 0; sum < row.size(); ++sum) {
                if (row[sum] >= unaffordable) continue;
                const auto next_sum = static_cast<std::size_t>(as_signed(sum) + carry_above);
                for (std::int64_t carry = 0; carry < carries; ++carry) {
                    const auto coefficient = static_cast<std::int32_t>(
                        std::abs(arity * carry_above + digit - (carry + carry_min)));
                    auto& best = below.costs_[static_cast<std::size_t>(carry)].at(next_sum);
                    best = std::min(best, row[sum] + coefficient);
                }
            }
        }
        return below;
    }

    /// The least total with the cheapest way to pay what is left.
    [[nodiscard]] std::int32_t least_with(const RestCosts& rest_costs, std::int64_t size,
                                          std::int64_t rest) const {
        std::int32_t least = unaffordable;
        for (std::int64_t carry = 0; carry < carries; ++carry) {
            const auto& row = costs_[static_cast<std::size_t>(carry)];
            for (std::size_t sum = 0; sum < row.size(); ++sum)
                least = std::min(least, row[sum] + rest_costs((carry + carry_min) * size +
                                                              as_signed(sum) - offset_ + rest));
        }
        return least;
    }

  private:
    static constexpr std::int64_t carry_min = -4;
    static constexpr std::int64_t carries = 8;

    std::int64_t offset_;                           ///< place of carry sum 0 in a row
    std::vector<std::vector<std::int32_t>> costs_;  ///< by carry, then by carry sum
};

/// A prefix of digits. Its rests q, in the columns of its profile, run from `first` to
/// |T_j| + `last`: those of the prefix itself and of every prefix that it stands for.
struct Prefix {
    std::int32_t cost = 0;  ///< to be added to the profile
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t shift = 0;  ///< carry sum of the profile's first column
    std::size_t parent = 0;  ///< among the prefixes one level up
    std::uint32_t digit = 0;
};
using Prefixes = std::map<CostProfile, Prefix>;

/// The rests of `other` belong to `prefix` from now on.
void take_rests(Prefix& prefix, const Prefix& other) {
    prefix.first = std::min(prefix.first, other.first);
    prefix.last = std::max(prefix.last, other.last);
}

/// The rests of a prefix as those of its mirror image: q becomes |T_j| - q - (columns - 1).
Prefix mirrored(Prefix prefix, std::int64_t columns) {
    const std::int64_t first = -prefix.last - (columns - 1);
    prefix.last = -prefix.first - (columns - 1);
    prefix.first = first;
    return prefix;
}

void insert(Prefixes& prefixes, CostProfile profile, const Prefix& prefix) {
    CostProfile mirror = profile.reflected();
    const auto reflected = prefixes.find(mirror);
    if (reflected != prefixes.end() && mirror != profile && prefix.cost <= reflected->second.cost) {
        take_rests(reflected->second, mirrored(prefix, profile.columns()));
        return;
    }
    Prefix joined = prefix;
    if (reflected != prefixes.end() && mirror != profile) {
        take_rests(joined, mirrored(reflected->second, profile.columns()));
        prefixes.erase(reflected);
    }
    const auto [place, is_new] = prefixes.try_emplace(std::move(profile), joined);
    if (is_new) return;
    Prefix& kept = place->second;
    take_rests(joined, kept);
    if (joined.cost > kept.cost) {
        kept = joined;
    } else {
        take_rests(kept, joined);
    }
}

/// Whether some move of `other` within three columns lies below `strong`; if so `strong` stands for
/// it from now on.
bool absorbs(const CostProfile& strong_profile, Prefix& strong, const CostProfile& other_profile,
             const Prefix& other) {
    for (const bool mirror : {false, true}) {
        const CostProfile& seen = mirror ? other_profile.reflected() : other_profile;
        for (std::int64_t shift = -3; shift <= 3; ++shift) {
            if (!strong_profile.dominates(seen, shift, strong.cost - other.cost)) continue;
            Prefix moved = mirror ? mirrored(other, other_profile.columns()) : other;
            moved.first -= shift;
            moved.last -= shift;
            take_rests(strong, moved);
            return true;
        }
    }
    return false;
}

/// Drops prefixes that one of the dearest others dominates.
void drop_dominated(Prefixes& prefixes) {
    constexpr std::size_t champions_max = 48;
    std::vector<Prefixes::iterator> order;
    for (auto it = prefixes.begin(); it != prefixes.end(); ++it)
        order.push_back(it);
    std::stable_sort(order.begin(), order.end(),
                     [](auto left, auto right) { return left->second.cost > right->second.cost; });
    std::vector<Prefixes::iterator> champions;
    for (const auto it : order) {
        const bool dominated = std::any_of(champions.begin(), champions.end(), [&](auto strong) {
            return absorbs(strong->first, strong->second, it->first, it->second);
        });
        if (dominated) {
            prefixes.erase(it);
        } else if (champions.size() < champions_max) {
            champions.push_back(it);
        }
    }
}

Prefixes next_level(const Prefixes& above, std::uint64_t arity, std::int32_t spread) {
    Prefixes below;
    std::size_t parent = 0;
    for (const auto& [profile, prefix] : above) {
        for (std::uint64_t digit = 0; digit < arity; ++digit) {
            auto next = profile.next(as_signed(arity), as_signed(digit), spread);
            // |T_{j+1}| = k |T_j| + 1: only the first digit meets rests below 0, only the last
            // digit rests beyond |T_j|.
            Prefix child{.cost = prefix.cost + next.cost,
                         .first = (digit == 0 ? prefix.first : 0) + next.shift,
                         .last = (digit + 1 == arity ? prefix.last + 1 : 0) + next.shift,
                         .shift = prefix.shift + next.shift,
                         .parent = parent,
                         .digit = static_cast<std::uint32_t>(digit)};
            insert(below, std::move(next.profile), child);
        }
        ++parent;
    }
    drop_dominated(below);
    return below;
}

/// The largest cost of a rest of a prefix, and that rest in the columns of its profile.
std::pair<std::int32_t, std::int64_t> hardest_rest(const CostProfile& profile, const Prefix& prefix,
                                                   const RestCosts& rest_costs, std::int64_t size) {
    std::pair<std::int32_t, std::int64_t> hardest{-1, 0};
    for (std::int64_t rest = prefix.first; rest <= size + prefix.last; ++rest) {
        std::int32_t least = unaffordable;
        for (int carry = CostProfile::carry_min; carry <= CostProfile::carry_max; ++carry) {
            for (std::int64_t sum = 0; sum < profile.columns(); ++sum)
                least = std::min(least, prefix.cost + profile.cost(carry, sum) +
                                            rest_costs(carry * size + sum + rest));
        }
        hardest = std::max(hardest, {least, rest});
    }
    return hardest;
}

void expect_range(std::uint64_t arity, std::uint64_t height) {
    constexpr std::uint64_t most = 4096;
    if (arity > most || height > most)
        throw InputError("complete k-ary tree: expected k and h up to " + std::to_string(most) +
                         ", found k = " + std::to_string(arity) +
                         ", h = " + std::to_string(height));
}

}  // namespace

std::uint64_t stability_of_gap(std::uint64_t arity, std::uint64_t height,
                               const CompleteTreeGap& gap) {
    expect_range(arity, height);
    const Bottom bottom = bottom_of(arity, height);
    if (arity < 2 || height < 1 || gap.digits.size() + bottom.level != height)
        throw InputError("stability of a gap: expected k >= 2, h >= 1 and " +
                         std::to_string(height - bottom.level) + " digits, found k = " +
                         std::to_string(arity) + ", h = " + std::to_string(height) + " and " +
                         std::to_string(gap.digits.size()) + " digits");
    if (std::abs(gap.rest) > 2 * bottom.size)
        throw InputError("stability of a gap: expected a rest within " +
                         std::to_string(2 * bottom.size) + ", found " + std::to_string(gap.rest));
    WideCosts costs(as_signed(gap.digits.size()));
    for (const std::uint32_t digit : gap.digits) {
        if (digit >= arity)
            throw InputError("stability of a gap: expected digits below " + std::to_string(arity) +
                             ", found " + std::to_string(digit));
        costs = costs.next(as_signed(arity), digit);
    }
    const std::int32_t least = costs.least_with(RestCosts(arity, bottom), bottom.size, gap.rest);
    EQUIPOISE_ASSERT(least < unaffordable);
    return static_cast<std::uint64_t>(least);
}

namespace {

/// Both bounds from profiles whose costs above the least by more than `spread` are left out; none
/// when there would be more than `prefixes_max` prefixes on a level.
std::optional<CompleteTreeDiscrepancy> search_prefixes(std::uint64_t arity, std::uint64_t height,
                                                       std::int32_t spread,
                                                       std::uint64_t prefixes_max) {
    const Bottom bottom = bottom_of(arity, height);
    std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> history;  // parent, digit
    Prefixes prefixes{{CostProfile(), Prefix{}}};
    for (std::uint64_t level = height; level > bottom.level; --level) {
        prefixes = next_level(prefixes, arity, spread);
        if (prefixes.size() > prefixes_max) return std::nullopt;
        auto& record = history.emplace_back();
        for (const auto& [profile, prefix] : prefixes)
            record.emplace_back(prefix.parent, prefix.digit);
    }

    const RestCosts rest_costs(arity, bottom);
    std::int32_t upper = -1;
    std::size_t hardest = 0;
    CompleteTreeGap gap;
    std::size_t index = 0;
    for (const auto& [profile, prefix] : prefixes) {
        const auto [cost, rest] = hardest_rest(profile, prefix, rest_costs, bottom.size);
        if (cost > upper) {
            upper = cost;
            hardest = index;
            gap.rest = rest - prefix.shift;
        }
        ++index;
    }
    for (std::size_t level = history.size(); level > 0; --level) {
        const auto [parent, digit] = history[level - 1][hardest];
        gap.digits.push_back(digit);
        hardest = parent;
    }
    std::reverse(gap.digits.begin(), gap.digits.end());
    return CompleteTreeDiscrepancy{stability_of_gap(arity, height, gap),
                                   static_cast<std::uint64_t>(upper), gap};
}

}  // namespace

// Problem: max over gaps p of the least sum |y_j| with sum_{j<h} y_j |T_j| = p modulo n.
// Source: Houle, Symvonis, Wood 2004, end of Section 4.5 (the quantity and the conjecture).
// Method: gaps are read digit by digit from the top; all gaps with one prefix share a cost profile.
//   Profiles equal up to a shift of carry sums or reflection have the same future, so only the
//   dearest is kept, with the union of the rests to be covered; dominated profiles are dropped.
// Guarantee: leaving out carries and dear entries only raises costs, so `upper` is an upper bound;
//   `lower` is the exact stability of the gap found. More entries are kept until they meet.
CompleteTreeDiscrepancy stable_discrepancy_of_complete_tree(std::uint64_t arity,
                                                            std::uint64_t height,
                                                            std::uint64_t prefixes_max) {
    if (arity == 0 || height == 0)
        throw UnsuitableError("complete k-ary tree: expected k >= 1 and h >= 1, found k = " +
                              std::to_string(arity) + ", h = " + std::to_string(height));
    expect_range(arity, height);
    const Bottom bottom = bottom_of(arity, height);
    if (bottom.level == height) {
        const auto found = maximum_stable_discrepancy(stable_gaps_of_complete_tree(arity, height));
        return {found.tokens, found.tokens, {{}, as_signed(found.hardest_gap)}};
    }
    CompleteTreeDiscrepancy best{
        .lower = 0, .upper = std::numeric_limits<std::uint64_t>::max(), .hardest_gap = {}};
    for (std::int32_t spread = 1; !best.exact(); ++spread) {
        const auto found = search_prefixes(arity, height, spread, prefixes_max);
        if (!found) break;
        best.upper = std::min(best.upper, found->upper);
        if (found->lower > best.lower) {
            best.lower = found->lower;
            best.hardest_gap = found->hardest_gap;
        }
        if (spread > as_signed(arity * height)) break;
    }
    return best;
}

}  // namespace equipoise::analysis
