#include "equipoise/base/separated_values.hpp"

#include <algorithm>

namespace equipoise {

namespace {

/// Appends the text in quotes that begins at `at`, which moves past it; false if they are never
/// closed.
bool take_quoted(std::string_view line, std::size_t& at, std::string& text) {
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (at + 1 == line.size() || line[at + 1] != '"') {
                ++at;
                return true;
            }
            ++at;
        }
        text += line[at];
    }
    return false;
}

}  // namespace

std::string_view to_string(Separator separator) {
    switch (separator) {
        case Separator::comma:
            return "commas";
        case Separator::semicolon:
            return "semicolons";
        case Separator::tab:
            return "tabs";
        case Separator::blanks:
            break;
    }
    return "blanks";
}

bool split_fields(std::string_view line, Separator separator, std::vector<Field>& fields) {
    const auto mark = static_cast<char>(separator);
    const bool runs = separator == Separator::blanks;
    std::size_t at = 0;
    const auto skip_blanks = [&] {
        while (at < line.size() && (line[at] == ' ' || (line[at] == '\t' && mark != '\t')))
            ++at;
    };
    const auto skip_plain = [&] {
        const std::size_t end = runs ? line.find_first_of(" \t", at) : line.find(mark, at);
        at = std::min(end, line.size());
    };
    std::size_t count = 0;
    if (runs) skip_blanks();
    while (!runs || at < line.size()) {
        if (count == fields.size()) fields.emplace_back();
        Field& field = fields[count++];
        field.text.clear();
        field.begin = at;
        skip_blanks();
        field.quoted = at < line.size() && line[at] == '"';
        if (field.quoted) {
            if (!take_quoted(line, at, field.text)) return false;
        } else {
            const std::size_t first = at;
            skip_plain();
            const std::string_view text = line.substr(first, at - first);
            field.text.assign(text, 0, text.find_last_not_of(" \t") + 1);
        }
        const std::size_t past = at;
        skip_blanks();
        if (at == line.size()) break;
        if (runs ? at == past : line[at] != mark) return false;
        if (!runs) ++at;
    }
    fields.resize(count);
    return true;
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

}  // namespace equipoise
