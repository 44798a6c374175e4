#pragma once
// Finding out whether a file can be written before its contents are computed.

#include <string>

namespace equipoise {

/// Throws InputError naming the path and the system's reason if a file cannot be written there.
/// Leaves nothing behind; a named pipe, which would wait for its reader, is not opened.
void expect_writable(const std::string& path);

}  // namespace equipoise
