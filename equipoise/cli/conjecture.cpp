#include "equipoise/catalogue/studies/conjecture.hpp"

#include <memory>
#include <string>
#include <vector>

#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

struct ConjectureVerb {
    std::string arities;
    std::string heights;
    std::uint64_t profiles_max = 128;
    JsonArgument json;
    bool quiet = false;

    [[nodiscard]] int act() const {
        catalogue::ConjectureOptions options;
        options.arities = catalogue::parse_range(arities, "--k");
        options.heights = catalogue::parse_range(heights, "--h");
        options.profiles_max = profiles_max;
        const InterruptGuard interrupt;
        options.stopped = [&] { return interrupt.token().stop_requested(); };
        const std::vector<report::ConjectureRow> rows = catalogue::tabulate_conjecture(options);
        if (json.wanted()) json.emit(report::conjecture_json(rows));
        if (!json.to_output() && !quiet) print(report::conjecture_text(rows));
        return interrupt.token().stop_requested() ? exit_not_reached : exit_done;
    }
};

}  // namespace

void add_conjecture(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "conjecture",
        "Compare the maximum stable discrepancies of complete k-ary trees with those "
        "conjectured");
    const auto arguments = std::make_shared<ConjectureVerb>();
    ConjectureVerb& a = *arguments;
    verb->add_option("--k", a.arities,
                     "children of every inner node: a number (7) or a range (2..32)")
        ->required();
    verb->add_option("--h", a.heights, "heights: a number (6) or a range (1..120)")->required();
    verb->add_option(
        "--profiles", a.profiles_max,
        "search effort: cost profiles kept per level of the tree; more is slower but finds "
        "more (default 128)");
    a.json.add_to(*verb);
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "`equipoise verify FILE` checks the list of --json independently.\n\n"
        "Example:\n"
        "  equipoise conjecture --k 2..8 --h 1..10");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
