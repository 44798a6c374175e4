#include "equipoise/catalogue/studies/plan.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/base/writable.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/studies/windows.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/plan_items.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/answers/plan.hpp"

namespace equipoise::cli {

namespace {

struct PlanVerb {
    NetworkArguments network;
    catalogue::PlanRequest request;
    PlanItemsArguments items;
    std::vector<std::string> pinned;
    JsonArgument json;
    std::string schedule;
    std::string windows;
    bool explain = false;
    bool quiet = false;

    [[nodiscard]] int act(const Command& verb) const;
    [[nodiscard]] int act_on_items(const Command& verb) const;
    void expect_outputs() const;
    [[nodiscard]] std::string write_moves(catalogue::PlannedInstance& made,
                                          const network::AnyNetwork& named, const TimeLimit& limit,
                                          const std::stop_token& stop) const;
    [[nodiscard]] std::string write_proofs(const catalogue::PlannedInstance& made,
                                           const network::AnyNetwork& named) const;
    [[nodiscard]] std::vector<std::string> pinned_names() const;
};

/// Throws InputError, before anything is searched, if a file could not be written in the end.
void PlanVerb::expect_outputs() const {
    for (const auto& [option, path] :
         {std::pair("--schedule", &schedule), std::pair("--windows", &windows)}) {
        if (path->empty()) continue;
        if (!items.checked().empty())
            throw InputError(std::string(option) +
                             ": cannot be used with --check, which plans nothing");
        expect_writable(*path);
    }
    if (explain && !items.checked().empty())
        throw InputError("--explain: cannot be used with --check, which plans nothing");
}

std::vector<std::string> PlanVerb::pinned_names() const {
    std::vector<std::string> names;
    for (const std::string& list : pinned)
        for (std::string& name : node_names("--pinned", list))
            names.push_back(std::move(name));
    return names;
}

int PlanVerb::act_on_items(const Command& verb) const {
    items.expect_only_for_items(verb);
    expect_outputs();
    catalogue::WavesRequest asked = items.made();
    asked.loads = request.loads.text;
    asked.target = request.target.text;
    asked.capacities = request.capacities.text;
    asked.pinned = pinned_names();
    const PlanItemsOutput output{json, schedule, explain, quiet};
    if (!items.checked().empty()) return judge_items(asked, items.checked(), output);
    return plan_items(asked, output);
}

/// Writes the moves if they are asked for. Returns why there are none, which is said after all that
/// is known. They take the time that is left of the limit, or a tenth of it.
std::string PlanVerb::write_moves(catalogue::PlannedInstance& made,
                                  const network::AnyNetwork& named, const TimeLimit& limit,
                                  const std::stop_token& stop) const {
    if (schedule.empty()) return "";
    constexpr double part_least = 0.1;
    std::optional<double> seconds = limit.left();
    if (seconds) seconds = std::max(*seconds, part_least * *request.seconds_most());
    try {
        const TimedStop end(stop, TimeLimit(seconds).after(1));
        catalogue::write_out_schedule(made, request.memory_bytes(), end);
        report::write_schedule_csv(schedule, made.plan, named);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Writes the proofs if they are asked for. Returns why there are none.
std::string PlanVerb::write_proofs(const catalogue::PlannedInstance& made,
                                   const network::AnyNetwork& named) const {
    if (windows.empty()) return "";
    try {
        catalogue::write_windows(windows, made, named);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

int PlanVerb::act(const Command& verb) const {
    if (items.wanted(network.network)) return act_on_items(verb);
    catalogue::PlanRequest asked = request;
    asked.seed = network.seed;
    asked.pinned = pinned_names();
    items.add_to(asked);
    if (network.network.empty())
        throw InputError(
            "expected --network with a generator or a file, for tokens that go over its links, or "
            "--sizes, --at-once or --rates, for items that go from any node to any other; found "
            "neither");
    asked.check();
    expect_outputs();
    const network::AnyNetwork named = network.make(quiet);
    if (!items.checked().empty()) return judge_tokens(asked, named, items.checked(), json, quiet);
    const TimeLimit limit(request.seconds_most());
    const InterruptGuard interrupt;
    catalogue::PlannedInstance made = catalogue::plan(asked, named, interrupt.token());
    const std::string no_moves = write_moves(made, named, limit, interrupt.token());
    const std::string no_proofs = write_proofs(made, named);
    for (const std::string& name : asked.drain)
        made.target += (&name == asked.drain.data() ? "; empty: " : ", ") + name;
    if (json.wanted()) json.emit(report::plan_json(made.plan, made.problem, named, made.target));
    if (!json.to_output() && !quiet)
        print(report::plan_text(made.plan, made.problem, named,
                                {.target = made.target,
                                 .is_mean = asked.levels_all(),
                                 .schedule = schedule,
                                 .no_schedule = !no_moves.empty(),
                                 .explain = explain,
                                 .windows = windows,
                                 .no_windows = !no_proofs.empty(),
                                 .text_width = text_columns()}));
    if (!no_moves.empty() || !no_proofs.empty())
        throw InputError(no_moves + (no_moves.empty() || no_proofs.empty() ? "" : "; ") +
                         no_proofs);
    return made.is_done ? exit_done : exit_not_reached;
}

}  // namespace

void add_plan(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "plan", "Find a shortest schedule and show why none is shorter; moves nothing");
    const auto arguments = std::make_shared<PlanVerb>();
    PlanVerb& a = *arguments;
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.request.loads.text,
                     "initial loads, such as spike:tokens=1000 or uniform:tokens=1000 (all: "
                     "generate --list), or a CSV file with the columns node,tokens")
        ->offers(catalogue::load_generators)
        ->reads_file();
    verb->add_option("--target", a.request.target.text,
                     "the final loads: floor-ceil (the mean, rounded down or up; default), "
                     "at-most:TOKENS, exact:DELTA (at most DELTA above the mean, rounded up), "
                     "speeds:FILE.csv (in proportion to the column speed of node,speed); with "
                     "items also places:FILE, a CSV file with the columns item,node or Kafka's "
                     "JSON, which gives the order of replicas as well")
        ->offers(catalogue::plan_targets)
        ->reads_file("speeds:")
        ->or_file_after("places:");
    verb->add_option("--ports", a.request.ports,
                     "how many tokens a node may send, and how many it may receive, in one step "
                     "(default 1); all: one token over every link in each direction");
    verb->add_option("--capacities", a.request.capacities.text,
                     "a CSV file with the columns node,capacity: the most tokens that a node may "
                     "hold after any step")
        ->reads_file();
    verb->add_option("--link-delays", a.request.link_delays.text,
                     "a CSV file with the columns from,to,steps: how many steps a token takes "
                     "over a link (default 1)")
        ->reads_file();
    verb->add_option("--pinned", a.pinned,
                     "nodes that take no part, separated by commas; repeatable")
        ->one_value_each();
    verb->add_option("--in-flight", a.request.in_flight,
                     "at most this many tokens under way at once");
    verb->add_flag("--fewest-exchanges", a.request.fewest_exchanges,
                   "find a schedule with the fewest exchanges among those with the fewest "
                   "steps, even if that takes long");
    verb->add_option(
        "--memory", a.request.memory_mib,
        "use at most this many MiB of memory besides the network (default 2048, or what "
        "bounds alone need)");
    verb->add_option("--seconds", a.request.seconds,
                     "search for at most this many seconds, then report an interval for the fewest "
                     "steps (default 600; 0: no limit)");
    a.items.add_to(*verb);
    a.json.add_to(*verb);
    verb->add_option("--schedule", a.schedule,
                     "write the moves to this CSV file, with the columns step,from,to; with items "
                     "wave,item,from,to or, if the name ends in .json, Kafka's reassignment JSON, "
                     "one file per wave")
        ->not_to_output()
        ->writes_files(kafka::add_files_of_waves);
    verb->add_option("--windows", a.windows,
                     "write the proofs to this JSON file: who sends how many tokens in which "
                     "steps, and why fewer steps are too few; verify checks it")
        ->not_to_output()
        ->writes_file();
    verb->add_flag("--explain", a.explain, "say why no schedule can be shorter");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "Examples:\n"
        "  equipoise plan --network mesh:8x8 --loads corner:tokens=256 --explain\n"
        "  equipoise plan --network sites.gml --loads shards.csv --schedule moves.csv");
    verb->callback([arguments, verb, &action] {
        action = [arguments, verb] { return arguments->act(*verb); };
    });
}

}  // namespace equipoise::cli
