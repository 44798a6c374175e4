#include "equipoise/report/answers/reassign.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/steps.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/writable.hpp"
#include "equipoise/catalogue/studies/carry_out_plan.hpp"
#include "equipoise/catalogue/studies/reassign_answer.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/live_cluster.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/answers/carried_out.hpp"
#include "equipoise/report/answers/reassign_files.hpp"
#include "equipoise/report/page/reassign_page.hpp"

namespace equipoise::cli {

namespace {

struct ReassignVerb {
    catalogue::ReassignRequest request;
    // Lists, as given: each value may hold several names.
    std::vector<std::string> apart, spread, near, pinned, drain, labels, resources, level, replicas;
    std::string only_if_above;
    std::string seconds;
    std::optional<std::uint64_t> threads;
    JsonArgument json;
    std::string check;
    report::ReassignFiles files;
    std::string csv;
    std::string html;
    LiveArguments live;
    bool quiet = false;

    void add_inputs(Command& verb);
    void add_rules(Command& verb);
    void add_aims(Command& verb);
    void add_waves(Command& verb);
    void add_search(Command& verb);
    void add_outputs(Command& verb);

    [[nodiscard]] int act() const;
    [[nodiscard]] catalogue::ReassignRequest made() const;
    void expect_outputs() const;
    void expect_fit(const catalogue::ReassignRequest& asked) const;
    [[nodiscard]] catalogue::ReassignAnswer answer(const catalogue::ReassignRequest& asked) const;
    void act_on_cluster(const catalogue::ReassignRequest& asked, bool prints,
                        const redis::CarriedOut& settled, catalogue::ReassignAnswer& answer) const;
    void write_files(const catalogue::ReassignAnswer& answer) const;
};

void ReassignVerb::add_inputs(Command& verb) {
    verb.add_option(
            "ITEMS", request.items,
            "the items: a CSV or TSV file with a column item and one named machine, node, "
            "host, broker, osd or server, besides amounts, labels and leader (yes or no) in "
            "any order; or what Kafka's tools print of partitions: kafka-topics --describe, "
            "kafka-reassign-partitions --generate, kcat -L -J, reassignment JSON; or "
            "redis://HOST:PORT, a server of a Redis Cluster: the slots of all its masters, with "
            "their keys and bytes")
        ->required()
        ->reads_file();
    verb.group("What is there");
    verb.add_option("--machines", request.machines,
                    "a file of machines: RESOURCE is a capacity, RESOURCE.target a threshold not "
                    "to be exceeded if possible; drain, speed, labels such as rack; or the output "
                    "of kafka-broker-api-versions (brokers and racks) or kcat -L -J (default: all "
                    "machines that hold items, without limits)")
        ->reads_file();
    verb.add_option("--resources", resources,
                    "columns that are amounts, such as bytes or cpu, besides those that aims name; "
                    "separated by commas")
        ->one_value_each();
    verb.add_option("--labels", labels,
                    "columns that are labels, besides those that rules name; separated by commas")
        ->one_value_each();
    verb.add_option("--log-dirs", request.log_dirs,
                    "the sizes of Kafka's partitions: a file with the output of kafka-log-dirs "
                    "--describe")
        ->reads_file();
}

void ReassignVerb::add_rules(Command& verb) {
    verb.group("Rules");
    verb.add_option("--rules", request.rules,
                    "a JSON file of rules (schemas/equipoise-rules.json), besides those below")
        ->reads_file();
    verb.add_option("--drain", drain, "machines that must end empty, separated by commas")
        ->one_value_each();
    verb.add_option("--pinned", pinned,
                    "machines that neither give nor take, and items that stay, separated by "
                    "commas")
        ->one_value_each();
    verb.add_option("--apart", apart,
                    "items with the same value of this label are never on one machine (copies of "
                    "an item never are)")
        ->one_value_each();
    verb.add_option(
            "--spread", spread,
            "LABEL:RACK:K: items with the same value of LABEL are on machines with at "
            "least K values of the label RACK, or as many as there are items; without :K "
            "on as many as possible, as evenly as possible; repeatable. Kafka's partitions are "
            "kept on as many racks as can be unless a rule on racks, none or --target is given")
        ->one_value_each();
    verb.add_option("--near", near,
                    "LABEL:ZONE: where an item of a service is, one of each service that its "
                    "column depends names is in the same ZONE; repeatable")
        ->one_value_each();
    verb.add_option(
            "--allowed", request.allowed,
            "a CSV file with the columns item,machine: items that are named may be on these "
            "machines only")
        ->reads_file();
    verb.add_option("--forbidden", request.forbidden,
                    "a CSV file with the columns item,machine: where items must not be")
        ->reads_file();
}

void ReassignVerb::add_aims(Command& verb) {
    verb.group("Aims");
    verb.add_option("--replicas", replicas,
                    "how many copies every item gets, or each that is named: N, or NAME=N for an "
                    "item or a topic of Kafka's; separated by commas")
        ->one_value_each();
    verb.add_option("--level", level,
                    "the resources of which every machine ends with its share, separated by commas "
                    "(default: bytes or size if there is such a column, otherwise items; of a "
                    "Redis Cluster bytes and slots, with tolerances of 0.01 and 0.02); none: "
                    "only rules and thresholds count; besides them leaders, which change after "
                    "the last wave; leaders alone: no item moves")
        ->one_value_each();
    verb.add_option("--tolerance", request.tolerance,
                    "how far above its share a machine may end, as a fraction of it (default 0.1), "
                    "also by resource: bytes:0.05,items:0.2; 0 of leaders; shares are rounded up, "
                    "and a machine with one item may end higher");
    verb.add_option("--fewest", request.fewest,
                    "what is moved as little as possible: moves (default), bytes (default of a "
                    "Redis Cluster) or another resource");
    verb.add_option("--only-if-above", only_if_above,
                    "only machines that hold more than X times their share give items, and those "
                    "above a threshold or breaking a rule");
    verb.add_option("--at-most", request.at_most,
                    "limits of the plan, such as moves=50,bytes=2TB,waves=3: it is as level as "
                    "they allow");
    verb.add_option("--objective", request.objective,
                    "a JSON file of weighted costs (schemas/equipoise-objective.json), which take "
                    "the place of all aims but the rules")
        ->reads_file();
}

void ReassignVerb::add_waves(Command& verb) {
    verb.group("Waves");
    verb.add_option("--target", request.target,
                    "places:FILE: where everything ends, which leaves nothing to search but waves; "
                    "a CSV file with the columns item,machine and perhaps leader, or a proposal of "
                    "Kafka's tools, whose order says who leads")
        ->reads_file("places:");
    verb.add_option("--rates", request.rates,
                    "a CSV file with the columns machine,in,out: how much a machine may take and "
                    "give in a wave or, as in 100MB/s, in a second, which gives times; or with the "
                    "columns machine,both: both together (half duplex)")
        ->reads_file();
    verb.add_option("--copy-from", request.copy_from,
                    "what gives when an item is copied: old, the machine that it leaves (default), "
                    "or leader, the one with the leading copy (default for Kafka's partitions)");
    verb.add_option("--at-once", request.at_once,
                    "how many items a machine may take, and how many it may give, in a wave "
                    "(default 1; with rates for a wave, as many as they allow); of a Redis Cluster "
                    "how many slots are under way at a master (default 128)");
    verb.add_flag("--half-duplex", request.half_duplex,
                  "what a machine takes and what it gives count together, as they do with rates in "
                  "a column both");
    verb.add_option("--resume", request.resume,
                    "plan again after these moves, which are done: a CSV file with the first lines "
                    "of a schedule, the file of Kafka's last completed wave (plan-3.json), or one "
                    "with what kafka-reassign-partitions --verify or --list printed")
        ->reads_files(kafka::add_files_up_to);
    verb.add_option("--check", check,
                    "judge this schedule instead of planning one: a CSV file with the columns "
                    "wave,item,from,to, or one that --moves wrote; plan-0.json or plan.json "
                    "stands for all of Kafka's waves plan-0.json, plan-1.json, ...")
        ->reads_files(kafka::add_files_from);
}

void ReassignVerb::add_search(Command& verb) {
    verb.group("Search");
    verb.add_option(
        "--seconds", seconds,
        "plan for at most this long, mostly searching (default 30; 2 for a Redis Cluster); Ctrl-C "
        "ends the search and keeps the best plan so far");
    verb.add_option("--effort", request.effort,
                    "search for so many iterations instead: the plan is then the same in every "
                    "run with the same seed and threads");
    verb.add_option("--threads", threads, "how many threads search (default 2)")->range(1, 1024);
    verb.add_option("--seed", request.seed, "the seed of the search (default 1)");
    verb.add_option("--memory", request.memory_mb,
                    "let the search use at most this many MB of memory (default 1024)");
}

void ReassignVerb::add_outputs(Command& verb) {
    verb.group("Output");
    json.add_to(verb);
    verb.add_option("--schedule", files.schedule,
                    "write the moves to this CSV file, with the columns wave,item,from,to; for "
                    "Kafka's partitions plan.json: plan-0.json, plan-1.json, ..., a file a wave")
        ->not_to_output()
        ->writes_files(kafka::add_files_of_waves);
    verb.add_option("--rollback", files.rollback,
                    "write the way back to this CSV file: the schedule that undoes all moves; for "
                    "Kafka's partitions also as files of waves (back.json)")
        ->not_to_output()
        ->writes_files(kafka::add_files_of_waves);
    verb.add_option("--steps", files.steps,
                    "for Kafka's partitions: write this bash script (steps.sh), which carries the "
                    "plan out with Kafka's own tools, and its files beside it")
        ->not_to_output()
        ->writes_files(kafka::add_files_of_steps);
    verb.add_option("--leaders", files.leaders,
                    "write the leaders that change after the last wave to this CSV file, with the "
                    "columns item,from,to; --schedule lists them, too")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--moves", files.moves,
                    "write the moves with what each of them waits for, so that none waits for "
                    "waves, to this CSV file, with the columns wave,item,from,to,move,waits_for,"
                    "starts,ends")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--csv", csv,
                    "write what every machine holds before, on the way and after to this CSV file")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--html", html,
                    "write an HTML page to this file: the machines before and after, and the waves "
                    "one by one")
        ->not_to_output()
        ->writes_file();
    verb.add_flag("--quiet", quiet, "print nothing but errors (and what --json asks for)");
}

/// The names in the values of an option that may be given several times.
std::vector<std::string> names_in(const char* option, const char* entries,
                                  const std::vector<std::string>& values) {
    std::vector<std::string> names;
    for (const std::string& value : values)
        for (std::string& name : comma_list(option, entries, value))
            names.push_back(std::move(name));
    return names;
}

catalogue::ReassignRequest ReassignVerb::made() const {
    catalogue::ReassignRequest asked = request;
    asked.resources = names_in("--resources", "names of columns", resources);
    asked.labels = names_in("--labels", "names of columns", labels);
    asked.apart = names_in("--apart", "labels", apart);
    asked.spread = names_in("--spread", "pairs of labels", spread);
    asked.near = names_in("--near", "pairs of labels", near);
    asked.pinned = names_in("--pinned", "names of machines or items", pinned);
    asked.drain = names_in("--drain", "names of machines", drain);
    asked.level = names_in("--level", "resources", level);
    asked.replicas = names_in("--replicas", "numbers of copies", replicas);
    if (!only_if_above.empty())
        asked.only_if_above = number_value("--only-if-above", only_if_above);
    if (!seconds.empty()) asked.seconds = number_value("--seconds", seconds);
    if (threads) asked.threads = static_cast<unsigned>(*threads);
    live.complete(asked);
    return asked;
}

/// Throws InputError, before anything is searched, if a file could not be written in the end.
void ReassignVerb::expect_outputs() const {
    for (const auto& [option, path] :
         {std::pair("--schedule", &files.schedule), std::pair("--steps", &files.steps)})
        if (!check.empty() && !path->empty())
            throw InputError(std::string(option) +
                             ": cannot be used with --check, which plans nothing");
    for (const std::string* path : {&files.schedule, &files.rollback, &files.leaders, &files.moves,
                                    &files.steps, &csv, &html})
        if (!path->empty()) expect_writable(*path);
    if (json.wanted() && !json.to_output()) expect_writable(json.target);
}

void ReassignVerb::expect_fit(const catalogue::ReassignRequest& asked) const {
    asked.check();
    live.expect_fit(asked, check, json.to_output());
    expect_outputs();
}

catalogue::ReassignAnswer ReassignVerb::answer(const catalogue::ReassignRequest& asked) const {
    if (!check.empty()) return catalogue::judge_reassign(asked, check);
    const InterruptGuard interrupt;
    RewrittenLine line(quiet);
    catalogue::ReassignControl control;
    control.stop = interrupt.token();
    control.read = [this](const report::ReassignInstance& instance) {
        report::expect_suitable(files, instance);
        live.expect_fit(instance);
    };
    if (line.shown())
        control.progress = [&line](const reassign::Score& score, std::uint64_t iterations) {
            line.show(report::score_words(score, iterations));
        };
    return catalogue::answer_reassign(asked, control);
}

void ReassignVerb::write_files(const catalogue::ReassignAnswer& answer) const {
    if (!files.schedule.empty()) report::write_schedule(files.schedule, answer);
    if (!files.rollback.empty()) report::write_rollback(files.rollback, answer);
    if (!files.leaders.empty()) report::write_leaders(files.leaders, answer);
    if (!files.moves.empty()) report::write_moves(files.moves, answer);
    if (!files.steps.empty()) report::write_steps(files.steps, answer);
    if (!csv.empty()) write_file(csv, report::reassign_csv(answer));
    if (!html.empty()) write_file(html, report::reassign_page(answer));
}

/// Carries the plan out, or prints its commands, if that is asked for.
void ReassignVerb::act_on_cluster(const catalogue::ReassignRequest& asked, bool prints,
                                  const redis::CarriedOut& settled,
                                  catalogue::ReassignAnswer& answer) const {
    if (live.dry_run) print((prints ? "\n" : "") + catalogue::commands_of_plan(asked, answer));
    if (!live.execute) return;
    finish_output();  // the plan is to be seen before anything moves
    answer.carried_out = carry_out_live(asked, answer, quiet);
    answer.carried_out->add(settled);
    if (prints) print('\n' + report::carried_out_text(answer));
    if (!prints && !answer.carried_out->stopped.empty()) complain(answer.carried_out->stopped);
}

int ReassignVerb::act() const {
    const catalogue::ReassignRequest asked = made();
    expect_fit(asked);
    // A plan is made of what is where once nothing is on its way.
    redis::CarriedOut settled;
    if (live.execute) settled = settle_live(asked, quiet);
    if (settled.interrupted) {
        complain("interrupted before anything was planned; the same command goes on from here");
        return exit_not_reached;
    }
    catalogue::ReassignAnswer found = answer(asked);
    if (!quiet)
        for (const std::string& line : found.notes)
            note(line);
    if (found.fault.empty()) write_files(found);
    const bool prints = !json.to_output() && !quiet;
    if (prints) print(report::reassign_text(found, files, text_style(false).plain));
    act_on_cluster(asked, prints, settled, found);
    if (json.wanted()) json.emit(report::reassign_json(found));
    const bool complete = !found.carried_out || report::is_complete(*found.carried_out);
    return found.reached() && complete ? exit_done : exit_not_reached;
}

}  // namespace

void add_reassign(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "reassign",
        "Plan which items move between machines, under rules, and in which waves; moves nothing "
        "unless --execute is given");
    const auto arguments = std::make_shared<ReassignVerb>();
    arguments->add_inputs(*verb);
    arguments->add_rules(*verb);
    arguments->add_aims(*verb);
    arguments->add_waves(*verb);
    arguments->add_search(*verb);
    arguments->live.add_to(*verb);
    arguments->add_outputs(*verb);
    verb->footer(
        "The aims, in this order: rules; thresholds; level; the fewest moves, or what --fewest "
        "names; few waves.\n\n"
        "Exit status: 0 rules, thresholds and level hold at the end; 1 some do not, or a checked "
        "schedule has a fault, or not all of a plan was carried out; 2 bad input.\n\n"
        "Examples:\n"
        "  equipoise reassign shards.csv --machines machines.csv --drain host-3 --schedule "
        "moves.csv\n"
        "  equipoise reassign replicas.csv --machines brokers.csv --spread item:rack --level "
        "bytes,items --fewest bytes --html plan.html\n"
        "  equipoise reassign shards.csv --machines machines.csv --check moves.csv\n"
        "  equipoise reassign redis://127.0.0.1:7101 --execute");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
