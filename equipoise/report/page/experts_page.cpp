#include "equipoise/report/page/experts_page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/pictures/chart.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using nlohmann::json;

constexpr std::size_t layer_rows_most = 100'000;  ///< layers times steps on the page
constexpr const char* stayed_name = "had all stayed";
constexpr const char* bound_name = "no plan is below";

/// What a chart shows at one x: a step, or a layer.
struct Moment {
    double x = 0;
    ExpertsSums sums;
};

bool by_step(const ExpertsSteps& answer) {
    return answer.steps.size() > 1;
}

std::vector<Moment> moments_shown(const ExpertsSteps& answer) {
    std::vector<Moment> moments;
    for (const ExpertsStep& step : answer.steps) {
        if (by_step(answer)) {
            if (!step.layers.empty())
                moments.push_back({static_cast<double>(step.number), sums_of({&step, 1})});
            continue;
        }
        for (const ExpertsAtStep& layer : step.layers) {
            const ExpertsStep alone{.number = step.number, .layers = {layer}, .transfers = {}};
            moments.push_back({static_cast<double>(layer.layer), sums_of({&alone, 1})});
        }
    }
    return moments;
}

/// A curve of those moments at which there is something; no curve if there is none.
void add_known(ChartPanel& panel, const std::vector<Moment>& moments, const char* name,
               std::size_t look, const std::function<std::optional<double>(const Moment&)>& value) {
    Series series;
    series.name = name;
    series.look = look;
    for (const Moment& moment : moments)
        if (const std::optional<double> y = value(moment)) series.points.push_back({moment.x, *y});
    if (!series.points.empty()) panel.series.push_back(std::move(series));
}

ChartPanel experts_level_panel(const std::vector<Moment>& moments, const char* title, const char* x,
                               double ExpertsLevel::*which) {
    ChartPanel panel;
    panel.title = title;
    panel.x = {.title = x, .scale = Scale::linear, .whole = true, .from_zero = false};
    panel.y = {.title = "largest GPU / mean", .scale = Scale::linear, .from_zero = false};
    const auto curve = [&](const char* name, std::size_t look, const auto& level) {
        add_known(panel, moments, name, look, [&](const Moment& moment) {
            const double value = level(moment.sums).*which;
            return value > 0 ? std::optional(value) : std::nullopt;
        });
    };
    if (std::any_of(moments.begin(), moments.end(), [](const Moment& moment) {
            return moment.sums.kept.worst > moment.sums.figures.before.worst;
        }))
        curve(stayed_name, 1, [](const ExpertsSums& sums) { return sums.kept; });
    curve("before", 3, [](const ExpertsSums& sums) { return sums.figures.before; });
    curve("after", 0, [](const ExpertsSums& sums) { return sums.figures.after; });
    curve(bound_name, 2, [](const ExpertsSums& sums) { return sums.figures.at_least; });
    return panel;
}

ChartPanel experts_copied_panel(const std::vector<Moment>& moments, const char* x) {
    ChartPanel panel;
    panel.title = "experts copied";
    panel.x = {.title = x, .scale = Scale::linear, .whole = true, .from_zero = false};
    panel.y = {.title = "experts", .scale = Scale::linear, .whole = true};
    // Its key is that of the levels after: without a name it has none of its own.
    add_known(panel, moments, "", 0, [](const Moment& moment) {
        return std::optional(static_cast<double>(moment.sums.figures.copied));
    });
    add_known(panel, moments, bound_name, 2, [](const Moment& moment) {
        return std::optional(static_cast<double>(moment.sums.figures.copied_at_least));
    });
    return panel;
}

Chart experts_chart(const ExpertsSteps& answer) {
    const std::vector<Moment> moments = moments_shown(answer);
    const bool steps = by_step(answer);
    const char* const x = steps ? "step" : "layer";
    Chart chart;
    chart.description = steps ? "Levels and copies at each step" : "Levels and copies by layer";
    if (moments.empty()) return chart;
    chart.panels.push_back(
        experts_level_panel(moments, steps ? "mean over layers" : "level", x, &ExpertsLevel::mean));
    if (steps)
        chart.panels.push_back(
            experts_level_panel(moments, "worst layer", x, &ExpertsLevel::worst));
    chart.panels.push_back(experts_copied_panel(moments, x));
    return chart;
}

json experts_picture(const ExpertsSteps& answer) {
    const Chart chart = experts_chart(answer);
    const double panels = static_cast<double>(chart.panels.size());
    ChartLook wide;
    wide.size = ChartSize{.width = 240, .height = 16 + 52 * panels};
    wide.font_points = 9.5;
    ChartLook narrow;
    narrow.size = ChartSize{.width = 92, .height = 18 + 46 * panels};
    narrow.font_points = 9.5;
    const std::string level = "The largest GPU over the mean of all GPUs, ";
    return {{"title", by_step(answer) ? "Step by step" : "Layer by layer"},
            {"note", by_step(answer)
                         ? level + "and how many experts are copied. Before: as the step before "
                                   "left it, under the loads of this step."
                         : level + "and how many experts are copied, in each layer."},
            {"wide", chart_svg(chart, wide)},
            {"narrow", chart_svg(chart, narrow)}};
}

/// A figure that may be missing.
json figure_or_null(double level) {
    return level > 0 ? json(level) : json();
}

std::string words_of_step(const ExpertsStep& step) {
    const ExpertsFigures figures = sums_of({&step, 1}).figures;
    std::string text = fmt::format("Mean over layers: {:.3f}", figures.after.mean);
    if (figures.before.mean > 0) text += fmt::format(", before {:.3f}", figures.before.mean);
    return text + fmt::format("; worst layer {:.3f}; {} copied, at least {}.", figures.after.worst,
                              counted(figures.copied, "expert"), grouped(figures.copied_at_least));
}

json step_columns(const ExpertsStep& step) {
    json columns = {{"step", step.number}, {"words", words_of_step(step)}};
    const auto column = [&](const char* name, const auto& value) {
        json list = json::array();
        for (const ExpertsAtStep& layer : step.layers)
            list.push_back(value(layer.figures));
        columns[name] = std::move(list);
    };
    columns["layer"] = json::array();
    for (const ExpertsAtStep& layer : step.layers)
        columns["layer"].push_back(layer.layer);
    column("before", [](const ExpertsFigures& of) { return figure_or_null(of.before.mean); });
    column("after", [](const ExpertsFigures& of) { return of.after.mean; });
    column("at_least", [](const ExpertsFigures& of) { return of.at_least.mean; });
    column("within", [](const ExpertsFigures& of) { return of.within > 0; });
    column("copied", [](const ExpertsFigures& of) { return of.copied; });
    column("copied_at_least", [](const ExpertsFigures& of) { return of.copied_at_least; });
    column("waves", [](const ExpertsFigures& of) { return of.waves; });
    return columns;
}

/// The steps whose layers the page lists: all, or the first ones, as a note then says.
json steps_json(const ExpertsSteps& answer, std::string& note) {
    json steps = json::array();
    std::size_t rows = 0;
    for (const ExpertsStep& step : answer.steps) {
        rows += step.layers.size();
        if (rows > layer_rows_most && !steps.empty()) break;
        steps.push_back(step_columns(step));
    }
    if (steps.size() < answer.steps.size())
        note = fmt::format("Layers are listed for the first {} of {} steps.", steps.size(),
                           answer.steps.size());
    return steps;
}

std::string experts_verdict(const ExpertsSteps& answer, const ExpertsFigures& figures) {
    const std::string at_each = by_step(answer) ? " at every step" : "";
    if (figures.within == figures.layers)
        return fmt::format("Every layer is within {:g} times the best possible{}, for certain.",
                           answer.bound, at_each);
    return fmt::format("{} of {}{} {} within {:g} times the best possible for certain.",
                       grouped(figures.within), counted(figures.layers, "layer"),
                       by_step(answer) ? " of all steps" : "", figures.within == 1 ? "is" : "are",
                       answer.bound);
}

json experts_tile(const char* name, const std::string& value, const std::string& note) {
    return {{"name", name}, {"value", value}, {"note", note}, {"bad", false}};
}

json level_tile(const char* name, const ExpertsLevel& level) {
    return experts_tile(name, fmt::format("{:.3f}", level.mean),
                        fmt::format("worst {:.3f} in layer {}", level.worst, level.layer));
}

json experts_tiles(const ExpertsSteps& answer, const ExpertsSums& sums) {
    const ExpertsFigures& figures = sums.figures;
    const bool was_there = figures.before.mean > 0;
    json tiles = json::array();
    if (by_step(answer)) tiles.push_back(level_tile("level, had all stayed", sums.kept));
    if (was_there) tiles.push_back(level_tile("level before", figures.before));
    tiles.push_back(level_tile("level after", figures.after));
    tiles.push_back(
        experts_tile(bound_name, fmt::format("{:.3f}", figures.at_least.mean), "mean over layers"));
    if (!was_there) return tiles;
    tiles.push_back(experts_tile(
        "experts copied", grouped(figures.copied),
        fmt::format("{:.1f} % of all slots; every plan as level has at least {}",
                    100 * static_cast<double>(figures.copied) / static_cast<double>(figures.slots),
                    grouped(figures.copied_at_least))));
    if (by_step(answer))
        tiles.push_back(experts_tile("steps that copy", std::to_string(answer.steps_with_copies()),
                                     "of " + std::to_string(answer.steps.size())));
    tiles.push_back(
        experts_tile("waves", grouped(std::uint64_t{figures.waves}), "layer after layer"));
    return tiles;
}

/// JSON for the page's scripts, escaped.
std::string experts_page_data(const ExpertsSteps& answer) {
    const ExpertsSums sums = sums_of(answer.steps);
    json out;
    out["reached"] = answer.reached();
    out["verdict"] = experts_verdict(answer, sums.figures);
    out["tiles"] = experts_tiles(answer, sums);
    out["lines"] = experts_steps_lines(answer);
    out["notes"] = answer.notes;
    out["proofs"] = answer.reasons;
    out["bound"] = answer.bound;
    out["picture"] = experts_picture(answer);
    std::string note;
    out["steps"] = steps_json(answer, note);
    out["layers_note"] = note;
    return escape_for_script(json_text(out));
}

}  // namespace

std::string experts_page(const ExpertsSteps& answer) {
    PageContents page;
    page.title = experts_steps_title(answer);
    page.lead = "verdict";
    page.style = page_files({"look.css", "plan.css", "experts.css"});
    page.body = "experts.html";
    page.time = "Step of the recording";
    page.proofs = "What is certain";
    page.scripts = page_files({"numbers.js", "look.js", "player.js", "plan.js", "experts.js"});
    page.data = experts_page_data(answer);
    return framed_page(page);
}

std::string experts_page(const ExpertsAnswer& answer) {
    return experts_page(as_one_step(answer));
}

}  // namespace equipoise::report
