#include "equipoise/catalogue/runner/stop.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"

namespace equipoise::catalogue {

namespace {

constexpr auto whole_max = static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max());

/// The number behind the colon of `quiet:12`.
std::uint64_t number_of(const Spec& spec, std::uint64_t least) {
    const std::string& text = spec.positional();
    std::uint64_t number = 0;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || number > (whole_max - 9) / 10) number = whole_max + 1;
        if (number > whole_max) break;
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (text.empty() || number > whole_max || number < least)
        throw InputError("stop rule \"" + spec.text() + "\": expected " + spec.name() +
                         ": and a whole number of at least " + std::to_string(least) +
                         ", found \"" + text + '"');
    return number;
}

/// A way to end a run, and the field of a rule that holds it. If it takes a number, `least` is the
/// smallest one.
struct StopRow {
    SpecInfo info;
    std::optional<std::uint64_t> least;
    void (*set)(model::StopRule& rule, std::uint64_t number);
    /// The rule's number (0 if the row takes none); nothing if the rule does not end runs this way.
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
          "no active link had a discrepancy of 2 or more in this many consecutive steps; called "
          "no-progress where that does not prove that it stays so",
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

void add_part(model::StopRule& rule, std::string_view text) {
    const Spec spec = Spec::parse(text);
    const StopRow* const row = find_row(stop_table(), spec.name());
    if (row == nullptr)
        throw InputError("unknown stop rule \"" + std::string(text) + "\": expected " +
                         one_of(stop_table()));
    row->set(rule, row->least ? number_of(spec, *row->least) : 0);
    spec.expect_done();
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
