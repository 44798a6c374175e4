#include "equipoise/report/answers/load_trace.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;

/// An imbalance in words: "0.352".
std::string ratio(double value) {
    return fmt::format("{:.3f}", value);
}

/// Seconds with four digits: traces of real programs have milliseconds, studies have whole numbers.
std::string seconds_text(double seconds) {
    return fmt::format("{:.4g} s", seconds);
}

std::string bytes_text(double bytes) {
    return grouped_real(bytes);
}

Json traffic_json(const trace::Traffic& traffic) {
    return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

Json advice_json(const placement::Advice& advice) {
    Json object = {{"worth_it", advice.worth_it}, {"gain", advice.gain}};
    object["cost"] = advice.cost ? Json(*advice.cost) : Json(nullptr);
    object["break_even_step"] =
        advice.break_even_step ? Json(*advice.break_even_step) : Json(nullptr);
    return object;
}

Json advised_json(const AdvisedTrace& advised) {
    Json seconds = {{"recorded", advised.recorded},
                    {"advised", advised.advised},
                    {"every_phase", advised.every_phase}};
    if (advised.best) seconds["best"] = *advised.best;
    return {{"cost", advised.cost}, {"after", advised.after}, {"seconds", std::move(seconds)}};
}

/// The figures that a phase and the whole trace have in common.
Json figures_json(const PhaseLevels& phase, const LoadTrace& levels) {
    Json object;
    object["imbalance"] = {{"before", imbalance(phase.largest_before, phase.average)},
                           {"after", imbalance(phase.largest_after, phase.average)},
                           {"lower_bound", imbalance(phase.largest_at_least, phase.average)}};
    object["largest"] = {{"before", phase.largest_before},
                         {"after", phase.largest_after},
                         {"at_least", phase.largest_at_least},
                         {"average", phase.average}};
    object["moved"] = {{"tasks", phase.moved},
                       {"weight", phase.weight_moved},
                       {"at_least", phase.moved_at_least},
                       {"recorded", phase.moved_recorded}};
    if (levels.has_sizes) {
        object["moved"]["bytes"] = phase.bytes_moved;
        // Other policies level numbers of tasks, whatever their bytes.
        if (levels.policy == "weighted") object["moved"]["bytes_at_least"] = phase.bytes_at_least;
    }
    if (levels.has_traffic)
        object["communications"] = {{"before", traffic_json(phase.traffic_before)},
                                    {"after", traffic_json(phase.traffic_after)},
                                    {"unplaced", phase.traffic_before.unplaced}};
    return object;
}

std::string moves_text(const LoadTrace& levels, const PhaseLevels& total) {
    std::string text = fmt::format("{} of {} (at least {})", counted(total.moved, "task"),
                                   seconds_text(total.weight_moved), grouped(total.moved_at_least));
    if (levels.has_sizes) text += ", " + bytes_text(total.bytes_moved) + " bytes";
    if (levels.has_sizes && levels.policy == "weighted")
        text += fmt::format(" (at least {})", bytes_text(total.bytes_at_least));
    return text;
}

std::string planned_text(const LoadTrace& levels) {
    std::string text = levels.policy;
    if (levels.policy == "weighted") text += fmt::format(", tolerance {}", levels.tolerance);
    if (levels.advised) return text + ", when it is worth it, from the times of the phase before";
    return text + (levels.by_previous ? ", each phase from the times of the one before"
                                      : ", each phase from its own times");
}

/// "0, 3, 4, ... (12 in all)".
std::string listed_phases(const std::vector<std::int64_t>& ids) {
    constexpr std::size_t shown_most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), shown_most); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
    if (ids.size() > shown_most)
        text += fmt::format(", ... ({} in all)", grouped(std::uint64_t{ids.size()}));
    return text;
}

std::string advised_text(const AdvisedTrace& advised) {
    std::string text =
        fmt::format("\nWhen to balance, if a balance takes {}\n", seconds_text(advised.cost));
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<14} {}\n", name, value);
    };
    line("after phases", advised.after.empty() ? "none" : listed_phases(advised.after));
    line("all phases", seconds_text(advised.recorded) + " as recorded");
    line("", seconds_text(advised.advised) + " as advised");
    line("", seconds_text(advised.every_phase) + " with a balance after every phase");
    if (advised.best) line("", seconds_text(*advised.best) + " at best, known afterwards");
    return text;
}

std::string figures_text(const LoadTrace& levels) {
    std::string text = levels.name + '\n';
    for (const auto& [name, value] : load_trace_figures(levels))
        text += fmt::format("  {:<14} {}\n", name, value);
    return text;
}

}  // namespace

double imbalance(double largest, double average) {
    return average > 0 ? std::max(largest / average - 1, 0.0) : 0;
}

PhaseLevels LoadTrace::total() const {
    PhaseLevels sum;
    const auto add = [](trace::Traffic& to, const trace::Traffic& more) {
        to.messages = checked_add(to.messages, more.messages);
        to.bytes += more.bytes;
        to.unplaced = checked_add(to.unplaced, more.unplaced);
    };
    for (const PhaseLevels& phase : phases) {
        sum.tasks += phase.tasks;
        sum.average += phase.average;
        sum.largest_before += phase.largest_before;
        sum.largest_after += phase.largest_after;
        sum.largest_at_least += phase.largest_at_least;
        sum.moved += phase.moved;
        sum.weight_moved += phase.weight_moved;
        sum.bytes_moved += phase.bytes_moved;
        sum.moved_at_least += phase.moved_at_least;
        sum.moved_recorded += phase.moved_recorded;
        sum.bytes_at_least += phase.bytes_at_least;
        add(sum.traffic_before, phase.traffic_before);
        add(sum.traffic_after, phase.traffic_after);
    }
    return sum;
}

double LoadTrace::imbalance_before() const {
    const PhaseLevels sum = total();
    return imbalance(sum.largest_before, sum.average);
}

double LoadTrace::imbalance_after() const {
    const PhaseLevels sum = total();
    return imbalance(sum.largest_after, sum.average);
}

double LoadTrace::imbalance_at_least() const {
    const PhaseLevels sum = total();
    return imbalance(sum.largest_at_least, sum.average);
}

std::vector<std::pair<std::string, std::string>> load_trace_figures(const LoadTrace& levels) {
    const PhaseLevels total = levels.total();
    std::vector<std::pair<std::string, std::string>> rows;
    const auto line = [&](const char* name, const std::string& value) {
        rows.emplace_back(name, value);
    };
    line("ranks", grouped(std::uint64_t{levels.ranks}));
    line("tasks", grouped(std::uint64_t{levels.objects}) +
                      (levels.fixed == 0 ? std::string()
                                         : ", of which " + grouped(std::uint64_t{levels.fixed}) +
                                               " may not migrate"));
    line("phases", grouped(std::uint64_t{levels.phases.size()}));
    line("planned", planned_text(levels));
    line("imbalance", fmt::format("{} before, {} after; no placement is below {}",
                                  ratio(levels.imbalance_before()), ratio(levels.imbalance_after()),
                                  ratio(levels.imbalance_at_least())));
    line("largest load", fmt::format("{} before, {} after", seconds_text(total.largest_before),
                                     seconds_text(total.largest_after)));
    line("moved", moves_text(levels, total));
    if (!levels.has_sizes) line("", "the trace does not say how many bytes tasks have");
    if (levels.has_traffic) {
        const auto traffic = [](const trace::Traffic& between) {
            return counted(between.messages, "message") + " of " + bytes_text(between.bytes) +
                   " bytes";
        };
        line("between ranks",
             traffic(total.traffic_before) + " before, " + traffic(total.traffic_after) + " after");
        if (total.traffic_before.unplaced > 0)
            line("", counted(total.traffic_before.unplaced, "message") +
                         " have an end whose rank the trace does not say");
    }
    return rows;
}

std::string load_trace_text(const LoadTrace& levels, std::size_t rows_max) {
    std::string text = figures_text(levels);
    std::vector<std::vector<std::string>> rows;
    for (const PhaseLevels& phase : levels.phases) {
        if (rows.size() == rows_max) break;
        rows.push_back({std::to_string(phase.id), grouped(std::uint64_t{phase.tasks}),
                        seconds_text(phase.average),
                        ratio(imbalance(phase.largest_before, phase.average)),
                        ratio(imbalance(phase.largest_after, phase.average)),
                        ratio(imbalance(phase.largest_at_least, phase.average)),
                        grouped(phase.moved), grouped(phase.moved_at_least)});
    }
    if (levels.phases.size() > 1 && rows_max > 0) {
        text += '\n' + layout({{"phase", Align::right},
                               {"tasks", Align::right},
                               {"average", Align::right},
                               {"imbalance\nbefore", Align::right},
                               {"after", Align::right},
                               {"at least", Align::right},
                               {"tasks\nmoved", Align::right},
                               {"at least", Align::right}},
                              rows, true);
        if (levels.phases.size() > rows.size())
            text += fmt::format("({} in all; --json lists them)\n",
                                counted(std::uint64_t{levels.phases.size()}, "phase"));
    }
    if (levels.advised) text += advised_text(*levels.advised);
    if (!levels.folder.empty()) text += "\nwritten to " + levels.folder + '\n';
    return text;
}

std::string load_trace_json(const LoadTrace& levels) {
    const PhaseLevels total = levels.total();
    Json object = object_of_schema("equipoise-trace");
    object["trace"] = levels.name;
    object["ranks"] = levels.ranks;
    object["tasks"] = levels.objects;
    object["fixed"] = levels.fixed;
    object["phases"] = levels.phases.size();
    object["policy"] = levels.policy;
    object["tolerance"] = levels.tolerance;
    object["times"] = levels.by_previous ? "previous" : "own";
    object.update(figures_json(total, levels));
    Json rows = Json::array();
    for (const PhaseLevels& phase : levels.phases) {
        Json row = {{"id", phase.id}, {"tasks", phase.tasks}};
        row.update(figures_json(phase, levels));
        if (phase.advice) row["advice"] = advice_json(*phase.advice);
        rows.push_back(std::move(row));
    }
    if (levels.advised) object["advice"] = advised_json(*levels.advised);
    object["each_phase"] = std::move(rows);
    if (!levels.folder.empty()) object["folder"] = levels.folder;
    object["seconds"] = levels.seconds;
    return json_text(object, 2) + '\n';
}

}  // namespace equipoise::report
