#include "equipoise/report/words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::report {

using model::Record;

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

std::string deviation_text(const Record& record) {
    const std::string deviation = constant(record, "deviation");
    const std::string error = constant(record, "deviation_error");
    if (error.empty()) return deviation;  // of older records
    const double value = real_number(deviation).value_or(0);
    const double uncertain = real_number(error).value_or(0);
    constexpr double small = 1e-4;
    if (uncertain <= small * std::max(1.0, value)) return deviation + " +- " + error;
    return fmt::format("{} to {:.6g}", deviation, value + uncertain);
}

std::string step_kinds(const Record& record) {
    const auto distribution = whole_number(constant(record, "distribution_steps"));
    const auto computation = whole_number(constant(record, "computation_steps"));
    if (!distribution || !computation) return "";
    return fmt::format("{} distribution and {} computation steps", grouped(*distribution),
                       grouped(*computation));
}

std::string how_moves_were_made(const Record& record) {
    const std::string moves = constant(record, "moves");
    if (moves.empty()) return "";
    return std::string(moves == "played" ? "made and checked one by one"
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

std::string kept(const Record& record, const TextStyle& style) {
    const model::Guarantee& promise = record.guarantee;
    const bool shares = promises_shares(record);
    if ((!promise.discrepancy && !promise.steps && !shares) || !record.reached) return "-";
    bool good = !promise.discrepancy || record.final_discrepancy <= *promise.discrepancy;
    good = good && (!promise.steps || record.costs.steps <= *promise.steps);
    if (shares) {
        const load::Fraction distance = share_distance(record);
        good = good && distance.numerator < distance.denominator;
    }
    if (style.plain) return good ? "yes" : "no";
    return good ? "✓" : "✗";
}

}  // namespace equipoise::report
