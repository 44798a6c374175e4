#include "equipoise/catalogue/studies/analyze.hpp"

#include <memory>
#include <string>

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

struct AnalyzeVerb {
    NetworkArguments network;
    std::string loads = "spike:tokens=1000";
    int threads = 1;
    std::string matrix;
    std::string matchings;
    bool observers = false;
    std::uint64_t gap = 0;
    JsonArgument json;
    bool quiet = false;

    [[nodiscard]] int act() const {
        const network::AnyNetwork made = network.make(quiet);
        const load::Loads tokens = catalogue::make_loads(loads, made, network.seed);
        catalogue::AnalyzeOptions options;
        options.effort.threads = threads;
        if (!matrix.empty()) options.weights = network::read_round_weights(matrix, made);
        if (!matchings.empty()) options.matchings = read_or_name_matchings(matchings, made);
        if (observers || gap > 0) options.observers_gap = gap;
        const report::Analysis analysis =
            catalogue::analyze(catalogue::NetworkFacts(made), tokens, options);
        if (json.wanted()) json.emit(report::analysis_json(analysis));
        if (!json.to_output() && !quiet)
            print(report::analysis_text(analysis, network.network, loads));
        return exit_done;
    }
};

}  // namespace

void add_analyze(Command& program, Action& action) {
    Command* verb = program.add_subcommand("analyze",
                                           "What theory says about a network: its figures, every "
                                           "theorem's bound, algorithms that suit it");
    const auto arguments = std::make_shared<AnalyzeVerb>();
    AnalyzeVerb& a = *arguments;
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.loads,
                     "the loads that the bounds are for (default spike:tokens=1000)")
        ->reads_file();
    verb->add_option("--threads", a.threads, "threads for local divergences (default 1)")
        ->range(1, 4096);
    verb->add_option("--matrix", a.matrix,
                     "the diffusion's weights in place of 1 / (max degree of both ends + 1): a "
                     "file, one line `u v p/q` per entry of a symmetric matrix")
        ->reads_file();
    verb->add_option("--matchings", a.matchings,
                     "the circuit in place of the natural one: snake, bitonic, periodic or a file "
                     "of matchings")
        ->reads_file();
    verb->add_flag("--observers", a.observers,
                   "also the tours of observers under threshold-1 and their stability window; for "
                   "trees also the stable gaps, and the hardest gap as a sum of them");
    verb->add_option("--gap", a.gap,
                     "examine this gap of a tree, in rounds, instead of the hardest");
    a.json.add_to(*verb);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer("Example:\n  equipoise analyze --network torus:16x16");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
