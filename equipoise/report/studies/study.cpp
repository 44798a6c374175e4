#include "equipoise/report/studies/study.hpp"

#include <algorithm>
#include <sstream>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/base/table_reader.hpp"

namespace equipoise::report {

namespace {

Study read(LineSource& source, const std::string& origin) {
    TableReader table(source);
    Study study{origin, table.columns(), {}};
    std::vector<std::string> fields;
    while (table.next(fields))
        study.rows.push_back(fields);
    return study;
}

}  // namespace

std::optional<double> study_number(const std::string& text) {
    if (text == "true") return 1;
    if (text == "false") return 0;
    return real_number(text);
}

std::size_t Study::column(std::string_view name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end())
        throw InputError(origin + ": expected a column \"" + std::string(name) + '"' +
                         suggestion(name, columns));
    return static_cast<std::size_t>(found - columns.begin());
}

bool Study::has(std::string_view name) const {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
}

std::optional<double> Study::number(std::size_t row, std::size_t column) const {
    const std::string& text = rows.at(row).at(column);
    if (text.empty()) return std::nullopt;
    const auto found = study_number(text);
    if (!found)
        throw InputError(origin + ": row " + std::to_string(row + 1) + ", " + columns[column] +
                         ": expected a number, found \"" + text + '"');
    return found;
}

bool Study::is_numeric(std::size_t column) const {
    bool some = false;
    for (const auto& row : rows) {
        const std::string& text = row.at(column);
        if (text.empty()) continue;
        if (!study_number(text)) return false;
        some = true;
    }
    return some;
}

Study read_study(const std::string& path) {
    LineSource source(path);
    return read(source, path);
}

Study parse_study(std::string_view text, const std::string& origin) {
    std::istringstream stream{std::string(text)};
    LineSource source(stream, origin);
    return read(source, origin);
}

RowState state_of(const Study& study, std::size_t row) {
    const auto cell = [&](std::string_view name) {
        return study.has(name) ? study.rows.at(row)[study.column(name)] : std::string();
    };
    if (!cell("left_out_because").empty()) return RowState::left_out;
    const std::string because = cell("stopped_because");
    // In a changing world a run may end as asked when its steps are over.
    const bool is_cut =
        study.has("cut_short_because")
            ? !cell("cut_short_because").empty()
            : because == "interrupted" || (because == "max-steps" && cell("reached") != "true");
    return is_cut ? RowState::cut_short : RowState::whole;
}

}  // namespace equipoise::report
