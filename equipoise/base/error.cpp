#include "equipoise/base/error.hpp"

#include "equipoise/base/printable.hpp"

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
        message += printable(found.substr(0, shown_max));
        if (found.size() > shown_max) message += "...";
        message += '"';
    }
    return InputError(message);
}

}  // namespace equipoise
