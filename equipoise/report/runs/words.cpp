#include "equipoise/report/runs/words.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/report/tables/glossary.hpp"

namespace equipoise::report {

using model::Record;

namespace {

/// The steps that a rule such as "own-termination+quiet:3" waits for: "3 steps".
std::string steps_of_window(std::string_view rules, std::string_view rule) {
    const std::size_t at = rules.find(rule);
    if (at == std::string_view::npos) return "steps";
    const std::string_view rest = rules.substr(at + rule.size());
    const auto steps = whole_number(rest.substr(0, rest.find('+')));
    if (!steps) return "steps";
    return *steps == 1 ? "step" : counted(*steps, "step");
}

std::string two_digits(double value) {
    return fmt::format("{:.1e}", value);
}

}  // namespace

std::string in_tokens(std::uint64_t load_scale, Tokens units) {
    if (load_scale <= 1) return grouped(units);
    const auto scale = static_cast<Tokens>(load_scale);
    if (units % scale == 0) return grouped(units / scale);
    return grouped_real(static_cast<double>(units) / static_cast<double>(scale));
}

std::string in_tokens(const Record& record, Tokens units) {
    return in_tokens(record.load_scale, units);
}

std::string at_most(const std::string& number, const TextStyle& style) {
    return (style.plain ? "<= " : "≤ ") + number;
}

std::string name_with_parameters(const std::string& algorithm,
                                 const std::map<std::string, std::string>& parameters,
                                 const std::map<std::string, std::string>& usual) {
    std::string text = algorithm;
    for (const auto& [name, value] : parameters) {
        const auto found = usual.find(name);
        if (found == usual.end() || found->second != value)
            text.append(" ").append(name).append("=").append(value);
    }
    return text;
}

std::string ending_text(const std::string& because, std::string_view stop, bool asynchronous,
                        bool reached) {
    std::string meaning(meaning_of(because));
    if (because == "quiet")
        meaning = asynchronous ? "nothing is on the way any more"
                               : "no token moved in the last " + steps_of_window(stop, "quiet:");
    if (!reached) meaning += std::string(meaning.empty() ? "" : "; ") + "the goal was not reached";
    return because + (meaning.empty() ? "" : "  (" + meaning + ')');
}

std::string ending_text(const Record& record) {
    return ending_text(record.stopped_because, record.stop, record.asynchrony.has_value(),
                       record.reached);
}

std::string promise_text(std::string_view source) {
    constexpr std::string_view by_state = "the state it ends in: ";
    return source.starts_with(by_state)
               ? "follows from the final state: " + std::string(source.substr(by_state.size()))
               : std::string(source);
}

std::string constant(const Record& record, const char* name) {
    const auto found = record.constants.find(name);
    return found == record.constants.end() ? "" : found->second;
}

std::string six_digits(double value) {
    return fmt::format("{:.6g}", value);
}

std::string deviation_value(const Record& record) {
    return six_digits(record.deviation->value);
}

bool deviation_is_sharp(const Record& record) {
    constexpr double small = 1e-4;
    const model::Deviation& deviation = *record.deviation;
    return deviation.error.value_or(0) <= small * std::max(1.0, deviation.value);
}

std::string deviation_text(const Record& record) {
    if (!record.deviation) return "";
    const std::string value = deviation_value(record);
    const std::optional<double>& error = record.deviation->error;
    if (!error) return value;  // of older records
    if (deviation_is_sharp(record)) return value + " +- " + two_digits(*error);
    return value + " to " + six_digits(record.deviation->value + *error);
}

std::string level_text(std::optional<Step> since, Step steps, const std::string& discrepancy) {
    if (!since) return "";
    if (*since == 0) return "from the start (discrepancy " + discrepancy + " throughout)";
    if (*since == steps)
        return "after step " + grouped(steps) + ", the last (discrepancy " + discrepancy + ")";
    return fmt::format("after step {} of {} (discrepancy {} from then on)", grouped(*since),
                       grouped(steps), discrepancy);
}

std::string level_text(const Record& record) {
    return level_text(record.level_since, record.costs.steps,
                      in_tokens(record, record.final_discrepancy));
}

std::string faults_met_text(const Record& record) {
    if (!record.asynchrony || !record.asynchrony->faults_met) return "";
    const model::FaultsMet& met = *record.asynchrony->faults_met;
    return fmt::format("{} lost, {} duplicated, {} {}", counted(met.lost, "message"),
                       grouped(met.doubled), grouped(met.crashes),
                       met.crashes == 1 ? "crash" : "crashes");
}

Tokens tokens_in(const std::vector<model::Transfer>& accounts) {
    Tokens tokens = 0;
    for (const model::Transfer& booked : accounts)
        tokens += booked.tokens;
    return tokens;
}

std::map<std::string, std::string> named_notes(const Record& record) {
    std::map<std::string, std::string> notes = record.constants;
    if (const auto& deviation = record.deviation) {
        notes["deviation"] = deviation_value(record);
        if (deviation->error) {
            notes["deviation_error"] = two_digits(*deviation->error);
            notes["deviation_step"] = deviation->step ? std::to_string(*deviation->step) : "limit";
        }
        if (deviation->bound) notes["deviation_bound"] = six_digits(*deviation->bound);
    }
    if (const auto& moves = record.moves) {
        notes["moves"] = moves->played ? "played" : "reckoned";
        notes["distribution_steps"] = std::to_string(moves->distribution_steps);
        notes["computation_steps"] = std::to_string(moves->computation_steps);
    }
    if (const auto& optimum = record.optimum) {
        notes["optimum_exchanges"] = std::to_string(optimum->exchanges);
        if (optimum->steps) notes["optimum_steps"] = std::to_string(*optimum->steps);
    }
    if (const std::string met = faults_met_text(record); !met.empty()) notes["faults_met"] = met;
    if (record.on_spanning_tree) notes["runs_on"] = "a spanning tree";
    if (record.one_token_a_link) notes["tokens_a_link_and_step"] = "1";
    if (record.given.tree != network::SpanningTree::breadth_first)
        notes["tree"] = to_string(record.given.tree);
    return notes;
}

std::string step_kinds(const Record& record) {
    if (!record.moves) return "";
    return fmt::format("{} distribution and {}", grouped(record.moves->distribution_steps),
                       counted(record.moves->computation_steps, "computation step"));
}

std::string how_moves_were_made(const Record& record) {
    if (!record.moves) return "";
    return std::string(record.moves->played ? "played and checked one by one"
                                            : "computed from timetables, not played one by one") +
           "; messages are counted, but not sent";
}

load::Fraction share_distance(const Record& record) {
    load::Fraction distance = load::distance_from_shares(record.final_loads, record.speeds);
    distance.denominator *= Int128{record.load_scale};
    return distance;
}

std::string share_distance_text(const Record& record) {
    return grouped_real(share_distance(record).value());
}

double imbalance_by_speed(const Record& record) {
    return load::imbalance_by_speed(record.final_loads, record.speeds).value() /
           static_cast<double>(record.load_scale);
}

std::string by_speed(const Record& record) {
    return grouped_real(imbalance_by_speed(record));
}

bool promises_shares(const Record& record) {
    return !record.speeds.empty() && !record.guarantee.source.empty() &&
           !record.guarantee.discrepancy;
}

std::optional<bool> promise_kept(const Record& record) {
    const model::Guarantee& promise = record.guarantee;
    const bool shares = promises_shares(record);
    if ((!promise.discrepancy && !promise.steps && !shares) || !record.reached) return std::nullopt;
    bool good = !promise.discrepancy || record.final_discrepancy <= *promise.discrepancy;
    good = good && (!promise.steps || record.costs.steps <= *promise.steps);
    if (shares) {
        const load::Fraction distance = share_distance(record);
        good = good && distance.numerator < distance.denominator;
    }
    return good;
}

std::string kept(const Record& record, const TextStyle& style) {
    const std::optional<bool> good = promise_kept(record);
    if (!good) return "-";
    if (style.plain) return *good ? "yes" : "no";
    return *good ? "✓" : "✗";
}

}  // namespace equipoise::report
