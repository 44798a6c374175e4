#include "equipoise/report/compare.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/cli/html_argument.hpp"
#include "equipoise/cli/partition_argument.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/run_json.hpp"

namespace equipoise::cli {

namespace {

using catalogue::Algorithm;

/// Facts of one network, with the tree or the colouring that was given, for algorithms that take
/// it.
class FactsByNeed {
  public:
    FactsByNeed(const network::AnyNetwork& made, const network::GivenStructures& given)
        : plain_(made),
          on_tree_(made, {given.tree, given.tree_links, {}}),
          by_colours_(made, {network::SpanningTree::breadth_first, {}, given.colouring}) {}

    [[nodiscard]] const catalogue::NetworkFacts& plain() const { return plain_; }
    [[nodiscard]] const catalogue::NetworkFacts& of(const Algorithm& algorithm) const {
        const bool has_tree = on_tree_.given().tree != network::SpanningTree::breadth_first;
        if (has_tree && algorithm.takes_tree) return on_tree_;
        const bool has_colours = !by_colours_.given().colouring.empty();
        return has_colours && algorithm.takes_colouring ? by_colours_ : plain_;
    }

  private:
    catalogue::NetworkFacts plain_;
    catalogue::NetworkFacts on_tree_;
    catalogue::NetworkFacts by_colours_;
};

struct CompareVerb {
    std::vector<std::string> names;
    bool all = false;
    NetworkArguments network;
    std::string loads;
    RunArguments run;
    PartitionArgument partition;
    JsonArgument json;
    bool with_loads = false;
    bool optimum = false;
    std::string csv;
    HtmlArgument html;
    std::string sort;
    bool brief = false;
    bool full = false;
    bool quiet = false;
    bool ascii = false;

    [[nodiscard]] int act(const Ranks& ranks) const;

  private:
    /// The runs that were made, and the names of algorithms that could not run, by reason.
    struct Runs {
        std::vector<model::Record> records;
        bool all_reached = true;
        std::map<std::string, std::vector<std::string>> left_out;
    };

    void expect_clear() const;
    [[nodiscard]] std::vector<const Algorithm*> chosen() const;
    /// The options that were given and which of the chosen algorithms take them. Throws InputError
    /// for an option that none takes.
    void expect_takers(const std::vector<const Algorithm*>& algorithms) const;
    [[nodiscard]] Runs play(const std::vector<const Algorithm*>& algorithms,
                            const FactsByNeed& facts, const load::Loads& tokens,
                            catalogue::RunOptions options, const catalogue::BestPossible* best,
                            const Ranks& ranks) const;
    void show(Runs runs, const report::Optimum* figures) const;
    /// The options that an algorithm takes, of all that were given.
    [[nodiscard]] catalogue::RunOptions own_options(const Algorithm& algorithm,
                                                    const catalogue::RunOptions& given) const;
    /// The parameters that an algorithm has, of all that were given.
    [[nodiscard]] static catalogue::ParameterTexts own_parameters(
        const Algorithm& algorithm, const catalogue::ParameterTexts& given);
};

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

std::vector<const Algorithm*> CompareVerb::chosen() const {
    if (all && !names.empty())
        throw InputError("compare: expected names of algorithms or --all, found both");
    std::vector<const Algorithm*> algorithms;
    algorithms.reserve(names.size());
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

void CompareVerb::expect_takers(const std::vector<const Algorithm*>& algorithms) const {
    const auto takers = [&](const std::string& option, const std::string& what, const auto& takes) {
        std::vector<std::string> found;
        for (const Algorithm* algorithm : algorithms)
            if (takes(*algorithm)) found.push_back(algorithm->name);
        if (found.empty()) throw InputError(option + ": none of the algorithms " + what);
        return found;
    };
    const auto tell = [&](const std::string& option, const std::vector<std::string>& found) {
        if (found.size() < algorithms.size() && !quiet)
            note(option + " is for " + joined(found) + "; the others run without it");
    };
    for (const auto& one : run.parameter_texts())
        takers("--param", "has a parameter \"" + one.first + '"',
               [&](const Algorithm& a) { return !own_parameters(a, {one}).empty(); });
    if (!run.world.empty())
        takers("--delays, --adversary, --faults and --ports", "is asynchronous",
               [](const Algorithm& a) { return a.program.has_value(); });
    if (!run.speeds.empty())
        takers("--speeds", "levels in proportion to speeds",
               [](const Algorithm& a) { return a.serves_speeds; });
    if (!run.matchings.empty())
        tell("--matchings", takers("--matchings", "takes matchings",
                                   [](const Algorithm& a) { return a.takes_matchings; }));
    if (!run.matrix.empty())
        tell("--matrix", takers("--matrix", "takes a round matrix",
                                [](const Algorithm& a) { return a.takes_weights; }));
    if (!run.tree.empty())
        tell("--tree", takers("--tree", "runs on a spanning tree",
                              [](const Algorithm& a) { return a.takes_tree; }));
    if (!run.colouring.empty())
        tell("--colouring", takers("--colouring", "takes its steps from an edge colouring",
                                   [](const Algorithm& a) { return a.takes_colouring; }));
    if (run.deviation)
        tell("--deviation", takers("--deviation", "has an idealised process beside it",
                                   [](const Algorithm& a) { return a.measures_deviation; }));
}

catalogue::RunOptions CompareVerb::own_options(const Algorithm& algorithm,
                                               const catalogue::RunOptions& given) const {
    catalogue::RunOptions own = given;
    own.parameters = own_parameters(algorithm, run.parameter_texts());
    if (!algorithm.takes_matchings) own.matchings.clear();
    if (!algorithm.takes_weights) own.weights.clear();
    own.with_deviation = given.with_deviation && algorithm.measures_deviation;
    if (!algorithm.program) own.world = {};
    return own;
}

void CompareVerb::expect_clear() const {
    if (loads.empty()) throw InputError("expected --loads with a spec or a CSV file, found none");
    if (brief && full) throw InputError("compare: expected --brief or --full, found both");
    if (with_loads && !json.wanted())
        throw InputError("--with-loads adds to the JSON object: expected --json with it");
    if (std::vector<model::Record> none; !sort.empty()) report::sort_by(sort, none);
}

CompareVerb::Runs CompareVerb::play(const std::vector<const Algorithm*>& algorithms,
                                    const FactsByNeed& facts, const load::Loads& tokens,
                                    catalogue::RunOptions options,
                                    const catalogue::BestPossible* best, const Ranks& ranks) const {
    Runs runs;
    const InterruptGuard interrupt;
    ProgressLine progress(quiet, 1);
    OutcomeLines outcomes(quiet, ranks.fabric() != nullptr);
    options.fabric = ranks.fabric();
    for (const Algorithm* algorithm : algorithms) {
        if (ranks.any(interrupt.token().stop_requested())) break;
        if (names.empty() && !options.speeds.empty() && !algorithm->serves_speeds) {
            runs.left_out["they work with equal speeds only"].push_back(algorithm->name);
            continue;
        }
        try {
            catalogue::RunOptions own = own_options(*algorithm, options);
            const catalogue::Supervision supervision = {interrupt.token(),
                                                        progress.callback(algorithm->name)};
            own.supervision = &supervision;
            runs.records.push_back(
                catalogue::run(*algorithm, facts.of(*algorithm), tokens, own).record);
        } catch (const UnsuitableError& error) {
            if (!names.empty() || algorithms.size() == 1 || !facts.plain().connected()) throw;
            runs.left_out[error.what()].push_back(algorithm->name);
            continue;
        } catch (const OverflowError& error) {
            if (!names.empty()) throw InputError(algorithm->name + ": " + error.what());
            runs.left_out[error.what()].push_back(algorithm->name);
            continue;
        }
        model::Record& record = runs.records.back();
        ranks.first([&] {
            if (best != nullptr) best->note_in(record, *algorithm);
            outcomes.add(report::outcome_line(record));
        });
        runs.all_reached = runs.all_reached && record.reached;
    }
    runs.all_reached = runs.all_reached && !ranks.any(interrupt.token().stop_requested());
    return runs;
}

void CompareVerb::show(Runs runs, const report::Optimum* figures) const {
    if (!sort.empty()) report::sort_by(sort, runs.records);
    if (!quiet)
        for (const auto& [reason, out] : runs.left_out)
            note(joined(out).append(" left out: ").append(reason));
    if (!csv.empty()) write_file(csv, report::compare_csv(runs.records, optimum));
    if (html.wanted() && !runs.records.empty()) html.emit(runs.records);
    if (json.wanted()) json.emit(report::compare_json(runs.records, with_loads, figures));
    if (json.to_output() || quiet) return;
    report::TextStyle style = text_style(ascii);
    style.brief = brief;
    if (full) style.width = 0;
    print(report::compare_text(runs.records, style, figures));
}

int CompareVerb::act(const Ranks& ranks) const {
    const std::vector<const Algorithm*> algorithms = chosen();
    expect_clear();
    expect_takers(algorithms);
    network::AnyNetwork made;
    load::Loads tokens;
    catalogue::RunOptions options;
    network::GivenStructures given;
    ranks.together([&] {
        made = network.make(quiet);
        tokens = catalogue::make_loads(loads, made, network.seed);
        options = run.make(network.seed, made);
        given = run.structures(made);
    });
    const std::optional<engine::Partition> parts = partition.make(ranks, made);
    if (parts) options.partition = &*parts;
    if (!quiet) partition.tell_if_few(ranks, made);
    options.may_play_alone = true;
    const FactsByNeed facts(made, given);
    if (html.wanted()) HtmlArgument::ask(options, made.node_count(), algorithms.size());

    std::optional<catalogue::BestPossible> best;
    ranks.first([&] {
        if (optimum) best.emplace(made, tokens, options.speeds);
    });
    Runs runs = play(algorithms, facts, tokens, std::move(options), best ? &*best : nullptr, ranks);
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
    verb->add_option("ALGORITHM", a.names, "names of algorithms (default: all)");
    verb->add_flag("--all", a.all, "all algorithms that can run on the network");
    a.network.add_to(*verb)->reads_file();
    verb->add_option(
            "--loads", a.loads,
            "tokens: spike:tokens=1000, uniform:tokens=1000, ... or a CSV file node,tokens")
        ->reads_file();
    a.run.add_to(*verb);
    a.partition.add_to(*verb);
    a.json.add_to(*verb);
    verb->add_flag("--with-loads", a.with_loads, "also give the final loads in the JSON object");
    verb->add_flag("--optimum", a.optimum,
                   "also compute the fewest steps, exchanges and moves possible");
    verb->add_option("--csv", a.csv, "write the figures to this CSV file")
        ->not_to_output()
        ->writes_file();
    a.html.add_to(*verb);
    verb->add_option(
        "--sort", a.sort,
        "smallest first: " + joined(report::sort_keys()) + " (default: in the order of the names)");
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
