#pragma once
// Brotli, the compression in which vt writes traces unless told otherwise. In builds without the
// library, `compressed` and `decompressed` throw UnsuitableError.

#include <string>
#include <string_view>

namespace equipoise::trace {

/// Whether this build has the library.
[[nodiscard]] bool has_brotli();

/// Whether a text begins with { after blanks and a byte order mark.
[[nodiscard]] bool begins_an_object(std::string_view text);

/// Whether these bytes may be the beginning of such a text compressed by brotli; never in builds
/// without the library.
[[nodiscard]] bool may_be_compressed_object(std::string_view beginning);

/// The decompressed text. It may be at most 2^32 bytes long, and beyond 64 MiB at most 1,000 times
/// as long as its input. Throws InputError naming the file if it is longer, or if the bytes are
/// damaged, incomplete or followed by others.
[[nodiscard]] std::string decompressed(std::string_view bytes, const std::string& name);

/// The compressed text, for this file.
[[nodiscard]] std::string compressed(std::string_view text, const std::string& name);

}  // namespace equipoise::trace
