#include "equipoise/base/table_reader.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/plural.hpp"

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

TableReader::TableReader(LineSource& source) : source_(source), lines_(Lines::as_long_as_header) {
    const std::string expected = "a header that names the columns";
    std::string_view line;
    if (!next_line(line)) source_.fail(expected, "");
    std::optional<Separator> best;
    std::size_t most = 1;
    for (const Separator separator : {Separator::comma, Separator::semicolon, Separator::tab}) {
        if (!split_fields(line, separator, fields_) || fields_.size() <= most) continue;
        most = fields_.size();
        best = separator;
    }
    const Separator separator = best.value_or(Separator::blanks);
    if (!split_fields(line, separator, fields_)) source_.fail(expected, line);
    take_header(separator);
    for (std::size_t at = 0; at < names_.size(); ++at)
        if (!names_[at].empty() && column(names_[at]) != at)
            source_.fail("every column once", names_[at]);
}

void TableReader::take_header(Separator separator) {
    separator_ = separator;
    names_.clear();
    header_.clear();
    for (const Field& field : fields_) {
        names_.push_back(field.text);
        header_ += (names_.size() > 1 ? "," : "") + field.text;
    }
}

std::optional<std::size_t> TableReader::column(std::string_view name) const {
    const std::string wanted = lower_case(name);
    const auto found = std::find_if(names_.begin(), names_.end(), [&](const std::string& each) {
        return lower_case(each) == wanted;
    });
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
}

bool TableReader::next_line(std::string_view& line) {
    do {
        if (!source_.next(line)) return false;
    } while (is_blank(line));
    return true;
}

bool TableReader::matches_header(std::string_view line, Separator separator) {
    if (!split_fields(line, separator, fields_)) return false;
    take_header(separator);
    const auto commas = std::count(header_.begin(), header_.end(), ',');
    return fields_.size() == static_cast<std::size_t>(commas) + 1 &&
           std::find(headers_.begin(), headers_.end(), header_) != headers_.end();
}

/// All fields but the last ones become the first, as they stand in the line.
void TableReader::join_first_fields(std::string_view line) {
    const std::size_t joined = fields_.size() - names_.size() + 1;
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
    if (whole && lines_ == Lines::with_long_first_field && fields_.size() > names_.size())
        join_first_fields(line);
    if (!whole || (lines_ != Lines::of_any_length && fields_.size() != names_.size()))
        source_.fail(with_noun(names_.size(), "field", "fields") + ", " + header_, line);
    fields.resize(fields_.size());
    for (std::size_t at = 0; at < fields.size(); ++at)
        std::swap(fields[at], fields_[at].text);
    return true;
}

}  // namespace equipoise
