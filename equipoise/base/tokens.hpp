#pragma once
// Token counts, wide integers and arithmetic that refuses to overflow silently.

#include <cstdint>
#include <limits>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise {

/// A number of tokens. Signed, because flows and differences of loads have a sign.
using Tokens = std::int64_t;

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// The largest total an instance may hold: differences and doubled values stay inside 64 bits.
inline constexpr Tokens tokens_max = std::numeric_limits<Tokens>::max() / 4;

/// a + b. Throws OverflowError when the result does not fit into 64 bits.
[[nodiscard]] inline Tokens checked_add(Tokens a, Tokens b) {
    Tokens sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw OverflowError("sum of token counts");
    return sum;
}

/// a * b. Throws OverflowError when the result does not fit into 64 bits.
[[nodiscard]] inline Tokens checked_multiply(Tokens a, Tokens b) {
    Tokens product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw OverflowError("product of token counts");
    return product;
}

/// a + b in 128 bits. Throws OverflowError when the result does not fit.
[[nodiscard]] inline Int128 checked_add(Int128 a, Int128 b) {
    Int128 sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw OverflowError("128-bit sum");
    return sum;
}

/// a * b in 128 bits. Throws OverflowError when the result does not fit.
[[nodiscard]] inline Int128 checked_multiply(Int128 a, Int128 b) {
    Int128 product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw OverflowError("128-bit product");
    return product;
}

/// The quotient rounded towards minus infinity; divisor > 0.
[[nodiscard]] constexpr Tokens floor_divide(Tokens dividend, Tokens divisor) {
    EQUIPOISE_ASSERT(divisor > 0);
    const Tokens quotient = dividend / divisor;
    return quotient - ((dividend % divisor) < 0 ? 1 : 0);
}

/// The quotient rounded towards plus infinity; divisor > 0.
[[nodiscard]] constexpr Tokens ceil_divide(Tokens dividend, Tokens divisor) {
    EQUIPOISE_ASSERT(divisor > 0);
    const Tokens quotient = dividend / divisor;
    return quotient + ((dividend % divisor) > 0 ? 1 : 0);
}

}  // namespace equipoise
