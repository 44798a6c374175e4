#pragma once
// Whole files, judged while they are being read.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace equipoise {

/// The bytes of a file, read once and in order (a pipe will do). After every block `look` gets all
/// bytes so far and where the new ones begin; what it throws ends the reading. Throws InputError if
/// the file cannot be read, and beyond 2^32 bytes.
[[nodiscard]] std::string read_bytes(
    const std::string& path,
    const std::function<void(std::string_view all, std::size_t from)>& look);

}  // namespace equipoise
