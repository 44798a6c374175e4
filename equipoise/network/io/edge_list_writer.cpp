#include "equipoise/network/io/edge_list_writer.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/separated_values.hpp"
#include "equipoise/base/utf8.hpp"

namespace equipoise::network {

void append_id(std::string& line, std::string_view name) {
    constexpr std::string_view unheld("\n\r\0", 3);
    if (name.empty() || name.find_first_of(unheld) != std::string_view::npos || !is_utf8(name))
        throw InputError(
            "edge list: expected names of nodes in UTF-8 without line breaks, found " +
            (name.empty() ? "an empty one" : '"' + printable(beginning_of(name)) + '"'));
    constexpr std::string_view comments_and_quotes = "#%\"";
    if (name.find_first_of(" \t,;") == std::string_view::npos &&
        comments_and_quotes.find(name.front()) == std::string_view::npos) {
        line += name;
    } else {
        line += quoted(name);
    }
}

}  // namespace equipoise::network
