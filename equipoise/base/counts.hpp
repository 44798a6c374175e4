#pragma once
// Counts of steps, exchanges and messages, which grow for as long as a run goes on.

#include <cstdint>
#include <limits>

#include "equipoise/base/error.hpp"

namespace equipoise {

/// The largest count: a signed 64-bit number, since tables and records hold counts in that form.
inline constexpr std::uint64_t count_max =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// count += more. Throws OverflowError, which names the quantity, when that exceeds `count_max`.
inline void count_up(std::uint64_t& count, std::uint64_t more, const char* quantity) {
    std::uint64_t sum = 0;
    if (__builtin_add_overflow(count, more, &sum) || sum > count_max) throw OverflowError(quantity);
    count = sum;
}

}  // namespace equipoise
