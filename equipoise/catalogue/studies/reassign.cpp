#include "equipoise/catalogue/studies/reassign.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_documents.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/load/partitions.hpp"
#include "equipoise/reassign/input/aims.hpp"
#include "equipoise/reassign/input/rules.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::catalogue {

namespace {

constexpr std::uint64_t at_once_max = 1'000'000'000;
constexpr unsigned threads_max = 1024;

reassign::AskedAims aims_of(const ReassignRequest& request) {
    return {request.level, request.tolerance, request.fewest, request.only_if_above,
            request.at_most};
}

/// Makes a problem in the order in which its files say what is to be read of others.
class ProblemMaker {
  public:
    explicit ProblemMaker(const ReassignRequest& request) : request_(request) {}

    reassign::Instance make() {
        instance_.origin = request_.items;
        read_rules();
        name_columns(aims_of(request_), columns_);
        if (!request_.objective.empty()) {
            objective_ = reassign::read_objective(
                text_of("objective", request_.objective, read_json_text), request_.objective);
            name_columns(*objective_, columns_);
        }
        for (const std::string& name : request_.resources)
            columns_.resources.push_back({name, "--resources"});
        for (const std::string& name : request_.labels)
            columns_.labels.push_back({name, "--labels"});
        name_columns(rules_, columns_);
        read_tables();
        set_rules(rules_, read_, problem_);
        set_aims(aims_of(request_), objective_.has_value(), problem_, read_);
        instance_.level_by_default = request_.level.empty() && !objective_;
        if (objective_) set_objective(*objective_, read_, problem_);
        if (!request_.rates.empty())
            with_lines("rates", request_.rates,
                       [&](LineSource& source) { read_rates(source, problem_, read_); });
        const std::uint64_t unasked = problem_.gives.empty() ? 1 : 0;
        problem_.at_once = static_cast<Tokens>(request_.at_once.value_or(unasked));
        resume();
        note_units(problem_, read_);
        for (std::string& note : read_.notes)
            instance_.notes.push_back(std::move(note));
        problem_.check();
        return std::move(instance_);
    }

  private:
    /// Calls `read` with the lines of an option's file, or of the text in its place.
    template <class Read>
    void with_lines(const char* option, const std::string& file, const Read& read) const {
        const auto text = request_.texts.find(option);
        if (text == request_.texts.end()) {
            LineSource source(file);
            return read(source);
        }
        std::istringstream stream(text->second);
        LineSource source(stream, file);
        read(source);
    }

    [[nodiscard]] std::string text_of(const char* option, const std::string& file,
                                      std::string (*read)(const std::string&)) const {
        const auto text = request_.texts.find(option);
        return text == request_.texts.end() ? read(file) : text->second;
    }

    void read_rules() {
        for (const std::string& label : request_.apart)
            rules_.apart.push_back({label, "--apart"});
        for (const std::string& rule : request_.spread)
            rules_.spread.push_back(reassign::spread_rule(rule));
        for (const std::string& rule : request_.near)
            rules_.near.push_back(reassign::near_rule(rule));
        for (const bool forbidden : {false, true}) {
            const std::string& file = forbidden ? request_.forbidden : request_.allowed;
            if (file.empty()) continue;
            with_lines(forbidden ? "forbidden" : "allowed", file, [&](LineSource& source) {
                reassign::read_place_table(source, forbidden, rules_);
            });
        }
        rules_.pinned = request_.pinned;
        if (!request_.drain.empty()) {
            reassign::Selection drained{{{"machine", {}}}};
            for (const std::string& name : request_.drain)
                drained.labels.front().values.push_back({name, 0});
            rules_.drained.emplace_back(std::move(drained), "--drain");
        }
        if (!request_.rules.empty())
            reassign::read_rules(text_of("rules", request_.rules, read_json_text), request_.rules,
                                 rules_);
    }

    void read_tables() {
        std::optional<reassign::MachineTable> machines;
        if (!request_.machines.empty())
            with_lines("machines", request_.machines, [&](LineSource& source) {
                machines = reassign::read_machine_table(source, columns_);
            });
        if (is_kafkas()) {
            take_kafkas();
        } else {
            if (!request_.log_dirs.empty())
                throw InputError("--log-dirs: expected items in a file of Kafka's (.json), found " +
                                 request_.items);
            with_lines("items", request_.items, [&](LineSource& source) {
                reassign::read_items(source, columns_, problem_, read_);
            });
        }
        if (machines) {
            set_machines(*machines, columns_, problem_, read_);
        } else {
            no_machine_limits(problem_);
        }
        for (std::size_t at = 0; at < columns_.labels.size(); ++at)
            if (!read_.labels_found[at])
                throw InputError("--labels: expected a column of " + request_.items +
                                 (machines ? " or " + request_.machines : std::string()) +
                                 ", found \"" + printable(columns_.labels[at].name) + '"');
    }

    /// Whether the items are Kafka's; for a text, its name decides.
    [[nodiscard]] bool is_kafkas() const {
        return request_.texts.contains("items") ? request_.items.ends_with(".json")
                                                : load::holds_documents(request_.items);
    }

    void take_kafkas() {
        load::Items items =
            load::read_partitions(text_of("items", request_.items, read_text_with_json),
                                  request_.items, load::Assignment::current, &instance_.notes);
        if (!request_.log_dirs.empty())
            load::read_partition_sizes(text_of("log-dirs", request_.log_dirs, read_text_with_json),
                                       request_.log_dirs, items);
        take_partitions(items, request_.items, columns_, problem_, read_);
        instance_.are_partitions = items.are_partitions;
    }

    void resume() {
        if (request_.resume.empty()) return;
        const reassign::ReadMoves done = read_schedule_of("resume", request_.resume);
        if (!done.fault.empty())
            throw InputError(request_.resume + ':' + std::to_string(done.fault_line) + ": " +
                             printable(done.fault));
        carry_out(problem_, done.moves);
        instance_.resumed = done.moves.size();
        std::vector<Step> waves;
        for (const reassign::Move& move : done.moves)
            waves.push_back(move.wave);
        std::sort(waves.begin(), waves.end());
        waves.erase(std::unique(waves.begin(), waves.end()), waves.end());
        instance_.resumed_waves = waves.size();
        for (const reassign::Resource& resource : problem_.resources)
            if (resource.release == reassign::Release::after_last && !done.moves.empty())
                instance_.notes.push_back(printable(resource.name) +
                                          " that the moves which are done have left is taken as "
                                          "free, though it is released after the last wave");
    }

    [[nodiscard]] reassign::ReadMoves read_schedule_of(const char* option,
                                                       const std::string& file) const {
        reassign::ReadMoves moves;
        with_lines(option, file,
                   [&](LineSource& source) { moves = reassign::read_moves(source, problem_); });
        return moves;
    }

    const ReassignRequest& request_;
    reassign::Instance instance_;
    reassign::Problem& problem_ = instance_.problem;
    reassign::Columns columns_;
    reassign::ReadTables read_;
    reassign::Rules rules_;
    std::optional<reassign::AskedObjective> objective_;
};

}  // namespace

void ReassignRequest::check() const {
    if (items.empty()) throw InputError("expected a file of items (item,machine,...), found none");
    const std::pair<const char*, const std::vector<std::string>&> lists[] = {
        {"--resources", resources}, {"--labels", labels}, {"--apart", apart},
        {"--pinned", pinned},       {"--drain", drain},
    };
    for (const auto& [option, names] : lists)
        if (std::find(names.begin(), names.end(), "") != names.end())
            throw InputError(std::string(option) + ": expected names, found an empty one");
    aims_of(*this).check(!objective.empty());
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
    const std::pair<const char*, const std::string&> files[] = {
        {"items", items},         {"machines", machines},   {"log-dirs", log_dirs},
        {"allowed", allowed},     {"forbidden", forbidden}, {"rules", rules},
        {"objective", objective}, {"rates", rates},         {"resume", resume}};
    for (const auto& [option, file] : files)
        if (!texts.contains(option)) expect_file_there(file);
}

reassign::Instance make_problem(const ReassignRequest& request) {
    request.check();
    return ProblemMaker(request).make();
}

reassign::SearchOptions search_options(const ReassignRequest& request) {
    request.check();
    reassign::SearchOptions options;
    constexpr double unasked_seconds = 30;
    options.effort = request.effort;
    options.seconds = request.seconds;
    if (!request.seconds && !request.effort) options.seconds = unasked_seconds;
    options.threads = request.threads;
    options.seed = request.seed;
    options.memory = request.memory_mb << 20U;
    return options;
}

reassign::ReadMoves read_schedule(const ReassignRequest& request, const std::string& schedule,
                                  const reassign::Instance& instance) {
    const auto text = request.texts.find("check");
    if (text == request.texts.end()) {
        LineSource source(schedule);
        return reassign::read_moves(source, instance.problem);
    }
    std::istringstream stream(text->second);
    LineSource source(stream, schedule);
    return reassign::read_moves(source, instance.problem);
}

}  // namespace equipoise::catalogue
