#include "equipoise/reassign/plan.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/reassign/leaders/decide.hpp"
#include "equipoise/reassign/schedule/made_schedule.hpp"
#include "equipoise/reassign/search/move_cost.hpp"

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
/// What moves wait for is checked once more in plans of at most this many moves.
constexpr std::size_t checked_once_more = 300;
constexpr const char* searched_placements = "all placements were searched";

/// Parts of the time that is left when a stage begins, where there is a limit. A probe is a short
/// first search, and short waves after it. Where waves are blocked, other ends are looked for:
/// without meetings in a second search, with items that stay in further ones. Where the waves of a
/// probe were quick, those after the search need less time.
constexpr double part_of_first_bounds = 0.05;
constexpr double part_of_probe = 0.05;
constexpr double part_of_search = 0.85;
constexpr double part_of_search_with_quick_waves = 0.92;
constexpr double part_of_second_search = 0.6;
constexpr double part_of_other_search = 0.3;
constexpr double part_of_waves = 0.6;
constexpr double part_of_bounds = 0.7;

/// A placement, the waves that lead towards it, and how far they come.
struct Attempt {
    SearchedPlacement placement;
    Schedule schedule;
    Replayed replayed;
    std::chrono::duration<double> waves_took{0};  ///< to be found
    bool cut_short = false;                       ///< whether the time for waves ended
};

class Planner {
  public:
    Planner(const Problem& problem, const SearchOptions& options)
        : problem_(problem),
          options_(options),
          limit_(options.seconds),
          end_(options.stop, limit_.after(1)),
          end_of_time_({}, limit_.after(1)) {}

    Plan make() {
        Plan plan = problem_.given_ends.empty() ? make_to_aims() : make_to_given_ends();
        find_order(plan);
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

    Plan judge(std::vector<Move> moves, std::vector<LeaderChange> leaders,
               std::optional<WaitsFor> waits_for) {
        Plan plan;
        plan.before = stand(problem_, problem_.places);
        plan.moves = std::move(moves);
        plan.leaders = std::move(leaders);
        plan.replayed = replay(problem_, plan.moves);
        if (plan.replayed.allowed) plan.detours = detours_of(plan);
        if (plan.replayed.allowed && waits_for) {
            judge_order(plan, *std::move(waits_for));
        } else if (plan.replayed.allowed) {
            find_order(plan);
        }
        plan.method = "given";
        plan.missed = missed_by(plan.replayed.places);
        judge_leaders(plan);
        if (!plan.replayed.allowed || !plan.replayed.within_budget) return plan;
        if (problem_.given_ends.empty()) {
            Known known;
            if (const auto all =
                    search_all_places(problem_, steps_of_all_placements(problem_), end_.token()))
                known = {all->score, searched_placements};
            plan.at_least = bounds(plan.replayed.end.score, known);
            plan.bounds_cut_short = plan.at_least.cut_short || end_of_time_.is_late();
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

    void find_order(Plan& plan) const {
        PartialOrderOptions options;
        options.stop = options_.stop;
        plan.order = partial_order(problem_, plan.moves, options);
        EQUIPOISE_ASSERT(plan.moves.size() > checked_once_more ||
                         check_waits(problem_, plan.moves, plan.order.waits_for).kept);
        bound_seconds(plan);
    }

    void judge_order(Plan& plan, WaitsFor waits_for) const {
        plan.checked_waits = check_waits(problem_, plan.moves, waits_for);
        plan.order.waits_for = std::move(waits_for);
        if (!plan.checked_waits.kept) return;
        set_times(problem_, plan.moves, plan.order);
        bound_seconds(plan);
    }

    /// The bound on the seconds of any schedule, sums of which are rounded.
    void bound_seconds(Plan& plan) const {
        plan.seconds_at_least = seconds_at_least(problem_, plan.replayed.places);
        if (plan.order.ends.empty()) return;
        constexpr double rounding = 1e-9;
        EQUIPOISE_ASSERT(plan.seconds_at_least.at_least <= plan.order.seconds() * (1 + rounding));
        plan.seconds_at_least.at_least =
            std::min(plan.seconds_at_least.at_least, plan.order.seconds());
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
        const TimedStop waves_end(options_.stop, limit_.after(part_of_search));
        const ScheduleOptions waves = wave_options(waves_end);
        Schedule schedule = problem_.budget.waves == tokens_max
                                ? schedule_moves(problem_, problem_.given_ends, waves)
                                : schedule_within(problem_, problem_.given_ends, waves);
        plan.waves_cut_short = waves_end.is_late();
        plan.moves = std::move(schedule.moves);
        plan.replayed = replay(problem_, plan.moves);
        EQUIPOISE_ASSERT(plan.replayed.allowed);
        plan.detours = detours_of(plan);
        plan.method = "given ends";
        plan.interrupted = options_.stop.stop_requested();
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
        Attempt best = first_attempt();
        Known known;
        if (best.placement.proved) known = {best.placement.score, searched_placements};
        std::uint64_t effort = best.placement.effort;
        if (!known.score || !take_best_schedule(best, known)) {
            for (int tried = 1; tried < attempts_most && !best.schedule.blocked.empty() &&
                                !end_.token().stop_requested();
                 ++tried) {
                const std::optional<Problem> apart =
                    kept_apart_ ? std::nullopt : without_meetings();
                Attempt other =
                    attempt(apart ? *apart : without_blocked(best, tried),
                            apart ? part_of_second_search : part_of_other_search, part_of_waves);
                effort += other.placement.effort;
                if (better(other, best)) best = std::move(other);
            }
        }
        spare_detours(best, known, effort);
        plan.moves = std::move(best.schedule.moves);
        plan.replayed = std::move(best.replayed);
        plan.detours = detours_of(plan);
        plan.effort = effort;
        plan.method = known.score ? "all placements" : "local search";
        plan.interrupted = options_.stop.stop_requested();
        plan.at_least = bounds(plan.replayed.end.score, known);
        // What relaxations change are rules about the end: they know no waves.
        if (plan.replayed.end.score.broken > 0 && problem_.budget.waves == tokens_max)
            plan.conflicts = relaxations(problem_, best.placement, search_options(1));
        plan.waves_cut_short = best.cut_short;
        plan.bounds_cut_short = plan.at_least.cut_short || end_of_time_.is_late();
        return plan;
    }

    /// The options of a search that takes this part of what is left.
    [[nodiscard]] SearchOptions search_options(double part) const {
        SearchOptions options = options_;
        options.seconds = limit_.left(part);
        options.stop = end_.token();
        return options;
    }
    [[nodiscard]] ScheduleOptions wave_options(const TimedStop& end) const {
        ScheduleOptions waves;
        waves.seed = options_.seed;
        waves.stop = end.token();
        return waves;
    }

    /// The moves that do not lead where the item is in the end.
    [[nodiscard]] std::uint64_t detours_of(const Plan& plan) const {
        return made_schedule(problem_, plan.replayed.places, plan.moves).detours;
    }

    /// A score that no placement undercuts, if there is one with rules, thresholds and levels.
    [[nodiscard]] Score score_at_least() const {
        const Bounds least = bounds_of(problem_, Score(), bound_options(part_of_first_bounds));
        return {least.broken.at_least, least.over_thresholds.at_least, least.over_levels.at_least,
                least.cost.at_least,   least.fewest.at_least,          least.moves.at_least};
    }

    [[nodiscard]] BoundOptions bound_options(double part) const {
        BoundOptions options;
        options.linear_program = !options_.effort;
        options.seconds = std::min(options.seconds, limit_.left(part).value_or(options.seconds));
        options.stop = end_of_time_.token();
        return options;
    }

    /// Placements with low costs mostly leave little room: a short search first tells whether waves
    /// lead to such ends.
    [[nodiscard]] Attempt first_attempt() {
        if (!problem_.objective.given || !limit_.left())
            return attempt(problem_, part_of_search, part_of_waves);
        Attempt first = attempt(problem_, part_of_probe, part_of_probe);
        if (first.placement.proved) return first;
        const std::optional<Problem> apart =
            first.schedule.blocked.empty() ? std::nullopt : without_meetings();
        constexpr double longer = 4;  // than the waves of the probe took
        const bool are_quick =
            longer * first.waves_took.count() < *limit_.left(1 - part_of_search_with_quick_waves);
        const double part = are_quick ? part_of_search_with_quick_waves : part_of_search;
        Attempt second = attempt(apart ? *apart : problem_, part, part_of_waves);
        const std::uint64_t effort = first.placement.effort + second.placement.effort;
        Attempt& best = better(first, second) ? first : second;
        best.placement.effort = effort;
        return std::move(best);
    }

    /// The problem in which no item goes where one is from which it must be apart, not even if that
    /// one leaves: none waits for another one then, and no circle of them needs detours. Nothing if
    /// no item must be apart from another one on the way: the problem is the same then.
    [[nodiscard]] std::optional<Problem> without_meetings() {
        kept_apart_ = true;
        bool is_same = true;
        Problem problem = problem_;
        const MachineId machines = problem.machine_count();
        problem.allowed_set.resize(problem.item_count(), any_machine);
        for (const Apart& rule : problem.apart) {
            if (!rule.on_the_way) continue;
            const Label& label = problem.item_labels[rule.label];
            std::vector<std::vector<MachineId>> places(label.values.size());
            for (ItemId item = 0; item < problem.item_count(); ++item)
                if (label.of[item] != no_value)
                    places[label.of[item]].push_back(problem.places[item]);
            for (ItemId item = 0; item < problem.item_count(); ++item) {
                if (label.of[item] == no_value || places[label.of[item]].size() == 1) continue;
                is_same = false;
                const std::uint32_t old = problem.allowed_set[item];
                std::vector<bool> set =
                    old == any_machine ? std::vector<bool>(machines, true) : problem.sets[old];
                for (const MachineId place : places[label.of[item]])
                    if (place != problem.places[item]) set[place] = false;
                problem.allowed_set[item] = static_cast<std::uint32_t>(problem.sets.size());
                problem.sets.push_back(std::move(set));
            }
        }
        if (is_same) return std::nullopt;
        return problem;
    }

    /// Of what is left, these parts are for the search, and after it for waves.
    [[nodiscard]] Attempt attempt(const Problem& problem, double searching, double scheduling) {
        SearchedPlacement placement;
        if (std::optional<SearchedPlacement> all =
                search_all_places(problem, steps_of_all_placements(problem), end_.token())) {
            placement = std::move(*all);
        } else {
            if (!least_) least_ = score_at_least();
            placement = search_places(problem, search_options(searching), least_);
        }
        const TimedStop waves_end(options_.stop, limit_.after(scheduling));
        const auto began = std::chrono::steady_clock::now();
        Schedule schedule = scheduled(problem_, placement.places, wave_options(waves_end));
        const auto took = std::chrono::steady_clock::now() - began;
        Attempt made = carried_out(std::move(placement), std::move(schedule));
        made.waves_took = took;
        made.cut_short = waves_end.is_late();
        return made;
    }

    [[nodiscard]] static Schedule scheduled(const Problem& problem,
                                            const std::vector<MachineId>& ends,
                                            const ScheduleOptions& waves) {
        return problem.budget.waves == tokens_max ? schedule_as_good(problem, ends, waves)
                                                  : schedule_within(problem, ends, waves);
    }

    [[nodiscard]] Attempt carried_out(SearchedPlacement placement, Schedule schedule) const {
        Attempt made{std::move(placement), std::move(schedule), {}, {}, false};
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
        const bool is_done =
            best.replayed.end.score == *known.score &&
            Int128{static_cast<Tokens>(best.schedule.waves())} ==
                waves_at_least(problem_, *known.score, effort_of_waves, end_of_time_.token())
                    .at_least;
        if (is_done) return true;
        const TimedStop waves_end(options_.stop, limit_.after(part_of_waves));
        ScheduleOptions waves = wave_options(waves_end);
        std::optional<Schedule> schedule = best_schedule(problem_, *known.score, waves);
        if (!schedule) return false;
        best = carried_out(std::move(best.placement), *std::move(schedule));
        known = {best.replayed.end.score, "all schedules were searched"};
        return true;
    }

    /// The score of the end, with what detours cost besides.
    [[nodiscard]] Score score_of(const Attempt& made) const {
        Score score = made.replayed.end.score;
        score.cost += cost_of_detours(made);
        return score;
    }

    /// What the moves cost beyond what it costs that items end elsewhere than they were.
    [[nodiscard]] Int128 cost_of_detours(const Attempt& made) const {
        if (!problem_.objective.given) return 0;
        Int128 more = 0;
        for (const Move& move : made.schedule.moves)
            more += move_cost(problem_, move.item, move.from, move.to);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            more -= move_cost(problem_, item, problem_.places[item], made.replayed.places[item]);
        // Cheap pairs of machines on the way are no reason for a detour.
        return std::max<Int128>(more, 0);
    }

    /// Items that go by way of other machines.
    [[nodiscard]] static std::vector<ItemId> detouring(const Attempt& made) {
        std::vector<ItemId> items;
        for (const Move& move : made.schedule.moves)
            if (move.to != made.replayed.places[move.item]) items.push_back(move.item);
        return items;
    }

    /// The problem with at most so many moves.
    [[nodiscard]] Problem with_moves(std::size_t most) const {
        Problem problem = problem_;
        problem.budget.amounts.resize(problem.resource_count(), tokens_max);
        Tokens& moves = problem.budget.amounts[items_resource];
        moves = std::min(moves, static_cast<Tokens>(most));
        return problem;
    }

    /// Detours cost further moves: tries whether another plan, with fewer of them, costs less.
    void spare_detours(Attempt& best, const Known& known, std::uint64_t& effort) {
        if (cost_of_detours(best) == 0) return;
        const auto offer = [&](Attempt&& other) {
            const bool is_better = better(other, best);
            if (is_better) best = std::move(other);
            return is_better;
        };
        if (known.score) {
            // All plans with fewer moves, one move after the other.
            bool goes_on = true;
            while (goes_on && !detouring(best).empty() && !end_.token().stop_requested()) {
                const TimedStop waves_end(options_.stop, limit_.after(part_of_waves));
                std::optional<Schedule> schedule =
                    best_schedule(with_moves(best.schedule.moves.size() - 1), *known.score,
                                  wave_options(waves_end));
                goes_on = schedule && offer(carried_out(best.placement, *std::move(schedule)));
            }
            return;
        }
        const std::vector<ItemId> items = detouring(best);
        if (items.empty() || end_.token().stop_requested()) return;
        const TimedStop waves_end(options_.stop, limit_.after(part_of_waves));
        offer(carried_out(best.placement,
                          scheduled(with_moves(best.schedule.moves.size() - items.size()),
                                    best.placement.places, wave_options(waves_end))));
        Problem stays = problem_;
        stays.stays.resize(stays.item_count(), false);
        for (const ItemId item : items)
            stays.stays[item] = true;
        Attempt other = attempt(stays, part_of_other_search, part_of_waves);
        effort += other.placement.effort;
        offer(std::move(other));
    }

    /// Whether what is tried is better than what there is.
    [[nodiscard]] bool better(const Attempt& tried, const Attempt& kept) const {
        const Score of_tried = score_of(tried);
        const Score of_kept = score_of(kept);
        if (of_tried != of_kept) return of_tried < of_kept;
        return std::pair(tried.schedule.moves.size(), tried.replayed.waves) <
               std::pair(kept.schedule.moves.size(), kept.replayed.waves);
    }

    [[nodiscard]] Bounds bounds(const Score& reached, const Known& known) const {
        Bounds least = bounds_of(problem_, reached, bound_options(part_of_bounds));
        least.waves = waves_at_least(problem_, reached, effort_of_waves, end_of_time_.token());
        if (!known.score) return least;
        const Score& lowest = *known.score;
        // What all were searched for holds as long as the parts before it are reached.
        const std::array<std::pair<Bound*, std::pair<Int128, Int128>>, 6> parts{{
            {&least.broken, {lowest.broken, reached.broken}},
            {&least.over_thresholds, {lowest.over_thresholds, reached.over_thresholds}},
            {&least.over_levels, {lowest.over_levels, reached.over_levels}},
            {&least.cost, {lowest.cost, reached.cost}},
            {&least.fewest, {lowest.fewest, reached.fewest}},
            {&least.moves, {lowest.moves, reached.moves}},
        }};
        for (const auto& [bound, numbers] : parts) {
            if (bound->at_least < numbers.first) *bound = {numbers.first, known.reason};
            if (numbers.first != numbers.second) break;
        }
        return least;
    }

    const Problem& problem_;
    const SearchOptions& options_;
    TimeLimit limit_;
    TimedStop end_;          ///< of all but bounds: when the time is over, or when asked
    TimedStop end_of_time_;  ///< of bounds, which also stand beside a plan that was interrupted
    std::optional<Score> least_;
    bool kept_apart_ = false;  ///< whether a plan without meetings was tried
};

}  // namespace

Plan make_plan(const Problem& problem, const SearchOptions& options) {
    problem.check();
    return Planner(problem, options).make();
}

Plan judge_moves(const Problem& problem, std::vector<Move> moves, std::vector<LeaderChange> leaders,
                 const SearchOptions& options, std::optional<WaitsFor> waits_for) {
    problem.check();
    return Planner(problem, options)
        .judge(std::move(moves), std::move(leaders), std::move(waits_for));
}

}  // namespace equipoise::reassign
