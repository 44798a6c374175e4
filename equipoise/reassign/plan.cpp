#include "equipoise/reassign/plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/leaders/decide.hpp"
#include "equipoise/reassign/schedule/made_schedule.hpp"

namespace equipoise::reassign {

namespace {

/// The search through all placements ends in a second or so: a step of it looks at all items and
/// machines.
std::uint64_t steps_of_all_placements(const Problem& problem) {
    constexpr std::uint64_t looks = 40'000'000;
    return looks / (std::uint64_t{problem.item_count()} * problem.machine_count() + 1);
}
/// How often another placement is tried where the waves do not reach the first one.
constexpr int attempts_most = 6;
constexpr const char* searched_placements = "all placements were searched";

/// A placement, the waves that lead towards it, and how far they come.
struct Attempt {
    SearchedPlacement placement;
    Schedule schedule;
    Replayed replayed;
};

class Planner {
  public:
    Planner(const Problem& problem, const SearchOptions& options)
        : problem_(problem), options_(options) {}

    Plan make() {
        Plan plan = problem_.given_ends.empty() ? make_to_aims() : make_to_given_ends();
        LeaderPlan leaders = decide_leaders(problem_, plan.replayed.places);
        plan.leaders = std::move(leaders.changes);
        judge_leaders(plan);
        EQUIPOISE_ASSERT(plan.replayed_leaders.fault.empty());
        EQUIPOISE_ASSERT(Int128{plan.led_after.over} ==
                         (problem_.leaders_tolerance ? leaders.over.at_least : 0));
        plan.at_least.leaders_over = std::move(leaders.over);
        plan.at_least.leaders_changed = std::move(leaders.changed);
        return plan;
    }

    Plan judge(std::vector<Move> moves, std::vector<LeaderChange> leaders) {
        Plan plan;
        plan.before = stand(problem_, problem_.places);
        plan.moves = std::move(moves);
        plan.leaders = std::move(leaders);
        plan.replayed = replay(problem_, plan.moves);
        if (plan.replayed.allowed) plan.detours = detours_of(plan);
        plan.method = "given";
        plan.missed = missed_by(plan.replayed.places);
        judge_leaders(plan);
        if (!plan.replayed.allowed || !plan.replayed.within_budget) return plan;
        if (problem_.given_ends.empty()) {
            Known known;
            if (const auto all = search_all_places(problem_, steps_of_all_placements(problem_)))
                known = {all->score, searched_placements};
            plan.at_least = bounds(plan.replayed.end.score, known);
        } else {
            plan.at_least = bounds_of_given_ends(plan);
        }
        LeaderPlan least = decide_leaders(problem_, plan.replayed.places);
        plan.at_least.leaders_over = std::move(least.over);
        plan.at_least.leaders_changed = std::move(least.changed);
        return plan;
    }

  private:
    /// A score that no plan undercuts, and why.
    struct Known {
        std::optional<Score> score;
        const char* reason = "";
    };

    void judge_leaders(Plan& plan) const {
        plan.led_before = stand_leaders(problem_, problem_.places, leaders_of(problem_));
        plan.replayed_leaders =
            replay_leaders(problem_, plan.replayed.places,
                           plan.replayed.allowed ? std::span<const LeaderChange>(plan.leaders)
                                                 : std::span<const LeaderChange>());
        plan.led_after =
            stand_leaders(problem_, plan.replayed.places, plan.replayed_leaders.leaders);
    }

    [[nodiscard]] std::uint64_t missed_by(const std::vector<MachineId>& places) const {
        std::uint64_t missed = 0;
        for (ItemId item = 0; item < problem_.given_ends.size(); ++item)
            if (places[item] != problem_.given_ends[item]) ++missed;
        return missed;
    }

    Plan make_to_given_ends() {
        Plan plan;
        plan.before = stand(problem_, problem_.places);
        ScheduleOptions waves;
        waves.seed = options_.seed;
        waves.stop = options_.stop;
        Schedule schedule = problem_.budget.waves == tokens_max
                                ? schedule_moves(problem_, problem_.given_ends, waves)
                                : schedule_within(problem_, problem_.given_ends, waves);
        plan.moves = std::move(schedule.moves);
        plan.replayed = replay(problem_, plan.moves);
        EQUIPOISE_ASSERT(plan.replayed.allowed);
        plan.detours = detours_of(plan);
        plan.method = "given ends";
        plan.interrupted = stopped();
        plan.missed = missed_by(plan.replayed.places);
        plan.at_least = bounds_of_given_ends(plan);
        return plan;
    }

    /// Whoever takes every item where it is to end cannot choose how that stands.
    [[nodiscard]] Bounds bounds_of_given_ends(const Plan& plan) const {
        Bounds least;
        if (plan.missed > 0) return least;
        const Score& given = plan.replayed.end.score;
        const auto all = [](Int128 number) {
            return Bound{number, number > 0 ? "where items end is given" : ""};
        };
        least.broken = all(given.broken);
        least.over_thresholds = all(given.over_thresholds);
        least.over_levels = all(given.over_levels);
        least.cost = all(given.cost);
        least.fewest = all(given.fewest);
        least.moves = all(given.moves);
        least.waves = waves_at_least(problem_, problem_.given_ends);
        return least;
    }

    Plan make_to_aims() {
        Plan plan;
        plan.before = stand(problem_, problem_.places);
        Attempt best = attempt(problem_);
        Known known;
        if (best.placement.proved) known = {best.placement.score, searched_placements};
        std::uint64_t effort = best.placement.effort;
        if (!known.score || !take_best_schedule(best, known)) {
            for (int tried = 1;
                 tried < attempts_most && !best.schedule.blocked.empty() && !stopped(); ++tried) {
                Attempt other = attempt(without_blocked(best, tried));
                effort += other.placement.effort;
                if (better(other, best)) best = std::move(other);
            }
        }
        plan.moves = std::move(best.schedule.moves);
        plan.replayed = std::move(best.replayed);
        plan.detours = detours_of(plan);
        plan.effort = effort;
        plan.method = known.score ? "all placements" : "local search";
        plan.interrupted = stopped();
        plan.at_least = bounds(plan.replayed.end.score, known);
        // What relaxations change are rules about the end: they know no waves.
        if (plan.replayed.end.score.broken > 0 && problem_.budget.waves == tokens_max)
            plan.conflicts = relaxations(problem_, best.placement, options_);
        return plan;
    }

    [[nodiscard]] bool stopped() const { return options_.stop.stop_requested(); }

    /// The moves that do not lead where the item is in the end.
    [[nodiscard]] std::uint64_t detours_of(const Plan& plan) const {
        return made_schedule(problem_, plan.replayed.places, plan.moves).detours;
    }

    /// A score that no placement undercuts, if there is one with rules, thresholds and levels.
    [[nodiscard]] Score score_at_least() const {
        const Bounds least = bounds_of(problem_, Score(), bound_options());
        return {least.broken.at_least, least.over_thresholds.at_least, least.over_levels.at_least,
                least.cost.at_least,   least.fewest.at_least,          least.moves.at_least};
    }

    [[nodiscard]] BoundOptions bound_options() const {
        BoundOptions options;
        options.linear_program = !options_.effort;
        return options;
    }

    [[nodiscard]] Attempt attempt(const Problem& problem) {
        Attempt made;
        ScheduleOptions waves;
        waves.seed = options_.seed;
        waves.stop = options_.stop;
        if (std::optional<SearchedPlacement> all =
                search_all_places(problem, steps_of_all_placements(problem))) {
            made.placement = std::move(*all);
        } else {
            if (!least_) least_ = score_at_least();
            made.placement = search_places(problem, options_, least_);
        }
        made.schedule = problem_.budget.waves == tokens_max
                            ? schedule_as_good(problem_, made.placement.places, waves)
                            : schedule_within(problem_, made.placement.places, waves);
        made.replayed = replay(problem_, made.schedule.moves);
        EQUIPOISE_ASSERT(made.replayed.allowed);
        return made;
    }

    /// The problem with items that stay because no wave could take them: the search then finds
    /// another way to the same aims.
    [[nodiscard]] Problem without_blocked(const Attempt& from, int tried) const {
        Problem problem = problem_;
        if (problem.stays.empty()) problem.stays.assign(problem.item_count(), false);
        const std::vector<ItemId>& blocked = from.schedule.blocked;
        // One of them at first, each time another one; then all.
        if (tried + 1 < attempts_most) {
            problem.stays[blocked[static_cast<std::size_t>(tried - 1) % blocked.size()]] = true;
        } else {
            for (const ItemId item : blocked)
                problem.stays[item] = true;
        }
        return problem;
    }

    /// Whether all schedules could be searched for the best that they reach.
    [[nodiscard]] bool take_best_schedule(Attempt& best, Known& known) const {
        const bool is_done = best.replayed.end.score == *known.score &&
                             Int128{static_cast<Tokens>(best.schedule.waves())} ==
                                 waves_at_least(problem_, *known.score).at_least;
        if (is_done) return true;
        ScheduleOptions waves;
        waves.stop = options_.stop;
        std::optional<Schedule> schedule = best_schedule(problem_, *known.score, waves);
        if (!schedule) return false;
        best.schedule = *std::move(schedule);
        best.replayed = replay(problem_, best.schedule.moves);
        EQUIPOISE_ASSERT(best.replayed.allowed);
        known = {best.replayed.end.score, "all schedules were searched"};
        return true;
    }

    static bool better(const Attempt& one, const Attempt& other) {
        const Score& a = one.replayed.end.score;
        const Score& b = other.replayed.end.score;
        if (a != b) return a < b;
        return one.replayed.waves < other.replayed.waves;
    }

    [[nodiscard]] Bounds bounds(const Score& reached, const Known& known) const {
        Bounds least = bounds_of(problem_, reached, bound_options());
        least.waves = waves_at_least(problem_, reached);
        if (!known.score) return least;
        const Score& lowest = *known.score;
        // What all were searched for holds as long as the parts before it are reached.
        const std::pair<Bound*, std::pair<Int128, Int128>> parts[] = {
            {&least.broken, {lowest.broken, reached.broken}},
            {&least.over_thresholds, {lowest.over_thresholds, reached.over_thresholds}},
            {&least.over_levels, {lowest.over_levels, reached.over_levels}},
            {&least.cost, {lowest.cost, reached.cost}},
            {&least.fewest, {lowest.fewest, reached.fewest}},
            {&least.moves, {lowest.moves, reached.moves}}};
        for (const auto& [bound, numbers] : parts) {
            if (bound->at_least < numbers.first) *bound = {numbers.first, known.reason};
            if (numbers.first != numbers.second) break;
        }
        return least;
    }

    const Problem& problem_;
    const SearchOptions& options_;
    std::optional<Score> least_;
};

}  // namespace

Plan make_plan(const Problem& problem, const SearchOptions& options) {
    problem.check();
    return Planner(problem, options).make();
}

Plan judge_moves(const Problem& problem, std::vector<Move> moves, std::vector<LeaderChange> leaders,
                 const SearchOptions& options) {
    problem.check();
    return Planner(problem, options).judge(std::move(moves), std::move(leaders));
}

}  // namespace equipoise::reassign
