#include "equipoise/catalogue/studies/question.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::catalogue {

namespace {

using Takes = QuestionOption::Takes;

std::uint64_t number_of(const std::string& text) {
    const auto number = whole_number(text, std::numeric_limits<std::int64_t>::max());
    if (!number) throw InputError("expected a whole number below 2^63, found \"" + text + '"');
    return *number;
}

bool flag_of(const std::string& text) {
    return text == "true";
}

const std::vector<QuestionOption>& run_options_by_name() {
    using Q = Question;
    using Text = const std::string&;
    static const std::vector<QuestionOption> options = {
        {"max-steps", Takes::number, [](Q& q, Text t) { q.run.steps_max = number_of(t); }},
        {"stop", Takes::text, [](Q& q, Text t) { q.run.stop = t; }},
        {"speeds", Takes::text, [](Q& q, Text t) { q.run.speeds.text = t; }},
        {"matchings", Takes::text, [](Q& q, Text t) { q.run.matchings.text = t; }},
        {"matrix", Takes::text, [](Q& q, Text t) { q.run.matrix.text = t; }},
        {"tree", Takes::text, [](Q& q, Text t) { q.run.tree.text = t; }},
        {"colouring", Takes::text, [](Q& q, Text t) { q.run.colouring.text = t; }},
        {"deviation", Takes::flag, [](Q& q, Text t) { q.run.deviation = flag_of(t); }},
        {"delays", Takes::text, [](Q& q, Text t) { q.run.asynchrony.delays = t; }},
        {"adversary", Takes::text, [](Q& q, Text t) { q.run.asynchrony.adversary = t; }},
        {"faults", Takes::text, [](Q& q, Text t) { q.run.asynchrony.faults = t; }},
        {"ports", Takes::text, [](Q& q, Text t) { q.run.asynchrony.ports = t; }},
        {"arrivals", Takes::text, [](Q& q, Text t) { q.run.arrivals = t; }, "replay:"},
        {"churn", Takes::text, [](Q& q, Text t) { q.run.churn = t; }, "replay:"},
        {"optimum", Takes::flag, [](Q& q, Text t) { q.optimum = flag_of(t); }},
        {"extremes", Takes::flag, [](Q& q, Text t) { q.run.extremes = flag_of(t); }},
        {"recovery", Takes::flag, [](Q& q, Text t) { q.run.recovery = flag_of(t); }},
    };
    return options;
}

const std::vector<QuestionOption>& plan_options_by_name() {
    using Q = Question;
    using Text = const std::string&;
    static const std::vector<QuestionOption> options = {
        {"target", Takes::text, [](Q& q, Text t) { q.plan.target.text = t; }, "speeds:"},
        {"ports", Takes::text, [](Q& q, Text t) { q.plan.ports = t; }},
        {"capacities", Takes::text, [](Q& q, Text t) { q.plan.capacities.text = t; }},
        {"link-delays", Takes::text, [](Q& q, Text t) { q.plan.link_delays.text = t; }},
        {"pinned", Takes::text,
         [](Q& q, Text t) { q.plan.pinned = comma_list("--pinned", "names of nodes", t); }},
        {"drain", Takes::text,
         [](Q& q, Text t) { q.plan.drain = comma_list("--drain", "names of nodes", t); }},
        {"rates", Takes::text, [](Q& q, Text t) { q.plan.rates = t; }},
        {"in-flight", Takes::number, [](Q& q, Text t) { q.plan.in_flight = number_of(t); }},
        {"fewest-exchanges", Takes::flag,
         [](Q& q, Text t) { q.plan.fewest_exchanges = flag_of(t); }},
        {"memory", Takes::number, [](Q& q, Text t) { q.plan.memory_mib = number_of(t); }},
        {"seconds", Takes::number, [](Q& q, Text t) { q.plan.seconds = number_of(t); }},
    };
    return options;
}

const std::vector<QuestionOption>& analyze_options_by_name() {
    using Q = Question;
    using Text = const std::string&;
    static const std::vector<QuestionOption> options = {
        {"matrix", Takes::text, [](Q& q, Text t) { q.analyze.matrix.text = t; }},
        {"matchings", Takes::text, [](Q& q, Text t) { q.analyze.matchings.text = t; }},
        {"observers", Takes::flag, [](Q& q, Text t) { q.analyze.observers = flag_of(t); }},
        {"gap", Takes::number, [](Q& q, Text t) { q.analyze.gap = number_of(t); }},
        {"exchange-ratio", Takes::flag,
         [](Q& q, Text t) { q.analyze.exchange_ratio = flag_of(t); }},
    };
    return options;
}

const std::vector<QuestionOption>& worst_options_by_name() {
    using Q = Question;
    using Text = const std::string&;
    static const std::vector<QuestionOption> options = {
        {"beside", Takes::text, [](Q& q, Text t) { q.worst.beside = t; }},
        {"quantity", Takes::text, [](Q& q, Text t) { q.worst.quantity = t; }},
        {"most", Takes::number, [](Q& q, Text t) { q.worst.most_tokens = number_of(t); }},
        {"tries", Takes::number, [](Q& q, Text t) { q.worst.tries = number_of(t); }},
        {"max-steps", Takes::number, [](Q& q, Text t) { q.worst.steps_max = number_of(t); }},
    };
    return options;
}

}  // namespace

const std::vector<QuestionOption>& question_options(Verb verb) {
    if (verb == Verb::plan) return plan_options_by_name();
    if (verb == Verb::analyze) return analyze_options_by_name();
    if (verb == Verb::worst) return worst_options_by_name();
    return run_options_by_name();
}

const QuestionOption* find_option(Verb verb, std::string_view name) {
    const std::vector<QuestionOption>& options = question_options(verb);
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const auto& option) { return option.name == name; });
    return found == options.end() ? nullptr : &*found;
}

void check(Verb verb, const Question& question) {
    if (verb == Verb::run) check(question.run);
    if (verb == Verb::plan) question.plan.check();
    if (verb == Verb::analyze) question.analyze.check();
    if (verb == Verb::worst) check(question.worst);
}

}  // namespace equipoise::catalogue
