#include "equipoise/report/tables/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "equipoise/base/assert.hpp"
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
                   const std::vector<std::vector<std::string>>& rows, bool plain) {
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
        make_room(row);
    std::string text;
    const auto gap = [](std::size_t i) { return i == 0 ? "" : "  "; };
    const auto add = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += gap(i) + padded(row[i], widths[i], columns[i].align);
        end_line(text);
    };
    if (std::any_of(upper.begin(), upper.end(), [](const auto& title) { return !title.empty(); }))
        add(upper);
    add(lower);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        text += gap(i);
        for (std::size_t j = 0; j < widths[i]; ++j)
            text += plain ? "-" : "─";
    }
    end_line(text);
    for (const auto& row : rows)
        add(row);
    return text;
}

}  // namespace equipoise::report
