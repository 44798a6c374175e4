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
    return text;
}

}  // namespace equipoise::report
