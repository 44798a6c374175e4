#pragma once
// A question about an instance, in the words of a scenario: a verb and its options as texts.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/analyze.hpp"
#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/catalogue/studies/reassign.hpp"
#include "equipoise/catalogue/studies/scenario.hpp"
#include "equipoise/catalogue/studies/worst.hpp"

namespace equipoise::catalogue {

/// The requests of all verbs, filled from texts; only the one of the verb counts.
struct Question {
    RunRequest run;
    PlanRequest plan;
    AnalyzeRequest analyze;
    WorstRequest worst;
    ReassignRequest reassign;
};

/// An option of a verb by its long name on the command line, where --help describes it.
struct QuestionOption {
    enum class Takes : std::uint8_t { text, flag };

    std::string_view name;
    Takes takes = Takes::text;
    /// Sets the option. Throws InputError naming what was expected and found.
    std::function<void(Question& question, const std::string& text)> set;
    /// What may precede the name of a file.
    std::string_view file_prefix = {};
};

/// The options of a verb that change its results.
[[nodiscard]] const std::vector<QuestionOption>& question_options(Verb verb);
/// The option with this name; null if there is none.
[[nodiscard]] const QuestionOption* find_option(Verb verb, std::string_view name);

/// Throws InputError for errors that no network could make right: a word that is not among those
/// expected, a number out of range, a file that does not exist.
void check(Verb verb, const Question& question);

}  // namespace equipoise::catalogue
