#include "equipoise/balancer/options.hpp"

#include <cmath>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::balancer {

namespace {

struct NamedPolicy {
    Policy policy;
    std::string_view word;
};
constexpr NamedPolicy policies[] = {
    // Made from equipoise/balancer/faces.toml by tools/make_faces.py: policies.
    {Policy::minimum_moves, "minimum-moves"},
    {Policy::keep_order, "keep-order"},
    {Policy::weighted, "weighted"},
    {Policy::hierarchical, "hierarchical"},
    {Policy::neighbours_only, "neighbours-only"},
    {Policy::given, "given"},
    {Policy::random_pairs, "random-pairs"},
    // End of what is made.
};

std::string text_of(const std::string& least, const std::string& most, const char* what,
                    double average) {
    return least + " to " + most + what + grouped_real(average) + " on average";
}

std::string text_of(const Spread<Tokens>& spread) {
    return text_of(grouped(spread.least), grouped(spread.most), " items per rank, ",
                   spread.average);
}

std::string text_of(const Spread<double>& spread) {
    return ", weight " +
           text_of(grouped_real(spread.least), grouped_real(spread.most), ", ", spread.average);
}

std::string in_this_order(const Report& report) {
    return report.policy == Policy::keep_order ? " in this order" : "";
}

std::string load_text(const Report& report) {
    std::string text = "\nload:   the largest is " + grouped_real(report.largest);
    text += report.weights_per_item > 1 ? " times the average" : " per unit of speed";
    text += "; no plan" + in_this_order(report) + " has less";
    if (report.largest <= report.largest_at_least * (1 + 1e-9)) return text;
    return text + " than " + grouped_real(report.largest_at_least);
}

// How much moves, and the least that any equally level plan must move.
std::string moves_text(const Report& report) {
    std::string text =
        "; no equally level plan" + in_this_order(report) + " moves fewer" +
        (report.moved == report.moved_at_least ? std::string()
                                               : " than " + grouped(report.moved_at_least));
    if (report.by_bytes)
        text += "; " + grouped_real(report.bytes_moved) +
                " bytes, no equally level plan fewer than " + grouped_real(report.bytes_at_least);
    return text;
}

/// With three digits: times differ from run to run.
std::string milliseconds(double seconds) {
    if (seconds <= 0) return "0 ms";
    const double unit = std::pow(10, std::floor(std::log10(seconds * 1e3)) - 2);
    return grouped_real(std::round(seconds * 1e3 / unit) * unit) + " ms";
}

}  // namespace

std::string_view to_string(Policy policy) {
    for (const NamedPolicy& named : policies)
        if (named.policy == policy) return named.word;
    return "unknown policy";
}

Policy policy_from_word(std::string_view word) {
    std::string known;
    for (const NamedPolicy& named : policies) {
        if (named.policy == Policy::given) continue;
        if (word == named.word) return named.policy;
        known.append(known.empty() ? "" : ", ").append(named.word);
    }
    throw InputError("expected one of " + known + " as policy, found \"" +
                     printable(beginning_of(word)) + '"');
}

Options by_weight(Options options, NumbersView weights) {
    if (options.policy == Policy::minimum_moves) options.policy = Policy::weighted;
    if (options.weights_per_item == 1) options.weights_per_item = weights.in_each();
    options.weights = weights;
    return options;
}

std::string Report::describe() const {
    const bool weighted = by_weight;
    const bool machines = policy == Policy::hierarchical || machines_first;
    std::string text(to_string(policy));
    text += " on " + counted(std::int64_t{ranks}, "rank");
    text += "\nbefore: " + text_of(before);
    if (weighted) text += text_of(weight_before);
    if (moved == 0) {
        text += "\nnothing moves";
    } else {
        text += "\nafter:  " + text_of(after);
        if (weighted) text += text_of(weight_after);
        text += "\nmoves:  " + counted(moved, "item");
        text += " in " + counted(std::uint64_t{messages}, "message");
        if (rounds > 1) text += " and " + counted(std::uint64_t{rounds}, "round");
        if (minimum)
            text += moved == *minimum ? ", the fewest possible for these final sizes"
                                      : "; any plan with these final sizes must move " +
                                            counted(*minimum, "item");
        if (weighted) text += moves_text(*this);
        if (machines) text += "; " + counted(between_machines, "item") + " between machines";
    }
    if (weighted) text += load_text(*this);
    text += '\n';
    if (seconds_moving > 0)
        text += "time:   " + milliseconds(seconds_planning) + " to plan, " +
                milliseconds(seconds_moving) + " to move\n";
    return text;
}

}  // namespace equipoise::balancer
