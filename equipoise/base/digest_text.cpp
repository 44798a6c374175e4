#include "equipoise/base/digest_text.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace equipoise {

namespace {

constexpr std::size_t digest_digits = 16;

}  // namespace

std::string digest_text(std::uint64_t digest) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text(digest_digits, '0');
    for (std::size_t i = text.size(); i-- > 0; digest >>= 4U)
        text[i] = digits[digest & 0xfU];
    return text;
}

std::optional<std::uint64_t> digest_from_text(std::string_view text) {
    std::uint64_t digest = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, digest, 16);
    if (text.size() != digest_digits || stop != end || error != std::errc{}) return std::nullopt;
    return digest;
}

}  // namespace equipoise
