#include "equipoise/report/runs/sweep_rows.hpp"

#include <array>
#include <cstddef>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

/// The usual figures of a run.
constexpr std::array figures = {"nodes",
                                "links",
                                "tokens",
                                "initial_discrepancy",
                                "discrepancy",
                                "guaranteed_discrepancy",
                                "local_imbalance",
                                "steps",
                                "guaranteed_steps",
                                "rounds",
                                "exchanges",
                                "messages",
                                "reached",
                                "stopped_because",
                                "seconds",
                                "level_since"};

std::string parameters_text(const std::map<std::string, std::string>& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters)
        text += (text.empty() ? "" : " ") + name + '=' + value;
    return text;
}

template <class Number>
std::string optional_text(const std::optional<Number>& number) {
    return number ? std::to_string(*number) : "";
}

}  // namespace

std::vector<std::string> sweep_fields(const SweepShape& shape) {
    std::vector<std::string> fields = {"network", "loads", "seed"};
    if (!shape.networks) fields = {"items", "seed"};
    if (shape.algorithms) fields.insert(fields.end(), {"algorithm", "parameters"});
    if (shape.given_rules) fields.emplace_back("given_rule");
    fields.insert(fields.end(), shape.settings.begin(), shape.settings.end());
    for (const JsonPath& column : shape.columns)
        fields.push_back(column.name());
    if (shape.columns.empty()) fields.insert(fields.end(), figures.begin(), figures.end());
    if (shape.tells_cut_short) fields.emplace_back("cut_short_because");
    fields.emplace_back("left_out_because");
    return fields;
}

std::string sweep_header(const SweepShape& shape) {
    return fmt::format("{}\n", fmt::join(sweep_fields(shape), ","));
}

std::string sweep_name(const SweepRun& run, const SweepShape& shape) {
    std::string text = csv_field(run.network) + ',';
    if (shape.networks) text += csv_field(run.loads) + ',';
    text += std::to_string(run.seed) + ',';
    if (shape.algorithms)
        text += csv_field(run.algorithm) + ',' + csv_field(parameters_text(run.parameters)) + ',';
    if (shape.given_rules) text += run.given_rule ? "true," : "false,";
    for (const std::string& setting : run.settings)
        text += csv_field(setting) + ',';
    return text;
}

std::string sweep_figures(const model::Record& record) {
    const auto decimal = [&](Tokens units) { return tokens_text(record, units); };
    std::string text;
    for (const std::string& field :
         {std::to_string(record.node_count), std::to_string(record.link_count),
          decimal(load::total(record.initial_loads)), decimal(record.initial_discrepancy),
          decimal(record.final_discrepancy),
          record.guarantee.discrepancy ? decimal(*record.guarantee.discrepancy) : "",
          decimal(record.local_imbalance), std::to_string(record.costs.steps),
          optional_text(record.guarantee.steps), std::to_string(record.costs.rounds),
          decimal(static_cast<Tokens>(record.costs.exchanges)),
          std::to_string(record.costs.messages), std::string(record.reached ? "true" : "false"),
          record.stopped_because, fmt::format("{:.6f}", record.seconds),
          optional_text(record.level_since)}) {
        text += field;
        text += ',';
    }
    return text + '\n';
}

std::string sweep_columns(const std::string& json, const SweepShape& shape,
                          std::string_view cut_short_because) {
    std::string text = csv_fields_at(shape.columns, json);
    if (shape.tells_cut_short) text += ',' + csv_field(cut_short_because);
    return text + ",\n";
}

std::string sweep_refusal(const std::string& reason, const SweepShape& shape) {
    const std::size_t empty = (shape.columns.empty() ? figures.size() : shape.columns.size()) +
                              (shape.tells_cut_short ? 1 : 0);
    return std::string(empty, ',') + csv_field(reason) + '\n';
}

}  // namespace equipoise::report
