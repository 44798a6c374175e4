#include "equipoise/analysis/cost_profile.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace equipoise::analysis {
namespace {

/// A level moves carry sums by one.
constexpr std::int64_t reach = 1;

Cost sum_of(Cost left, int right) {
    return static_cast<Cost>(std::min<int>(left + right, unaffordable));
}

}  // namespace

WideProfile::WideProfile(std::int64_t first, std::int64_t columns)
    : first_(first),
      columns_(columns),
      costs_(static_cast<std::size_t>(CostProfile::carries * columns), unaffordable) {}

WideProfile::WideProfile(const CostProfile& profile, std::int64_t margin, const RestCosts& prices)
    : WideProfile(-margin, profile.columns() + 2 * margin) {
    const std::int64_t own = profile.columns();
    for (int row = 0; row < CostProfile::carries; ++row) {
        for (std::int64_t column = 0; column < own; ++column)
            at(row, column) = profile.cost(row, column);
        for (std::int64_t beyond = 1; beyond <= margin; ++beyond) {
            Cost& left = at(row, -beyond);
            Cost& right = at(row, own - 1 + beyond);
            for (std::int64_t column = 0; column < own; ++column) {
                left = std::min(left, sum_of(profile.cost(row, column), prices(column + beyond)));
                right = std::min(
                    right, sum_of(profile.cost(row, own - 1 - column), prices(column + beyond)));
            }
        }
    }
}

WideProfile WideProfile::reflected() const {
    // Carries -1, 0 become 0, -1 and every row is read backwards.
    WideProfile mirror(first_, columns_);
    for (int row = 0; row < CostProfile::carries; ++row) {
        for (std::int64_t column = 0; column < columns_; ++column)
            mirror.at(CostProfile::carries - 1 - row, first_ + column) =
                at(row, first_ + columns_ - 1 - column);
    }
    return mirror;
}

std::int32_t WideProfile::excess(const CostProfile& low, std::int32_t raise,
                                 std::int64_t shift) const {
    constexpr std::size_t lanes = 8;
    constexpr auto block = static_cast<std::int64_t>(lanes);
    constexpr Cost most = 15;
    const auto up = static_cast<Cost>(std::clamp<std::int32_t>(raise, -unaffordable, unaffordable));
    std::int32_t total = 0;
    for (int row = 0; row < CostProfile::carries; ++row) {
        const Cost* own = &low.costs_[static_cast<std::size_t>(row * low.columns_)];
        const Cost* other = &costs_[static_cast<std::size_t>(row * columns_ - shift - first_)];
        std::array<Cost, lanes> sums{};
        std::int64_t column = 0;
        for (; column + block <= low.columns_; column += block) {
            for (std::size_t i = 0; i < lanes; ++i) {
                const auto over =
                    static_cast<Cost>(other[column + static_cast<std::int64_t>(i)] + up -
                                      own[column + static_cast<std::int64_t>(i)]);
                sums[i] = static_cast<Cost>(sums[i] + std::clamp(over, static_cast<Cost>(0), most));
            }
        }
        for (; column < low.columns_; ++column)
            total += std::clamp<int>(other[column] + up - own[column], 0, most);
        for (const Cost sum : sums)
            total += sum;
    }
    return total;
}

CostProfile::Next WideProfile::raised(const CostProfile& low, std::int32_t raise,
                                      std::int64_t shift, const RestCosts& prices) const {
    // In the columns of `low`, from the first column of either profile to the last.
    const std::int64_t other_columns = columns_ + 2 * first_;
    const std::int64_t first = std::min<std::int64_t>(0, shift);
    const std::int64_t last = std::max(low.columns(), other_columns + shift);
    const WideProfile strong(low, std::max(-first, last - low.columns()), prices);
    WideProfile high(first, last - first);
    for (int row = 0; row < CostProfile::carries; ++row) {
        for (std::int64_t column = first; column < last; ++column)
            high.at(row, column) = std::max(strong.at(row, column),
                                            static_cast<Cost>(at(row, column - shift) + raise));
    }
    return high.normalised(prices);
}

void WideProfile::close(std::int64_t arity, const RestCosts& prices) {
    const auto level_price = static_cast<int>(arity);
    const WideProfile open = *this;
    for (std::int64_t column = first_; column < first_ + columns_; ++column) {
        if (column > first_)
            at(0, column) = std::min(at(0, column), sum_of(open.at(1, column - 1), level_price));
        if (column + 1 < first_ + columns_)
            at(1, column) = std::min(at(1, column), sum_of(open.at(0, column + 1), level_price));
    }
    const WideProfile paid = *this;
    const auto [least, most] = std::minmax_element(costs_.begin(), costs_.end());
    const int spread = *most - *least;  // a higher cost pays for no other carry
    for (std::int64_t distance = 1; distance < columns_; ++distance) {
        const int price = prices(distance);
        if (price >= spread) continue;
        for (int row = 0; row < CostProfile::carries; ++row) {
            for (std::int64_t column = first_; column + distance < first_ + columns_; ++column) {
                Cost& left = at(row, column);
                Cost& right = at(row, column + distance);
                left = std::min(left, sum_of(paid.at(row, column + distance), price));
                right = std::min(right, sum_of(paid.at(row, column), price));
            }
        }
    }
}

CostProfile::Next WideProfile::normalised(const RestCosts& prices) const {
    std::int64_t first = first_;
    std::int64_t last = first_ + columns_ - 1;
    const auto follows = [&](std::int64_t column, std::int64_t from, std::int64_t to) {
        for (int row = 0; row < CostProfile::carries; ++row) {
            bool paid = false;
            for (std::int64_t other = from; other <= to && !paid; ++other)
                paid = at(row, other) + prices(column - other) <= at(row, column);
            if (!paid) return false;
        }
        return true;
    };
    while (first < last && follows(first, first + 1, last))
        ++first;
    while (first < last && follows(last, first, last - 1))
        --last;
    CostProfile::Next next;
    next.shift = first;
    next.profile.columns_ = last - first + 1;
    next.profile.costs_.clear();
    for (int row = 0; row < CostProfile::carries; ++row) {
        for (std::int64_t column = first; column <= last; ++column)
            next.profile.costs_.push_back(at(row, column));
    }
    const Cost least = *std::min_element(next.profile.costs_.begin(), next.profile.costs_.end());
    for (Cost& cost : next.profile.costs_)
        cost = static_cast<Cost>(cost - least);
    next.cost = least;
    return next;
}

CostProfile::Next CostProfile::next(std::int64_t arity, std::int64_t digit,
                                    const RestCosts& prices) const {
    const WideProfile above(*this, 2 * reach, prices);
    WideProfile wide(-reach, columns_ + 2 * reach);
    for (int carry = -1; carry <= 0; ++carry) {
        for (int carry_above = -1; carry_above <= 0; ++carry_above) {
            const auto coefficient =
                static_cast<int>(std::abs(arity * carry_above + digit - carry));
            for (std::int64_t column = -reach; column < columns_ + reach; ++column) {
                Cost& best = wide.at(carry + 1, column);
                best = std::min(
                    best, sum_of(above.at(carry_above + 1, column - carry_above), coefficient));
            }
        }
    }
    wide.close(arity, prices);
    return wide.normalised(prices);
}

CostProfile CostProfile::reflected() const {
    // Carries -1, 0 are mirrored to 0, -1, so the whole table is read backwards.
    CostProfile mirror = *this;
    std::reverse(mirror.costs_.begin(), mirror.costs_.end());
    return mirror;
}

}  // namespace equipoise::analysis
