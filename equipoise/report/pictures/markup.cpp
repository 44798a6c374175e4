#include "equipoise/report/pictures/markup.hpp"

#include <cstddef>
#include <utility>

#include "equipoise/base/printable.hpp"

namespace equipoise::report {

namespace {

/// The text, printable: two code points that are no characters have no place in XML either.
std::string writable_text(std::string_view text) {
    std::string safe = printable(text, "\n\t");
    for (const auto& [code, words] :
         {std::pair<std::string_view, std::string_view>{"\xef\xbf\xbe", "\\ufffe"},
          {"\xef\xbf\xbf", "\\uffff"}})
        for (std::size_t at = safe.find(code); at != std::string::npos; at = safe.find(code, at))
            safe.replace(at, code.size(), words);
    return safe;
}

}  // namespace

std::string escape_markup(std::string_view text) {
    std::string safe;
    for (const char letter : writable_text(text)) {
        switch (letter) {
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '&':
                safe += "&amp;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += letter;
        }
    }
    return safe;
}

}  // namespace equipoise::report
