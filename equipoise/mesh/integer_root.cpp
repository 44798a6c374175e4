#include "equipoise/mesh/integer_root.hpp"

#include <algorithm>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::mesh {

namespace {

/// A natural number in digits of 64 bits, the lowest first, without leading zeros.
using Digits = std::vector<std::uint64_t>;

void multiply(Digits& number, std::uint64_t factor) {
    UInt128 carry = 0;
    for (std::uint64_t& digit : number) {
        carry += static_cast<UInt128>(digit) * factor;
        digit = static_cast<std::uint64_t>(carry);
        carry >>= 64U;
    }
    if (carry != 0) number.push_back(static_cast<std::uint64_t>(carry));
    while (!number.empty() && number.back() == 0)
        number.pop_back();
}

void multiply(Digits& number, const Power& power) {
    for (unsigned i = 0; i < power.exponent; ++i)
        multiply(number, power.base);
}

bool at_most(const Digits& a, const Digits& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend()) || a == b;
}

/// Whether x^degree * divisor <= product, while all of it fits into 128 bits.
bool at_most_short(std::uint64_t x, unsigned degree, std::uint64_t divisor, UInt128 product) {
    UInt128 power = divisor;
    for (unsigned i = 0; i < degree; ++i)
        if (__builtin_mul_overflow(power, static_cast<UInt128>(x), &power) || power > product)
            return false;
    return true;
}

/// The largest x below 2^63 for which `holds`, which is monotone and holds for 0.
template <class Holds>
std::uint64_t largest(const Holds& holds) {
    std::uint64_t low = 0;
    std::uint64_t high = 1;
    while (high < (std::uint64_t{1} << 63U) && holds(high)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace

std::uint64_t floor_root(std::initializer_list<Power> product, unsigned degree,
                         std::uint64_t divisor) {
    EQUIPOISE_ASSERT(degree >= 1 && divisor >= 1);
    UInt128 small = 1;
    bool fits = true;
    for (const Power& power : product)
        for (unsigned i = 0; i < power.exponent && fits; ++i)
            fits = !__builtin_mul_overflow(small, static_cast<UInt128>(power.base), &small);
    if (fits)
        return largest([&](std::uint64_t x) { return at_most_short(x, degree, divisor, small); });
    Digits large = {1};
    for (const Power& power : product)
        multiply(large, power);
    return largest([&](std::uint64_t x) {
        Digits candidate = {divisor};
        multiply(candidate, Power{x, degree});
        return at_most(candidate, large);
    });
}

}  // namespace equipoise::mesh
