#include "equipoise/catalogue/studies/question.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"

namespace equipoise::catalogue {

namespace {

using Takes = QuestionOption::Takes;

std::uint64_t number_of(const std::string& text) {
    const auto number = whole_number(text, std::numeric_limits<std::int64_t>::max());
    if (!number) throw InputError("expected a whole number below 2^63, found \"" + text + '"');
    return *number;
}

double real_of(const std::string& text) {
    const auto number = real_number(text);
    if (!number || *number < 0)
        throw InputError("expected a number, 0 or more, found \"" + text + '"');
    return *number;
}

std::vector<std::string> names_of(const char* option, const std::string& text) {
    return comma_list(option, "names", text);
}

bool flag_of(const std::string& text) {
    return text == "true";
}

/// Sets the value of an option from the text of a scenario.
struct SetFromText {
    const std::string& text;

    void operator()(bool* flag) const { *flag = flag_of(text); }
    void operator()(std::string* value) const { *value = text; }
    void operator()(std::uint64_t* value) const { *value = number_of(text); }
    void operator()(std::optional<Step>* value) const { *value = number_of(text); }
    template <class T>
    void operator()(TextOr<T>* value) const {
        value->text = text;
    }
    // Threads and parameters are none of a scenario's options.
    void operator()(int* /*value*/) const { EQUIPOISE_ASSERT(false); }
    void operator()(ParameterTexts* /*value*/) const { EQUIPOISE_ASSERT(false); }
};

std::vector<QuestionOption> run_options_by_name() {
    std::vector<QuestionOption> options;
    for (const RunOption& option : options_of_runs()) {
        if (!option.info.in_scenarios) continue;
        RunRequest any;
        options.push_back(
            {option.info.name,
             std::holds_alternative<bool*>(option.value(any)) ? Takes::flag : Takes::text,
             [value = option.value](Question& question, const std::string& text) {
                 std::visit(SetFromText{text}, value(question.run));
             },
             option.info.file_prefix});
    }
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
        {"in-flight", Takes::text, [](Q& q, Text t) { q.plan.in_flight = number_of(t); }},
        {"fewest-exchanges", Takes::flag,
         [](Q& q, Text t) { q.plan.fewest_exchanges = flag_of(t); }},
        {"memory", Takes::text, [](Q& q, Text t) { q.plan.memory_mib = number_of(t); }},
        {"seconds", Takes::text, [](Q& q, Text t) { q.plan.seconds = number_of(t); }},
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
        {"gap", Takes::text, [](Q& q, Text t) { q.analyze.gap = number_of(t); }},
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
        {"most", Takes::text, [](Q& q, Text t) { q.worst.most_tokens = number_of(t); }},
        {"tries", Takes::text, [](Q& q, Text t) { q.worst.tries = number_of(t); }},
        {"any-numbering", Takes::flag, [](Q& q, Text t) { q.worst.any_numbering = flag_of(t); }},
        {"max-steps", Takes::text, [](Q& q, Text t) { q.worst.steps_max = number_of(t); }},
    };
    return options;
}

const std::vector<QuestionOption>& reassign_options_by_name() {
    using Q = Question;
    using Text = const std::string&;
    static const std::vector<QuestionOption> options = {
        {"machines", Takes::text, [](Q& q, Text t) { q.reassign.machines = t; }},
        {"log-dirs", Takes::text, [](Q& q, Text t) { q.reassign.log_dirs = t; }},
        {"resources", Takes::text,
         [](Q& q, Text t) { q.reassign.resources = names_of("--resources", t); }},
        {"labels", Takes::text, [](Q& q, Text t) { q.reassign.labels = names_of("--labels", t); }},
        {"rules", Takes::text, [](Q& q, Text t) { q.reassign.rules = t; }},
        {"drain", Takes::text, [](Q& q, Text t) { q.reassign.drain = names_of("--drain", t); }},
        {"pinned", Takes::text, [](Q& q, Text t) { q.reassign.pinned = names_of("--pinned", t); }},
        {"apart", Takes::text, [](Q& q, Text t) { q.reassign.apart = names_of("--apart", t); }},
        {"spread", Takes::text, [](Q& q, Text t) { q.reassign.spread = names_of("--spread", t); }},
        {"near", Takes::text, [](Q& q, Text t) { q.reassign.near = names_of("--near", t); }},
        {"allowed", Takes::text, [](Q& q, Text t) { q.reassign.allowed = t; }},
        {"forbidden", Takes::text, [](Q& q, Text t) { q.reassign.forbidden = t; }},
        {"level", Takes::text, [](Q& q, Text t) { q.reassign.level = names_of("--level", t); }},
        {"tolerance", Takes::text, [](Q& q, Text t) { q.reassign.tolerance = t; }},
        {"fewest", Takes::text, [](Q& q, Text t) { q.reassign.fewest = t; }},
        {"only-if-above", Takes::text, [](Q& q, Text t) { q.reassign.only_if_above = real_of(t); }},
        {"at-most", Takes::text, [](Q& q, Text t) { q.reassign.at_most = t; }},
        {"objective", Takes::text, [](Q& q, Text t) { q.reassign.objective = t; }},
        {"target", Takes::text, [](Q& q, Text t) { q.reassign.target = t; }},
        {"replicas", Takes::text,
         [](Q& q, Text t) { q.reassign.replicas = names_of("--replicas", t); }},
        {"copy-from", Takes::text, [](Q& q, Text t) { q.reassign.copy_from = t; }},
        {"rates", Takes::text, [](Q& q, Text t) { q.reassign.rates = t; }},
        {"at-once", Takes::text, [](Q& q, Text t) { q.reassign.at_once = number_of(t); }},
        {"half-duplex", Takes::flag, [](Q& q, Text t) { q.reassign.half_duplex = flag_of(t); }},
        {"resume", Takes::text, [](Q& q, Text t) { q.reassign.resume = t; }},
        {"seconds", Takes::text, [](Q& q, Text t) { q.reassign.seconds = real_of(t); }},
        {"effort", Takes::text, [](Q& q, Text t) { q.reassign.effort = number_of(t); }},
        {"memory", Takes::text, [](Q& q, Text t) { q.reassign.memory_mb = number_of(t); }},
    };
    return options;
}

}  // namespace

const std::vector<QuestionOption>& question_options(Verb verb) {
    if (verb == Verb::plan) return plan_options_by_name();
    if (verb == Verb::analyze) return analyze_options_by_name();
    if (verb == Verb::worst) return worst_options_by_name();
    if (verb == Verb::reassign) return reassign_options_by_name();
    static const std::vector<QuestionOption> of_runs = run_options_by_name();
    return of_runs;
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
    if (verb == Verb::reassign) question.reassign.check();
}

}  // namespace equipoise::catalogue
