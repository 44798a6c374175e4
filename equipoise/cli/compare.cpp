#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/best_possible.hpp"
#include "equipoise/catalogue/instance.hpp"
#include "equipoise/cli/html_argument.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/run_json.hpp"
#include "equipoise/report/summary.hpp"

namespace equipoise::cli {

namespace {

using catalogue::Algorithm;

struct CompareVerb {
    std::vector<std::string> names;
    bool all = false;
    NetworkArguments network;
    std::string loads;
    RunArguments run;
    JsonArgument json;
    bool with_loads = false;
    bool optimum = false;
    std::string csv;
    HtmlArgument html;
    bool quiet = false;
    bool ascii = false;

    [[nodiscard]] int act() const;

  private:
    [[nodiscard]] std::vector<const Algorithm*> chosen() const;
    /// The parameters that an algorithm has, of all that were given.
    [[nodiscard]] static catalogue::ParameterTexts own_parameters(
        const Algorithm& algorithm, const catalogue::ParameterTexts& given);
};

std::vector<const Algorithm*> CompareVerb::chosen() const {
    if (all && !names.empty())
        throw InputError("compare: expected names of algorithms or --all, found both");
    std::vector<const Algorithm*> algorithms;
    for (const std::string& name : names)
        algorithms.push_back(&catalogue::find_algorithm(name));
    if (names.empty())
        for (const Algorithm& algorithm : catalogue::algorithms())
            algorithms.push_back(&algorithm);
    return algorithms;
}

catalogue::ParameterTexts CompareVerb::own_parameters(const Algorithm& algorithm,
                                                      const catalogue::ParameterTexts& given) {
    catalogue::ParameterTexts own;
    for (const catalogue::Parameter& parameter : algorithm.parameters)
        if (const auto found = given.find(parameter.name); found != given.end()) own.insert(*found);
    return own;
}

int CompareVerb::act() const {
    const std::vector<const Algorithm*> algorithms = chosen();
    const catalogue::ParameterTexts given = run.parameter_texts();
    for (const auto& one : given)
        if (std::none_of(algorithms.begin(), algorithms.end(), [&](const Algorithm* algorithm) {
                return !own_parameters(*algorithm, {one}).empty();
            }))
            throw InputError("--param: none of the algorithms has a parameter \"" + one.first +
                             '"');
    if (!run.world.empty() &&
        std::none_of(algorithms.begin(), algorithms.end(),
                     [](const Algorithm* algorithm) { return algorithm->program.has_value(); }))
        throw InputError(
            "--delays, --adversary and --faults: none of the algorithms is asynchronous");
    if (loads.empty()) throw InputError("expected --loads with a spec or a CSV file, found none");
    const network::AnyNetwork made = network.make(quiet);
    const load::Loads tokens = catalogue::make_loads(loads, made, network.seed);
    const catalogue::NetworkFacts facts(made);
    catalogue::RunOptions options = run.make(network.seed, made);

    if (html.wanted()) HtmlArgument::ask(options, made.node_count(), algorithms.size());

    std::optional<catalogue::BestPossible> best;
    if (optimum) best.emplace(made, tokens, options.speeds);
    std::vector<model::Record> records;
    bool all_reached = true;
    {
        const InterruptGuard interrupt;
        ProgressLine progress(quiet, 1);
        options.interrupt = interrupt.token();
        options.progress = progress.callback();
        for (const Algorithm* algorithm : algorithms) {
            if (interrupt.token().stop_requested()) break;
            options.parameters = own_parameters(*algorithm, given);
            options.world = algorithm->program ? run.world : catalogue::WorldTexts{};
            try {
                records.push_back(catalogue::run(*algorithm, facts, tokens, options).record);
            } catch (const UnsuitableError& error) {
                if (!names.empty() || algorithms.size() == 1 || !facts.connected()) throw;
                if (!quiet) note(algorithm->name + " left out: " + error.what());
                continue;
            }
            if (best) best->note_in(records.back(), *algorithm);
            all_reached = all_reached && records.back().reached;
        }
        all_reached = all_reached && !interrupt.token().stop_requested();
    }
    if (!csv.empty()) write_file(csv, report::compare_csv(records, optimum));
    if (html.wanted() && !records.empty()) html.emit(records);
    const report::Optimum* const figures = best ? &best->figures() : nullptr;
    if (json.wanted()) json.emit(report::compare_json(records, with_loads, figures));
    if (!json.to_output() && !quiet)
        print(report::compare_text(records, text_style(ascii), figures));
    return all_reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_compare(Command& program, Action& action) {
    Command* verb =
        program.add_subcommand("compare", "Run several algorithms on one instance, side by side");
    const auto arguments = std::make_shared<CompareVerb>();
    CompareVerb& a = *arguments;
    verb->add_option("ALGORITHM", a.names, "their names (default: all)");
    verb->add_flag("--all", a.all, "all algorithms that can serve the network");
    a.network.add_to(*verb);
    verb->add_option(
        "--loads", a.loads,
        "tokens: spike:tokens=1000, uniform:tokens=1000, ... or a CSV file node,tokens");
    a.run.add_to(*verb);
    a.json.add_to(*verb);
    verb->add_flag("--with-loads", a.with_loads, "also give the final loads in the JSON object");
    verb->add_flag("--optimum", a.optimum,
                   "also compute the fewest steps, exchanges and moves there can be");
    verb->add_option("--csv", a.csv, "write the figures to this CSV file");
    a.html.add_to(*verb);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->add_flag("--ascii", a.ascii, "no signs beyond ASCII");
    verb->footer(
        "Examples:\n"
        "  equipoise compare --network torus:32x32 --loads spike:tokens=4096\n"
        "  equipoise compare threshold-1 threshold-2 --network path:n=50 --loads "
        "staircase --csv table.csv");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
