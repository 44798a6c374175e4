#include "equipoise/catalogue/studies/worst.hpp"

#include <memory>
#include <string>
#include <vector>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

struct WorstVerb {
    catalogue::WorstRequest request;
    NetworkArguments network;
    std::vector<std::string> parameters;
    std::vector<std::string> beside_parameters;
    JsonArgument json;
    bool quiet = false;

    [[nodiscard]] int act() const {
        catalogue::WorstRequest asked = request;
        asked.parameters = catalogue::parameter_texts(parameters);
        asked.beside_parameters = catalogue::parameter_texts(beside_parameters);
        asked.seed = network.seed;
        const network::AnyNetwork made = network.make(quiet);
        const catalogue::NetworkFacts facts(made);
        const InterruptGuard interrupt;
        const report::Worst found = catalogue::find_worst(asked, facts, interrupt.token());
        if (json.wanted()) json.emit(report::worst_json(found));
        if (!json.to_output() && !quiet) print(report::worst_text(found));
        return interrupt.token().stop_requested() ? exit_not_reached : exit_done;
    }
};

}  // namespace

void add_worst(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "worst",
        "Search for the initial loads that cost an algorithm most, alone or compared "
        "with another");
    const auto arguments = std::make_shared<WorstVerb>();
    WorstVerb& a = *arguments;
    verb->add_option("ALGORITHM", a.request.algorithm, "its name (see equipoise algorithms)")
        ->offers(algorithm_words)
        ->required();
    verb->add_option(
            "--beside", a.request.beside,
            "another algorithm: search for the largest and the smallest ratio of the first "
            "one's cost to this one's")
        ->offers(algorithm_words);
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--quantity", a.request.quantity,
                     "what counts as cost: steps (default), rounds, exchanges, messages, the step "
                     "that the run is level-since, the final discrepancy, the deviation from the "
                     "idealised process, the largest-load of any node at any time, or a ratio to "
                     "the best possible: steps/optimum, level-since/optimum or exchanges/optimum")
        ->offers(catalogue::worst_quantities());
    verb->add_option("--most", a.request.most_tokens,
                     "at most this many tokens on a node (default 4)");
    verb->add_option("--tries", a.request.tries,
                     "how many initial loads to try: random ones, and small changes of them that "
                     "do not lower the cost (default: all loads that leave some node empty)");
    verb->add_flag("--any-numbering", a.request.any_numbering,
                   "play them under other numbers of the nodes, too, by which algorithms break "
                   "ties: under all that make a difference (at most 9 nodes) or, with --tries, "
                   "random ones");
    verb->add_option("--param", a.parameters,
                     "a parameter of the algorithm, name=value; repeatable")
        ->one_value_each();
    verb->add_option("--beside-param", a.beside_parameters,
                     "a parameter of the other algorithm, name=value; repeatable")
        ->one_value_each();
    verb->add_option("--max-steps", a.request.steps_max,
                     "end every run after this many steps at the latest");
    a.json.add_to(*verb);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "Examples:\n"
        "  equipoise worst deal-agreement-2 --network path:n=5 --most 6\n"
        "  equipoise worst deal-agreement-2 --network path:n=5 --any-numbering --quantity rounds\n"
        "  equipoise worst deal-agreement-3 --beside deal-agreement-2 --network torus:4x4 "
        "--most 50 --tries 10000");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
