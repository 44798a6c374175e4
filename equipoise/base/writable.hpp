#pragma once
// Whether a file could be written, before what it is to hold is computed.

#include <string>

namespace equipoise {

/// Throws InputError naming the path and the system's reason if a file cannot be written there.
/// Leaves nothing behind; a named pipe, which would wait for its reader, is not opened.
void expect_writable(const std::string& path);

}  // namespace equipoise
