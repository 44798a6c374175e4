#include "equipoise/network/io/format_of_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "equipoise/base/lower_case.hpp"
#include "equipoise/network/io/character_source.hpp"

namespace equipoise::network {

namespace {

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_space(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
}

/// Takes everything up to the end of `mark` off the front, or all.
void skip_past(std::string_view& text, std::string_view mark) {
    const std::size_t end = text.find(mark);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + mark.size());
}

/// Skips blanks and the comments of DOT.
void skip_comments(std::string_view& text) {
    while (true) {
        skip_blanks(text);
        if (text.starts_with("//") || text.starts_with('#')) {
            skip_past(text, "\n");
        } else if (text.starts_with("/*")) {
            skip_past(text, "*/");
        } else {
            return;
        }
    }
}

/// Takes letters, digits and underscores off the front.
std::string_view take_letters(std::string_view& text) {
    const auto end = std::find_if(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' &&
               static_cast<unsigned char>(c) < 0x80;
    });
    const std::string_view letters = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(letters.size());
    return letters;
}

/// The name of the first element, without its prefix; empty if the text does not reach it.
std::string_view root_of_xml(std::string_view text) {
    while (true) {
        skip_blanks(text);
        if (text.starts_with("<?")) {
            skip_past(text, "?>");
        } else if (text.starts_with("<!--")) {
            skip_past(text, "-->");
        } else if (text.starts_with("<!")) {
            skip_past(text, text.find('[') < text.find('>') ? "]>" : ">");
        } else {
            break;
        }
    }
    if (!text.starts_with('<')) return {};
    const std::string_view name = text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
    const std::size_t colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

std::optional<Format> format_of_text(std::string_view beginning) {
    skip_blanks(beginning);
    const std::string_view word = beginning.substr(0, beginning.find_first_of(" \t\r\n["));
    if (lower_case(word) == "%%matrixmarket") return Format::matrix_market;
    if (beginning.starts_with('<'))
        return root_of_xml(beginning) == "gexf" ? Format::gexf : Format::graphml;
    if (word == "graph" || word == "Creator" || word == "Version") return Format::gml;
    return std::nullopt;
}

bool begins_as_dot(std::string_view beginning) {
    skip_comments(beginning);
    std::string word = lower_case(take_letters(beginning));
    if (word == "strict") {
        skip_comments(beginning);
        word = lower_case(take_letters(beginning));
    }
    if (word != "graph" && word != "digraph") return false;
    skip_comments(beginning);
    if (beginning.starts_with('"')) {
        beginning.remove_prefix(1);
        skip_past(beginning, "\"");
    } else {
        take_letters(beginning);
    }
    skip_comments(beginning);
    return beginning.starts_with('{');
}

}  // namespace equipoise::network
