#pragma once
// Assertions for programmers' errors, in two levels. Cheap ones are always on; heavy ones, which
// recompute state from scratch, only in checked builds (CMake option EQUIPOISE_CHECKED).

#include <cstdlib>

namespace equipoise::detail {
/// Writes the failed condition and its place to standard error and aborts: the one place where the
/// library may end the process, reached by a programmer's error only.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}  // namespace equipoise::detail

#define EQUIPOISE_ASSERT(condition) \
    (static_cast<bool>(condition)   \
         ? static_cast<void>(0)     \
         : ::equipoise::detail::assertion_failed(#condition, __FILE__, __LINE__))

#if defined(EQUIPOISE_CHECKED)
#define EQUIPOISE_HEAVY_ASSERT(condition) EQUIPOISE_ASSERT(condition)
namespace equipoise {
inline constexpr bool checked_build = true;
}
#else
#define EQUIPOISE_HEAVY_ASSERT(condition) static_cast<void>(0)
namespace equipoise {
inline constexpr bool checked_build = false;
}
#endif
