#pragma once
// The sign of a sum of fractions, exactly.

#include <cmath>
#include <cstddef>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

/// A whole number plus fractions. Meant to be reused, so that it does not take memory again.
class ExactSum {
  public:
    void clear(Int128 whole) {
        whole_ = whole;
        parts_.clear();
    }
    /// Adds `numerator / denominator`; the denominator is above 0.
    void add(Int128 numerator, Int128 denominator) {
        const Int128 floor = numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
        whole_ += floor;
        const Int128 rest = numerator - floor * denominator;
        if (rest == 0) return;
        for (Part& part : parts_) {
            if (part.denominator != denominator) continue;
            part.numerator += rest;
            if (part.numerator < denominator) return;
            part.numerator -= denominator;
            ++whole_;
            return;
        }
        parts_.push_back({rest, denominator});
    }
    /// Whether the sum is 0 or more. A sum too near to 0 for 128 bits to tell counts as below.
    [[nodiscard]] bool not_negative() const {
        if (whole_ >= 0) return true;
        if (-whole_ > static_cast<Int128>(parts_.size())) return false;
        long double near = static_cast<long double>(whole_);
        for (const Part& part : parts_)
            near += static_cast<long double>(part.numerator) /
                    static_cast<long double>(part.denominator);
        constexpr long double sure = 1e-9L;
        if (std::abs(near) > sure) return near > 0;
        Int128 numerator = whole_;
        Int128 denominator = 1;
        for (const Part& part : parts_) {
            Int128 here = 0;
            if (__builtin_mul_overflow(numerator, part.denominator, &numerator) ||
                __builtin_mul_overflow(part.numerator, denominator, &here) ||
                __builtin_add_overflow(numerator, here, &numerator) ||
                __builtin_mul_overflow(denominator, part.denominator, &denominator))
                return false;
        }
        return numerator >= 0;
    }

  private:
    struct Part {
        Int128 numerator;  ///< above 0, below the denominator
        Int128 denominator;
    };
    Int128 whole_ = 0;
    std::vector<Part> parts_;
};

}  // namespace equipoise::optimum
