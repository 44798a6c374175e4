#pragma once
// Lower case, for words whose capitals do not matter.

#include <string>
#include <string_view>

namespace equipoise {

/// The text with its letters of ASCII in lower case.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

}  // namespace equipoise
