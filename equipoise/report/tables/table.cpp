#include "equipoise/report/tables/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/report/tables/lines.hpp"

namespace equipoise::report {

namespace {

std::string padded(const std::string& text, std::size_t width, Align align) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return align == Align::left ? text + space : space + text;
}

void end_line(std::string& text) {
    while (text.ends_with(' '))
        text.pop_back();
    text += '\n';
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    for (const std::string& word : lines_of(text, 1))
        longest = std::max(longest, width_of(word));
    return longest;
}

/// A row with nothing but a first cell of running text goes across the table.
bool is_heading(const std::vector<Column>& columns, const std::vector<std::string>& row) {
    return columns.front().wraps && columns.size() > 1 &&
           std::all_of(row.begin() + 1, row.end(), [](const auto& cell) { return cell.empty(); });
}

/// The lines of a cell; all begin where the first does.
std::vector<std::string> lines_of_cell(const std::string& cell, std::size_t width) {
    const std::size_t indent = std::min(cell.find_first_not_of(' '), cell.size());
    std::vector<std::string> lines =
        lines_of(std::string_view(cell).substr(indent), std::max(width, indent + 1) - indent);
    for (std::string& line : lines)
        line.insert(0, indent, ' ');
    return lines;
}

/// Takes columns from those that wrap until the table fits, or nothing is left to take.
void narrow(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
            std::size_t width, std::vector<std::size_t>& widths) {
    std::size_t all = 2 * (columns.size() - 1);
    std::vector<std::size_t> least(columns.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        all += widths[i];
        least[i] = width_of(columns[i].title);
        for (const auto& row : rows)
            if (!is_heading(columns, row))
                least[i] = std::max(least[i], columns[i].wraps ? longest_word(row[i]) : widths[i]);
    }
    for (; all > width; --all) {
        std::size_t widest = columns.size();
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (widths[i] > least[i] && (widest == columns.size() || widths[i] > widths[widest]))
                widest = i;
        if (widest == columns.size()) return;
        --widths[widest];
    }
}

/// A row in as many lines as its longest cell takes.
void add_row(const std::vector<Column>& columns, const std::vector<std::string>& row,
             const std::vector<std::size_t>& widths, std::string& text) {
    if (is_heading(columns, row)) {
        const std::size_t all =
            std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
        for (const std::string& line : lines_of_cell(row.front(), all)) {
            text += line;
            end_line(text);
        }
        return;
    }
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
        cells.push_back(columns[i].wraps ? lines_of_cell(row[i], widths[i])
                                         : std::vector<std::string>{row[i]});
        height = std::max(height, cells.back().size());
    }
    for (std::size_t k = 0; k < height; ++k) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "" : "  ") +
                    padded(k < cells[i].size() ? cells[i][k] : "", widths[i], columns[i].align);
        end_line(text);
    }
}

}  // namespace

std::string duration(double seconds) {
    if (seconds < 1e-2) return fmt::format("{:.1f} ms", seconds * 1e3);
    if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
    if (seconds < 60) return fmt::format("{:.2f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e15));
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", grouped(whole / 3600), whole % 3600 / 60);
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

std::string layout(const std::vector<Column>& columns,
                   const std::vector<std::vector<std::string>>& rows, bool plain,
                   std::size_t width) {
    std::vector<std::string> upper;
    std::vector<std::string> lower;
    for (const Column& column : columns) {
        const std::size_t line_break = column.title.find('\n');
        const bool one_line = line_break == std::string::npos;
        upper.push_back(one_line ? "" : column.title.substr(0, line_break));
        lower.push_back(one_line ? column.title : column.title.substr(line_break + 1));
    }
    std::vector<std::size_t> widths(columns.size(), 0);
    const auto make_room = [&](const std::vector<std::string>& row) {
        EQUIPOISE_ASSERT(row.size() == columns.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i]));
    };
    make_room(upper);
    make_room(lower);
    for (const auto& row : rows)
        if (!is_heading(columns, row)) make_room(row);
    if (width > 0) narrow(columns, rows, width, widths);
    std::string text;
    if (std::any_of(upper.begin(), upper.end(), [](const auto& title) { return !title.empty(); }))
        add_row(columns, upper, widths, text);
    add_row(columns, lower, widths, text);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        text += i == 0 ? "" : "  ";
        for (std::size_t j = 0; j < widths[i]; ++j)
            text += plain ? "-" : "─";
    }
    end_line(text);
    for (const auto& row : rows)
        add_row(columns, row, widths, text);
    return text;
}

}  // namespace equipoise::report
