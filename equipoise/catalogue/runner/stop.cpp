#include "equipoise/catalogue/runner/stop.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/spec_rows.hpp"

namespace equipoise::catalogue {

namespace {

constexpr auto whole_max = static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max());

/// A way to end a run, and the field of a rule that holds it. If it takes a number, `least` is the
/// smallest one.
struct StopRow {
    SpecInfo info;
    std::optional<std::uint64_t> least;
    void (*set)(model::StopRule& rule, std::uint64_t number);
    /// The number in a rule (0 if the row takes none); nothing if the rule does not end runs in
    /// this way.
    std::optional<std::uint64_t> (*number)(const model::StopRule& rule);
};

std::optional<std::uint64_t> if_set(bool set) {
    return set ? std::optional<std::uint64_t>(0) : std::nullopt;
}

const std::vector<StopRow>& stop_table() {
    using Rule = model::StopRule;
    static const std::vector<StopRow> rows = {
        {{"discrepancy", "discrepancy:1", "largest minus smallest load is at most this many tokens",
          false, "discrepancy:D"},
         0,
         [](Rule& rule, std::uint64_t number) { rule.discrepancy = static_cast<Tokens>(number); },
         [](const Rule& rule) -> std::optional<std::uint64_t> { return rule.discrepancy; }},
        {{"one-balanced", "one-balanced", "no two neighbours differ by more than 1 token"},
         {},
         [](Rule& rule, std::uint64_t) { rule.one_balanced = true; },
         [](const Rule& rule) { return if_set(rule.one_balanced); }},
        {{"quiet", "quiet:100", "no token moved in this many consecutive steps", false,
          "quiet:STEPS"},
         1,
         [](Rule& rule, std::uint64_t number) { rule.quiet_steps = number; },
         [](const Rule& rule) { return rule.quiet_steps; }},
        {{"stable", "stable:100",
          "no active link had a discrepancy of 2 or more in this many consecutive steps; reported "
          "as no-progress if this does not prove that the loads stay as they are",
          false, "stable:STEPS"},
         1,
         [](Rule& rule, std::uint64_t number) { rule.stable_steps = number; },
         [](const Rule& rule) { return rule.stable_steps; }},
        {{"own-termination", "own-termination", "the algorithm itself says that it is done"},
         {},
         [](Rule& rule, std::uint64_t) { rule.own_termination = true; },
         [](const Rule& rule) { return if_set(rule.own_termination); }},
    };
    return rows;
}

/// The number behind the colon of `quiet:12`.
std::uint64_t number_of(const StopRow& row, std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view digits = text.substr(std::min(colon + 1, text.size()));
    const auto number = whole_number(digits, whole_max);
    if (number && *number >= *row.least) return *number;
    throw InputError("stop rule \"" + std::string(text) + "\": expected " + row.info.shown() +
                     " with a whole number, " + std::to_string(*row.least) + " or more, found " +
                     (digits.empty() ? "none" : '"' + std::string(digits) + '"'));
}

void add_part(model::StopRule& rule, std::string_view text) {
    const std::size_t colon = text.find(':');
    const StopRow* const row = find_row(stop_table(), text.substr(0, colon));
    if (row == nullptr) throw InputError(unknown_row("stop rule", text, stop_rules()));
    if (!row->least && colon != std::string_view::npos)
        throw InputError("stop rule \"" + std::string(text) + "\": expected " + row->info.name +
                         " alone, found \"" + std::string(text.substr(colon)) + "\" after it");
    row->set(rule, row->least ? number_of(*row, text) : 0);
}

}  // namespace

const std::vector<SpecInfo>& stop_rules() {
    static const std::vector<SpecInfo> infos = infos_of(stop_table());
    return infos;
}

model::StopRule parse_stop(std::string_view text) {
    model::StopRule rule;
    rule.own_termination = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        if (end == begin)
            throw InputError("stop rule \"" + std::string(text) +
                             "\": expected rules joined by +, found an empty one");
        add_part(rule, text.substr(begin, end - begin));
        begin = end + 1;
    }
    return rule;
}

std::string to_text(const model::StopRule& rule) {
    std::string text;
    const auto add = [&](const StopRow& row) {
        const std::optional<std::uint64_t> number = row.number(rule);
        if (!number) return;
        text += (text.empty() ? "" : "+") + row.info.name;
        if (row.least) text += ':' + std::to_string(*number);
    };
    // Texts of rules begin with the algorithm's own end.
    add(stop_table().back());
    std::for_each(stop_table().begin(), stop_table().end() - 1, add);
    return text;
}

}  // namespace equipoise::catalogue
