#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/catalogue/runner/checkpoints.hpp"
#include "equipoise/catalogue/runner/ending.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/cli/html_argument.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/partition_argument.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/remedies.hpp"
#include "equipoise/cli/run_pieces.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/structure/node_orders.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "equipoise/report/runs/steps.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/tables/spec_table.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

namespace {

struct RunVerb {
    const Command* verb = nullptr;
    std::string algorithm;
    NetworkArguments network;
    catalogue::TextOr<load::Loads> loads;
    RunArguments run;
    JsonArgument json;
    bool with_loads = false;
    bool trace = false;
    std::string record;
    std::string record_level;
    std::string replay;
    std::string checkpoint;
    std::string checkpoint_every;
    std::string resume;
    HtmlArgument html;
    PartitionArgument partition;
    bool quiet = false;
    bool ascii = false;
    bool dry_run = false;
    bool in_pieces = false;
    bool list = false;

    [[nodiscard]] int act(const Ranks& ranks) const;

  private:
    [[nodiscard]] int act_replay() const;
    /// Whether rank 0 writes the final loads, or a figure that needs all of them.
    [[nodiscard]] bool shows_loads(const catalogue::RunOptions& options) const;
    [[nodiscard]] int act_in_pieces(const Ranks& ranks) const;
    /// The request for saving and resuming. Throws InputError.
    [[nodiscard]] catalogue::CheckpointRequest checkpoints(
        const catalogue::RunRequest& request) const;
    /// Throws InputError for options that need the run from its start, or a run of another kind.
    void expect_resumable(const catalogue::Algorithm& chosen) const;
    void show_plan(const catalogue::Algorithm& chosen, const catalogue::NetworkFacts& facts,
                   const load::Loads& tokens, const catalogue::RunOptions& options) const;
    [[nodiscard]] catalogue::RunOptions options(const catalogue::RunRequest& request,
                                                const network::AnyNetwork& made) const;
    void show(const catalogue::Outcome& outcome) const;
    /// Notes the fewest steps and exchanges possible in the record, if they are comparable with it.
    void add_optimum(const catalogue::Algorithm& chosen, const network::AnyNetwork& made,
                     const load::Loads& tokens, const catalogue::RunOptions& options,
                     model::Record& result) const;
};

/// Refuses options that would be silently ignored.
void refuse(bool given, const std::string& what) {
    if (given) throw InputError(what);
}

catalogue::RunOptions RunVerb::options(const catalogue::RunRequest& request,
                                       const network::AnyNetwork& made) const {
    catalogue::RunOptions options = catalogue::run_options(request, made);
    refuse(!record_level.empty() && record.empty(), "--record-level needs --record FILE");
    if (!record.empty())
        options.record_level = record_level.empty() ? model::RecordLevel::sampled
                                                    : model::record_level_from_word(record_level);
    refuse(trace && !record_level.empty() && options.record_level != model::RecordLevel::full,
           "--trace needs every move: --record-level can only be full with it");
    for (const auto& [given, option] :
         {std::pair(request.extremes, "--extremes"), std::pair(request.recovery, "--recovery")})
        refuse(given && !record_level.empty() && options.record_level != model::RecordLevel::full,
               std::string(option) + " needs every move: --record-level can only be full with it");
    if (trace || request.extremes || request.recovery)
        options.record_level = model::RecordLevel::full;
    return options;
}

catalogue::CheckpointRequest RunVerb::checkpoints(const catalogue::RunRequest& request) const {
    catalogue::CheckpointRequest kept;
    refuse(!checkpoint_every.empty() && checkpoint.empty(),
           "--checkpoint-every needs --checkpoint FILE");
    kept.path = checkpoint;
    kept.resume = resume;
    if (!checkpoint_every.empty()) kept.every = catalogue::save_every(checkpoint_every);
    if (kept.wanted())
        kept.run = catalogue::identity_of(algorithm, network.request(), loads.text, request);
    return kept;
}

void RunVerb::expect_resumable(const catalogue::Algorithm& chosen) const {
    if (checkpoint.empty() && resume.empty()) return;
    const std::string option = checkpoint.empty() ? "--resume" : "--checkpoint";
    refuse(!chosen.plays_rounds(),
           option + " is for synchronous rounds: it cannot be used with " + algorithm);
    refuse(run.request.options.with_deviation,
           option +
               " cannot be used with --deviation: the idealised "
               "process is not saved");
    refuse(!run.request.options.arrivals.empty() || !run.request.options.churn.empty(),
           option + " cannot be used with --arrivals or --churn");
    refuse(!run.request.reorder.empty(), option + " cannot be used with --reorder");
    const bool needs_start = !record.empty() || html.wanted() || trace || run.request.extremes;
    refuse(!resume.empty() && needs_start,
           "--resume cannot be used with --record, --html, --trace or --extremes: they need the "
           "run from its start");
}

bool RunVerb::shows_loads(const catalogue::RunOptions& options) const {
    return with_loads || html.wanted() || run.request.optimum || !options.speeds.empty() ||
           options.record_level != model::RecordLevel::summary || !record.empty();
}

void RunVerb::show(const catalogue::Outcome& outcome) const {
    const model::Record& result = outcome.record;
    std::optional<report::Reordering> reordering;
    if (const auto& costs = outcome.reordered)
        reordering.emplace(report::Reordering{network::to_string(costs->order), costs->seconds,
                                              costs->read_before, costs->read_after});
    if (reordering && !quiet) note(report::reordering_line(*reordering));
    if (json.wanted())
        json.emit(report::run_json(result, with_loads, reordering ? &*reordering : nullptr));
    if (json.to_output()) return;
    if (!quiet) {
        if (trace) print(report::trace_text(result) + '\n');
        report::TextStyle style = text_style(ascii);
        style.with_extremes = run.request.extremes;
        style.with_recovery = run.request.recovery;
        style.usual_parameters = catalogue::usual_parameters(result.algorithm);
        print(report::run_text(result, style));
    }
    if (!with_loads || json.wanted()) return;
    print(quiet ? "node,tokens\n" : "\nnode,tokens\n");
    for (NodeId node = 0; node < result.final_loads.size(); ++node)
        print(csv_field(result.labels.name(node)) + ',' +
              report::tokens_text(result, result.final_loads[node]) + '\n');
}

void RunVerb::add_optimum(const catalogue::Algorithm& chosen, const network::AnyNetwork& made,
                          const load::Loads& tokens, const catalogue::RunOptions& options,
                          model::Record& result) const {
    catalogue::BestPossible(made, tokens, options.speeds).note_in(result, chosen);
    if (!quiet && !result.optimum)
        note(
            "the optimum cannot be compared with this run: the run does not end with every node "
            "at the floor or ceiling of its share");
}

void RunVerb::show_plan(const catalogue::Algorithm& chosen, const catalogue::NetworkFacts& facts,
                        const load::Loads& tokens, const catalogue::RunOptions& options) const {
    const catalogue::Preparation prepared = catalogue::prepare(chosen, facts, tokens, options);
    const model::StopRule stop = catalogue::planned_stop(chosen, prepared.task(), options).rule;
    model::Record plan;
    plan.labels = facts.network().labels();
    plan.node_count = facts.network().node_count();
    plan.link_count = facts.network().link_count();
    plan.initial_loads = tokens;
    plan.initial_discrepancy = load::discrepancy(tokens);
    print(report::heading(plan));
    print("would run " + chosen.name + " (" + chosen.source + ")\n");
    const std::string rule = catalogue::to_text(stop);
    print("would end " + (rule.empty() ? "without a stop rule" : "by " + rule) +
          (stop.steps_max == ~Step{0}
               ? ""
               : ", after " + report::counted(std::uint64_t{stop.steps_max}, "step") +
                     " at the latest") +
          '\n');
    if (!record.empty())
        print("would write a " + model::to_string(options.record_level) + " record to " + record +
              '\n');
}

/// Prints everything that options name by specs and that `generate --list` does not list.
void print_registries() {
    std::vector<SpecInfo> faults;
    for (const catalogue::FaultInfo& fault : catalogue::fault_kinds())
        faults.push_back(fault.info);
    print(report::spec_tables({{"--stop", catalogue::stop_rules()},
                               {"--arrivals", model::arrival_generators()},
                               {"--churn", model::churn_generators()},
                               {"--delays", catalogue::delay_models()},
                               {"--adversary", catalogue::adversaries()},
                               {"--faults", faults}},
                              text_columns()));
}

int RunVerb::act(const Ranks& ranks) const {
    if (list) {
        refuse(json.wanted(), "--list prints text only: it cannot be used with --json");
        ranks.first(print_registries);
        return exit_done;
    }
    if (!replay.empty()) return ranks.status_of_first([&] { return act_replay(); });
    refuse(algorithm.empty(), "run: expected an algorithm (see equipoise algorithms), found none");
    const catalogue::Algorithm& chosen = catalogue::find_algorithm(algorithm);
    if (run.request.tree.given()) catalogue::expect_takes_tree(chosen);
    catalogue::expect_loads_given(loads);
    refuse(dry_run && json.wanted(), "--dry-run prints text only: it cannot be used with --json");
    if (in_pieces) return act_in_pieces(ranks);
    refuse(partition.method() != catalogue::PartitionMethod::contiguous && !chosen.plays_rounds(),
           "--partition is for synchronous rounds: it cannot be used with " + algorithm);
    network::AnyNetwork made;
    catalogue::RunOptions options;
    load::Loads tokens;
    network::GivenStructures given;
    std::optional<catalogue::Checkpoints> kept;
    expect_resumable(chosen);
    ranks.together([&] {
        made = network.make(quiet);
        const catalogue::RunRequest request = run.made(network.seed);
        if (const catalogue::CheckpointRequest asked = checkpoints(request); asked.wanted())
            kept.emplace(asked);
        options = this->options(request, made);
        given = catalogue::structures_of(request, made);
        tokens = catalogue::loads_of(loads, made, network.seed);
        refuse(trace && made.node_count() > report::traced_nodes_max,
               "--trace is for small networks: expected at most " +
                   std::to_string(report::traced_nodes_max) + " nodes, found " +
                   std::to_string(made.node_count()));
    });
    if (html.wanted() && record.empty() && !run.request.extremes && !run.request.recovery)
        catalogue::keep_for_page(options, made.node_count(), 1);
    const catalogue::NetworkFacts facts(made, std::move(given));
    if (dry_run) {
        ranks.first([&] { show_plan(chosen, facts, tokens, options); });
        return exit_done;
    }
    const std::optional<engine::Partition> parts = partition.make(ranks, made);
    if (!quiet && chosen.plays_rounds()) partition.tell_if_few(ranks, made);
    catalogue::Outcome outcome;
    {
        const InterruptGuard interrupt;
        ProgressLine progress(quiet, chosen.goal_discrepancy.value_or(1));
        catalogue::Supervision supervision = {interrupt.token(), progress.callback()};
        if (kept) supervision.keeper = &*kept;
        options.supervision = &supervision;
        options.fabric = ranks.fabric();
        if (parts) options.partition = &*parts;
        options.final_loads =
            shows_loads(options) ? model::FinalLoads::on_rank_0 : model::FinalLoads::apart;
        options.nodes_on_ranks = true;
        options.may_play_alone = true;
        outcome = catalogue::run(chosen, facts, tokens, options);
    }
    ranks.first([&] {
        if (run.request.optimum) add_optimum(chosen, made, tokens, options, outcome.record);
        if (!record.empty()) outcome.write(record);
        if (html.wanted()) html.emit({&outcome.record, 1});
        show(outcome);
    });
    return outcome.reached() ? exit_done : exit_not_reached;
}

int RunVerb::act_in_pieces(const Ranks& ranks) const {
    const catalogue::RunRequest asked = run.made(network.seed);
    expect_resumable(catalogue::find_algorithm(algorithm));
    verb->expect_only_given("--in-pieces", "each rank knows only its piece of network and loads",
                            {"ALGORITHM", "--in-pieces", "--network", "--format", "--header",
                             "--simplify", "--largest-component", "--loads", "--param",
                             "--partition", "--seed", "--stop", "--max-steps", "--checkpoint",
                             "--checkpoint-every", "--resume", "--json", "--quiet", "--ascii"});
    catalogue::PiecesRequest request;
    request.algorithm = algorithm;
    request.network = network.request();
    request.loads = loads.text;
    request.parameters = asked.options.parameters;
    request.partition = partition.method();
    if (!asked.stop.empty()) request.stop = catalogue::parse_stop(asked.stop);
    request.steps_max = asked.options.steps_max;
    return run_pieces(std::move(request), checkpoints(asked), network, json, quiet, ranks);
}

int RunVerb::act_replay() const {
    const catalogue::RunRequest& asked = run.request;
    verb->expect_only_given("--replay", "the record says what to run",
                            {"--replay", "--threads", "--record", "--html", "--json",
                             "--with-loads", "--quiet", "--ascii"});
    const model::Record before = model::read_record(replay);
    catalogue::RunOptions options;
    options.threads = asked.options.threads;
    catalogue::Replay result;
    {
        const InterruptGuard interrupt;
        ProgressLine progress(quiet, 1);
        const catalogue::Supervision supervision = {interrupt.token(), progress.callback()};
        options.supervision = &supervision;
        result = catalogue::replay(before, options);
    }
    if (!record.empty()) result.outcome.write(record);
    if (html.wanted()) html.emit({&result.outcome.record, 1});
    if (json.wanted()) json.emit(report::run_json(result.outcome.record, with_loads));
    if (!json.to_output() && !quiet)
        print((result.same ? "same: " : "different: ") + result.detail + '\n');
    return result.same ? exit_done : exit_not_reached;
}

/// Adds the options for records of runs, and for replaying them.
void add_records(Command& verb, RunVerb& a) {
    verb.add_option("--record", a.record, "write the record of the run to this file")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--record-level", a.record_level,
                    "how much the record holds: summary, sampled (default) or full")
        ->offers({model::to_string(model::RecordLevel::summary),
                  model::to_string(model::RecordLevel::sampled),
                  model::to_string(model::RecordLevel::full)});
    verb.add_option("--replay", a.replay,
                    "repeat the run that a record describes and compare the outcome")
        ->reads_file();
    verb.add_option("--checkpoint", a.checkpoint,
                    "write the state of the run to this file, at intervals and when the run "
                    "ends, also by Ctrl-C; for synchronous rounds")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--checkpoint-every", a.checkpoint_every,
                    "how often --checkpoint writes: a number of steps (1000) or of seconds "
                    "(60s); default 600s");
    verb.add_option("--resume", a.resume,
                    "continue from a state that --checkpoint wrote, with the same options, on "
                    "any number of ranks")
        ->reads_file_first("--checkpoint");
}

}  // namespace

void add_run(Command& program, Action& action, const Ranks& ranks) {
    Command* verb = program.add_subcommand("run", "Run one algorithm");
    const auto arguments = std::make_shared<RunVerb>();
    RunVerb& a = *arguments;
    a.verb = verb;
    verb->add_option("ALGORITHM", a.algorithm, "its name (see equipoise algorithms)")
        ->offers(algorithm_words)
        ->refuses(complaint_of_algorithm);
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.loads.text,
                     "initial loads, such as spike:tokens=1000 or uniform:tokens=1000 (all: "
                     "generate --list), or a CSV file with the columns node,tokens")
        ->offers(catalogue::load_generators)
        ->reads_file();
    a.run.add_to(*verb);
    a.json.add_to(*verb);
    verb->add_flag(
        "--with-loads", a.with_loads,
        "also give the final loads of all nodes: with --json in the object, otherwise as "
        "CSV lines below the figures");
    verb->add_flag("--trace", a.trace,
                   "show a small network's loads after every step in which tokens moved");
    add_records(*verb, a);
    a.html.add_to(*verb);
    verb->add_flag("--quiet", a.quiet,
                   "print nothing but errors (and what --json and --with-loads ask for)");
    verb->add_flag("--ascii", a.ascii, "use ASCII characters only");
    verb->add_flag("--in-pieces", a.in_pieces,
                   "each rank of mpirun holds only its piece of network and loads; it makes or "
                   "reads the piece itself where possible, otherwise rank 0 does; "
                   "supported by most round-based algorithms");
    a.partition.add_to(*verb);
    verb->add_flag("--dry-run", a.dry_run, "check all input and say what would be done");
    verb->add_flag("--list", a.list,
                   "list all stop rules, arrivals, churn, delays, adversaries and faults");
    verb->footer(
        "Examples:\n"
        "  equipoise run discrepancy-1 --network random-tree:n=100 --loads zipf:tokens=5000 "
        "--seed 7\n"
        "  equipoise run threshold-1 --network torus:32x32 --loads spike:tokens=4096 --json\n"
        "  equipoise run threshold-2 --network net.gml --loads loads.csv --record run.json\n"
        "  equipoise run --replay run.json\n"
        "  mpirun -n 4 equipoise run threshold-1 --network torus:1024x1024 --loads "
        "uniform:tokens=9999999");
    verb->callback([arguments, &action, &ranks] {
        action.on_all_ranks([arguments, &ranks] { return arguments->act(ranks); });
    });
}

}  // namespace equipoise::cli
