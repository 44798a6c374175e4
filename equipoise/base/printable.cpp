#include "equipoise/base/printable.hpp"

#include <cstddef>

namespace equipoise {

std::string printable(std::string_view text, std::string_view kept) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) >= 0x80 &&
            byte(at + 1) <= 0x9f) {
            clean += '?';
            ++at;
            continue;
        }
        const bool control = byte(at) < 0x20 || byte(at) == 0x7f;
        clean += control && kept.find(text[at]) == std::string_view::npos ? '?' : text[at];
    }
    return clean;
}

}  // namespace equipoise
