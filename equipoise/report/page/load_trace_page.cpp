#include "equipoise/report/page/load_trace_page.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/report/pictures/markup.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

constexpr std::size_t pictures_most = 12;
constexpr std::size_t bars_most = 256;
constexpr std::size_t rows_most = 500;

constexpr const char* page_style = R"(
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #1b2230;
  --soft: #5a6475; --line: #dfe3ea; --before: #aab3c2; --after: #0b62b8; --bound: #a03c00; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10141b; --card: #181e28; --ink: #e7ebf2; --soft: #a5b0c0; --line: #2b3442;
    --before: #56647a; --after: #6db3f8; --bound: #ffab6b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem clamp(.75rem, 2.5vw, 2.5rem) 3rem; max-width: 1300px;
  background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system,
  "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: 0 0 .5rem; color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: .9rem 1rem; margin-bottom: 1rem; overflow-x: auto; }
.pictures { display: grid; gap: 1rem; margin-bottom: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.pictures .card { margin: 0; }
svg { display: block; width: 100%; height: 11rem; }
.ends { display: flex; justify-content: space-between; color: var(--soft); font-size: .8rem; }
.before { fill: var(--before); } .after { fill: var(--after); }
polyline, polyline.before, polyline.after { fill: none; stroke-width: 2;
  vector-effect: non-scaling-stroke; }
polyline.before { stroke: var(--before); }
polyline.after { stroke: var(--after); }
line, polyline.bound { stroke: var(--bound); stroke-width: 1.5; stroke-dasharray: 5 4;
  vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .75rem;
  color: var(--soft); }
.legend i { display: inline-block; width: .9rem; height: .7rem; margin-right: .4rem;
  border-radius: 2px; }
.legend .dash { height: 0; border-top: 2px dashed var(--bound); vertical-align: .25rem; }
table { border-collapse: collapse; }
th, td { padding: .15rem .75rem .15rem 0; text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line);
  vertical-align: bottom; }
.figures th, .figures td { text-align: left; white-space: normal; border: 0; vertical-align: top; }
.figures th { white-space: nowrap; }
)";

std::string shown_ratio(double value) {
    return fmt::format("{:.3f}", value);
}

/// Bars of height 100, before and after side by side, at most `bars_most` of them.
std::string bars(const PhaseLevels& phase, double top) {
    const std::size_t ranks = phase.before.size();
    const std::size_t group = (ranks + bars_most - 1) / bars_most;
    const std::size_t count = (ranks + group - 1) / group;
    std::string text;
    const auto bar = [&](const char* what, double x, double load, std::size_t first) {
        const double height = top > 0 ? 100 * load / top : 0;
        const std::size_t last = std::min(first + group, ranks) - 1;
        const std::string who = first == last ? fmt::format("rank {}", first)
                                              : fmt::format("ranks {} to {}", first, last);
        text += fmt::format(
            "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.3f}\" width=\"{:.2f}\" height=\"{:.3f}\">"
            "<title>{}: {:.4g} s {}</title></rect>",
            what, x, 100 - height, 4.4, height, who, load, what);
    };
    for (std::size_t k = 0; k < count; ++k) {
        const auto largest = [&](const std::vector<double>& loads) {
            const auto begin = loads.begin() + static_cast<std::ptrdiff_t>(k * group);
            const auto end =
                loads.begin() + static_cast<std::ptrdiff_t>(std::min((k + 1) * group, ranks));
            return *std::max_element(begin, end);
        };
        bar("before", 10.0 * static_cast<double>(k) + 0.3, largest(phase.before), k * group);
        bar("after", 10.0 * static_cast<double>(k) + 5, largest(phase.after), k * group);
    }
    const double width = 10.0 * static_cast<double>(count);
    const double bound = top > 0 ? 100 - 100 * phase.largest_at_least / top : 100;
    return fmt::format(
        "<svg viewBox=\"0 0 {0:.0f} 100\" preserveAspectRatio=\"none\" role=\"img\">{1}"
        "<line x1=\"0\" x2=\"{0:.0f}\" y1=\"{2:.3f}\" y2=\"{2:.3f}\"/></svg>",
        width, text, bound);
}

std::string picture(const PhaseLevels& phase) {
    const double top = std::max(phase.largest_before, phase.largest_after);
    return fmt::format(
        "<section class=\"card\"><h2>Phase {}</h2><p>largest load {:.4g} s before, {:.4g} s after; "
        "average {:.4g} s; {} moved</p>{}<div class=\"ends\"><span>rank 0</span><span>rank "
        "{}</span></div></section>\n",
        phase.id, phase.largest_before, phase.largest_after, phase.average,
        counted(phase.moved, "task"), bars(phase, top), phase.before.size() - 1);
}

/// The phases whose largest load falls most, in their order.
std::vector<const PhaseLevels*> pictured(const LoadTrace& levels) {
    std::vector<const PhaseLevels*> phases;
    for (const PhaseLevels& phase : levels.phases)
        if (!phase.before.empty()) phases.push_back(&phase);
    const auto gain = [](const PhaseLevels* phase) {
        return phase->largest_before - phase->largest_after;
    };
    std::stable_sort(phases.begin(), phases.end(),
                     [&](const PhaseLevels* a, const PhaseLevels* b) { return gain(a) > gain(b); });
    phases.resize(std::min(phases.size(), pictures_most));
    std::sort(phases.begin(), phases.end(),
              [](const PhaseLevels* a, const PhaseLevels* b) { return a->id < b->id; });
    return phases;
}

/// The imbalance of every phase: before, after, and the least possible.
std::string course(const LoadTrace& levels) {
    if (levels.phases.size() < 2) return {};
    double top = 0;
    for (const PhaseLevels& phase : levels.phases)
        top = std::max({top, imbalance(phase.largest_before, phase.average),
                        imbalance(phase.largest_after, phase.average)});
    const auto curve = [&](const char* what, double PhaseLevels::*largest) {
        std::string points;
        double x = 0;
        for (const PhaseLevels& phase : levels.phases)
            points += fmt::format(
                "{:.0f},{:.3f} ", x++,
                top > 0 ? 100 - 100 * imbalance(phase.*largest, phase.average) / top : 100);
        return fmt::format("<polyline class=\"{}\" points=\"{}\"/>", what, points);
    };
    return fmt::format(
        "<section class=\"card\"><h2>Imbalance by phase</h2><p>largest load / average - 1, at most "
        "{}</p><svg viewBox=\"0 -2 {} 104\" preserveAspectRatio=\"none\" "
        "role=\"img\">{}{}{}</svg><div class=\"ends\"><span>phase {}</span><span>phase "
        "{}</span></div></section>\n",
        shown_ratio(top), levels.phases.size() - 1, curve("before", &PhaseLevels::largest_before),
        curve("after", &PhaseLevels::largest_after), curve("bound", &PhaseLevels::largest_at_least),
        levels.phases.front().id, levels.phases.back().id);
}

std::string figures_table(const LoadTrace& levels) {
    std::vector<std::pair<std::string, std::string>> rows = load_trace_figures(levels);
    if (levels.advised) {
        const AdvisedTrace& advised = *levels.advised;
        rows.emplace_back("advice", fmt::format("balance after {} of the phases, at {:.4g} s each",
                                                advised.after.size(), advised.cost));
        rows.emplace_back("", fmt::format("all phases and balances take {:.4g} s; as recorded "
                                          "{:.4g} s, with a balance after every phase {:.4g} s",
                                          advised.advised, advised.recorded, advised.every_phase));
    }
    std::string text = "<section class=\"card\"><table class=\"figures\">\n";
    for (const auto& [name, value] : rows)
        text += "<tr><th>" + name + "<td>" + escape_markup(value) + "</tr>\n";
    return text + "</table></section>\n";
}

std::string phases_table(const LoadTrace& levels) {
    std::string text =
        "<section class=\"card\"><h2>Phases</h2><table><tr><th>phase<th>tasks<th>average"
        "<th>imbalance<br>before<th>after<th>at least<th>tasks<br>moved<th>at least</tr>\n";
    std::size_t rows = 0;
    for (const PhaseLevels& phase : levels.phases) {
        if (rows++ == rows_most) break;
        text += fmt::format("<tr><td>{}<td>{}<td>{:.4g} s<td>{}<td>{}<td>{}<td>{}<td>{}</tr>\n",
                            phase.id, grouped(std::uint64_t{phase.tasks}), phase.average,
                            shown_ratio(imbalance(phase.largest_before, phase.average)),
                            shown_ratio(imbalance(phase.largest_after, phase.average)),
                            shown_ratio(imbalance(phase.largest_at_least, phase.average)),
                            grouped(phase.moved), grouped(phase.moved_at_least));
    }
    text += "</table>";
    if (levels.phases.size() > rows_most)
        text += fmt::format("<p>the first {} of {} phases</p>", rows_most, levels.phases.size());
    return text + "</section>\n";
}

}  // namespace

std::string load_trace_page(const LoadTrace& levels) {
    const std::string title = escape_markup(levels.name);
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
        title, page_style);
    text += figures_table(levels);
    text +=
        "<p class=\"legend\"><span><i class=\"before\" style=\"background: var(--before)\"></i>"
        "before</span><span><i class=\"after\" style=\"background: var(--after)\"></i>after</span>"
        "<span><i class=\"dash\"></i>no placement has a smaller largest load</span></p>\n";
    text += course(levels) + "<div class=\"pictures\">\n";
    const std::vector<const PhaseLevels*> shown = pictured(levels);
    for (const PhaseLevels* phase : shown)
        text += picture(*phase);
    text += "</div>\n";
    if (shown.size() < levels.phases.size())
        text += fmt::format("<p>The {} of {} phases whose largest load falls most.</p>\n",
                            shown.size(), levels.phases.size());
    if (!levels.phases.empty()) text += phases_table(levels);
    return text + "</body></html>\n";
}

void write_load_trace_page(const LoadTrace& levels, const std::string& path) {
    write_file(path, load_trace_page(levels));
}

}  // namespace equipoise::report
