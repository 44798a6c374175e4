#include "equipoise/catalogue/studies/sweep.hpp"

#include <memory>
#include <string>

#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

namespace {

struct SweepVerb {
    std::string scenario;
    std::string csv;
    int threads = 0;
    bool quiet = false;

    [[nodiscard]] int act() const;
};

int SweepVerb::act() const {
    const catalogue::Scenario grid = catalogue::read_scenario(scenario);
    catalogue::SweepOptions options;
    options.csv = csv.empty() ? catalogue::csv_of(scenario) : csv;
    options.threads = threads;
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
        for (const std::string& column : outcome.empty_columns)
            print("column " + column + " is empty in every row\n");
    }
    return outcome.complete ? exit_done : exit_not_reached;
}

}  // namespace

void add_sweep(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "sweep", "Play a grid of runs, plans, reassignments or analyses and write one CSV file");
    const auto arguments = std::make_shared<SweepVerb>();
    SweepVerb& a = *arguments;
    verb->add_option("SCENARIO", a.scenario, "a scenario (JSON, see scenarios/)")
        ->required()
        ->reads_file();
    verb->add_option("--csv", a.csv, "the file to write (default: the scenario's name with .csv)")
        ->not_to_output()
        ->writes_file();
    verb->add_option("--threads", a.threads,
                     "how many runs to play at the same time, each in a thread; 0: as many as the "
                     "machine has threads")
        ->range(0, 4096);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors");
    verb->footer(
        "Example:\n  equipoise sweep scenarios/dinitz-2020/table-1.json --csv table-1.csv");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
