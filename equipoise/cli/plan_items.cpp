#include "equipoise/cli/plan_items.hpp"

#include <vector>

#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/plan_moves.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/report/answers/waves.hpp"

namespace equipoise::cli {

namespace {

void tell(const catalogue::ItemsInstance& instance, const PlanItemsOutput& output) {
    if (output.quiet) return;
    for (const std::string& line : instance.notes)
        note(line);
}

}  // namespace

std::vector<std::string> node_names(const char* option, const std::string& text) {
    return text.empty() ? std::vector<std::string>() : comma_list(option, "names of nodes", text);
}

void PlanItemsArguments::add_to(Command& verb) {
    verb.add_option("--sizes", request.sizes,
                    "plan moves of named items in place of tokens, without --network: a CSV file "
                    "with the columns item,node,size (or item,node), or what Kafka's tools print "
                    "of partitions: kafka-topics --describe, kafka-reassign-partitions "
                    "--generate, kcat -L -J, reassignment JSON")
        ->reads_file();
    verb.add_option("--log-dirs", request.log_dirs,
                    "the sizes of Kafka's partitions: a file with the output of kafka-log-dirs "
                    "--describe")
        ->reads_file();
    verb.add_option("--nodes", nodes_,
                    "with items: nodes that hold nothing yet, separated by commas");
    verb.add_option("--rates", request.rates,
                    "a CSV file with the columns node,in,out: how much a node may receive and "
                    "send in one wave (tokens: in one step)")
        ->reads_file();
    at_once_option_ =
        verb.add_option("--at-once", at_once_,
                        "with items: how many a node may receive, and how many it may send, in one "
                        "wave (default 1; with --rates, as many as they allow)");
    verb.add_option("--drain", drain_, "nodes that must end empty, separated by commas");
    verb.add_option("--tolerance", tolerance_,
                    "with items: how far above its share a node may end, as a fraction of the "
                    "share (default 0.1 if sizes differ); a node with one item may end higher");
    verb.add_option("--resume", request.resume,
                    "plan the rest of a schedule: a CSV file of the completed moves, the file of "
                    "Kafka's last completed wave (plan-3.json), or one with what "
                    "kafka-reassign-partitions --verify or --list printed")
        ->reads_files(kafka::add_files_up_to);
    verb.add_option("--check", check_,
                    "check this schedule instead of planning one; plan-0.json or plan.json "
                    "stands for all of Kafka's waves plan-0.json, plan-1.json, ...")
        ->reads_files(kafka::add_files_from);
}

bool PlanItemsArguments::wanted(const std::string& network) const {
    if (!request.sizes.empty()) return true;
    return network.empty() && (!request.rates.empty() || !nodes_.empty() || !drain_.empty() ||
                               !tolerance_.empty() || at_once_option_->given());
}

void PlanItemsArguments::expect_only_for_items(const Command& verb) const {
    verb.expect_only_given(
        request.sizes.empty() ? "plans without --network" : "--sizes",
        "items go from any node to any other",
        {"--sizes", "--log-dirs", "--nodes", "--rates", "--at-once", "--drain", "--tolerance",
         "--resume", "--check", "--loads", "--target", "--capacities", "--pinned", "--schedule",
         "--json", "--explain", "--quiet"});
}

void PlanItemsArguments::add_to(catalogue::PlanRequest& tokens) const {
    const auto refuse = [](const char* option) {
        throw InputError(std::string(option) +
                         " is for items, which are planned without --network");
    };
    if (!request.log_dirs.empty()) refuse("--log-dirs");
    if (!nodes_.empty()) refuse("--nodes");
    if (!tolerance_.empty()) refuse("--tolerance");
    if (at_once_option_->given()) refuse("--at-once");
    tokens.drain = node_names("--drain", drain_);
    tokens.rates = request.rates;
    tokens.resume = request.resume;
}

catalogue::WavesRequest PlanItemsArguments::made() const {
    catalogue::WavesRequest asked = request;
    asked.nodes = node_names("--nodes", nodes_);
    asked.drain = node_names("--drain", drain_);
    if (at_once_option_->given()) asked.at_once = at_once_;
    if (!tolerance_.empty()) asked.tolerance = number_value("--tolerance", tolerance_);
    return asked;
}

int judge_tokens(const catalogue::PlanRequest& request, const network::AnyNetwork& network,
                 const std::string& schedule, const JsonArgument& json, bool quiet) {
    const catalogue::JudgedSchedule judged = catalogue::judge_schedule(request, network, schedule);
    if (json.wanted()) json.emit(report::judged_json(schedule, judged.verdict, judged.fault));
    if (!json.to_output() && !quiet)
        print(report::judged_text(schedule, judged.verdict, judged.fault));
    return judged.fault.empty() ? exit_done : exit_not_reached;
}

int plan_items(const catalogue::WavesRequest& request, const PlanItemsOutput& output) {
    const catalogue::PlannedItems made = catalogue::plan_items(request);
    tell(made.instance, output);
    if (!output.schedule.empty()) report::write_waves(output.schedule, made);
    if (output.json.wanted()) output.json.emit(report::waves_json(made));
    if (!output.json.to_output() && !output.quiet)
        print(report::waves_text(made, output.schedule, output.explain));
    return made.plan.found ? exit_done : exit_not_reached;
}

int judge_items(const catalogue::WavesRequest& request, const std::string& schedule,
                const PlanItemsOutput& output) {
    const catalogue::JudgedItems judged = catalogue::judge_items(request, schedule);
    tell(judged.instance, output);
    if (output.json.wanted()) output.json.emit(report::judged_json(judged.words, judged.verdict));
    if (!output.json.to_output() && !output.quiet)
        print(report::judged_text(judged.words, judged.verdict));
    return judged.words.fault.empty() ? exit_done : exit_not_reached;
}

}  // namespace equipoise::cli
