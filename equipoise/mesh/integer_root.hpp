#pragma once
// Integer parts of roots of large products.

#include <cstdint>
#include <initializer_list>

namespace equipoise::mesh {

/// A product of powers, base^exponent * base^exponent * ..., of any size.
struct Power {
    std::uint64_t base = 1;
    unsigned exponent = 1;
};

/// The largest x with x^degree * divisor <= the product; degree, divisor >= 1. The root must fit
/// into 63 bits. Exact: compared in integers of any length if 128 bits are too few.
[[nodiscard]] std::uint64_t floor_root(std::initializer_list<Power> product, unsigned degree,
                                       std::uint64_t divisor = 1);

}  // namespace equipoise::mesh
