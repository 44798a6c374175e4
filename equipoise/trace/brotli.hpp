#pragma once
// Brotli, the compression in which vt writes traces unless told otherwise. In builds without the
// library, `compressed` and `Decompressor` throw UnsuitableError.

#include <memory>
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

/// Decompresses a text while its file is being read. The text may be at most 2^32 bytes long, and
/// beyond 64 MiB never more than 1,000 times as long as the bytes taken so far. `name`, which it
/// borrows, stands for the file in messages.
class Decompressor {
  public:
    explicit Decompressor(const std::string& name);
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;
    ~Decompressor();

    /// Takes the next bytes; returns what they add to the text, valid until the next call. Throws
    /// InputError if the text becomes too long, and at bytes that are damaged or follow the text.
    std::string_view follow(std::string_view bytes);
    /// The text. Throws InputError if it is not complete.
    [[nodiscard]] std::string text() &&;

  private:
    struct State;
    const std::string& name_;
    std::unique_ptr<State> state_;
};

/// The compressed text, for this file.
[[nodiscard]] std::string compressed(std::string_view text, const std::string& name);

}  // namespace equipoise::trace
