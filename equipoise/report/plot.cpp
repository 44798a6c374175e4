#include "equipoise/report/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/markup.hpp"
#include "equipoise/report/summary.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

constexpr double width = 900;
constexpr double left = 84;
constexpr double right = width - 44;
constexpr double panels_top = 56;
constexpr double panel_height_alone = 440;
constexpr double panel_height_of_several = 250;
constexpr double panel_foot = 64;

/// Colours that people with any colour vision tell apart (Okabe, Ito 2008).
constexpr std::array<const char*, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#56b4e9", "#e69f00", "#000000", "#b0a000"};

/// Where values are on an axis: 0 at its beginning, 1 one decade on, 10 two decades.
double decade(double value) {
    return value < 1 ? value : 1 + std::log10(value);
}

/// An axis from 0 to the first power of ten that no value exceeds.
struct Axis {
    double begin;
    double end;
    int decades;

    [[nodiscard]] double at(double value) const {
        return begin + (end - begin) * std::min(1.0, decade(value) / (decades + 1));
    }
};

Axis axis(double begin, double end, double largest) {
    return {begin, end,
            std::max(1, static_cast<int>(std::ceil(std::log10(std::max(largest, 1.0)))))};
}

/// The runs of one model: steps of different models share no axis.
struct Panel {
    std::string model;
    std::vector<std::size_t> runs;
    double steps_most = 1;
    double top = 0;
    double bottom = 0;
};

double as_tokens(const Record& record, Tokens units) {
    return static_cast<double>(units) /
           static_cast<double>(std::max<std::uint64_t>(1, record.load_scale));
}

std::string text(double x, double y, const char* anchor, const std::string& words,
                 const char* more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                       anchor, more, escape_markup(words));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                       y1, x2, y2, style);
}

std::string tick_name(int decades) {
    return decades < 0 ? "0"
                       : grouped(static_cast<std::int64_t>(std::llround(std::pow(10, decades))));
}

/// Frame, ticks, names of the axes.
std::string scales(const Panel& panel, const Axis& steps, const Axis& tokens) {
    constexpr const char* grid = "stroke=\"#e3e3e3\"";
    std::string svg;
    for (int power = -1; power <= tokens.decades; ++power) {
        const double y = tokens.at(power < 0 ? 0 : std::pow(10, power));
        svg += line(left, y, right, y, grid);
        svg += text(left - 8, y + 4, "end", tick_name(power));
    }
    // Long numbers need room.
    const int every = steps.decades > 9 ? 3 : 1;
    for (int power = -1; power <= steps.decades; power += power < 0 ? 1 : every) {
        const double x = steps.at(power < 0 ? 0 : std::pow(10, power));
        svg += line(x, panel.top, x, panel.bottom, grid);
        svg += text(x, panel.bottom + 20, "middle", tick_name(power));
    }
    svg += line(left, panel.bottom, right, panel.bottom, "stroke=\"#444\"");
    svg += line(left, panel.top, left, panel.bottom, "stroke=\"#444\"");
    svg += text((left + right) / 2, panel.bottom + 42, "middle",
                panel.model.empty() ? "steps" : panel.model + " steps");
    return svg + fmt::format(
                     "<text transform=\"translate(20 {:.1f}) rotate(-90)\" "
                     "text-anchor=\"middle\">discrepancy (tokens)</text>\n",
                     (panel.top + panel.bottom) / 2);
}

std::string curve(const Record& record, const Axis& steps, const Axis& tokens, const char* colour) {
    std::string points;
    for (const model::Sample& sample : record.samples)
        points += fmt::format("{:.1f},{:.1f} ", steps.at(static_cast<double>(sample.step)),
                              tokens.at(as_tokens(record, sample.discrepancy)));
    const double x = steps.at(static_cast<double>(record.costs.steps));
    const double y = tokens.at(as_tokens(record, record.final_discrepancy));
    points += fmt::format("{:.1f},{:.1f}", x, y);
    std::string svg =
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                    points, colour);
    if (record.guarantee.discrepancy) {
        const double promised = tokens.at(as_tokens(record, *record.guarantee.discrepancy));
        svg += line(left, promised, right, promised,
                    fmt::format(R"(stroke="{}" stroke-dasharray="6 5")", colour).c_str());
    }
    return svg + fmt::format(
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\" "
                     "stroke-width=\"1.5\"/>\n",
                     x, y, record.reached ? colour : "#fff", colour);
}

/// Names at the lower left, where falling curves leave room, each with its colour.
std::string legend(std::span<const Record> records, const Panel& panel, bool with_networks) {
    std::string svg;
    double y = panel.bottom - 14 - 18 * static_cast<double>(panel.runs.size() - 1);
    for (const std::size_t i : panel.runs) {
        std::string name = records[i].algorithm;
        if (with_networks) name += " on " + network_name(records[i]);
        svg += text(left + 42, y, "start", name, " class=\"name\"");
        svg += line(
            left + 12, y - 4, left + 34, y - 4,
            fmt::format(R"(stroke="{}" stroke-width="3")", colours[i % colours.size()]).c_str());
        y += 18;
    }
    return svg;
}

/// One panel per model, one below another, in the order in which the models come.
std::vector<Panel> panels_of(std::span<const Record> records) {
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < records.size(); ++i) {
        auto panel = std::find_if(panels.begin(), panels.end(),
                                  [&](const Panel& one) { return one.model == records[i].model; });
        if (panel == panels.end())
            panel = panels.insert(panels.end(), {.model = records[i].model, .runs = {}});
        panel->runs.push_back(i);
        panel->steps_most =
            std::max(panel->steps_most, static_cast<double>(records[i].costs.steps));
    }
    double y = panels_top;
    for (Panel& panel : panels) {
        panel.top = y;
        const double for_names = 18 * static_cast<double>(panel.runs.size()) + 40;
        panel.bottom = y + (panels.size() == 1 ? panel_height_alone
                                               : std::max(panel_height_of_several, for_names));
        y = panel.bottom + panel_foot;
    }
    return panels;
}

}  // namespace

std::string plot_svg(std::span<const Record> records) {
    if (records.empty()) throw InputError("expected at least one record to plot, found none");
    double tokens_most = 1;
    bool one_network = true;
    for (const Record& record : records) {
        if (record.samples.empty())
            throw InputError("the record of " + record.algorithm +
                             " holds no samples: expected one that is sampled or full");
        tokens_most = std::max(tokens_most, as_tokens(record, record.initial_discrepancy));
        for (const model::Sample& sample : record.samples)
            tokens_most = std::max(tokens_most, as_tokens(record, sample.discrepancy));
        one_network = one_network && record.network_digest == records.front().network_digest;
    }
    const std::vector<Panel> panels = panels_of(records);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<style>.name {{ paint-order: stroke; stroke: #fff; stroke-width: 4px }}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        width, panels.back().bottom + panel_foot);
    std::string title = heading(records.front());
    title.pop_back();  // the line's end
    if (!one_network) title = "Runs on several networks";
    svg += text(left, 30, "start", title, " font-size=\"15\"");
    for (const Panel& panel : panels) {
        const Axis steps = axis(left, right, panel.steps_most);
        const Axis tokens = axis(panel.bottom, panel.top, tokens_most);
        svg += scales(panel, steps, tokens);
        for (const std::size_t i : panel.runs)
            svg += curve(records[i], steps, tokens, colours[i % colours.size()]);
        svg += legend(records, panel, !one_network);
    }
    return svg + "</svg>\n";
}

}  // namespace equipoise::report
