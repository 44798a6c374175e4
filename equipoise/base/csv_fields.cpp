#include "equipoise/base/csv_fields.hpp"

#include <algorithm>
#include <utility>

namespace equipoise {

namespace {

void skip_blanks(std::string_view line, std::size_t& at) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
        ++at;
}

/// The field in quotes that begins at `at`, which moves past it; nothing if the quote is never
/// closed.
std::optional<std::string> take_quoted(std::string_view line, std::size_t& at) {
    std::string field;
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (at + 1 == line.size() || line[at + 1] != '"') {
                ++at;
                return field;
            }
            ++at;
        }
        field += line[at];
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> csv_fields(std::string_view line) {
    std::vector<std::string> fields;
    for (std::size_t at = 0;; ++at) {
        skip_blanks(line, at);
        if (at < line.size() && line[at] == '"') {
            auto field = take_quoted(line, at);
            if (!field) return std::nullopt;
            fields.push_back(*std::move(field));
            skip_blanks(line, at);
        } else {
            const std::size_t comma = std::min(line.find(',', at), line.size());
            std::size_t end = comma;
            while (end > at && (line[end - 1] == ' ' || line[end - 1] == '\t'))
                --end;
            fields.emplace_back(line.substr(at, end - at));
            at = comma;
        }
        if (at == line.size()) return fields;
        if (line[at] != ',') return std::nullopt;
    }
}

std::string csv_field(std::string_view text) {
    constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    if (text.find_first_of(",\"\r\n") == std::string_view::npos &&
        (text.empty() || (!is_blank(text.front()) && !is_blank(text.back()))))
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace equipoise
