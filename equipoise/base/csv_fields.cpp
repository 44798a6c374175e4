#include "equipoise/base/csv_fields.hpp"

#include <utility>

#include "equipoise/base/separated_values.hpp"

namespace equipoise {

std::optional<std::vector<std::string>> csv_fields(std::string_view line) {
    std::vector<Field> fields;
    if (!split_fields(line, Separator::comma, fields)) return std::nullopt;
    std::vector<std::string> texts;
    texts.reserve(fields.size());
    for (Field& field : fields)
        texts.push_back(std::move(field.text));
    return texts;
}

std::string csv_field(std::string_view text) {
    constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       (text.empty() || (!is_blank(text.front()) && !is_blank(text.back())));
    return plain ? std::string(text) : quoted(text);
}

std::string csv_line(const std::vector<std::string>& texts) {
    std::string line;
    for (const std::string& text : texts)
        line += (&text == texts.data() ? "" : ",") + csv_field(text);
    return line + '\n';
}

}  // namespace equipoise
