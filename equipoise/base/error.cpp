#include "equipoise/base/error.hpp"

#include "equipoise/base/printable.hpp"

namespace equipoise {

InputError InputError::at(std::string_view file, std::size_t line, std::string_view expected,
                          std::string_view found) {
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
        message += printable(beginning_of(found));
        message += '"';
    }
    return InputError(message);
}

OverflowError::OverflowError(const std::string& quantity)
    : InputError(quantity + " is too large for the integers that hold it"), quantity_(quantity) {}

}  // namespace equipoise
