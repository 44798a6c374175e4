#include "equipoise/analysis/stable_discrepancy_kary.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "equipoise/analysis/cost_profile.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

/// The level at which digits end and the rest is looked up in a table: the first whose subtrees are
/// large compared with all carry sums, or the root's level if the whole tree is small.
std::uint64_t bottom_level(std::uint64_t arity, std::uint64_t height) {
    std::uint64_t level = 0;
    for (std::uint64_t size = 1; level < height && size < 32 + 8 * height; ++level)
        size = arity * size + 1;
    return level;
}

/// A prefix of digits. Its rests q, in the columns of its profile, run from `first` to |T_j| +
/// `last`: they are the rests of the prefix itself and of every prefix that it stands for.
struct Prefix {
    std::int32_t cost = 0;  ///< to be added to the profile
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t constant = 0;  ///< the gap is the value of its digits, plus the rest, plus this
    std::size_t parent = 0;     ///< among the prefixes one level up
    std::uint32_t digit = 0;    ///< the last one
    bool mirrored = false;      ///< minus the gap of the parent's digits and the last one
};

/// A prefix with the profile of itself and of all prefixes that it stands for.
struct Champion {
    CostProfile profile;
    Prefix prefix;
};

/// From now on the rests of `other`, moved left by `shift` columns, belong to `prefix`.
void take_rests(Prefix& prefix, const Prefix& other, std::int64_t shift = 0) {
    prefix.first = std::min(prefix.first, other.first - shift);
    prefix.last = std::max(prefix.last, other.last - shift);
}

/// The prefix of the negated gap: the remainder a |T_j| + b + q is mirrored, with a to -1 - a, b to
/// columns - 1 - b and q to |T_j| - q - (columns - 1).
Prefix mirrored(Prefix prefix, std::int64_t columns) {
    const std::int64_t first = -prefix.last - (columns - 1);
    prefix.last = -prefix.first - (columns - 1);
    prefix.first = first;
    prefix.constant = -prefix.constant + columns - 1;
    prefix.mirrored = !prefix.mirrored;
    return prefix;
}

/// All prefixes of the next level, the most expensive first; those whose profiles are equal or
/// reflections of each other are merged.
std::vector<Champion> children(const std::vector<Champion>& above, std::int64_t arity,
                               const RestCosts& prices) {
    std::map<CostProfile, Prefix> below;
    for (std::size_t parent = 0; parent < above.size(); ++parent) {
        const auto& [profile, prefix] = above[parent];
        for (std::int64_t digit = 0; digit < arity; ++digit) {
            auto next = profile.next(arity, digit, prices);
            // |T_{j+1}| = k |T_j| + 1: only the first digit meets rests below 0, only the last
            // digit rests beyond |T_j|.
            Prefix child{.cost = prefix.cost + next.cost,
                         .first = (digit == 0 ? prefix.first : 0) + next.shift,
                         .last = (digit + 1 == arity ? prefix.last + 1 : 0) + next.shift,
                         .constant = prefix.constant - next.shift,
                         .parent = parent,
                         .digit = static_cast<std::uint32_t>(digit)};
            CostProfile mirror = next.profile.reflected();
            if (mirror < next.profile) {
                child = mirrored(child, mirror.columns());
                std::swap(mirror, next.profile);
            }
            const auto [place, is_new] = below.try_emplace(std::move(next.profile), child);
            if (is_new) continue;
            Prefix& kept = place->second;
            if (child.cost > kept.cost) std::swap(child, kept);
            take_rests(kept, child);
        }
    }
    std::vector<Champion> all;
    all.reserve(below.size());
    for (auto& [profile, prefix] : below)
        all.push_back({profile, prefix});
    std::stable_sort(all.begin(), all.end(), [](const Champion& left, const Champion& right) {
        return left.prefix.cost > right.prefix.cost;
    });
    return all;
}

/// How one profile fits below another.
struct Fit {
    std::int32_t excess = std::numeric_limits<std::int32_t>::max();
    std::size_t champion = 0;
    std::int64_t shift = 0;
    bool mirror = false;
};

/// The champion, move and mirror above which `other` rises least.
Fit best_fit(const std::vector<Champion>& champions, const Champion& other, const WideProfile& wide,
             const WideProfile& wide_mirror, std::int64_t shift_reach) {
    Fit best;
    for (std::size_t i = 0; i < champions.size(); ++i) {
        const Champion& strong = champions[i];
        const std::int32_t raise = other.prefix.cost - strong.prefix.cost;
        const std::int64_t middle = (strong.profile.columns() - other.profile.columns()) / 2;
        for (const bool mirror : {false, true}) {
            const WideProfile& seen = mirror ? wide_mirror : wide;
            for (std::int64_t move = -shift_reach; move <= shift_reach; ++move) {
                const std::int32_t excess = seen.excess(strong.profile, raise, middle + move);
                if (excess < best.excess) best = {excess, i, middle + move, mirror};
                if (excess == 0) return best;
            }
        }
    }
    return best;
}

/// At most `profiles_max` champions that stand for all prefixes: a prefix below a champion is
/// dropped; when there is no more room, any other prefix raises the champion above which it rises
/// least.
std::vector<Champion> champions_of(const std::vector<Champion>& all, std::uint64_t profiles_max,
                                   const RestCosts& prices) {
    constexpr std::int64_t shift_reach = 3;
    std::vector<Champion> champions;
    std::int64_t columns_max = 0;
    for (const Champion& other : all) {
        const std::int64_t columns = other.profile.columns();
        const std::int64_t margin = std::abs(columns_max - columns) + shift_reach + 1;
        const WideProfile wide(other.profile, margin, prices);
        const WideProfile wide_mirror = wide.reflected();
        const Fit fit = best_fit(champions, other, wide, wide_mirror, shift_reach);
        const bool full = champions.size() >= profiles_max;
        if (fit.excess > 0 && !full) {
            champions.push_back(other);
            columns_max = std::max(columns_max, columns);
            continue;
        }
        Champion& strong = champions[fit.champion];
        take_rests(strong.prefix, fit.mirror ? mirrored(other.prefix, columns) : other.prefix,
                   fit.shift);
        if (fit.excess == 0) continue;
        auto raised =
            (fit.mirror ? wide_mirror : wide)
                .raised(strong.profile, other.prefix.cost - strong.prefix.cost, fit.shift, prices);
        strong.profile = std::move(raised.profile);
        strong.prefix.cost += raised.cost;
        strong.prefix.first += raised.shift;
        strong.prefix.last += raised.shift;
        strong.prefix.constant -= raised.shift;
        columns_max = std::max(columns_max, strong.profile.columns());
    }
    return champions;
}

/// The largest cost of a rest of a champion.
std::int32_t hardest_cost(const Champion& champion, const RestCosts& rest_costs) {
    const auto& [profile, prefix] = champion;
    std::vector<Cost> least(
        static_cast<std::size_t>(rest_costs.size() + prefix.last - prefix.first + 1), unaffordable);
    for (int row = 0; row < CostProfile::carries; ++row) {
        for (std::int64_t column = 0; column < profile.columns(); ++column) {
            lower_to(least, profile.cost(row, column),
                     rest_costs.from((row - 1) * rest_costs.size() + column + prefix.first));
        }
    }
    return prefix.cost + *std::max_element(least.begin(), least.end());
}

/// Prefixes level by level from the top; the trees of all heights share them.
class Sweep {
  public:
    Sweep(std::uint64_t arity, const RestCosts& rest_costs, std::uint64_t profiles_max)
        : arity_(arity), rest_costs_(rest_costs), profiles_max_(profiles_max) {}

    void descend() {
        champions_ = champions_of(children(champions_, as_signed(arity_), rest_costs_),
                                  profiles_max_, rest_costs_);
        auto& steps = history_.emplace_back();
        for (const Champion& champion : champions_)
            steps.push_back(
                {champion.prefix.parent, champion.prefix.digit, champion.prefix.mirrored});
    }

    /// Improves the bounds of the tree whose digits now end at the bottom.
    void improve(CompleteTreeDiscrepancy& best) const {
        std::vector<std::pair<std::int32_t, std::size_t>> costs;
        for (std::size_t i = 0; i < champions_.size(); ++i)
            costs.emplace_back(hardest_cost(champions_[i], rest_costs_), i);
        std::sort(costs.rbegin(), costs.rend());
        best.upper = std::min(best.upper, static_cast<std::uint64_t>(costs.front().first));
        constexpr std::size_t tries_max = 4;
        const std::uint64_t height = rest_costs_.level() + history_.size();
        for (std::size_t i = 0; i < std::min(tries_max, costs.size()) && !best.exact(); ++i) {
            if (static_cast<std::uint64_t>(costs[i].first) <= best.lower) break;
            const Prefix& prefix = champions_[costs[i].second].prefix;
            CompleteTreeGap gap = gap_of(costs[i].second);
            const HardestRest found =
                hardest_rest(arity_, height, gap.digits, prefix.first + gap.rest,
                             rest_costs_.size() + prefix.last + gap.rest, rest_costs_);
            if (found.stability <= best.lower) continue;
            best.lower = found.stability;
            best.hardest_gap = {std::move(gap.digits), found.rest};
        }
    }

  private:
    struct Step {
        std::size_t parent;
        std::uint32_t digit;
        bool mirrored;
    };

    /// The gap of a champion whose rest is 0.
    [[nodiscard]] CompleteTreeGap gap_of(std::size_t champion) const {
        const std::int64_t k = as_signed(arity_);
        CompleteTreeGap gap{std::vector<std::uint32_t>(history_.size()),
                            champions_[champion].prefix.constant};
        std::int64_t sign = 1;
        std::int64_t borrow = 0;
        std::size_t at = champion;
        for (std::size_t level = history_.size(); level-- > 0;) {
            const Step& step = history_[level][at];
            std::int64_t digit = step.digit;
            if (step.mirrored) digit = -digit - 1;
            digit = sign * digit - borrow;
            // k |T_j| = |T_{j+1}| - |T_0|, and the whole tree counts as 0.
            borrow = digit < 0 ? (-digit + k - 1) / k : -(digit / k);
            gap.digits[level] = static_cast<std::uint32_t>(digit + borrow * k);
            gap.rest += borrow;
            if (step.mirrored) sign = -sign;
            at = step.parent;
        }
        return gap;
    }

    std::uint64_t arity_;
    const RestCosts& rest_costs_;
    std::uint64_t profiles_max_;
    std::vector<Champion> champions_{Champion{}};
    std::vector<std::vector<Step>> history_;
};

void expect_range(std::uint64_t arity, std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t most = 1024;
    if (arity == 0 || first == 0 || first > last)
        throw UnsuitableError("complete k-ary tree: expected k >= 1 and h >= 1, found k = " +
                              std::to_string(arity) + ", h = " + std::to_string(first));
    if (arity > most || last > most)
        throw InputError("complete k-ary tree: expected k and h up to " + std::to_string(most) +
                         ", found k = " + std::to_string(arity) + ", h = " + std::to_string(last));
}

}  // namespace

// Problem: max over gaps p of the least sum |y_j| with sum_{j<h} y_j |T_j| = p modulo n.
// Source: Houle, Symvonis, Wood 2004, end of Section 4.5 (the quantity and the conjecture).
// Method: gaps are read digit by digit from the top; all gaps with one prefix share a cost profile.
//   Profiles equal up to a shift of carry sums or reflection have the same future, so only the most
//   expensive is kept, with the union of the rests to be covered; dominated profiles are dropped,
//   and beyond a certain number profiles are joined into the larger of both, entry by entry.
// Guarantee: leaving out carries and joining only raises costs, so `upper` is an upper bound;
//   `lower` is the exact stability of the gap found. More profiles are kept until they meet.
std::vector<CompleteTreeDiscrepancy> stable_discrepancies_of_complete_trees(
    std::uint64_t arity, std::uint64_t height_first, std::uint64_t height_last,
    const CompleteTreeEffort& effort) {
    expect_range(arity, height_first, height_last);
    const RestCosts rest_costs(arity, bottom_level(arity, height_last));
    std::vector<CompleteTreeDiscrepancy> rows(height_last - height_first + 1);
    const auto row_of = [&](std::uint64_t height) -> CompleteTreeDiscrepancy& {
        return rows[height - height_first];
    };
    for (std::uint64_t height = height_first; height <= std::min(height_last, rest_costs.level());
         ++height) {
        const auto found = maximum_stable_discrepancy(stable_gaps_of_complete_tree(arity, height));
        row_of(height) = {found.tokens, found.tokens, {{}, as_signed(found.hardest_gap)}};
    }
    const auto stopped = [&] { return effort.stopped && effort.stopped(); };
    constexpr std::uint64_t profiles_first = 16;
    const std::uint64_t profiles_max = std::max<std::uint64_t>(1, effort.profiles_max);
    for (std::uint64_t profiles = std::min(profiles_first, profiles_max);; profiles *= 2) {
        std::uint64_t open_last = 0;
        for (std::uint64_t height = height_first; height <= height_last; ++height) {
            if (!row_of(height).exact()) open_last = height;
        }
        if (open_last == 0 || profiles > profiles_max || stopped()) break;
        Sweep sweep(arity, rest_costs, profiles);
        for (std::uint64_t height = rest_costs.level() + 1; height <= open_last && !stopped();
             ++height) {
            sweep.descend();
            if (height >= height_first && !row_of(height).exact()) sweep.improve(row_of(height));
        }
    }
    return rows;
}

CompleteTreeDiscrepancy stable_discrepancy_of_complete_tree(std::uint64_t arity,
                                                            std::uint64_t height,
                                                            const CompleteTreeEffort& effort) {
    return stable_discrepancies_of_complete_trees(arity, height, height, effort).front();
}

}  // namespace equipoise::analysis
