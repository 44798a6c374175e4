#include "equipoise/catalogue/studies/reassign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "equipoise/adapters/kafka/brokers.hpp"
#include "equipoise/adapters/kafka/log_dirs.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/rack_rule.hpp"
#include "equipoise/adapters/kafka/read_cluster.hpp"
#include "equipoise/adapters/kafka/reassignment.hpp"
#include "equipoise/adapters/kafka/take_partitions.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/adapters/redis/take_slots.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_documents.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/live_slots.hpp"
#include "equipoise/catalogue/studies/option_texts.hpp"
#include "equipoise/reassign/input/aims.hpp"
#include "equipoise/reassign/input/copies.hpp"
#include "equipoise/reassign/input/ends_file.hpp"
#include "equipoise/reassign/input/rules.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::catalogue {

namespace {

constexpr std::uint64_t at_once_max = 1'000'000'000;
constexpr unsigned threads_max = 1024;

/// With a target no resource is to be level.
reassign::AskedAims aims_of(const ReassignRequest& request) {
    const std::vector<std::string> none = {"none"};
    reassign::AskedAims aims = {
        request.level.empty() && !request.target.empty() ? none : request.level, request.tolerance,
        request.fewest, request.only_if_above, request.at_most};
    set_aims_of_slots(request, aims);
    return aims;
}

constexpr std::string_view places_mark = "places:";

/// The file of a target.
std::string target_file(const ReassignRequest& request) {
    if (!request.target.starts_with(places_mark) || request.target.size() == places_mark.size())
        throw InputError("--target: expected places:FILE, found \"" + printable(request.target) +
                         '"');
    return request.target.substr(places_mark.size());
}

/// Throws InputError for aims beside a target, which says where everything ends.
void expect_no_aims_beside_target(const ReassignRequest& request) {
    const auto is_of_leaders = [](const std::string& level) {
        const std::string name = lower_case(level);
        return name == "leaders" || name == "none";
    };
    const auto given = std::to_array<std::pair<const char*, bool>>(
        {{"--level", !std::all_of(request.level.begin(), request.level.end(), is_of_leaders)},
         {"--only-if-above", request.only_if_above.has_value()},
         {"--drain", !request.drain.empty()},
         {"--replicas", !request.replicas.empty()},
         {"--objective", !request.objective.empty()}});
    for (const auto& [option, is_given] : given)
        if (is_given)
            throw InputError(std::string("--target: expected no ") + option +
                             " beside it, as it says where everything ends, found both");
    if (request.level.empty() && !request.tolerance.empty())
        throw InputError("--tolerance: expected a level to hold it, found --target alone");
}

/// Whether `--spread none` leaves out the rule that partitions have by themselves.
bool spreads_nothing(const ReassignRequest& request) {
    return request.spread.size() == 1 && lower_case(request.spread.front()) == "none";
}

reassign::ReadMoves read_lines_of_moves(const ReassignRequest& request, const char* option,
                                        const std::string& file, const reassign::Problem& problem) {
    return with_option_lines(request.texts, option, file, [&](LineSource& source) {
        return reassign::read_moves(source, problem);
    });
}

[[noreturn]] void refuse_kafkas_schedule(const std::string& file) {
    throw InputError(
        file + ": expected lines wave,item,from,to, as the items are not Kafka's, found JSON");
}

kafka::WaveFiles files_of_waves(const ReassignRequest& request, const char* option,
                                const std::string& file,
                                kafka::WaveFiles (*files)(const std::string&)) {
    return request.texts.contains(option) ? kafka::WaveFiles{{file}, 0} : files(file);
}

/// Makes a problem in the order in which its files say what is to be read of others.
class ProblemMaker {
  public:
    explicit ProblemMaker(const ReassignRequest& request) : request_(request) {}

    report::ReassignInstance make(const std::string& schedule) {
        instance_.origin = request_.items;
        read_rules();
        name_columns(aims_of(request_), columns_);
        if (!request_.objective.empty()) {
            objective_ = reassign::read_objective(
                option_text(request_.texts, "objective", request_.objective, read_json_text),
                request_.objective);
            name_columns(*objective_, columns_);
        }
        for (const std::string& name : request_.resources)
            columns_.resources.push_back({name, "--resources"});
        for (const std::string& name : request_.labels)
            columns_.labels.push_back({name, "--labels"});
        name_columns(rules_, columns_);
        read_tables();
        set_rules(rules_, read_, problem_);
        kafka::pin_silent_brokers(silent_brokers_, request_.machines, !request_.target.empty(),
                                  problem_, instance_.notes);
        set_rack_rule();
        set_aims(aims_of(request_), objective_.has_value(), problem_, read_);
        instance_.level_by_default =
            request_.level.empty() && !objective_ && request_.target.empty();
        if (instance_.holdings && instance_.level_by_default) set_least_slots(problem_);
        if (objective_) set_objective(*objective_, read_, problem_);
        problem_.half_duplex = request_.half_duplex;
        if (!request_.rates.empty())
            with_option_lines(request_.texts, "rates", request_.rates,
                              [&](LineSource& source) { read_rates(source, problem_, read_); });
        // Of a running cluster it bounds what is carried out, where no slot waits for a wave.
        const std::uint64_t unasked = problem_.gives.empty() ? 1 : 0;
        problem_.at_once =
            instance_.holdings ? 0 : static_cast<Tokens>(request_.at_once.value_or(unasked));
        set_sources();
        set_replicas(schedule);
        resume();
        give_ends();
        complete_cluster();
        note_units(problem_, read_);
        for (std::string& note : read_.notes)
            instance_.notes.push_back(std::move(note));
        problem_.check();
        return std::move(instance_);
    }

  private:
    /// A rule that nobody asked for could make ends that are given unreachable.
    void set_rack_rule() {
        if (!instance_.are_partitions || spreads_nothing(request_)) return;
        if (!ends_are_given())
            kafka::add_rack_rule(problem_, request_.machines, instance_.notes);
        else if (!request_.target.empty())
            kafka::note_target_without_rack_rule(problem_, instance_.notes);
    }

    void read_rules() {
        for (const std::string& label : request_.apart)
            rules_.apart.push_back({label, "--apart"});
        if (!spreads_nothing(request_))
            for (const std::string& rule : request_.spread)
                rules_.spread.push_back(reassign::spread_rule(rule));
        for (const std::string& rule : request_.near)
            rules_.near.push_back(reassign::near_rule(rule));
        for (const bool forbidden : {false, true}) {
            const std::string& file = forbidden ? request_.forbidden : request_.allowed;
            if (file.empty()) continue;
            with_option_lines(
                request_.texts, forbidden ? "forbidden" : "allowed", file,
                [&](LineSource& source) { reassign::read_place_table(source, forbidden, rules_); });
        }
        rules_.pinned = request_.pinned;
        if (!request_.drain.empty()) {
            reassign::Selection drained{{{"machine", {}}}};
            for (const std::string& name : request_.drain)
                drained.labels.front().values.push_back({name, 0});
            rules_.drained.emplace_back(std::move(drained), "--drain");
        }
        if (!request_.rules.empty())
            reassign::read_rules(
                option_text(request_.texts, "rules", request_.rules, read_json_text),
                request_.rules, rules_);
    }

    void read_tables() {
        std::optional<reassign::MachineTable> machines;
        if (!request_.machines.empty()) machines = read_machines();
        if (is_live(request_)) {
            instance_.holdings = ask_cluster(request_);
            redis::take_slots(*instance_.holdings, request_.items, columns_, problem_, read_);
        } else if (is_kafkas(request_.texts, "items", request_.items)) {
            take_kafkas(machines);
        } else {
            if (!request_.log_dirs.empty())
                throw InputError("--log-dirs: expected items in a file of Kafka's (.json), found " +
                                 request_.items);
            with_option_lines(request_.texts, "items", request_.items, [&](LineSource& source) {
                reassign::read_items(source, columns_, problem_, read_);
            });
        }
        if (machines) {
            set_machines(*machines, columns_, problem_, read_);
            if (is_kafkas(request_.texts, "machines", request_.machines))
                kafka::add_unlisted_brokers(*machines, problem_, silent_brokers_);
        } else {
            no_machine_limits(problem_);
        }
        if (instance_.holdings) complete_masters(request_, instance_);
        for (std::size_t at = 0; at < columns_.labels.size(); ++at)
            if (!read_.labels_found[at])
                throw InputError("--labels: expected a column of " + request_.items +
                                 (machines ? " or " + request_.machines : std::string()) +
                                 ", found \"" + printable(columns_.labels[at].name) + '"');
    }

    [[nodiscard]] reassign::MachineTable read_machines() {
        if (is_kafkas(request_.texts, "machines", request_.machines))
            return kafka::read_brokers(
                option_text(request_.texts, "machines", request_.machines, kafka::read_printed),
                request_.machines, columns_, silent_brokers_);
        return with_option_lines(
            request_.texts, "machines", request_.machines,
            [&](LineSource& source) { return reassign::read_machine_table(source, columns_); });
    }

    void take_kafkas(const std::optional<reassign::MachineTable>& machines) {
        kafka::Cluster cluster = kafka::read_cluster(
            option_text(request_.texts, "items", request_.items, kafka::read_printed),
            request_.items);
        if (!request_.log_dirs.empty())
            kafka::read_log_dirs(
                option_text(request_.texts, "log-dirs", request_.log_dirs, read_text_with_json),
                request_.log_dirs, cluster);
        if (machines) {
            kafka::expect_racks_of_all(*machines);
            kafka::take_brokers(*machines, cluster);
        }
        resume_waves(cluster);
        kafka::take_partitions(cluster, request_.items, columns_, problem_, read_);
        instance_.are_partitions = true;
        instance_.notes = cluster.notes;
        instance_.cluster = std::move(cluster);
    }

    /// Tells the cluster which machines there are besides its brokers, their racks, and where its
    /// replicas are after the moves that are done.
    void complete_cluster() {
        if (!instance_.cluster) return;
        name_brokers();
        kafka::Cluster& cluster = *instance_.cluster;
        if (const auto rack = find_label(problem_.machine_labels, "rack")) {
            const reassign::Label& label = problem_.machine_labels[*rack];
            cluster.racks.clear();
            for (reassign::MachineId machine = 0; machine < problem_.known_machines(); ++machine) {
                const reassign::ValueId value = label.of[machine];
                cluster.racks.emplace_back(value == reassign::no_value ? std::string_view()
                                                                       : label.values.name(value));
            }
        }
        const std::vector<reassign::MachineId> places = places_as_read();
        std::size_t replica = 0;
        for (kafka::Partition& partition : cluster.partitions)
            for (std::size_t at = 0; at < partition.replicas.size(); ++at, ++replica)
                if (places[replica] != reassign::no_machine) partition.put_on(at, places[replica]);
    }

    /// Tells the cluster of machines that hold nothing.
    void name_brokers() {
        NameTable& brokers = instance_.cluster->brokers;
        for (reassign::MachineId machine = brokers.size(); machine < problem_.known_machines();
             ++machine)
            static_cast<void>(brokers.number_of(problem_.machines.name(machine)));
    }

    /// By number of an item as it was read: where it is; `no_machine` if it is dropped.
    [[nodiscard]] std::vector<reassign::MachineId> places_as_read() const {
        if (instance_.as_read.empty()) return problem_.places;
        std::vector<reassign::MachineId> places;
        for (reassign::ItemId item = 0; item < problem_.item_count(); ++item) {
            const reassign::ItemId read = instance_.as_read[item];
            if (read == reassign::no_item) continue;
            if (places.size() <= read) places.resize(read + std::size_t{1}, reassign::no_machine);
            places[read] = problem_.places[item];
        }
        places.resize(instance_.cluster->replica_count(), reassign::no_machine);
        return places;
    }

    /// Kafka copies from leaders.
    void set_sources() {
        const bool nothing_leads =
            std::find(problem_.leads.begin(), problem_.leads.end(), true) == problem_.leads.end();
        if (request_.copy_from == "leader" && nothing_leads)
            throw InputError(
                "--copy-from: expected items of which some lead, to copy from leaders");
        problem_.copies_from_leader =
            request_.copy_from.empty() ? instance_.are_partitions : request_.copy_from == "leader";
    }

    void set_replicas(const std::string& schedule) {
        if (request_.replicas.empty()) return;
        const reassign::AskedCopies asked = reassign::asked_copies(request_.replicas);
        if (instance_.cluster) name_brokers();
        add_copies(asked, instance_);
        std::vector<load::ItemDrop> given;
        for (const auto& [option, file] :
             {std::pair("resume", request_.resume), std::pair("check", schedule)}) {
            if (file.empty()) continue;
            const std::vector<load::ItemDrop> drops = drops_in(option, file);
            given.insert(given.end(), drops.begin(), drops.end());
        }
        drop_copies(asked, given, instance_);
    }

    /// By a target or, where leaders alone are to be level, by the places.
    [[nodiscard]] bool ends_are_given() const {
        return !request_.target.empty() ||
               (aims_of(request_).leaders_alone() && request_.replicas.empty());
    }

    void give_ends() {
        if (ends_are_given()) problem_.given_ends = problem_.places;
        note_without_leader();
        if (request_.target.empty()) return;
        const std::string file = target_file(request_);
        reassign::AskedEnds asked;
        if (is_kafkas(request_.texts, "target", file)) {
            load::Items items;
            items.nodes = problem_.machines;
            items.things = problem_.things;
            items.thing = problem_.thing;
            items.places = problem_.places;
            asked.machines = kafka::read_proposal(
                option_text(request_.texts, "target", file, read_text_with_json), file, items,
                &instance_.notes);
            if (!problem_.leads.empty()) asked.leads.assign(problem_.things.size(), true);
        } else {
            asked = with_option_lines(request_.texts, "target", file, [&](LineSource& source) {
                return reassign::read_ends(source, problem_);
            });
        }
        reassign::set_given_ends(asked, file, problem_);
        instance_.target = std::move(asked.machines);
    }

    /// Things that nobody leads take no part where leaders are to be level.
    void note_without_leader() {
        if (!problem_.leaders_tolerance) return;
        const auto led = static_cast<std::uint64_t>(
            std::count(problem_.leads.begin(), problem_.leads.end(), true));
        const std::uint64_t without = problem_.things.size() - led;
        if (without > 0)
            instance_.notes.push_back(
                counted(without, "item") +
                (without == 1 ? " has no leader, and gets none" : " have no leader, and get none"));
    }

    /// Carries out Kafka's waves that are done.
    void resume_waves(kafka::Cluster& cluster) {
        if (request_.resume.empty() || !is_kafkas(request_.texts, "resume", request_.resume))
            return;
        const kafka::WaveFiles files =
            files_of_waves(request_, "resume", request_.resume, kafka::wave_files_up_to);
        const load::Items items = items_of(cluster);
        for (const std::string& path : files.paths) {
            const std::string text =
                option_text(request_.texts, "resume", path, kafka::read_printed);
            const auto waves = kafka::read_reassignments(text, path, items);
            instance_.resumed += kafka::carry_out(waves, cluster);
            instance_.resumed_waves += waves.size();
            kafka::note_progress(kafka::read_progress(text, path), path, cluster);
        }
    }

    void resume() {
        if (request_.resume.empty()) return;
        if (is_kafkas(request_.texts, "resume", request_.resume)) {
            if (instance_.cluster) return note_releases();
            refuse_kafkas_schedule(request_.resume);
        }
        const reassign::ReadMoves done =
            read_lines_of_moves(request_, "resume", request_.resume, problem_);
        const auto refuse = [&](std::uint64_t line, const std::string& fault) {
            throw InputError(request_.resume + ':' + std::to_string(line) + ": " +
                             printable(fault));
        };
        for (const load::ItemDrop& drop : done.drops) {
            const auto at = reassign::find_dropped(instance_.dropped, drop);
            if (at == instance_.dropped.end())
                refuse(drop.line, reassign::words_of_wrong_drop(problem_, drop));
            instance_.dropped.erase(at);
        }
        if (!done.fault.empty()) refuse(done.fault_line, done.fault);
        carry_out(problem_, done.moves, done.leaders);
        instance_.resumed = done.moves.size();
        std::vector<Step> waves;
        waves.reserve(done.moves.size());
        for (const reassign::Move& move : done.moves)
            waves.push_back(move.wave);
        std::sort(waves.begin(), waves.end());
        waves.erase(std::unique(waves.begin(), waves.end()), waves.end());
        instance_.resumed_waves = waves.size();
        note_releases();
    }

    void note_releases() {
        for (const reassign::Resource& resource : problem_.resources)
            if (resource.release == reassign::Release::after_last && instance_.resumed > 0)
                instance_.notes.push_back(printable(resource.name) +
                                          " that the moves which are done have left is taken as "
                                          "free, though it is released after the last wave");
    }

    /// Of Kafka's waves those that are to be checked; those that are done are so.
    [[nodiscard]] std::vector<load::ItemDrop> drops_in(const char* option,
                                                       const std::string& file) const {
        if (!is_kafkas(request_.texts, option, file))
            return read_lines_of_moves(request_, option, file, problem_).drops;
        if (!instance_.cluster || option == std::string_view("resume")) return {};
        const load::Items items = items_of(*instance_.cluster);
        std::vector<std::vector<kafka::Replicas>> waves;
        for (const std::string& path :
             files_of_waves(request_, option, file, kafka::wave_files_from).paths)
            for (auto& wave : kafka::read_reassignments(
                     option_text(request_.texts, option, path, kafka::read_printed), path, items))
                waves.push_back(std::move(wave));
        return kafka::drops_of(waves, *instance_.cluster);
    }

    const ReassignRequest& request_;
    report::ReassignInstance instance_;
    reassign::Problem& problem_ = instance_.problem;
    reassign::Columns columns_;
    reassign::ReadTables read_;
    reassign::Rules rules_;
    std::optional<reassign::AskedObjective> objective_;
    std::vector<std::string> silent_brokers_;  ///< fenced, or without an answer
};

}  // namespace

void ReassignRequest::check() const {
    if (items.empty()) throw InputError("expected a file of items (item,machine,...), found none");
    expect_options_of_slots(*this);
    const auto lists = std::to_array<std::pair<const char*, const std::vector<std::string>&>>({
        {"--resources", resources},
        {"--labels", labels},
        {"--apart", apart},
        {"--pinned", pinned},
        {"--drain", drain},
    });
    for (const auto& [option, names] : lists)
        if (std::find(names.begin(), names.end(), "") != names.end())
            throw InputError(std::string(option) + ": expected names, found an empty one");
    if (!target.empty()) expect_no_aims_beside_target(*this);
    aims_of(*this).check(!objective.empty());
    if (!copy_from.empty() && copy_from != "old" && copy_from != "leader")
        throw InputError("--copy-from: expected old or leader, found \"" + printable(copy_from) +
                         '"');
    static_cast<void>(reassign::asked_copies(replicas));
    if (spread.size() > 1)
        for (const std::string& rule : spread)
            if (lower_case(rule) == "none")
                throw InputError("--spread: expected rules, or none alone, found both");
    if (at_once && (*at_once == 0 || *at_once > at_once_max))
        throw InputError("--at-once: expected a whole number from 1 to " +
                         std::to_string(at_once_max) + ", found " + std::to_string(*at_once));
    if (seconds && (!std::isfinite(*seconds) || *seconds < 0))
        throw InputError("--seconds: expected a number, 0 or more, found " +
                         std::to_string(*seconds));
    if (threads == 0 || threads > threads_max)
        throw InputError("--threads: expected a whole number from 1 to " +
                         std::to_string(threads_max) + ", found " + std::to_string(threads));
    if (memory_mb == 0)
        throw InputError("--memory: expected a whole number of megabytes from 1 on, found 0");
    const auto files = std::to_array<std::pair<const char*, std::string>>(
        {{"items", is_live(*this) ? std::string() : items},
         {"machines", machines},
         {"log-dirs", log_dirs},
         {"allowed", allowed},
         {"forbidden", forbidden},
         {"rules", rules},
         {"objective", objective},
         {"rates", rates},
         {"target", target.empty() ? target : target_file(*this)}});
    for (const auto& [option, file] : files)
        if (!texts.contains(option)) expect_file_there(file);
    if (!texts.contains("resume")) expect_file_there(kafka::wave_files_up_to(resume).paths.front());
}

report::ReassignInstance make_problem(const ReassignRequest& request, const std::string& schedule) {
    request.check();
    return ProblemMaker(request).make(schedule);
}

reassign::SearchOptions search_options(const ReassignRequest& request) {
    request.check();
    reassign::SearchOptions options;
    // Who waits for a running cluster has its slots change meanwhile.
    const double unasked_seconds = is_live(request) ? 2 : 30;
    options.effort = request.effort;
    options.seconds = request.seconds;
    if (!request.seconds && !request.effort) options.seconds = unasked_seconds;
    options.threads = request.threads;
    options.seed = request.seed;
    options.memory = request.memory_mb << 20U;
    return options;
}

std::string ReassignSchedule::place(Step wave, std::uint64_t line) const {
    return kafkas ? kafkas->place(wave, line) : file + ':' + std::to_string(line);
}

ReassignSchedule read_schedule(const ReassignRequest& request, const std::string& schedule,
                               const report::ReassignInstance& instance) {
    ReassignSchedule made;
    made.file = schedule;
    if (is_kafkas(request.texts, "check", schedule)) {
        if (!instance.cluster) refuse_kafkas_schedule(schedule);
        kafka::ReadReassignment read = kafka::read_reassignment(
            files_of_waves(request, "check", schedule, kafka::wave_files_from),
            [&](const std::string& path) {
                return option_text(request.texts, "check", path, kafka::read_printed);
            },
            instance, *instance.cluster);
        for (std::size_t at = 0; at < read.moves.size(); ++at)
            made.read.lines.push_back(read.waves.moves.moves[at].line);
        made.read.moves = std::move(read.moves);
        made.read.drops = std::move(read.drops);
        made.read.leader_lines.assign(read.leaders.size(), 0);
        made.read.leaders = std::move(read.leaders);
        made.read.fault = read.waves.moves.fault;
        made.read.fault_line = read.waves.moves.fault_line;
        made.read.fault_wave = read.waves.moves.fault_wave;
        made.kafkas = std::move(read.waves);
        return made;
    }
    made.read = read_lines_of_moves(request, "check", schedule, instance.problem);
    return made;
}

}  // namespace equipoise::catalogue
