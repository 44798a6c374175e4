#include "equipoise/cli/summary_arguments.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/cli/terminal.hpp"

namespace equipoise::cli {

namespace {

double fraction_of(const char* option, const std::string& text) {
    if (const auto number = real_number(text)) return *number;
    throw InputError(std::string(option) + ": expected a number between 0 and 1, found \"" + text +
                     '"');
}

}  // namespace

void SpreadArguments::add_to(Command& verb) {
    verb.add_option("--interval", interval,
                    "the confidence interval of each mean: student (default: Student's t) or "
                    "bootstrap (percentiles of 10,000 resamples)")
        ->offers(statistics::interval_words());
    verb.add_option("--confidence", confidence,
                    "how often such intervals hold the true mean (default: 0.95)");
    verb.add_option("--quantiles", quantiles,
                    "the quantiles, as fractions separated by commas (default: 0.25,0.75)");
}

void SpreadArguments::fill(report::SummaryOptions& options) const {
    if (!interval.empty()) options.interval.kind = statistics::interval_from_word(interval);
    if (!confidence.empty()) options.interval.level = fraction_of("--confidence", confidence);
    if (quantiles.empty()) return;
    options.fractions.clear();
    for (const std::string& text : comma_list("--quantiles", "fractions", quantiles))
        options.fractions.push_back(fraction_of("--quantiles", text));
    std::sort(options.fractions.begin(), options.fractions.end());
}

void SummaryArguments::add_to(Command& verb) {
    verb.add_flag(
            "--summary{-}", target,
            "print what the runs say over their seeds: mean, confidence interval, spread and "
            "quantiles, cell by cell; --summary=FILE writes it to a .csv, .json, .md, .tex or "
            ".txt file")
        ->writes_file();
    verb.add_option("--of", of,
                    "the columns that are summarised, separated by commas (default: all results "
                    "that are numbers)");
    verb.add_option("--by", by,
                    "the columns that name a cell, separated by commas (default: all that name a "
                    "run, except its seed)");
    verb.add_option("--against", against,
                    "also the differences to this algorithm, pair by pair: from the same start "
                    "with the same seed");
    spread.add_to(verb);
}

void SummaryArguments::expect_nothing_asked() const {
    const std::initializer_list<std::pair<const char*, const std::string&>> asked = {
        {"--of", of},
        {"--by", by},
        {"--against", against},
        {"--interval", spread.interval},
        {"--confidence", spread.confidence},
        {"--quantiles", spread.quantiles}};
    for (const auto& [name, value] : asked)
        if (!value.empty())
            throw InputError(std::string(name) +
                             " says how runs are summarised: expected --summary, too");
}

report::SummaryOptions SummaryArguments::options() const {
    report::SummaryOptions options;
    if (!to_output()) report::expect_summary_file(target);
    if (!of.empty()) options.of = comma_list("--of", "columns", of);
    if (!by.empty()) options.by = comma_list("--by", "columns", by);
    options.against = against;
    spread.fill(options);
    return options;
}

void SummaryArguments::expect_other_file(const std::string& path) const {
    if (!to_output() && is_same_file(target, path))
        throw InputError("--summary: " + target + " is the file of the rows: expected another one");
}

void SummaryArguments::emit(const report::Summary& summary) const {
    if (to_output())
        print(report::summary_text(summary, text_style(false).plain));
    else
        report::write_summary(summary, target);
}

}  // namespace equipoise::cli
