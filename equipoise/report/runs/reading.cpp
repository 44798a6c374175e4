#include "equipoise/report/runs/reading.hpp"

#include <algorithm>

#include "equipoise/base/printable.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

std::string first_line_text(const network::FirstLine& line) {
    std::string shown = beginning_of(line.text);
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    const std::string text = "line " + std::to_string(line.number) + " (" + printable(shown) + ")";
    if (line.is_header) return text + " read as the header (--header no reads it as a link)";
    return text + " read as a link, since its words are " +
           (line.recurs ? "also on other lines" : "not usual column names") +
           " (--header yes reads it as the header)";
}

}  // namespace

std::string reading_text(const network::ReadReport& report) {
    std::string text;
    const auto add = [&](bool holds, const std::string& part) {
        if (holds) text += (text.empty() ? "" : ", ") + part;
    };
    if (report.first_line) add(true, first_line_text(*report.first_line));
    add(report.directed, "directions ignored");
    add(report.loops > 0, counted(report.loops, "loop") + " dropped");
    add(report.doubles > 0, counted(report.doubles, "repeated link") + " dropped");
    add(report.nodes_left_out > 0,
        counted(report.nodes_left_out, "node") + " outside the largest component left out");
    add(report.positions_unusable > 0,
        counted(report.positions_unusable, "node") +
            " without a position (coordinates that are not numbers)");
    add(report.windows_1252, "read as Windows-1252 (not UTF-8)");
    return text;
}

}  // namespace equipoise::report
