#include "equipoise/catalogue/studies/reassign_answer.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/checks/givers.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/plan.hpp"

namespace equipoise::catalogue {

namespace {

/// The moves of a schedule that can be replayed, each with its line: those before the wave in which
/// reading them ended.
struct Replayable {
    std::vector<reassign::Move> moves;
    std::vector<std::uint64_t> lines;
};

Replayable replayable(reassign::ReadMoves&& read) {
    if (read.fault.empty()) return {std::move(read.moves), std::move(read.lines)};
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
    static_cast<reassign::Instance&>(answer) = make_problem(request);
    answer.plan = reassign::make_plan(answer.problem, options);
    answer.timed = !request.effort;
    return answer;
}

ReassignAnswer judge_reassign(const ReassignRequest& request, const std::string& schedule) {
    request.check();
    ReassignAnswer answer;
    static_cast<reassign::Instance&>(answer) = make_problem(request);
    answer.schedule = schedule;
    reassign::ReadMoves read = read_schedule(request, schedule, answer);
    const std::string read_fault =
        read.fault.empty() ? "" : at_line(schedule, read.fault_line, read.fault);
    Replayable kept = replayable(std::move(read));
    reassign::Plan& plan = answer.plan;
    plan = judge_moves(answer.problem, std::move(kept.moves), search_options(request));
    if (!plan.replayed.fault.empty()) {
        answer.fault = at_line(schedule, kept.lines[plan.replayed.fault_at], plan.replayed.fault);
    } else if (!read_fault.empty()) {
        answer.fault = read_fault;
    } else if (const auto at = not_to_give(answer.problem, plan.moves)) {
        const reassign::Move& move = plan.moves[*at];
        answer.fault = at_line(schedule, kept.lines[*at],
                               "machine " + answer.problem.machine_name(move.from) +
                                   " gives, though --only-if-above lets it keep what it has");
    } else if (!plan.replayed.within_budget) {
        answer.fault = printable(schedule + ": ") + beyond_budget(answer.problem, plan.replayed);
    }
    return answer;
}

}  // namespace equipoise::catalogue
