#include "equipoise/report/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/line_source.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

/// Loads and discrepancies in tokens: whole where a unit is a token.
std::string in_tokens(const Record& record, Tokens units) {
    if (record.load_scale <= 1) return grouped(units);
    const auto scale = static_cast<Tokens>(record.load_scale);
    if (units % scale == 0) return grouped(units / scale);
    return fmt::format("{:.6g}", static_cast<double>(units) / static_cast<double>(scale));
}

std::string at_most(const std::string& number, const TextStyle& style) {
    return (style.plain ? "<= " : "≤ ") + number;
}

std::string mark(bool good, const TextStyle& style) {
    if (style.plain) return good ? "yes" : "no";
    return good ? "✓" : "✗";
}

/// Whether what was promised came true; nothing where nothing was promised or the run was cut.
std::string kept(const Record& record, const TextStyle& style) {
    const model::Guarantee& promise = record.guarantee;
    if ((!promise.discrepancy && !promise.steps) || !record.reached) return "-";
    const bool discrepancy_kept =
        !promise.discrepancy || record.final_discrepancy <= *promise.discrepancy;
    return mark(discrepancy_kept && (!promise.steps || record.costs.steps <= *promise.steps),
                style);
}

std::string name_with_parameters(const Record& record) {
    std::string text = record.algorithm;
    for (const auto& [name, value] : record.parameters)
        text += ' ' + name + '=' + value;
    return text;
}

const char* describe_model(const std::string& model) {
    if (model == "single-port") return "a node exchanges with at most one neighbour a step";
    if (model == "single-token")
        return "a node sends at most one token and receives at most one a step";
    if (model == "multi-port") return "a node exchanges with all its neighbours in one step";
    if (model == "asynchronous")
        return "no common clock; steps are moments at which a message arrives";
    return "";
}

/// A constant of a run, or nothing.
std::string constant(const Record& record, const char* name) {
    const auto found = record.constants.find(name);
    return found == record.constants.end() ? "" : found->second;
}

/// What only asynchronous runs tell.
void describe_asynchrony(const Record& record,
                         std::vector<std::pair<std::string, std::string>>& lines) {
    const model::Asynchrony& run = *record.asynchrony;
    lines.emplace_back("largest message", counted(run.largest_message_bits, "bit"));
    lines.emplace_back("memory", counted(run.memory_bits, "bit") + " a node at most");
    if (run.delays.starts_with(model::delays_on_ranks))
        lines.emplace_back("nodes on",
                           run.delays.substr(model::delays_on_ranks.size()) +
                               " ranks; the longest chain of events that cause each other has " +
                               grouped(run.time));
    else
        lines.emplace_back("delays", run.delays + ", " + counted(run.time, "tick"));
    if (!run.adversary.empty()) lines.emplace_back("adversary", run.adversary);
    if (run.faults.empty()) return;
    lines.emplace_back("faults", run.faults);
    Tokens made = 0;
    Tokens lost = 0;
    for (const model::Transfer& booked : record.created)
        made += booked.tokens;
    for (const model::Transfer& booked : record.destroyed)
        lost += booked.tokens;
    if (made > 0 || lost > 0)
        lines.emplace_back("tokens left",
                           fmt::format("{}  ({} made and {} lost before links were clean)",
                                       in_tokens(record, load::total(record.final_loads)),
                                       grouped(made), grouped(lost)));
    if (const std::string met = constant(record, "faults_met"); !met.empty())
        lines.emplace_back("faults met", met);
}

/// A cost as a multiple of the optimum that the record names; "-" where it names none.
std::string times_optimum(const Record& record, const char* name, std::uint64_t cost) {
    const auto best = whole_number(constant(record, name));
    if (!best || (*best == 0 && cost > 0)) return "-";
    if (*best == 0) return "1.00";
    return fmt::format("{:.2f}", static_cast<double>(cost) / static_cast<double>(*best));
}

std::string describe_optimum(const Optimum& optimum) {
    std::string steps = grouped(optimum.steps_at_least);
    if (!optimum.exact())
        steps += optimum.steps_at_most ? " to " + grouped(*optimum.steps_at_most) : " or more";
    return fmt::format(
        "best possible: {} {}, {}, {} moved, to floor or ceiling everywhere.\n"
        "Runs that end there are measured against it; steps only where they move single tokens.\n",
        steps, steps == "1" ? "step" : "steps", counted(optimum.exchanges, "exchange"),
        counted(optimum.moves, "token"));
}

/// The largest minus the smallest load per unit of speed.
std::string by_speed(const Record& record) {
    return fmt::format("{:.6g}",
                       load::weighted_imbalance(record.final_loads, record.speeds).value() /
                           static_cast<double>(record.load_scale));
}

/// Names as short as they stay different: parameters only where two runs share an algorithm.
std::vector<std::string> row_names(std::span<const Record> records) {
    std::map<std::string, int> uses;
    for (const Record& record : records)
        ++uses[record.algorithm];
    std::vector<std::string> names;
    for (const Record& record : records)
        names.push_back(uses[record.algorithm] > 1 ? name_with_parameters(record)
                                                   : record.algorithm);
    return names;
}

/// What the steps were for, where an algorithm has steps of two kinds.
std::string step_kinds(const Record& record) {
    const std::string distribution = constant(record, "distribution_steps");
    const std::string computation = constant(record, "computation_steps");
    if (distribution.empty() || computation.empty()) return "";
    return fmt::format("{} distribution and {} computation steps", distribution, computation);
}

/// Remarks in the order in which they are first made, each once with all algorithms that it is
/// about.
class Remarks {
  public:
    void add(const std::string& algorithm, const std::string& remark) {
        auto [entry, fresh] = names_.try_emplace(remark);
        if (fresh) order_.push_back(remark);
        if (std::find(entry->second.begin(), entry->second.end(), algorithm) == entry->second.end())
            entry->second.push_back(algorithm);
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const std::string& remark : order_)
            text += fmt::format("{}: {}\n", fmt::join(names_.at(remark), ", "), remark);
        return text;
    }

  private:
    std::vector<std::string> order_;
    std::map<std::string, std::vector<std::string>> names_;
};

std::string notes(std::span<const Record> records) {
    std::set<std::string> models;
    Remarks remarks;
    for (const Record& record : records)
        models.insert(record.model);
    for (const Record& record : records)
        if (constant(record, "tokens_a_link_and_step") == "1")
            remarks.add(record.algorithm, "at most one token crosses a link in a step.");
    for (const Record& record : records)
        if (const std::string place = constant(record, "runs_on"); !place.empty())
            remarks.add(record.algorithm,
                        fmt::format("on {} of the network; figures are the network's.", place));
    for (const Record& record : records)
        if (const std::string left = constant(record, "dummies_left"); !left.empty() && left != "0")
            remarks.add(record.algorithm, left + " dummy tokens are left among the others.");
    for (const Record& record : records)
        remarks.add(record.algorithm,
                    record.guarantee.source.empty()
                        ? "nothing is promised for this run."
                        : fmt::format("promised by {}.", record.guarantee.source));
    std::string text;
    for (const std::string& model : models)
        text += fmt::format("{}: {}.\n", model, describe_model(model));
    if (models.size() > 1) text += "Steps of different models are not comparable.\n";
    for (const Record& record : records)
        if (const std::string kinds = step_kinds(record); !kinds.empty())
            remarks.add(record.algorithm, kinds + '.');
    return text + remarks.text();
}

}  // namespace

std::string network_name(const Record& record) {
    const std::string& origin = record.labels.origin;
    if (origin.empty()) return "network";
    const std::size_t slash = origin.rfind('/');
    return slash == std::string::npos ? origin : origin.substr(slash + 1);
}

std::string heading(const Record& record) {
    return fmt::format(
        "{}: {}, {}; {}, initial discrepancy {}\n", network_name(record),
        counted(std::uint64_t{record.node_count}, "node"), counted(record.link_count, "link"),
        counted(static_cast<std::uint64_t>(load::total(record.initial_loads)) / record.load_scale,
                "token"),
        in_tokens(record, record.initial_discrepancy));
}

std::string tokens_text(const Record& record, Tokens units) {
    return record.load_scale <= 1 ? std::to_string(units)
                                  : fmt::format("{}", static_cast<double>(units) /
                                                          static_cast<double>(record.load_scale));
}

std::string run_text(const Record& record, const TextStyle& style) {
    std::vector<std::pair<std::string, std::string>> lines;
    const model::Guarantee& promise = record.guarantee;
    const auto with_promise = [&](const std::string& value, const std::string& bound) {
        return fmt::format("{}  (promised {})", value, at_most(bound, style));
    };
    std::string discrepancy = in_tokens(record, record.final_discrepancy);
    if (promise.discrepancy)
        discrepancy = with_promise(discrepancy, in_tokens(record, *promise.discrepancy));
    std::string steps = grouped(record.costs.steps);
    if (promise.steps) steps = with_promise(steps, grouped(*promise.steps));
    lines.emplace_back("algorithm", name_with_parameters(record));
    lines.emplace_back("discrepancy", discrepancy);
    lines.emplace_back("local imbalance", in_tokens(record, record.local_imbalance));
    if (!record.speeds.empty())
        lines.emplace_back("by speed",
                           by_speed(record) + "  (largest minus smallest load per unit of speed)");
    if (const std::string deviation = constant(record, "deviation"); !deviation.empty()) {
        const std::string bound = constant(record, "deviation_bound");
        lines.emplace_back(
            "deviation",
            fmt::format("{} after step {}  ({})", deviation, constant(record, "deviation_step"),
                        bound.empty() ? "from the idealised process"
                                      : "Theorem 2, sharpened: " + at_most(bound, style)));
    }
    if (!constant(record, "beta").empty()) lines.emplace_back("beta", constant(record, "beta"));
    if (!constant(record, "least_load").empty())
        lines.emplace_back("least load ever", constant(record, "least_load"));
    lines.emplace_back("steps", steps + "  (" + record.model + ")");
    if (const std::string kinds = step_kinds(record); !kinds.empty())
        lines.emplace_back("of these", kinds);
    lines.emplace_back("rounds", grouped(record.costs.rounds));
    lines.emplace_back("exchanges", in_tokens(record, static_cast<Tokens>(record.costs.exchanges)));
    lines.emplace_back("messages", grouped(record.costs.messages));
    if (record.world) {
        const model::WorldFigures& world = *record.world;
        lines.emplace_back("over time", fmt::format("discrepancy {} half the time, {} in 99 of 100 "
                                                    "steps, never above {}",
                                                    at_most(grouped(world.discrepancy_50), style),
                                                    at_most(grouped(world.discrepancy_99), style),
                                                    grouped(world.discrepancy_max)));
        lines.emplace_back("arrived", grouped(world.arrived));
        lines.emplace_back("consumed", grouped(world.consumed));
        if (world.arrived > 0)
            lines.emplace_back(
                "moved", fmt::format("{:.2f} links a token that arrived", world.moved_per_arrival));
    }
    if (record.asynchrony) describe_asynchrony(record, lines);
    if (!promise.source.empty()) lines.emplace_back("guarantee", promise.source);
    if (const std::string place = constant(record, "runs_on"); !place.empty())
        lines.emplace_back("runs on", place);
    lines.emplace_back(
        "ended by", record.stopped_because + (record.reached ? "" : "  (the end was not reached)"));
    if (style.with_seconds) lines.emplace_back("time", duration(record.seconds));
    std::string text = heading(record) + '\n';
    for (const auto& [name, value] : lines)
        text += fmt::format("  {:<16} {}\n", name, value);
    return text;
}

namespace {

/// The largest deviation from the idealised process and its bound.
std::string deviation_of(const Record& record, const TextStyle& style) {
    const std::string deviation = constant(record, "deviation");
    if (deviation.empty()) return "-";
    const std::string bound = constant(record, "deviation_bound");
    return bound.empty() ? deviation : fmt::format("{} ({})", deviation, at_most(bound, style));
}

}  // namespace

std::string compare_text(std::span<const Record> records, const TextStyle& style,
                         const Optimum* optimum) {
    if (records.empty()) return "";
    std::vector<Column> columns = {
        {"algorithm", Align::left}, {"model", Align::left},   {"discrepancy", Align::right},
        {"promised", Align::right}, {"kept", Align::left},    {"local", Align::right},
        {"steps", Align::right},    {"rounds", Align::right}, {"exchanges", Align::right},
        {"messages", Align::right}, {"ended by", Align::left}};
    const bool speeds = !records.front().speeds.empty();
    const bool deviations = std::any_of(records.begin(), records.end(), [](const Record& record) {
        return record.constants.contains("deviation");
    });
    const bool step_promises = std::any_of(records.begin(), records.end(), [](const Record& r) {
        return r.guarantee.steps.has_value();
    });
    if (step_promises) columns.insert(columns.begin() + 7, {"promised", Align::right});
    if (speeds) columns.insert(columns.begin() + 3, {"by speed", Align::right});
    if (deviations) columns.insert(columns.end() - 1, {"deviation", Align::left});
    if (optimum != nullptr) {
        columns.push_back({"steps/best", Align::right});
        columns.push_back({"exchanges/best", Align::right});
    }
    // Wide enough for most durations, so that tables of two runs look alike.
    if (style.with_seconds) columns.push_back({"     time", Align::right});
    const std::vector<std::string> names = row_names(records);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        const model::Guarantee& promise = record.guarantee;
        std::vector<std::string> row = {
            names[i],
            record.model,
            in_tokens(record, record.final_discrepancy),
            promise.discrepancy ? at_most(in_tokens(record, *promise.discrepancy), style) : "-",
            kept(record, style),
            in_tokens(record, record.local_imbalance),
            grouped(record.costs.steps),
            grouped(record.costs.rounds),
            in_tokens(record, static_cast<Tokens>(record.costs.exchanges)),
            grouped(record.costs.messages),
            record.stopped_because + (record.reached ? "" : " (not reached)")};
        if (step_promises)
            row.insert(row.begin() + 7,
                       promise.steps ? at_most(grouped(*promise.steps), style) : "-");
        if (speeds) row.insert(row.begin() + 3, by_speed(record));
        if (deviations) row.insert(row.end() - 1, deviation_of(record, style));
        if (optimum != nullptr) {
            row.push_back(times_optimum(record, "optimum_steps", record.costs.steps));
            row.push_back(times_optimum(record, "optimum_exchanges", record.costs.exchanges));
        }
        if (style.with_seconds) row.push_back(duration(record.seconds));
        rows.push_back(std::move(row));
    }
    return heading(records.front()) + '\n' + layout(columns, rows, style.plain) + '\n' +
           (optimum != nullptr ? describe_optimum(*optimum) : "") + notes(records);
}

std::string compare_csv(std::span<const Record> records, bool with_optimum) {
    std::string text =
        "algorithm,parameters,model,nodes,links,tokens,seed,initial_discrepancy,discrepancy,"
        "guaranteed_discrepancy,local_imbalance,steps,guaranteed_steps,rounds,exchanges,messages,"
        "reached,stopped_because,seconds";
    text += with_optimum ? ",optimum_steps,optimum_exchanges\n" : "\n";
    for (const Record& r : records) {
        const auto decimal = [&](Tokens units) { return tokens_text(r, units); };
        std::string parameters;
        for (const auto& [name, value] : r.parameters)
            parameters += (parameters.empty() ? "" : " ") + name + '=' + value;
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                        csv_field(r.algorithm), csv_field(parameters), r.model, r.node_count,
                        r.link_count, decimal(load::total(r.initial_loads)), r.seed,
                        decimal(r.initial_discrepancy), decimal(r.final_discrepancy),
                        r.guarantee.discrepancy ? decimal(*r.guarantee.discrepancy) : "",
                        decimal(r.local_imbalance), r.costs.steps,
                        r.guarantee.steps ? std::to_string(*r.guarantee.steps) : "", r.costs.rounds,
                        decimal(static_cast<Tokens>(r.costs.exchanges)), r.costs.messages,
                        r.reached ? "true" : "false", r.stopped_because, r.seconds);
        if (with_optimum)
            text += ',' + constant(r, "optimum_steps") + ',' + constant(r, "optimum_exchanges");
        text += '\n';
    }
    return text;
}

}  // namespace equipoise::report
