#pragma once
// Reading whole files that are checked while they are read.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace equipoise {

/// The bytes of a file, read once and in order (a pipe will do). After every block `look` is called
/// with all bytes so far and the position of the new ones; an exception from it ends the reading.
/// Throws InputError if the file cannot be read, and beyond 2^32 bytes.
[[nodiscard]] std::string read_bytes(
    const std::string& path,
    const std::function<void(std::string_view all, std::size_t from)>& look);

}  // namespace equipoise
