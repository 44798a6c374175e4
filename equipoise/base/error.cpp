#include "equipoise/base/error.hpp"

namespace equipoise {

InputError InputError::at(std::string_view file, std::size_t line, std::string_view expected,
                          std::string_view found) {
    constexpr std::size_t shown_max = 60;
    std::string message(file);
    message += ':';
    message += std::to_string(line);
    message += ": expected ";
    message += expected;
    message += ", found ";
    if (found.empty()) {
        message += "nothing";
    } else {
        message += '"';
        for (const char c : found.substr(0, shown_max)) {
            const bool printable = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
            message += printable ? c : '?';
        }
        if (found.size() > shown_max) message += "...";
        message += '"';
    }
    return InputError(message);
}

}  // namespace equipoise
