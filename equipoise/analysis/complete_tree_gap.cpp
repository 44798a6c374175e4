#include "equipoise/analysis/complete_tree_gap.hpp"

#include <algorithm>
#include <compare>
#include <cstdlib>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

constexpr std::int64_t carry_min = -4;
constexpr std::int64_t carries = 8;

/// Least costs of one prefix for every carry and carry sum that a best solution may need.
class WideCosts {
  public:
    explicit WideCosts(std::int64_t levels)
        : offset_(-carry_min * levels),
          costs_(carries, std::vector<std::int32_t>(static_cast<std::size_t>(2 * offset_ + 1),
                                                    beyond_reach)) {
        for (auto& row : costs_)
            row[static_cast<std::size_t>(offset_)] = 0;
    }

    [[nodiscard]] WideCosts next(std::int64_t arity, std::int64_t digit) const {
        WideCosts below = *this;
        for (auto& row : below.costs_)
            std::fill(row.begin(), row.end(), beyond_reach);
        for (std::int64_t above = 0; above < carries; ++above) {
            const std::int64_t carry_above = above + carry_min;
            const auto& row = costs_[static_cast<std::size_t>(above)];
            for (std::size_t sum = 0; sum < row.size(); ++sum) {
                if (row[sum] >= beyond_reach) continue;
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

    /// The least total, for every rest from `first` on, of the costs of a prefix and of the
    /// cheapest way to express the remainder. Cheap entries come first; the search ends when no
    /// entry is cheaper than the costs already found for all rests.
    [[nodiscard]] std::vector<std::int32_t> least_with(const RestCosts& rest_costs,
                                                       std::int64_t first,
                                                       std::size_t rests) const {
        std::vector<Entry> entries;
        for (std::int64_t carry = 0; carry < carries; ++carry) {
            const auto& row = costs_[static_cast<std::size_t>(carry)];
            for (std::size_t sum = 0; sum < row.size(); ++sum) {
                if (row[sum] < beyond_reach)
                    entries.push_back({row[sum], (carry + carry_min) * rest_costs.size() +
                                                     as_signed(sum) - offset_ + first});
            }
        }
        std::sort(entries.begin(), entries.end());
        const std::int32_t base = entries.front().cost;
        std::vector<Cost> least(rests, unaffordable);  // beyond `base`
        Cost most = unaffordable;
        for (std::size_t i = 0; i < entries.size() && entries[i].cost - base < most; ++i) {
            const auto cost = static_cast<Cost>(entries[i].cost - base);
            lower_to(least, cost, rest_costs.from(entries[i].left));
            if (i % 16 == 0) most = *std::max_element(least.begin(), least.end());
        }
        std::vector<std::int32_t> totals;
        totals.reserve(rests);
        for (const Cost cost : least)
            totals.push_back(base + cost);
        return totals;
    }

  private:
    static constexpr std::int32_t beyond_reach = 1 << 28;

    struct Entry {
        std::int32_t cost;
        std::int64_t left;  ///< the remainder for small subtrees, with the first rest
        auto operator<=>(const Entry&) const = default;
    };

    std::int64_t offset_;                           ///< place of carry sum 0 in a row
    std::vector<std::vector<std::int32_t>> costs_;  ///< by carry, then by carry sum
};

void expect_gap(std::uint64_t arity, std::uint64_t height, std::size_t digits) {
    if (arity < 2 || height < 1 || digits > height)
        throw InputError(
            "stability of a gap: expected k >= 2, h >= 1 and at most h digits, found k "
            "= " +
            std::to_string(arity) + ", h = " + std::to_string(height) + " and " +
            std::to_string(digits) + " digits");
}

}  // namespace

RestCosts::RestCosts(std::uint64_t arity, std::uint64_t level) : level_(level) {
    constexpr std::int64_t size_max = 1LL << 24U;
    while (subtrees_.size() < level) {
        subtrees_.push_back(size_);
        size_ = as_signed(arity) * size_ + 1;
        if (size_ > size_max)
            throw InputError("stability of a gap: expected a rest of at most " +
                             std::to_string(size_max) + ", found subtrees of " +
                             std::to_string(size_) + " nodes below the last digit");
    }
    reach_ = 8 * size_;
    costs_.assign(static_cast<std::size_t>(2 * reach_ + 1), unaffordable);
    at(0) = 0;
    const auto one_more = [](Cost cost) {
        return static_cast<Cost>(std::min<int>(cost + 1, unaffordable));
    };
    for (const std::int64_t size : subtrees_) {
        for (std::int64_t x = -reach_ + size; x <= reach_; ++x)
            at(x) = std::min(at(x), one_more(at(x - size)));
        for (std::int64_t x = reach_ - size; x >= -reach_; --x)
            at(x) = std::min(at(x), one_more(at(x + size)));
    }
}

void lower_to(std::vector<Cost>& least, Cost cost, const Cost* rest_costs) {
    Cost* const values = least.data();
    const std::size_t size = least.size();
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) {
        const auto total = static_cast<Cost>(cost + rest_costs[i]);
        values[i] = total < values[i] ? total : values[i];
    }
}

HardestRest hardest_rest(std::uint64_t arity, std::uint64_t height,
                         std::span<const std::uint32_t> digits, std::int64_t first,
                         std::int64_t last, const RestCosts& rest_costs) {
    expect_gap(arity, height, digits.size());
    const std::int64_t levels = as_signed(digits.size());
    const std::int64_t rest_max = 2 * rest_costs.size() + carry_min * levels;
    if (rest_costs.level() + digits.size() != height || first > last ||
        std::max(std::abs(first), std::abs(last)) > rest_max)
        throw InputError("stability of a gap: expected a rest within " + std::to_string(rest_max) +
                         ", found " + std::to_string(first) + " to " + std::to_string(last));
    WideCosts costs(levels);
    for (const std::uint32_t digit : digits) {
        if (digit >= arity)
            throw InputError("stability of a gap: expected digits below " + std::to_string(arity) +
                             ", found " + std::to_string(digit));
        costs = costs.next(as_signed(arity), digit);
    }
    const std::vector<std::int32_t> least =
        costs.least_with(rest_costs, first, static_cast<std::size_t>(last - first + 1));
    const auto hardest = std::max_element(least.begin(), least.end());
    return {static_cast<std::uint64_t>(*hardest), first + (hardest - least.begin())};
}

std::uint64_t stability_of_gap(std::uint64_t arity, std::uint64_t height,
                               const CompleteTreeGap& gap) {
    expect_gap(arity, height, gap.digits.size());
    const RestCosts rest_costs(arity, height - gap.digits.size());
    return hardest_rest(arity, height, gap.digits, gap.rest, gap.rest, rest_costs).stability;
}

}  // namespace equipoise::analysis
