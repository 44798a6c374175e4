#include "equipoise/report/runs/compare.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/catalogue/studies/compare.hpp"
#include "equipoise/cli/html_argument.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/partition_argument.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/remedies.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/runs/run_json.hpp"

namespace equipoise::cli {

namespace {

struct CompareVerb {
    std::vector<std::string> names;
    bool all = false;
    NetworkArguments network;
    catalogue::TextOr<load::Loads> loads;
    RunArguments run;
    PartitionArgument partition;
    JsonArgument json;
    bool with_loads = false;
    std::string csv;
    HtmlArgument html;
    std::string sort;
    bool brief = false;
    bool full = false;
    bool quiet = false;
    bool ascii = false;

    [[nodiscard]] int act(const Ranks& ranks) const;

  private:
    void expect_clear() const;
    [[nodiscard]] catalogue::Comparison play(const catalogue::Contest& contest,
                                             const network::AnyNetwork& made,
                                             const network::GivenStructures& given,
                                             const load::Loads& tokens,
                                             catalogue::RunOptions options,
                                             const catalogue::BestPossible* best,
                                             const Ranks& ranks) const;
    void show(catalogue::Comparison runs, const report::Optimum* figures) const;
};

void CompareVerb::expect_clear() const {
    catalogue::expect_loads_given(loads);
    if (brief && full) throw InputError("compare: expected --brief or --full, found both");
    if (with_loads && !json.wanted())
        throw InputError("--with-loads adds to the JSON object: it needs --json");
    if (std::vector<model::Record> none; !sort.empty()) report::sort_by(sort, none);
}

catalogue::Comparison CompareVerb::play(const catalogue::Contest& contest,
                                        const network::AnyNetwork& made,
                                        const network::GivenStructures& given,
                                        const load::Loads& tokens, catalogue::RunOptions options,
                                        const catalogue::BestPossible* best,
                                        const Ranks& ranks) const {
    const InterruptGuard interrupt;
    ProgressLine progress(quiet, 1);
    OutcomeLines outcomes(quiet, ranks.fabric() != nullptr);
    options.fabric = ranks.fabric();
    const catalogue::CompareWatch watch = {
        interrupt.token(), [&](const std::string& name) { return progress.callback(name); },
        [&](const model::Record& record) { outcomes.add(report::outcome_line(record)); }};
    return contest.play(made, given, tokens, options, best, watch);
}

void CompareVerb::show(catalogue::Comparison runs, const report::Optimum* figures) const {
    if (!sort.empty()) report::sort_by(sort, runs.records);
    if (!quiet)
        for (const auto& [reason, out] : runs.left_out)
            note(listed(out, ", ").append(" left out: ").append(reason));
    if (!csv.empty()) write_file(csv, report::compare_csv(runs.records, figures != nullptr));
    if (html.wanted() && !runs.records.empty()) html.emit(runs.records);
    if (json.wanted()) json.emit(report::compare_json(runs.records, with_loads, figures));
    if (json.to_output() || quiet) return;
    report::TextStyle style = text_style(ascii);
    style.brief = brief;
    if (full) style.width = 0;
    print(report::compare_text(runs.records, style, figures));
}

int CompareVerb::act(const Ranks& ranks) const {
    if (all && !names.empty())
        throw InputError("compare: expected names of algorithms or --all, found both");
    const catalogue::RunRequest request = run.made(network.seed);
    const catalogue::Contest contest(names, request);
    expect_clear();
    if (!quiet)
        for (const std::string& line : contest.notes())
            note(line);
    network::AnyNetwork made;
    load::Loads tokens;
    catalogue::RunOptions options;
    network::GivenStructures given;
    ranks.together([&] {
        made = network.make(quiet);
        tokens = catalogue::loads_of(loads, made, network.seed);
        options = catalogue::run_options(request, made);
        given = catalogue::structures_of(request, made);
    });
    const std::optional<engine::Partition> parts = partition.make(ranks, made);
    if (parts) options.partition = &*parts;
    if (!quiet) partition.tell_if_few(ranks, made);
    options.may_play_alone = true;
    options.final_loads = model::FinalLoads::on_rank_0;
    if (html.wanted()) catalogue::keep_for_page(options, made.node_count(), contest.size());

    std::optional<catalogue::BestPossible> best;
    ranks.first([&] {
        if (request.optimum) best.emplace(made, tokens, options.speeds);
    });
    catalogue::Comparison runs =
        play(contest, made, given, tokens, std::move(options), best ? &*best : nullptr, ranks);
    const bool all_reached = runs.all_reached;
    ranks.first([&] { show(std::move(runs), best ? &best->figures() : nullptr); });
    return all_reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_compare(Command& program, Action& action, const Ranks& ranks) {
    Command* verb =
        program.add_subcommand("compare", "Run several algorithms on one instance, side by side");
    const auto arguments = std::make_shared<CompareVerb>();
    CompareVerb& a = *arguments;
    verb->add_option("ALGORITHM", a.names,
                     "names of algorithms (default: all that can run on the network)")
        ->offers(algorithm_words)
        ->refuses(complaint_of_algorithm);
    verb->add_flag("--all", a.all, "the same as giving no names");
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.loads.text,
                     "initial loads, such as spike:tokens=1000 or uniform:tokens=1000 (all: "
                     "generate --list), or a CSV file with the columns node,tokens")
        ->offers(catalogue::load_generators)
        ->reads_file();
    a.run.add_to(*verb, true);
    a.partition.add_to(*verb);
    a.json.add_to(*verb);
    verb->add_flag("--with-loads", a.with_loads, "also give the final loads in the JSON object");
    verb->add_flag("--optimum", a.run.request.optimum,
                   "also compute the fewest steps, exchanges and moves possible");
    verb->add_option("--csv", a.csv, "write the figures to this CSV file")
        ->not_to_output()
        ->writes_file();
    a.html.add_to(*verb);
    verb->add_option("--sort", a.sort,
                     "smallest first: " + listed(report::sort_keys(), ", ") +
                         " (default: in the order given)")
        ->offers(report::sort_keys());
    verb->add_flag("--brief", a.brief,
                   "a narrow table without bounds and sources (default if the terminal is too "
                   "narrow for the full one)");
    verb->add_flag("--full", a.full, "the full table, also on a narrow terminal");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->add_flag("--ascii", a.ascii, "use ASCII characters only");
    verb->footer(
        "Examples:\n"
        "  equipoise compare --network torus:32x32 --loads spike:tokens=4096\n"
        "  equipoise compare threshold-1 threshold-2 --network path:n=50 --loads "
        "staircase --csv table.csv");
    verb->callback([arguments, &action, &ranks] {
        action.on_all_ranks([arguments, &ranks] { return arguments->act(ranks); });
    });
}

}  // namespace equipoise::cli
