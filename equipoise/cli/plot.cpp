#include "equipoise/report/plot.hpp"

#include <memory>
#include <string>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/record_json.hpp"

namespace equipoise::cli {

namespace {

struct PlotVerb {
    std::vector<std::string> paths;
    std::string output;

    [[nodiscard]] int act() const {
        if (!output.ends_with(".svg"))
            throw InputError("plot draws SVG: expected -o FILE.svg, found \"" + output + '"');
        write_file(output, report::plot_svg(model::read_records(paths)));
        return exit_done;
    }
};

}  // namespace

void add_plot(Command& program, Action& action) {
    Command* verb = program.add_subcommand("plot", "Draw the discrepancy of runs over their steps");
    const auto arguments = std::make_shared<PlotVerb>();
    verb->add_option("RECORD", arguments->paths, "files that run --record wrote")
        ->required()
        ->reads_file();
    verb->add_option("-o,--output", arguments->output, "the picture's file, .svg")
        ->required()
        ->writes_file();
    verb->footer("Example:\n  equipoise plot first.json second.json -o runs.svg");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
