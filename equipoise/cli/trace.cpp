#include "equipoise/catalogue/studies/trace.hpp"

#include <memory>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/answers/load_trace.hpp"
#include "equipoise/report/page/load_trace_page.hpp"

namespace equipoise::cli {

namespace {

struct TraceVerb {
    catalogue::TraceRequest request;
    std::string tolerance = "0";
    std::string cost = "0";
    JsonArgument json;
    std::string html;
    bool quiet = false;

    [[nodiscard]] int act() const;
};

int TraceVerb::act() const {
    catalogue::TraceRequest asked = request;
    asked.tolerance = number_value("--tolerance", tolerance);
    asked.cost = number_value("--cost", cost);
    report::LoadTrace levels;
    {
        const InterruptGuard interrupt;
        asked.check = [&interrupt] {
            if (interrupt.token().stop_requested())
                throw InputError("trace: interrupted; nothing was written");
        };
        levels = catalogue::study_trace(asked);
    }
    if (!html.empty()) report::write_load_trace_page(levels, html);
    if (json.wanted()) json.emit(report::load_trace_json(levels));
    if (!json.to_output() && !quiet) print(report::load_trace_text(levels));
    return exit_done;
}

}  // namespace

void add_trace(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "trace", "Level a load trace of DARMA vt, and report what that gains and what it moves");
    const auto arguments = std::make_shared<TraceVerb>();
    TraceVerb& a = *arguments;
    verb->add_option("TRACE", a.request.paths,
                     "a folder with the files of all ranks (data.0.json, data.1.json.br, ...), or "
                     "the files")
        ->required()
        ->reads_file();
    verb->add_option("--policy", a.request.policy,
                     "weighted (default): level the seconds; minimum-moves: level the numbers of "
                     "tasks; keep-order: level these and keep the order of tasks across ranks")
        ->offers(catalogue::trace_policies());
    verb->add_option("--tolerance", a.tolerance,
                     "with the policy weighted: accept a largest load of (1 + X) times the "
                     "average, and move only as much as that requires (default 0: as level as the "
                     "tasks allow)");
    verb->add_option("--times", a.request.times,
                     "own (default): plan each phase from its own times; previous: from the times "
                     "of the phase before, as a balancer must at run time")
        ->offers(catalogue::trace_times());
    verb->add_flag("--advise", a.request.advise,
                   "balance only after phases where it pays, judging by the phases so far, and "
                   "report what that saves");
    verb->add_option("--cost", a.cost,
                     "with --advise: how many seconds it takes to balance (default 0)");
    verb->add_option("-o,--output", a.request.output,
                     "write the trace with its new placement to this folder, new or empty")
        ->not_to_output()
        ->writes_file();
    a.json.add_to(*verb);
    verb->add_option("--html", a.html,
                     "write an HTML page to this file: the loads of all ranks before and after")
        ->not_to_output()
        ->writes_file();
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "Examples:\n"
        "  equipoise trace traces/ --tolerance 0.05\n"
        "  equipoise trace data.*.json --times previous -o levelled --json\n"
        "  equipoise trace traces/ --advise --cost 0.2");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
