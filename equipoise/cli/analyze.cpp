#include "equipoise/catalogue/studies/analyze.hpp"

#include <memory>
#include <string>

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/network/structure/circuits.hpp"

namespace equipoise::cli {

namespace {

struct AnalyzeVerb {
    NetworkArguments network;
    catalogue::AnalyzeRequest request;
    JsonArgument json;
    bool quiet = false;

    [[nodiscard]] int act() const {
        catalogue::expect_analysis_to_fit(network.network);
        const network::AnyNetwork made = network.make(quiet);
        catalogue::AnalyzeRequest asked = request;
        asked.seed = network.seed;
        const report::Analysis analysis = catalogue::analyze(asked, made);
        if (json.wanted()) json.emit(report::analysis_json(analysis));
        if (!json.to_output() && !quiet)
            print(report::analysis_text(analysis, network.network, request.loads.text,
                                        text_columns()));
        return exit_done;
    }
};

}  // namespace

void add_analyze(Command& program, Action& action) {
    Command* verb =
        program.add_subcommand("analyze",
                               "Show what theory says about a network: its figures, every "
                               "theorem's bound, algorithms that suit it");
    const auto arguments = std::make_shared<AnalyzeVerb>();
    AnalyzeVerb& a = *arguments;
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.request.loads.text,
                     "the initial loads for which the bounds are computed (default "
                     "spike:tokens=1000)")
        ->offers(catalogue::load_generators)
        ->reads_file();
    verb->add_option("--threads", a.request.threads,
                     "how many threads compute local divergences (default 1)")
        ->range(1, 4096);
    verb->add_option("--matrix", a.request.matrix.text,
                     "the weights of diffusion in place of 1 / (max degree of both ends + 1): a "
                     "file with one line `u v p/q` per entry P_uv of a doubly stochastic matrix "
                     "(also P_vu, unless it has a line of its own)")
        ->reads_file();
    verb->add_option("--matchings", a.request.matchings.text,
                     "the balancing circuit in place of the network's default: standard, snake, "
                     "uphill, bitonic, periodic or a file of matchings, as for run")
        ->offers(network::matchings_names())
        ->reads_file();
    verb->add_flag(
        "--observers", a.request.observers,
        "also show the tours of observers under threshold-1 and their stability window; for "
        "trees also the stable gaps, and the hardest gap as a sum of them");
    verb->add_option(
        "--gap", a.request.gap,
        "analyse this gap (a number of rounds) instead of the hardest one; trees only");
    verb->add_flag("--exchange-ratio", a.request.exchange_ratio,
                   "also compute the exchange ratio with which dimension exchange on a tree "
                   "levels divisible loads fastest");
    a.json.add_to(*verb);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer("Example:\n  equipoise analyze --network torus:16x16");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
