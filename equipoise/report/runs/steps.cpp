#include "equipoise/report/runs/steps.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/report/tables/table.hpp"
#include "equipoise/verify/known_algorithms.hpp"

namespace equipoise::report {

namespace {

using model::Transfer;

std::vector<std::string> row_of(std::uint64_t steps, const std::vector<Tokens>& loads) {
    std::vector<std::string> row{grouped(steps)};
    for (const Tokens load : loads)
        row.push_back(grouped(load));
    return row;
}

/// The number of tokens of a move, written behind its two ends; nothing for a single token.
std::string amount_text(Tokens tokens) {
    return tokens == 1 ? "" : ' ' + grouped(tokens);
}

/// "3 went", "3-4 came".
std::string switched_text(const model::Record& record, const model::NetworkSwitch& entry) {
    std::string subject = record.labels.name(entry.node);
    if (entry.other != entry.node) subject += '-' + record.labels.name(entry.other);
    return subject + (entry.up ? " came" : " went");
}

/// Events in ascending order of steps, one after the other.
template <class Event>
class Events {
  public:
    explicit Events(const std::vector<Event>& events) : events_(&events) {}
    [[nodiscard]] bool done() const { return at_ == events_->size(); }
    /// The step of the next event; the largest number if none is left.
    [[nodiscard]] Step step() const { return done() ? ~Step{0} : (*events_)[at_].step; }
    const Event* operator->() const { return &(*events_)[at_]; }
    void next() { ++at_; }

  private:
    const std::vector<Event>* events_;
    std::size_t at_ = 0;
};

}  // namespace

std::string trace_text(const model::Record& record, std::size_t rows_max) {
    if (record.node_count > traced_nodes_max)
        throw UnsuitableError("a trace shows at most " + std::to_string(traced_nodes_max) +
                              " nodes, this network has " + std::to_string(record.node_count));
    if (record.level != model::RecordLevel::full)
        throw UnsuitableError("a trace needs a full record");
    // Events of a round of several steps bear the number of its first; loads change at its end.
    const verify::KnownAlgorithm* const known = verify::find_known(record.algorithm);
    const Step round = known == nullptr ? 1 : known->steps_at_once;
    std::vector<Column> columns{{"after step", Align::right}};
    for (NodeId node = 0; node < record.node_count; ++node)
        columns.push_back({record.labels.name(node), Align::right});
    columns.push_back({"moves", Align::left});

    std::vector<Tokens> loads = record.initial_loads;
    std::vector<std::vector<std::string>> rows{row_of(0, loads)};
    rows.back().emplace_back();
    std::size_t left_out = 0;
    Events created(record.created);
    Events transfers(record.transfers);
    Events destroyed(record.destroyed);
    Events switches(record.switches);
    while (!created.done() || !transfers.done() || !destroyed.done() || !switches.done()) {
        const Step step =
            std::min({created.step(), transfers.step(), destroyed.step(), switches.step()});
        std::string moves;
        const auto note = [&](const std::string& move) {
            moves += (moves.empty() ? "" : ", ") + move;
        };
        for (; switches.step() == step; switches.next())
            note(switched_text(record, *switches.operator->()));
        for (; created.step() == step; created.next()) {
            loads[created->to] += created->tokens;
            note("outside>" + record.labels.name(created->to) + amount_text(created->tokens));
        }
        for (; transfers.step() == step; transfers.next()) {
            loads[transfers->from] -= transfers->tokens;
            loads[transfers->to] += transfers->tokens;
            note(record.labels.name(transfers->from) + '>' + record.labels.name(transfers->to) +
                 amount_text(transfers->tokens));
        }
        for (; destroyed.step() == step; destroyed.next()) {
            loads[destroyed->from] -= destroyed->tokens;
            note(record.labels.name(destroyed->from) + ">outside" + amount_text(destroyed->tokens));
        }
        if (rows.size() > rows_max) {
            ++left_out;
            continue;
        }
        const Step after = (step / round + 1) * round;
        rows.push_back(row_of(std::min<Step>(after, record.costs.steps), loads));
        rows.back().push_back(moves);
    }
    std::string text = layout(columns, rows, true);
    if (left_out > 0) text += "... and " + grouped(left_out) + " more steps with moves\n";
    return text;
}

}  // namespace equipoise::report
