#include "equipoise/report/sweep_rows.hpp"

#include <optional>

#include <fmt/core.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/report/table.hpp"
#include "equipoise/report/words.hpp"

namespace equipoise::report {

namespace {

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

std::string sweep_header() {
    return "network,loads,seed,algorithm,parameters,nodes,links,tokens,initial_discrepancy,"
           "discrepancy,"
           "guaranteed_discrepancy,local_imbalance,steps,guaranteed_steps,rounds,exchanges,"
           "messages,"
           "reached,stopped_because,seconds,left_out_because\n";
}

std::string sweep_name(const SweepRun& run) {
    return csv_field(run.network) + ',' + csv_field(run.loads) + ',' + std::to_string(run.seed) +
           ',' + csv_field(run.algorithm) + ',' + csv_field(parameters_text(run.parameters)) + ',';
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
          record.stopped_because, fmt::format("{:.6f}", record.seconds)}) {
        text += field;
        text += ',';
    }
    return text + '\n';
}

std::string sweep_refusal(const std::string& reason) {
    return std::string(15, ',') + csv_field(reason) + '\n';
}

}  // namespace equipoise::report
