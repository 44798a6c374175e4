#include "equipoise/cli/plan_items.hpp"

#include <charconv>
#include <system_error>
#include <vector>

#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/plan_moves.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/report/waves.hpp"

namespace equipoise::cli {

namespace {

report::WavesWords words_of(const catalogue::ItemsInstance& instance,
                            const PlanItemsOutput& output) {
    report::WavesWords words;
    words.origin = instance.origin;
    words.target = instance.target;
    words.tolerance = instance.tolerance;
    words.drained = instance.drained;
    words.resumed = instance.resumed;
    words.schedule = output.schedule;
    words.explain = output.explain;
    return words;
}

}  // namespace

std::vector<std::string> node_names(const char* option, const std::string& text) {
    return text.empty() ? std::vector<std::string>() : comma_list(option, "names of nodes", text);
}

void PlanItemsArguments::add_to(Command& verb) {
    verb.add_option("--sizes", request.sizes,
                    "items with names instead of tokens, without --network: a CSV file "
                    "item,node,size (or item,node), or Kafka's reassignment JSON")
        ->reads_file();
    verb.add_option("--log-dirs", request.log_dirs,
                    "sizes of Kafka's partitions: what kafka-log-dirs --describe printed")
        ->reads_file();
    verb.add_option("--nodes", nodes_,
                    "with items: nodes that hold nothing yet, with commas between them");
    verb.add_option("--rates", request.rates,
                    "a CSV file node,in,out: what a node may take and give in one wave (or step)")
        ->reads_file();
    at_once_option_ = verb.add_option(
        "--at-once", at_once_,
        "with items: how many a node may take, and give, in one wave (default 1; with --rates as "
        "many as they allow)");
    verb.add_option("--drain", drain_, "nodes that are to end empty, with commas between them");
    verb.add_option("--tolerance", tolerance_,
                    "with items: how far above its share a node may end, as a fraction, unless it "
                    "ends with one item (default 0.1 with several sizes)");
    verb.add_option("--resume", request.resume,
                    "a CSV file of the moves of a schedule that are done: plans the rest")
        ->reads_file();
    verb.add_option("--check", check_, "judge this schedule instead of planning one")->reads_file();
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
                         ": expected items that go from any node to any other, without --network");
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
    if (!tolerance_.empty()) {
        double number = 0;
        const char* const end = tolerance_.data() + tolerance_.size();
        const auto [stop, failure] = std::from_chars(tolerance_.data(), end, number);
        if (failure != std::errc() || stop != end || !(number >= 0))
            throw InputError("--tolerance: expected a number, 0 or more, found \"" + tolerance_ +
                             '"');
        asked.tolerance = number;
    }
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
    const load::Items& items = made.instance.items;
    if (!output.schedule.empty()) {
        if (output.schedule.ends_with(".json")) {
            report::write_waves_partitions(output.schedule, items, made.plan);
        } else {
            report::write_waves_csv(output.schedule, items, made.plan);
        }
    }
    const report::WavesWords words = words_of(made.instance, output);
    if (output.json.wanted())
        output.json.emit(report::waves_json(items, made.instance.problem, made.plan, words));
    if (!output.json.to_output() && !output.quiet)
        print(report::waves_text(items, made.instance.problem, made.plan, words));
    return made.plan.found ? exit_done : exit_not_reached;
}

int judge_items(const catalogue::WavesRequest& request, const std::string& schedule,
                const PlanItemsOutput& output) {
    const catalogue::JudgedItems judged = catalogue::judge_items(request, schedule);
    if (output.json.wanted())
        output.json.emit(report::judged_json(schedule, judged.verdict, judged.fault));
    if (!output.json.to_output() && !output.quiet)
        print(report::judged_text(schedule, judged.verdict, judged.fault));
    return judged.fault.empty() ? exit_done : exit_not_reached;
}

}  // namespace equipoise::cli
