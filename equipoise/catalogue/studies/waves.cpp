#include "equipoise/catalogue/studies/waves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "equipoise/adapters/kafka/log_dirs.hpp"
#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/read_cluster.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/option_texts.hpp"
#include "equipoise/catalogue/studies/target.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::catalogue {

namespace {

constexpr double tolerance_of_sizes = 0.1;

/// Reads the items into an instance.
load::Items read_items_of(const WavesRequest& request, ItemsInstance& instance) {
    if (!request.sizes.empty() && is_kafkas(request.texts, "sizes", request.sizes)) {
        kafka::Cluster cluster = kafka::read_cluster(
            option_text(request.texts, "sizes", request.sizes, kafka::read_printed), request.sizes);
        if (!request.log_dirs.empty())
            kafka::read_log_dirs(
                option_text(request.texts, "log-dirs", request.log_dirs, kafka::read_printed),
                request.log_dirs, cluster);
        instance.notes = cluster.notes;
        instance.log_dirs = kafka::LogDirs(cluster);
        return items_of(cluster);
    }
    if (!request.log_dirs.empty())
        throw InputError("--log-dirs: expected --sizes with what Kafka's tools print, found " +
                         (request.sizes.empty() ? std::string("none") : request.sizes));
    if (request.sizes.empty())
        return with_option_lines(request.texts, "loads", request.loads, load::read_unnamed_items);
    return with_option_lines(request.texts, "sizes", request.sizes, load::read_items);
}

std::vector<NodeId> nodes_named(const std::vector<std::string>& names, const char* option,
                                const load::Items& items) {
    std::vector<NodeId> nodes;
    for (const std::string& name : names) {
        const auto node = items.nodes.find(name);
        if (!node)
            throw InputError(std::string(option) +
                             ": expected a node that holds items or that --nodes names, found \"" +
                             printable(name) + '"');
        if (std::find(nodes.begin(), nodes.end(), *node) == nodes.end()) nodes.push_back(*node);
    }
    return nodes;
}

/// The nodes as a network without links, for readers of numbers by node.
network::AnyNetwork without_links(const load::Items& items) {
    network::Labels labels;
    for (NodeId node = 0; node < items.nodes.size(); ++node)
        labels.names.push_back(items.node_name(node));
    return {network::Network(items.nodes.size(), {}), std::move(labels)};
}

/// The final loads that a target asks for.
class ItemsTarget {
  public:
    ItemsTarget(const WavesRequest& request, ItemsInstance& instance,
                const std::vector<NodeId>& pinned)
        : request_(request), instance_(instance), problem_(instance.problem) {
        loads_ = problem_.loads();
        pins_.assign(problem_.nodes, false);
        for (const NodeId node : pinned)
            pins_[node] = true;
        speeds_.assign(problem_.nodes, 1);
    }

    void set(const Target& target) {
        if (target.kind == Target::Kind::speeds) {
            speeds_ = with_option_lines(request_.texts, "target", target.file, [&](auto& source) {
                return load::read_speeds(source, without_links(instance_.items),
                                         std::uint64_t{1} << 30U);
            });
        }
        for (const NodeId node : instance_.drained)
            speeds_[node] = 0;
        for (NodeId node = 0; node < problem_.nodes; ++node)
            problem_.ends_empty.push_back(!pins_[node] && speeds_[node] == 0);
        if (target.kind == Target::Kind::at_most) return level(0, target.number);
        if (target.kind == Target::Kind::exact) return level(mean_rounded_up(), target.number);
        share();
    }

  private:
    [[nodiscard]] bool takes_part(NodeId node) const { return !pins_[node] && speeds_[node] > 0; }

    /// The total size that is shared by nodes that are not pinned, and the sum of their speeds.
    [[nodiscard]] std::pair<Tokens, std::uint64_t> shared() const {
        Tokens size = 0;
        std::uint64_t speed = 0;
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            if (pins_[node]) continue;
            size += loads_[node];
            speed += speeds_[node];
        }
        const bool has_items = std::any_of(problem_.places.begin(), problem_.places.end(),
                                           [&](NodeId node) { return !pins_[node]; });
        if (speed == 0 && has_items)
            throw InputError("expected a node that may take what others give, found none");
        return {size, std::max<std::uint64_t>(speed, 1)};
    }

    [[nodiscard]] Tokens mean_rounded_up() const {
        Tokens nodes = 0;
        for (NodeId node = 0; node < problem_.nodes; ++node)
            if (takes_part(node)) ++nodes;
        return ceil_divide(shared().first, std::max<Tokens>(nodes, 1));
    }

    void level(Tokens mean, Tokens more) {
        set_bases([most = checked_add(mean, more)](NodeId) { return most; });
    }

    template <class Most>
    void set_bases(const Most& most) {
        problem_.target = optimum::at_most(problem_.nodes, 0);
        for (NodeId node = 0; node < problem_.nodes; ++node)
            problem_.target.base[node] = pins_[node]        ? loads_[node]
                                         : takes_part(node) ? std::min(most(node), tokens_max)
                                                            : 0;
    }

    /// Shares in proportion to speeds: rounded if items have one size, otherwise within a tolerance
    /// of one item.
    void share() {
        const Tokens unit = problem_.one_size();
        if (unit != 0 && !request_.tolerance) {
            load::Loads counts = loads_;
            for (Tokens& count : counts)
                count /= unit;
            static_cast<void>(shared());
            problem_.target = optimum::floor_or_ceiling(counts, speeds_, pins_);
            for (Tokens& base : problem_.target.base)
                base *= unit;
            return;
        }
        instance_.tolerance = request_.tolerance.value_or(tolerance_of_sizes);
        const std::pair<Tokens, std::uint64_t> amounts = shared();
        const auto size = static_cast<double>(amounts.first);
        const auto speed = static_cast<double>(amounts.second);
        if (unit == 0)
            for (NodeId node = 0; node < problem_.nodes; ++node)
                problem_.may_hold_one.push_back(takes_part(node));
        set_bases([&](NodeId node) {
            const double part =
                size * static_cast<double>(speeds_[node]) / speed * (1 + *instance_.tolerance);
            const double most = std::min(std::floor(part * (1 + 1e-12)), 0x1.0p60);
            return std::max(static_cast<Tokens>(most), unit);
        });
    }

    const WavesRequest& request_;
    ItemsInstance& instance_;
    optimum::ItemsProblem& problem_;
    load::Loads loads_;
    std::vector<bool> pins_;
    std::vector<std::uint64_t> speeds_;
};

void set_final_places(const WavesRequest& request, const std::string& path,
                      ItemsInstance& instance) {
    if (!instance.drained.empty())
        throw InputError(
            "--drain: expected a target other than places:FILE, which says where "
            "everything ends");
    if (instance.items.thing.empty())
        throw InputError("--target: expected items with names (--sizes) for places:FILE");
    if (is_kafkas(request.texts, "target", path)) {
        instance.proposal =
            kafka::read_proposal(option_text(request.texts, "target", path, kafka::read_printed),
                                 path, instance.items, &instance.notes);
        instance.problem.final_places =
            load::final_places_of(instance.proposal, path, instance.items);
        if (!instance.items.are_partitions) return;
        // Partitions that are not named stay as they are, in their order.
        const kafka::ReplicaOrder now(instance.items);
        for (std::uint32_t thing = 0; thing < instance.proposal.size(); ++thing)
            if (instance.proposal[thing].empty()) instance.proposal[thing] = now.nodes(thing);
        return;
    }
    instance.problem.final_places = with_option_lines(
        request.texts, "target", path,
        [&](LineSource& source) { return load::read_final_places(source, instance.items); });
}

void set_rates(const WavesRequest& request, const std::vector<NodeId>& pinned,
               ItemsInstance& instance) {
    optimum::ItemsProblem& problem = instance.problem;
    problem.at_once = static_cast<Tokens>(request.at_once.value_or(request.rates.empty() ? 1 : 0));
    if (!request.rates.empty()) {
        load::Rates rates = with_option_lines(
            request.texts, "rates", request.rates,
            [&](LineSource& source) { return load::read_rates(source, instance.items.nodes); });
        problem.gives = std::move(rates.gives);
        problem.takes = std::move(rates.takes);
    }
    if (!request.capacities.empty())
        problem.capacities = with_option_lines(
            request.texts, "capacities", request.capacities, [&](LineSource& source) {
                return load::read_capacities(source, without_links(instance.items));
            });
    if (pinned.empty()) return;
    if (problem.gives.empty()) {
        problem.gives.assign(problem.nodes, tokens_max);
        problem.takes.assign(problem.nodes, tokens_max);
    }
    for (const NodeId node : pinned)
        problem.gives[node] = problem.takes[node] = 0;
}

optimum::WaveSchedule waves_of(const load::ItemMoves& read) {
    optimum::WaveSchedule schedule;
    for (const load::ItemMove& move : read.moves)
        schedule.push_back({move.wave, move.copy, move.from, move.to});
    return schedule;
}

/// A schedule from a file of lines, or from one file for each of Kafka's waves.
struct ReadSchedule {
    std::string file;
    load::ItemMoves lines;
    std::optional<kafka::WaveMoves> kafkas;

    [[nodiscard]] const load::ItemMoves& moves() const { return kafkas ? kafkas->moves : lines; }
    [[nodiscard]] std::string words() const { return kafkas ? kafkas->files.words() : file; }
    [[nodiscard]] std::string fault(std::uint64_t wave, std::uint64_t line,
                                    const std::string& text) const {
        return (kafkas ? kafkas->place(wave, line) : file + ':' + std::to_string(line)) + ": " +
               printable(text);
    }
};

/// The schedule of an option. `files`: the files that hold it, if it is Kafka's.
ReadSchedule read_schedule(const WavesRequest& request, const char* option, kafka::WaveFiles files,
                           const load::Items& items) {
    ReadSchedule schedule;
    schedule.file = files.paths.front();
    if (!is_kafkas(request.texts, option, schedule.file)) {
        schedule.lines = with_option_lines(
            request.texts, option, schedule.file,
            [&](LineSource& source) { return load::read_item_moves(source, items); });
        return schedule;
    }
    if (!items.are_partitions)
        throw InputError(schedule.file +
                         ": expected lines wave,item,from,to, as the items are not Kafka's, found "
                         "JSON");
    schedule.kafkas = kafka::read_wave_moves(
        std::move(files),
        [&](const std::string& path) {
            return option_text(request.texts, option, path, kafka::read_printed);
        },
        items);
    return schedule;
}

kafka::WaveFiles files_of(const WavesRequest& request, const char* option, const std::string& file,
                          kafka::WaveFiles (*files)(const std::string&)) {
    return request.texts.contains(option) ? kafka::WaveFiles{{file}, 0} : files(file);
}

/// Carries out the moves that are done.
void resume_from(const WavesRequest& request, ItemsInstance& instance) {
    const ReadSchedule done = read_schedule(
        request, "resume", files_of(request, "resume", request.resume, kafka::wave_files_up_to),
        instance.items);
    const load::ItemMoves& read = done.moves();
    if (!read.fault.empty())
        throw InputError(done.fault(read.fault_wave, read.fault_line, read.fault));
    if (done.kafkas) {
        done.kafkas->order.store(instance.items);
        for (const std::vector<kafka::Replicas>& wave : done.kafkas->waves)
            for (const kafka::Replicas& replicas : wave)
                instance.log_dirs.follow(replicas);
        instance.resumed_waves = done.words();
        for (std::string& note :
             kafka::progress_notes(done.kafkas->progress, done.kafkas->files.paths.back()))
            instance.notes.push_back(std::move(note));
    } else {
        for (const load::ItemMove& move : read.moves)
            instance.items.places[move.copy] = move.to;
        if (instance.items.are_partitions) {
            const kafka::ReplicaOrder order(instance.items);
            for (std::uint32_t thing = 0; thing < instance.items.things.size(); ++thing)
                instance.log_dirs.follow({thing, order.nodes(thing)});
        }
    }
    instance.resumed = read.moves.size();
}

}  // namespace

void WavesRequest::check() const {
    if (sizes.empty() && loads.empty())
        throw InputError("expected --sizes or --loads with a file of what is where, found none");
    if (!sizes.empty() && !loads.empty())
        throw InputError("--loads: expected either --sizes or --loads, found both");
    if (tolerance && (!std::isfinite(*tolerance) || *tolerance < 0))
        throw InputError("--tolerance: expected a number, 0 or more, found " +
                         std::to_string(*tolerance));
    const Target::Kind kind = target_of(target, items_targets()).kind;
    if (tolerance && kind != Target::Kind::floor_ceil && kind != Target::Kind::speeds)
        throw InputError(
            "--tolerance: expected the target floor-ceil or speeds:FILE.csv, found \"" +
            printable(target) + '"');
    const auto lists = std::to_array<std::pair<const char*, const std::vector<std::string>&>>(
        {{"--nodes", nodes}, {"--drain", drain}, {"--pinned", pinned}});
    for (const auto& [option, names] : lists)
        if (std::find(names.begin(), names.end(), "") != names.end())
            throw InputError(std::string(option) + ": expected names of nodes, found an empty one");
    constexpr std::uint64_t at_once_most = 1'000'000'000;
    if (at_once && (*at_once == 0 || *at_once > at_once_most))
        throw InputError("--at-once: expected a whole number from 1 to 1000000000, found " +
                         std::to_string(*at_once));
    const auto files =
        std::to_array<std::pair<const char*, const std::string&>>({{"sizes", sizes},
                                                                   {"loads", loads},
                                                                   {"log-dirs", log_dirs},
                                                                   {"rates", rates},
                                                                   {"capacities", capacities}});
    for (const auto& [option, file] : files)
        if (!texts.contains(option)) expect_file_there(file);
    if (!texts.contains("resume")) expect_file_there(kafka::wave_files_up_to(resume).paths.front());
}

ItemsInstance make_items(const WavesRequest& request) {
    request.check();
    ItemsInstance instance;
    instance.origin = request.sizes.empty() ? request.loads : request.sizes;
    instance.items = read_items_of(request, instance);
    for (const std::string& name : request.nodes)
        static_cast<void>(instance.items.nodes.number_of(name));
    if (instance.items.nodes.size() == 0)
        throw InputError(instance.origin + ": expected items on nodes, found none");
    if (!request.resume.empty()) resume_from(request, instance);
    instance.target = request.target;
    instance.drained = nodes_named(request.drain, "--drain", instance.items);
    const std::vector<NodeId> pinned = nodes_named(request.pinned, "--pinned", instance.items);
    for (const NodeId node : pinned)
        if (std::find(instance.drained.begin(), instance.drained.end(), node) !=
            instance.drained.end())
            throw InputError("--pinned: node \"" + printable(instance.items.node_name(node)) +
                             "\" is also named by --drain");
    optimum::ItemsProblem& problem = instance.problem;
    problem.nodes = instance.items.nodes.size();
    problem.places = instance.items.places;
    problem.sizes = instance.items.sizes;
    if (instance.items.has_copies()) problem.copies_of = instance.items.thing;
    set_rates(request, pinned, instance);
    const Target target = target_of(request.target, items_targets());
    if (target.kind == Target::Kind::places) {
        set_final_places(request, target.file, instance);
    } else {
        ItemsTarget(request, instance, pinned).set(target);
        problem.keep_target_within_capacities();
    }
    return instance;
}

namespace {

/// Throws an error that names items which could never leave a node that is to end empty.
void expect_drained_can_give(const ItemsInstance& instance) {
    const optimum::ItemsProblem& problem = instance.problem;
    for (const NodeId node : instance.drained)
        for (optimum::ItemId item = 0; item < problem.items(); ++item)
            if (problem.places[item] == node &&
                (problem.gives_of(node) == 0 || problem.size_of(item) > problem.gives_of(node)))
                throw UnsuitableError("node \"" + printable(instance.items.node_name(node)) +
                                      "\" cannot be drained: item " +
                                      printable(ItemNames(instance.items).item(item)) +
                                      " has size " + std::to_string(problem.size_of(item)) +
                                      ", and the node gives at most " +
                                      std::to_string(problem.gives_of(node)) + " in a wave");
}

std::vector<load::ItemMove> moves_of(const optimum::WaveSchedule& schedule) {
    std::vector<load::ItemMove> moves;
    for (const optimum::WaveMove& move : schedule)
        moves.push_back({move.wave, move.item, move.from, move.to, 0});
    return moves;
}

}  // namespace

PlannedItems plan_items(const WavesRequest& request) {
    PlannedItems made;
    made.instance = make_items(request);
    expect_drained_can_give(made.instance);
    made.plan = optimum::plan_waves(made.instance.problem);
    if (made.instance.items.are_partitions && made.plan.found)
        made.partitions = kafka::partition_waves(made.instance.items, moves_of(made.plan.schedule),
                                                 made.instance.proposal);
    return made;
}

JudgedItems judge_items(const WavesRequest& request, const std::string& schedule) {
    JudgedItems judged;
    judged.instance = make_items(request);
    const ItemsInstance& instance = judged.instance;
    const ReadSchedule given =
        read_schedule(request, "check",
                      files_of(request, "check", schedule, kafka::wave_files_from), instance.items);
    const load::ItemMoves& read = given.moves();
    report::JudgedWords& words = judged.words;
    words.file = schedule;
    words.files = given.words();
    judged.verdict =
        optimum::check_waves(instance.problem, waves_of(read), ItemNames(instance.items));
    optimum::WaveVerdict& verdict = judged.verdict;
    if (verdict.fault_at < read.moves.size() && !verdict.fault.empty()) {
        const load::ItemMove& move = read.moves[verdict.fault_at];
        words.fault = given.fault(move.wave, move.line, verdict.fault);
    } else if (!read.fault.empty()) {
        verdict.holds = verdict.is_allowed = false;
        words.fault = given.fault(read.fault_wave, read.fault_line, read.fault);
    } else if (!verdict.holds) {
        words.fault = words.files + ": " + printable(verdict.fault);
    } else if (given.kafkas) {
        verdict.waves = given.kafkas->file_of.size();
        words.leaders = given.kafkas->order.other_leaders(kafka::ReplicaOrder(instance.items));
        if (const std::string fault =
                kafka::fault_of_order(instance.items, instance.proposal, given.kafkas->order);
            !fault.empty()) {
            verdict.holds = false;
            words.fault = words.files + ": " + printable(fault);
        }
    } else {
        words.order_open = instance.items.are_partitions && !instance.proposal.empty();
    }
    return judged;
}

}  // namespace equipoise::catalogue
