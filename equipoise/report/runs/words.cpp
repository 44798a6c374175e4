#include "equipoise/report/runs/words.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"

namespace equipoise::report {

using model::Record;

namespace {

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

std::string name_with_parameters(const Record& record) {
    std::string text = record.algorithm;
    for (const auto& [name, value] : record.parameters)
        text += ' ' + name + '=' + value;
    return text;
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
    return std::string(record.moves->played ? "made and checked one by one"
                                            : "reckoned from timetables, not made one by one") +
           "; messages are charged, none is sent";
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
