#include "equipoise/report/trace.hpp"

#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::report {

namespace {

using model::Transfer;

std::vector<std::string> row_of(std::uint64_t steps, const std::vector<Tokens>& loads) {
    std::vector<std::string> row{grouped(steps)};
    for (const Tokens load : loads)
        row.push_back(grouped(load));
    return row;
}

std::string move_text(const Transfer& move, const network::Labels& labels) {
    std::string text = labels.name(move.from) + '>' + labels.name(move.to);
    if (move.tokens != 1) text += ' ' + grouped(move.tokens);
    return text;
}

}  // namespace

std::string trace_text(const model::Record& record, std::size_t rows_max) {
    if (record.node_count > traced_nodes_max)
        throw UnsuitableError("a trace shows at most " + std::to_string(traced_nodes_max) +
                              " nodes, this network has " + std::to_string(record.node_count));
    if (record.level != model::RecordLevel::full)
        throw UnsuitableError("a trace needs a full record");
    std::vector<Column> columns{{"after step", Align::right}};
    for (NodeId node = 0; node < record.node_count; ++node)
        columns.push_back({record.labels.name(node), Align::right});
    columns.push_back({"moves", Align::left});

    std::vector<Tokens> loads = record.initial_loads;
    std::vector<std::vector<std::string>> rows{row_of(0, loads)};
    rows.back().emplace_back();
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < record.transfers.size();) {
        const Step step = record.transfers[i].step;
        std::string moves;
        for (; i < record.transfers.size() && record.transfers[i].step == step; ++i) {
            const Transfer& move = record.transfers[i];
            loads[move.from] -= move.tokens;
            loads[move.to] += move.tokens;
            moves += (moves.empty() ? "" : ", ") + move_text(move, record.labels);
        }
        if (rows.size() > rows_max) {
            ++left_out;
            continue;
        }
        rows.push_back(row_of(step + 1, loads));
        rows.back().push_back(moves);
    }
    std::string text = layout(columns, rows, true);
    if (left_out > 0) text += "... and " + grouped(left_out) + " more steps with moves\n";
    return text;
}

}  // namespace equipoise::report
