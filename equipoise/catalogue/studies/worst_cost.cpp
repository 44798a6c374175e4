#include "equipoise/catalogue/studies/worst_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/report/runs/extremes.hpp"

namespace equipoise::catalogue {

namespace {

using Cost = std::optional<load::Fraction>;

load::Fraction in_tokens(const Outcome& outcome, Tokens units) {
    const auto scale = static_cast<Tokens>(outcome.record.load_scale);
    return units % scale == 0 ? load::Fraction{units / scale, 1} : load::Fraction{units, scale};
}

/// The deviation of a record, which has six significant digits, as the decimal that it is.
Cost deviation_of(const Outcome& outcome) {
    constexpr std::int64_t parts_max = 1'000'000'000'000'000'000;
    if (!outcome.record.deviation) return std::nullopt;
    const double value = outcome.record.deviation->value;
    std::int64_t parts = 1;
    while (parts < parts_max && value * static_cast<double>(parts) < 1e5)
        parts *= 10;
    load::Fraction decimal = {std::llround(value * static_cast<double>(parts)), parts};
    while (decimal.denominator > 1 && decimal.numerator % 10 == 0) {
        decimal.numerator /= 10;
        decimal.denominator /= 10;
    }
    return decimal;
}

Cost largest_load_of(const Outcome& outcome) {
    const auto extremes = report::extremes_of(outcome.record);
    if (!extremes) return std::nullopt;
    return in_tokens(outcome, extremes->most);
}

Cost steps_of(const Outcome& outcome) {
    return load::Fraction{outcome.steps(), 1};
}

Cost level_since_of(const Outcome& outcome) {
    const std::optional<Step> since = outcome.level_since();
    return since ? Cost({*since, 1}) : Cost();
}

Cost exchanges_of(const Outcome& outcome) {
    const std::uint64_t scale = outcome.record.load_scale;
    return load::Fraction{outcome.exchanges() / scale + (outcome.exchanges() % scale > 0 ? 1 : 0),
                          1};
}

/// The cost over the fewest possible. Runs that begin level have no ratio.
Cost over_fewest(const Cost& cost, std::optional<std::uint64_t> fewest) {
    if (!cost || !fewest || *fewest == 0) return std::nullopt;
    return load::Fraction{cost->numerator, *fewest};
}

std::optional<std::uint64_t> fewest_steps(const Outcome& outcome) {
    const auto& best = outcome.record.optimum;
    return best && best->steps ? std::optional<std::uint64_t>(*best->steps) : std::nullopt;
}

std::optional<std::uint64_t> fewest_exchanges(const Outcome& outcome) {
    const auto& best = outcome.record.optimum;
    return best ? std::optional(static_cast<std::uint64_t>(best->exchanges)) : std::nullopt;
}

std::vector<CostOfRuns> make_costs() {
    using O = const Outcome&;
    return {
        {.word = "steps", .of = steps_of},
        {.word = "level-since", .of = level_since_of},
        {.word = "rounds",
         .of =
             [](O run) {
                 return Cost({run.rounds(), 1});
             }},
        {.word = "exchanges", .of = exchanges_of},
        {.word = "messages",
         .of =
             [](O run) {
                 return Cost({run.messages(), 1});
             }},
        {.word = "discrepancy",
         .of = [](O run) { return Cost(in_tokens(run, run.discrepancy())); }},
        {.word = "deviation", .of = deviation_of, .needs_deviation = true},
        {.word = "largest-load", .of = largest_load_of, .needs_moves = true},
        {.word = "steps/optimum",
         .of = [](O run) { return over_fewest(steps_of(run), fewest_steps(run)); },
         .needs_optimum = true,
         .needs_optimum_steps = true},
        {.word = "level-since/optimum",
         .of = [](O run) { return over_fewest(level_since_of(run), fewest_steps(run)); },
         .needs_optimum = true,
         .needs_optimum_steps = true},
        {.word = "exchanges/optimum",
         .of = [](O run) { return over_fewest(exchanges_of(run), fewest_exchanges(run)); },
         .needs_optimum = true},
    };
}

}  // namespace

const std::vector<CostOfRuns>& costs_of_runs() {
    static const std::vector<CostOfRuns> costs = make_costs();
    return costs;
}

const std::vector<std::string>& cost_words() {
    static const std::vector<std::string> words = [] {
        std::vector<std::string> all;
        for (const CostOfRuns& cost : costs_of_runs())
            all.emplace_back(cost.word);
        return all;
    }();
    return words;
}

const CostOfRuns& find_cost(std::string_view word) {
    const std::vector<CostOfRuns>& all = costs_of_runs();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const CostOfRuns& cost) { return cost.word == word; });
    if (found != all.end()) return *found;
    throw InputError("--quantity: " + expected_word(word, cost_words()));
}

bool larger(load::Fraction a, load::Fraction b) {
    // Products could leave 128 bits. Where the whole parts agree, what is left decides, and of two
    // rests the one whose reciprocal is smaller is the larger one.
    while (a.denominator != 0 && b.denominator != 0) {
        const Int128 whole_a = a.numerator / a.denominator;
        const Int128 whole_b = b.numerator / b.denominator;
        if (whole_a != whole_b) return whole_a > whole_b;
        const load::Fraction rest_a = {a.numerator % a.denominator, a.denominator};
        const load::Fraction rest_b = {b.numerator % b.denominator, b.denominator};
        a = {rest_b.denominator, rest_b.numerator};
        b = {rest_a.denominator, rest_a.numerator};
    }
    return a.denominator == 0 && b.denominator != 0;
}

}  // namespace equipoise::catalogue
