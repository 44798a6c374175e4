#include "equipoise/catalogue/studies/sweep.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/summary_arguments.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

namespace {

struct SweepVerb {
    Command* verb = nullptr;
    std::string scenario;
    std::string csv;
    int threads = 0;
    bool quiet = false;
    SummaryArguments summary;

    [[nodiscard]] int act() const;
    [[nodiscard]] int play() const;
    void summarise(const std::string& study) const;
};

int SweepVerb::act() const {
    if (!summary.given()) summary.expect_nothing_asked();
    if (lower_case(std::filesystem::path(scenario).extension().string()) != ".csv") return play();
    if (!summary.given())
        throw InputError(scenario +
                         ": expected a scenario (JSON), or --summary with the CSV file of a sweep");
    verb->expect_only_given(scenario, "a CSV file is summarised, and nothing is played",
                            {"SCENARIO", "--summary", "--of", "--by", "--against", "--interval",
                             "--confidence", "--quantiles", "--quiet"});
    summarise(scenario);
    return exit_done;
}

void SweepVerb::summarise(const std::string& study) const {
    summary.emit(report::summarise(report::read_study(study), summary.options()));
}

int SweepVerb::play() const {
    const catalogue::Scenario grid = catalogue::read_scenario(scenario);
    catalogue::SweepOptions options;
    options.csv = csv.empty() ? catalogue::csv_of(scenario) : csv;
    options.threads = threads;
    if (summary.given()) {  // what is wrong is said before hours of play
        report::expect_right(summary.options(), {options.csv, catalogue::csv_columns(grid), {}});
        summary.expect_other_file(options.csv);
    }
    catalogue::SweepOutcome outcome;
    {
        const InterruptGuard interrupt;
        CountLine line(quiet, "runs");
        options.interrupt = interrupt.token();
        options.progress = line.callback();
        outcome = catalogue::sweep(grid, options);
    }
    if (!quiet) {
        for (const auto& [file, told] : outcome.readings)
            note(file + ": " + told);
        std::string text = report::counted(outcome.ran, "run") + " now, " +
                           report::grouped(outcome.resumed) + " from before, " +
                           report::grouped(outcome.rows) + " in all; ";
        if (outcome.dropped > 0)
            text += report::counted(outcome.dropped, "row") +
                    " dropped, which came from another grid, version or file; ";
        text += outcome.complete ? "written to " + options.csv
                                 : "start again to continue from " + options.csv + ".partial";
        print(text + '\n');
        if (outcome.cut_short > 0)
            print(report::counted(outcome.cut_short, "run") +
                  (outcome.cut_short == 1 ? " was" : " were") + " cut short\n");
        for (const std::string& column : outcome.empty_columns)
            print("column " + column + " is empty in every row\n");
        if (outcome.complete && summary.to_output()) print("\n");
    }
    if (outcome.complete && summary.given()) summarise(options.csv);
    return outcome.complete ? exit_done : exit_not_reached;
}

}  // namespace

void add_sweep(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "sweep", "Play a grid of runs, plans, reassignments or analyses and write one CSV file");
    const auto arguments = std::make_shared<SweepVerb>();
    SweepVerb& a = *arguments;
    a.verb = verb;
    verb->add_option("SCENARIO", a.scenario,
                     "a scenario (JSON, see scenarios/); with --summary also the CSV file of a "
                     "sweep, which is not played again")
        ->required()
        ->reads_file();
    verb->add_option("--csv", a.csv, "the file to write (default: the scenario's name with .csv)")
        ->not_to_output()
        ->writes_file();
    verb->add_option("--threads", a.threads,
                     "how many runs to play at the same time, each in a thread; 0: as many as the "
                     "machine has threads")
        ->range(0, 4096);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors and what --summary asks for");
    verb->group("Over seeds");
    a.summary.add_to(*verb);
    verb->footer(
        "Examples:\n  equipoise sweep scenarios/dinitz-2020/table-1.json --csv table-1.csv\n"
        "  equipoise sweep table-1.csv --summary --of rounds --against deal-agreement-1");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
