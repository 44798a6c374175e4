#pragma once
// Sizes are checked here before memory is taken.

#include <string>
#include <string_view>

#include "equipoise/base/tokens.hpp"

namespace equipoise {

/// What this process may use: the machine's memory, or less if a limit says so (ulimit -v, a
/// container). The largest number if nothing is known.
[[nodiscard]] std::uint64_t memory_bytes_max();

/// "12 GiB".
[[nodiscard]] std::string memory_text(UInt128 bytes);

/// Throws InputError if `bytes` are more than `memory_bytes_max`: "WHAT would take N of memory:
/// this machine has M".
void expect_memory(UInt128 bytes, std::string_view what);

}  // namespace equipoise
