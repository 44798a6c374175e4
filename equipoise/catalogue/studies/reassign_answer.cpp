#include "equipoise/catalogue/studies/reassign_answer.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/reassignment.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/checks/givers.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/input/copies.hpp"
#include "equipoise/reassign/plan.hpp"

namespace equipoise::catalogue {

namespace {

/// What can be replayed of a schedule, each with its line: of one that could not be read to its
/// end, the moves before the wave in which reading them ended.
struct Replayable {
    std::vector<reassign::Move> moves;
    std::vector<std::uint64_t> lines;
    std::vector<reassign::LeaderChange> leaders;
    std::vector<std::uint64_t> leader_lines;
    std::optional<reassign::WaitsFor> waits_for = {};
};

Replayable replayable(reassign::ReadMoves&& read) {
    if (read.fault.empty())
        return {std::move(read.moves), std::move(read.lines), std::move(read.leaders),
                std::move(read.leader_lines), std::move(read.waits_for)};
    Replayable kept;
    for (std::size_t i = 0; i < read.moves.size(); ++i) {
        if (read.moves[i].wave >= read.fault_wave) continue;
        kept.moves.push_back(read.moves[i]);
        kept.lines.push_back(read.lines[i]);
    }
    return kept;
}

std::string at_line(const std::string& schedule, std::uint64_t line, const std::string& fault) {
    return printable(schedule + ':' + std::to_string(line) + ": " + fault);
}

/// The fault with the place of the line in its file.
std::string at(const ReassignSchedule& schedule, Step wave, std::uint64_t line,
               const std::string& fault) {
    return printable(schedule.place(wave, line) + ": " + fault);
}

/// Whether a schedule drops exactly the copies that are too many; if not, why not.
std::string fault_of_drops(const ReassignAnswer& answer, const std::vector<load::ItemDrop>& drops) {
    std::vector<reassign::DroppedCopy> left = answer.dropped;
    for (const load::ItemDrop& drop : drops) {
        const auto at = reassign::find_dropped(left, drop);
        if (at == left.end())
            return at_line(answer.schedule, drop.line,
                           reassign::words_of_wrong_drop(answer.problem, drop));
        left.erase(at);
    }
    if (left.empty()) return "";
    const reassign::DroppedCopy& kept = left.front();
    return printable(answer.schedule + ": no line drops a copy of " +
                     std::string(answer.problem.things.name(kept.thing)) +
                     ", of which --replicas asks for fewer");
}

/// The first move of an item away from a machine that `--only-if-above` does not let give.
std::optional<std::size_t> not_to_give(const reassign::Problem& problem,
                                       const std::vector<reassign::Move>& moves) {
    if (problem.only_if_above == 0) return {};
    const std::vector<bool> gives = reassign::givers(problem);
    for (std::size_t at = 0; at < moves.size(); ++at)
        if (moves[at].from == problem.places[moves[at].item] && !gives[moves[at].from]) return at;
    return {};
}

/// What the moves take beyond the budget, in words.
std::string beyond_budget(const reassign::Problem& problem, const reassign::Replayed& replayed) {
    const reassign::Budget& budget = problem.budget;
    for (std::size_t resource = 0; resource < budget.amounts.size(); ++resource) {
        if (replayed.moved[resource] <= budget.amounts[resource]) continue;
        const reassign::Resource& of = problem.resources[resource];
        return resource == reassign::items_resource
                   ? counted(replayed.moved[resource], "move") + ", above the " +
                         grouped(budget.amounts[resource]) + " that --at-most allows"
                   : reassign::amount_text(of, replayed.moved[resource]) + " of " + of.name +
                         ", above the " + reassign::amount_text(of, budget.amounts[resource]) +
                         " that --at-most allows";
    }
    return counted(std::uint64_t{replayed.waves}, "wave") + ", above the " + grouped(budget.waves) +
           " that --at-most allows";
}

}  // namespace

ReassignAnswer answer_reassign(const ReassignRequest& request, const ReassignControl& control) {
    request.check();
    reassign::SearchOptions options = search_options(request);
    options.stop = control.stop;
    options.progress = control.progress;
    ReassignAnswer answer;
    static_cast<report::ReassignInstance&>(answer) = make_problem(request);
    if (control.read) control.read(answer);
    answer.plan = reassign::make_plan(answer.problem, options);
    if (answer.cluster) kafka::add_elected_leaders(answer, *answer.cluster, answer.plan);
    answer.timed = !request.effort;
    return answer;
}

ReassignAnswer judge_reassign(const ReassignRequest& request, const std::string& schedule) {
    request.check();
    ReassignAnswer answer;
    static_cast<report::ReassignInstance&>(answer) = make_problem(request, schedule);
    answer.schedule = schedule;
    ReassignSchedule given = read_schedule(request, schedule, answer);
    reassign::ReadMoves& read = given.read;
    const std::string drop_fault = fault_of_drops(answer, read.drops);
    const std::string read_fault =
        read.fault.empty() ? "" : at(given, read.fault_wave, read.fault_line, read.fault);
    Replayable kept = replayable(std::move(read));
    reassign::Plan& plan = answer.plan;
    plan = judge_moves(answer.problem, std::move(kept.moves), std::move(kept.leaders),
                       search_options(request), std::move(kept.waits_for));
    // Files of Kafka's say it themselves, as they have the order of replicas.
    if (answer.cluster && !given.kafkas && drop_fault.empty() && read_fault.empty() &&
        plan.replayed.allowed && plan.replayed_leaders.fault.empty())
        kafka::add_elected_leaders(answer, *answer.cluster, plan);
    if (!drop_fault.empty()) {
        answer.fault = drop_fault;
    } else if (!plan.replayed.fault.empty()) {
        const std::size_t move = plan.replayed.fault_at;
        answer.fault = at(given, plan.moves[move].wave, kept.lines[move], plan.replayed.fault);
    } else if (!plan.checked_waits.fault.empty()) {
        const std::size_t move = plan.checked_waits.fault_at;
        answer.fault = at(given, plan.moves[move].wave, kept.lines[move],
                          "without barriers: " + plan.checked_waits.fault);
    } else if (!plan.replayed_leaders.fault.empty()) {
        const std::string& fault = plan.replayed_leaders.fault;
        answer.fault =
            given.kafkas
                ? printable(given.words() + ": " + fault)
                : at_line(schedule, kept.leader_lines[plan.replayed_leaders.fault_at], fault);
    } else if (!read_fault.empty()) {
        answer.fault = read_fault;
    } else if (const auto number = not_to_give(answer.problem, plan.moves)) {
        const reassign::Move& move = plan.moves[*number];
        answer.fault = at(given, move.wave, kept.lines[*number],
                          "machine " + answer.problem.machine_name(move.from) +
                              " gives, though --only-if-above lets it keep what it has");
    } else if (!plan.replayed.within_budget) {
        answer.fault =
            printable(given.words() + ": ") + beyond_budget(answer.problem, plan.replayed);
    }
    if (answer.fault.empty() && given.kafkas) {
        const std::string fault = kafka::fault_of_order(
            items_of(*answer.cluster), kafka::given_order(answer), given.kafkas->order);
        if (!fault.empty()) answer.fault = printable(given.words() + ": " + fault);
    }
    return answer;
}

}  // namespace equipoise::catalogue
