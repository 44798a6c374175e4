#include "equipoise/optimum/checks/fraction_sum.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace equipoise::optimum {

namespace {

/// A natural number of any length, lowest digit first.
class LongNumber {
  public:
    explicit LongNumber(std::uint64_t value) : digits_{value} {}

    void multiply(std::uint64_t factor) {
        std::uint64_t carry = 0;
        for (std::uint64_t& digit : digits_) {
            const UInt128 product = static_cast<UInt128>(digit) * factor + carry;
            digit = static_cast<std::uint64_t>(product);
            carry = static_cast<std::uint64_t>(product >> 64U);
        }
        if (carry != 0) digits_.push_back(carry);
    }
    /// Adds other * factor.
    void add(const LongNumber& other, std::uint64_t factor) {
        digits_.resize(std::max(digits_.size(), other.digits_.size()), 0);
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            const std::uint64_t theirs = i < other.digits_.size() ? other.digits_[i] : 0;
            const UInt128 sum = static_cast<UInt128>(theirs) * factor + digits_[i] + carry;
            digits_[i] = static_cast<std::uint64_t>(sum);
            carry = static_cast<std::uint64_t>(sum >> 64U);
        }
        if (carry != 0) digits_.push_back(carry);
    }
    /// The sign of this number minus the other.
    [[nodiscard]] int compare(const LongNumber& other) const {
        for (std::size_t i = std::max(digits_.size(), other.digits_.size()); i-- > 0;) {
            const std::uint64_t ours = i < digits_.size() ? digits_[i] : 0;
            const std::uint64_t theirs = i < other.digits_.size() ? other.digits_[i] : 0;
            if (ours != theirs) return ours < theirs ? -1 : 1;
        }
        return 0;
    }

  private:
    std::vector<std::uint64_t> digits_;
};

/// Leaves at most one fraction of each denominator, reduced and between 0 and 1; returns the sum of
/// the whole parts.
Int128 reduce(std::vector<Fraction>& fractions) {
    std::sort(fractions.begin(), fractions.end(),
              [](const Fraction& a, const Fraction& b) { return a.denominator < b.denominator; });
    Int128 whole = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fractions.size();) {
        Fraction sum = fractions[i];
        for (++i; i < fractions.size() && fractions[i].denominator == sum.denominator; ++i)
            sum.numerator = checked_add(sum.numerator, fractions[i].numerator);
        const Int128 denominator = static_cast<Int128>(sum.denominator);
        Int128 parts = sum.numerator / denominator;
        sum.numerator %= denominator;
        if (sum.numerator < 0) {
            sum.numerator += denominator;
            --parts;
        }
        whole = checked_add(whole, parts);
        if (sum.numerator == 0) continue;
        const std::uint64_t common =
            std::gcd(static_cast<std::uint64_t>(sum.numerator), sum.denominator);
        fractions[kept++] = {sum.numerator / static_cast<Int128>(common), sum.denominator / common};
    }
    fractions.resize(kept);
    return whole;
}

/// The sign of the sum of reduced fractions minus `whole`, computed with one common denominator.
int compare_exactly(const std::vector<Fraction>& fractions, std::uint64_t whole) {
    LongNumber numerator(0);
    LongNumber denominator(1);
    for (const Fraction& fraction : fractions) {
        numerator.multiply(fraction.denominator);
        numerator.add(denominator, static_cast<std::uint64_t>(fraction.numerator));
        denominator.multiply(fraction.denominator);
    }
    denominator.multiply(whole);
    return numerator.compare(denominator);
}

}  // namespace

int sign_of_sum(Int128 whole, std::vector<Fraction> fractions) {
    whole = checked_add(whole, reduce(fractions));
    // Reduced fractions may have denominators in common that they did not have before.
    whole = checked_add(whole, reduce(fractions));
    if (fractions.empty()) return whole == 0 ? 0 : (whole < 0 ? -1 : 1);
    if (whole >= 0) return 1;
    const auto count = static_cast<Int128>(fractions.size());
    if (-whole >= count) return -1;
    UInt128 rounded_down = 0;
    for (const Fraction& fraction : fractions)
        rounded_down += (static_cast<UInt128>(fraction.numerator) << 64U) / fraction.denominator;
    const UInt128 asked = static_cast<UInt128>(-whole) << 64U;
    if (rounded_down > asked) return 1;
    if (rounded_down + static_cast<UInt128>(count) < asked) return -1;
    return compare_exactly(fractions, static_cast<std::uint64_t>(-whole));
}

}  // namespace equipoise::optimum
