#include "equipoise/report/answers/waves.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise::report {

namespace {

using WavesJson = nlohmann::ordered_json;
using optimum::WaveBound;
using optimum::WaveBoundKind;
using optimum::WaveMove;
using optimum::WavesPlan;

std::string file_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string listed_names(std::span<const NodeId> nodes, const load::Items& items) {
    constexpr std::size_t shown_max = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(nodes.size(), shown_max); ++i)
        text.append(i == 0 ? "" : ", ").append(items.node_name(nodes[i]));
    if (nodes.size() > shown_max)
        text.append(", ... (").append(grouped(std::uint64_t{nodes.size()})).append(" in all)");
    return text;
}

Tokens total_size(const optimum::ItemsProblem& problem) {
    Tokens sum = 0;
    for (optimum::ItemId item = 0; item < problem.items(); ++item)
        sum += problem.size_of(item);
    return sum;
}

/// "34  (no plan has fewer)" or "34  (every plan has at least 30)".
std::string with_bound(Tokens found, Tokens at_least) {
    return grouped(found) + (found == at_least
                                 ? std::string("  (no plan has fewer)")
                                 : "  (every plan has at least " + grouped(at_least) + ")");
}

std::string target_words(const ItemsInstance& instance) {
    if (!instance.tolerance) return instance.target;
    return fmt::format("{}  (at most {:g} times the share, or one item)", instance.target,
                       1 + *instance.tolerance);
}

/// `figures`: the figures that describe a valid schedule.
std::string judged_object(const std::string& file, const std::string& fault,
                          const WavesJson& figures) {
    WavesJson object = object_of_schema("equipoise-plan-check");
    object["file"] = file;
    object["holds"] = fault.empty();
    if (fault.empty()) {
        object.update(figures);
    } else {
        object["fault"] = fault;
    }
    return json_text(object, 2) + '\n';
}

bool reorders(const PlannedItems& made) {
    return made.partitions && !made.partitions->reordered.empty();
}

/// The waves of a plan, and the fewest of any plan. If nothing moves, the order of replicas
/// takes one wave.
Step waves_in_all(const PlannedItems& made) {
    return std::max<Step>(made.plan.waves, reorders(made) ? 1 : 0);
}
Step waves_at_least(const PlannedItems& made) {
    return std::max<Step>(made.plan.wave_bound.waves(),
                          made.plan.moves() == 0 && reorders(made) ? 1 : 0);
}

}  // namespace

std::string explain_waves(const PlannedItems& made) {
    const load::Items& items = made.instance.items;
    const WaveBound& bound = made.plan.wave_bound;
    if (bound.kind == WaveBoundKind::none)
        return reorders(made) ? "Nothing needs to move; the order of replicas takes a wave.\n"
                              : "Nothing needs to move.\n";
    const bool one = bound.nodes.size() == 1;
    const bool takes = bound.kind == WaveBoundKind::takes ||
                       bound.kind == WaveBoundKind::takes_items ||
                       bound.kind == WaveBoundKind::large_takes;
    const bool sizes = bound.kind == WaveBoundKind::gives || bound.kind == WaveBoundKind::takes;
    const bool large =
        bound.kind == WaveBoundKind::large_gives || bound.kind == WaveBoundKind::large_takes;
    std::string what = sizes && made.instance.problem.one_size() != 1
                           ? "items of " + grouped(bound.amount) + " in all"
                           : counted(bound.amount, "item");
    if (large) what += " larger than " + grouped(bound.size_above);
    const std::string done =
        takes ? (one ? "it takes" : "they take") : (one ? "it gives" : "they give");
    return fmt::format("No plan has fewer than {}: {} must {} {}{}.\n",
                       counted(std::uint64_t{bound.waves()}, "wave"),
                       one ? "node " + items.node_name(bound.nodes.front())
                           : "these " + grouped(std::uint64_t{bound.nodes.size()}) + " nodes (" +
                                 listed_names(bound.nodes, items) + ") together",
                       takes ? "take" : "give", what,
                       bound.a_wave >= bound.amount
                           ? std::string()
                           : ", and " + done + " at most " + grouped(bound.a_wave) + " in a wave");
}

namespace {

/// Unlike machines, nodes that only give items are not looked at.
std::string peak_words(const optimum::WaveVerdict& verdict) {
    return "size " + grouped(verdict.peak) +
           "  (the most on a node in a wave in which it takes items)";
}

WavesJson names_json(std::span<const NodeId> nodes, const load::Items& items) {
    WavesJson list = WavesJson::array();
    for (const NodeId node : nodes)
        list.push_back(items.node_name(node));
    return list;
}

WavesJson bound_json(const WaveBound& bound, const load::Items& items) {
    WavesJson object;
    object["kind"] = to_string(bound.kind);
    object["nodes"] = names_json(bound.nodes, items);
    object["amount"] = bound.amount;
    object["a_wave"] = bound.a_wave;
    if (bound.size_above > 0) object["size_above"] = bound.size_above;
    return object;
}

/// Kafka's form has one file for each wave, hence none for a plan without waves.
std::string written_words(const std::string& schedule, const PlannedItems& made) {
    if (schedule.empty())
        return made.partitions ? "not written (use --schedule FILE.json)"
                               : "not written (use --schedule FILE.csv)";
    if (!schedule.ends_with(".json"))
        return "written to " + schedule +
               (reorders(made) ? ", which cannot hold the order (FILE.json can)" : "");
    return kafka::written_words(schedule, waves_in_all(made));
}

/// Adds the changes in the order of replicas.
void add_order_lines(const PlannedItems& made,
                     std::vector<std::pair<std::string, std::string>>& lines) {
    if (!made.partitions) return;
    lines.emplace_back("leaders", grouped(made.partitions->leaders) +
                                      "  (partitions that get another preferred leader)");
    if (reorders(made))
        lines.emplace_back("order",
                           counted(std::uint64_t{made.partitions->reordered.size()}, "partition") +
                               "  (replicas change places, in the last wave)");
}

void expect_waves(const WavesPlan& plan) {
    if (!plan.found)
        throw InputError(plan.none_exists
                             ? "the schedule was not written: there is no plan"
                             : "the schedule was not written: no plan was found, though not all "
                               "were tried and there may be one");
}

/// Adds the partitions whose replicas change places, each with its final replicas.
void add_order(std::string& text, const kafka::PartitionWaves& partitions,
               const load::Items& items) {
    std::size_t at = 0;  // in the last wave, whose partitions have the same order
    append_list(text, "order", partitions.reordered.size(), [&](std::size_t i) {
        const std::uint32_t thing = partitions.reordered[i];
        const std::vector<kafka::Replicas>& last = partitions.waves.back();
        while (last[at].thing != thing)
            ++at;
        return json_text(WavesJson{items.thing_name(thing), names_json(last[at].nodes, items)});
    });
}

void add_schedule(std::string& text, const WavesPlan& plan, const load::Items& items) {
    append_list(text, "schedule", plan.schedule.size(), [&](std::size_t i) {
        const WaveMove& move = plan.schedule[i];
        WavesJson line = {move.wave};
        if (!items.thing.empty()) line.push_back(items.name(move.item));
        line.push_back(items.node_name(move.from));
        line.push_back(items.node_name(move.to));
        return json_text(line);
    });
}

}  // namespace

std::string waves_text(const PlannedItems& made, const std::string& schedule, bool explain) {
    const ItemsInstance& instance = made.instance;
    const WavesPlan& plan = made.plan;
    const optimum::ItemsProblem& problem = instance.problem;
    const auto waves_bound = static_cast<Tokens>(waves_at_least(made));
    std::vector<std::pair<std::string, std::string>> lines = {{"target", target_words(instance)}};
    if (!instance.drained.empty())
        lines.emplace_back("drained", listed_names(instance.drained, instance.items));
    if (!instance.resumed_waves.empty()) {
        lines.emplace_back("done already", counted(instance.resumed, "move") + "  (" +
                                               instance.resumed_waves + ')');
    } else if (instance.resumed > 0) {
        lines.emplace_back("done already", counted(instance.resumed, "move"));
    }
    if (plan.found) {
        const optimum::WaveVerdict verdict = optimum::check_waves(problem, plan.schedule);
        lines.emplace_back("moves", with_bound(plan.moves(), plan.at_least.moves));
        lines.emplace_back("waves",
                           with_bound(static_cast<Tokens>(waves_in_all(made)), waves_bound));
        add_order_lines(made, lines);
        if (!problem.sizes.empty())
            lines.emplace_back("size moved", grouped(plan.size) + "  (at least " +
                                                 grouped(plan.at_least.size) + ")");
        lines.emplace_back("largest wave", "size " + grouped(verdict.wave_peak));
        lines.emplace_back("peak", peak_words(verdict));
        lines.emplace_back("schedule", written_words(schedule, made));
    } else {
        lines.emplace_back("plan", plan.none_exists
                                       ? "none  (all were tried: there is none)"
                                       : "none found  (not all were tried: there may be one)");
        lines.emplace_back("moves", "at least " + grouped(plan.at_least.moves));
        lines.emplace_back("waves", "at least " + grouped(waves_bound));
    }
    std::string all =
        fmt::format("{}: {}, {} of size {} in all\n\n", file_name(instance.origin),
                    counted(std::uint64_t{problem.nodes}, "node"),
                    counted(std::uint64_t{problem.items()}, "item"), grouped(total_size(problem)));
    for (const auto& [name, value] : lines)
        all += fmt::format("  {:<16} {}\n", name, value);
    if (explain) all += '\n' + explain_waves(made);
    return all;
}

std::string waves_json(const PlannedItems& made) {
    const ItemsInstance& instance = made.instance;
    const WavesPlan& plan = made.plan;
    const load::Items& items = instance.items;
    const optimum::ItemsProblem& problem = instance.problem;
    WavesJson object = object_of_schema("equipoise-plan-items");
    object["nodes"] = problem.nodes;
    object["items"] = problem.items();
    object["size"] = total_size(problem);
    object["target"] = instance.target;
    if (instance.tolerance) object["tolerance"] = *instance.tolerance;
    object["drained"] = names_json(instance.drained, items);
    object["done"] = instance.resumed;
    object["found"] = plan.found;
    object["exact"] = plan.exact();
    object["moves_at_least"] = plan.at_least.moves;
    object["size_at_least"] = plan.at_least.size;
    object["waves_at_least"] = waves_at_least(made);
    if (plan.wave_bound.kind != WaveBoundKind::none)
        object["certificate"] = bound_json(plan.wave_bound, items);
    if (!plan.found) return json_text(object, 2) + '\n';
    const optimum::WaveVerdict verdict = optimum::check_waves(problem, plan.schedule);
    object["moves"] = plan.moves();
    object["waves"] = waves_in_all(made);
    object["size_moved"] = plan.size;
    object["largest_wave"] = verdict.wave_peak;
    object["peak"] = verdict.peak;
    if (made.partitions) object["leaders"] = made.partitions->leaders;
    std::string text = json_text(object, 2);
    if (made.partitions) add_order(text, *made.partitions, items);
    add_schedule(text, plan, items);
    return text + '\n';
}

namespace {

void write_lines(const std::string& path, const load::Items& items, const WavesPlan& plan) {
    AtomicFile file(path);
    const bool named = !items.thing.empty();
    file.write(named ? "wave,item,from,to\n" : "wave,from,to\n");
    for (const WaveMove& move : plan.schedule) {
        std::string line = std::to_string(move.wave);
        if (named) line.append(",").append(csv_field(items.name(move.item)));
        file.write(line.append(",")
                       .append(csv_field(items.node_name(move.from)))
                       .append(",")
                       .append(csv_field(items.node_name(move.to)))
                       .append("\n"));
    }
    file.commit();
}

}  // namespace

void write_waves(const std::string& path, const PlannedItems& made) {
    expect_waves(made.plan);
    if (path.ends_with(".json")) {
        if (!made.partitions)
            throw InputError(
                "--schedule: expected a CSV file, or --sizes with Kafka's partitions for " + path);
        kafka::LogDirs log_dirs = made.instance.log_dirs;
        return kafka::write_wave_files(
            "--schedule", path,
            kafka::wave_documents(made.partitions->waves, made.instance.items, log_dirs));
    }
    write_lines(path, made.instance.items, made.plan);
}

std::string judged_text(const JudgedWords& words, const optimum::WaveVerdict& verdict) {
    if (!words.fault.empty()) return words.fault + '\n';
    std::string text = fmt::format(
        "{}: {} in {}; every move is allowed, and the end is as asked for\n\n"
        "  {:<16} {}\n  {:<16} size {}\n  {:<16} {}\n",
        file_name(words.files), counted(verdict.moves, "move"),
        counted(std::uint64_t{verdict.waves}, "wave"), "size moved", grouped(verdict.size),
        "largest wave", grouped(verdict.wave_peak), "peak", peak_words(verdict));
    if (words.leaders)
        text += fmt::format("  {:<16} {}  (partitions that get another preferred leader)\n",
                            "leaders", grouped(*words.leaders));
    if (words.order_open)
        text += fmt::format("  {:<16} not judged: a table of moves does not say it\n", "order");
    return text;
}

std::string judged_json(const JudgedWords& words, const optimum::WaveVerdict& verdict) {
    WavesJson figures = {{"waves", verdict.waves},
                         {"moves", verdict.moves},
                         {"size_moved", verdict.size},
                         {"largest_wave", verdict.wave_peak},
                         {"peak", verdict.peak}};
    if (words.leaders) figures["leaders"] = *words.leaders;
    return judged_object(words.file, words.fault, figures);
}

std::string judged_text(const std::string& file, const optimum::ScheduleVerdict& verdict,
                        const std::string& fault) {
    if (!fault.empty()) return fault + '\n';
    return fmt::format(
        "{}: {} in {}; every move is allowed, and the end is as asked for\n\n"
        "  {:<16} {} at once\n",
        file_name(file), counted(verdict.exchanges, "exchange"),
        counted(std::uint64_t{verdict.steps}, "step"), "under way",
        counted(verdict.in_flight_max, "token"));
}

std::string judged_json(const std::string& file, const optimum::ScheduleVerdict& verdict,
                        const std::string& fault) {
    return judged_object(file, fault,
                         {{"steps", verdict.steps},
                          {"exchanges", verdict.exchanges},
                          {"in_flight", verdict.in_flight_max}});
}

}  // namespace equipoise::report
