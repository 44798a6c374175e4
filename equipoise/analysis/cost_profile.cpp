#include "equipoise/analysis/cost_profile.hpp"

#include <algorithm>
#include <cstdlib>

namespace equipoise::analysis {
namespace {

constexpr std::int32_t unaffordable = 1 << 28;
/// A level moves carry sums by at most two.
constexpr std::int64_t margin = 3;

}  // namespace

CostProfile::CostProfile() : costs_(carries, 0) {}

std::int32_t CostProfile::cost(int carry, std::int64_t sum) const {
    if (carry < carry_min || carry > carry_max) return unaffordable;
    const std::int64_t column = std::clamp<std::int64_t>(sum, 0, columns_ - 1);
    const auto beyond = static_cast<std::int32_t>(std::abs(sum - column));
    return costs_[static_cast<std::size_t>((carry - carry_min) * columns_ + column)] + beyond;
}

CostProfile::Next CostProfile::next(std::int64_t arity, std::int64_t digit,
                                    std::int32_t spread) const {
    CostProfile wide;
    wide.columns_ = columns_ + 2 * margin;
    wide.costs_.assign(static_cast<std::size_t>(carries * wide.columns_), unaffordable);
    for (int carry = carry_min; carry <= carry_max; ++carry) {
        for (std::int64_t column = 0; column < wide.columns_; ++column) {
            auto& best = wide.at(carry, column);
            for (int above = carry_min; above <= carry_max; ++above) {
                const auto coefficient =
                    static_cast<std::int32_t>(std::abs(arity * above + digit - carry));
                best = std::min(best, cost(above, column - margin - above) + coefficient);
            }
        }
    }
    wide.close(arity);
    const std::int32_t limit = *std::min_element(wide.costs_.begin(), wide.costs_.end()) + spread;
    for (auto& entry : wide.costs_) {
        if (entry > limit) entry = unaffordable;
    }
    wide.close(arity);
    Next next = wide.normalised();
    next.shift -= margin;
    return next;
}

void CostProfile::close(std::int64_t arity) {
    const auto level_price = static_cast<std::int32_t>(arity);
    bool changed = true;
    const auto lower = [&](std::int32_t& cost, std::int32_t other) {
        if (other >= cost) return;
        cost = other;
        changed = true;
    };
    while (changed) {
        changed = false;
        for (int carry = carry_min; carry <= carry_max; ++carry) {
            for (std::int64_t column = 1; column < columns_; ++column)
                lower(at(carry, column), at(carry, column - 1) + 1);
            for (std::int64_t column = columns_ - 2; column >= 0; --column)
                lower(at(carry, column), at(carry, column + 1) + 1);
            for (std::int64_t column = 0; column < columns_; ++column) {
                lower(at(carry, column), cost(carry + 1, column - 1) + level_price);
                lower(at(carry, column), cost(carry - 1, column + 1) + level_price);
            }
        }
    }
}

bool CostProfile::follows(std::int64_t column, std::int64_t from) const {
    for (int carry = carry_min; carry <= carry_max; ++carry) {
        if (cost(carry, column) != cost(carry, from) + 1) return false;
    }
    return true;
}

CostProfile::Next CostProfile::normalised() const {
    std::int64_t first = 0;
    std::int64_t last = columns_ - 1;
    while (first < last && follows(first, first + 1))
        ++first;
    while (first < last && follows(last, last - 1))
        --last;
    Next next;
    next.shift = first;
    next.cost = *std::min_element(costs_.begin(), costs_.end());
    next.profile.columns_ = last - first + 1;
    next.profile.costs_.resize(static_cast<std::size_t>(carries * next.profile.columns_));
    for (int carry = carry_min; carry <= carry_max; ++carry) {
        for (std::int64_t column = first; column <= last; ++column)
            next.profile.at(carry, column - first) = cost(carry, column) - next.cost;
    }
    return next;
}

CostProfile CostProfile::reflected() const {
    // Carries -2 .. 1 are mirrored to 1 .. -2, so the whole table is read backwards.
    CostProfile mirror = *this;
    std::reverse(mirror.costs_.begin(), mirror.costs_.end());
    return mirror;
}

bool CostProfile::dominates(const CostProfile& other, std::int64_t shift,
                            std::int32_t extra) const {
    const std::int64_t first = std::min<std::int64_t>(0, shift);
    const std::int64_t last = std::max(columns_, other.columns_ + shift);
    for (int carry = carry_min; carry <= carry_max; ++carry) {
        for (std::int64_t sum = first; sum <= last; ++sum) {
            if (cost(carry, sum) + extra < other.cost(carry, sum - shift)) return false;
        }
    }
    return true;
}

}  // namespace equipoise::analysis
