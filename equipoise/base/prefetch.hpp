#pragma once
// Memory that is read soon.

#include <cstddef>

namespace equipoise {

/// Asks for the line of the cache at an address. Without the empty statement g++ takes a function
/// that does nothing else for one without effect, and drops its calls.
inline void prefetch(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

/// Asks for all lines of the cache that an object has parts in.
inline void prefetch(const std::byte* first, std::size_t bytes) {
    if (bytes == 0) return;
    for (std::size_t at = 0; at < bytes; at += 64)
        prefetch(first + at);
    prefetch(first + bytes - 1);
}

}  // namespace equipoise
