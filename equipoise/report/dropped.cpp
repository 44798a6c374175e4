#include "equipoise/report/dropped.hpp"

#include "equipoise/report/table.hpp"

namespace equipoise::report {

std::string dropped_text(const network::ReadReport& report) {
    std::string text;
    const auto add = [&](bool holds, const std::string& part) {
        if (holds) text += (text.empty() ? "" : ", ") + part;
    };
    add(report.directed, "directions ignored");
    add(report.loops > 0, counted(report.loops, "loop") + " dropped");
    add(report.doubles > 0, counted(report.doubles, "repeated link") + " dropped");
    add(report.nodes_left_out > 0,
        counted(report.nodes_left_out, "node") + " outside the largest component left out");
    add(report.positions_unusable > 0,
        counted(report.positions_unusable, "node") +
            " without a position, since coordinates are not numbers");
    add(report.windows_1252, "not in UTF-8, read as Windows-1252");
    return text;
}

}  // namespace equipoise::report
