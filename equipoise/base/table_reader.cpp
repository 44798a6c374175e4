#include "equipoise/base/table_reader.hpp"

#include <algorithm>
#include <utility>

namespace equipoise {

TableReader::TableReader(LineSource& source, std::vector<std::string> headers, Lines lines)
    : source_(source), lines_(lines), headers_(std::move(headers)) {
    std::string expected;
    for (const std::string& header : headers_)
        expected += (expected.empty() ? "the header \"" : "\" or \"") + header;
    expected += '"';
    std::string_view line;
    if (!next_line(line)) source_.fail(expected, "");
    for (const Separator separator :
         {Separator::comma, Separator::semicolon, Separator::tab, Separator::blanks})
        if (matches_header(line, separator)) return;
    source_.fail(expected, line);
}

bool TableReader::next_line(std::string_view& line) {
    do {
        if (!source_.next(line)) return false;
    } while (is_blank(line));
    return true;
}

bool TableReader::matches_header(std::string_view line, Separator separator) {
    if (!split_fields(line, separator, fields_)) return false;
    std::string joined;
    for (const Field& field : fields_)
        joined += field.text + ',';
    joined.pop_back();
    const auto found = std::find(headers_.begin(), headers_.end(), joined);
    if (found == headers_.end()) return false;
    const auto commas = std::count(joined.begin(), joined.end(), ',');
    if (fields_.size() != static_cast<std::size_t>(commas) + 1) return false;
    header_ = *found;
    columns_ = fields_.size();
    separator_ = separator;
    return true;
}

/// All fields but the last ones become the first, as they stand in the line.
void TableReader::join_first_fields(std::string_view line) {
    const std::size_t joined = fields_.size() - columns_ + 1;
    const auto quoted = [](const Field& field) { return field.quoted; };
    const auto end = fields_.begin() + static_cast<std::ptrdiff_t>(joined);
    if (std::any_of(fields_.begin(), end, quoted)) return;
    std::string_view text = line.substr(0, fields_[joined].begin - 1);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    fields_.front().text = text.substr(0, text.find_last_not_of(" \t") + 1);
    fields_.erase(fields_.begin() + 1, end);
}

bool TableReader::next(std::vector<std::string>& fields) {
    std::string_view line;
    if (!next_line(line)) return false;
    const bool whole = split_fields(line, separator_, fields_);
    if (whole && lines_ == Lines::with_long_first_field && fields_.size() > columns_)
        join_first_fields(line);
    if (!whole || (lines_ != Lines::of_any_length && fields_.size() != columns_))
        source_.fail(std::to_string(columns_) + " fields, " + header_, line);
    fields.resize(fields_.size());
    for (std::size_t at = 0; at < fields.size(); ++at)
        std::swap(fields[at], fields_[at].text);
    return true;
}

}  // namespace equipoise
