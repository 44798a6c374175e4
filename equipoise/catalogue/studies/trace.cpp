#include "equipoise/catalogue/studies/trace.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/studies/phase_plan.hpp"
#include "equipoise/placement/advisor.hpp"
#include "equipoise/placement/best_schedule.hpp"
#include "equipoise/trace/read.hpp"
#include "equipoise/trace/write.hpp"

namespace equipoise::catalogue {

namespace {

using report::PhaseLevels;
using trace::Phase;
using trace::Trace;

TracePolicy policy_of(const std::string& name) {
    const std::vector<std::string>& policies = trace_policies();
    const auto found = std::find(policies.begin(), policies.end(), name);
    return static_cast<TracePolicy>(found - policies.begin());
}

/// Calls `visit` with the place and the task of every task of a phase.
template <class Visit>
void for_each_task(const Trace& trace, const Phase& phase, const Visit& visit) {
    std::size_t place = 0;
    for (const trace::RankPhase& part : phase.ranks)
        for (const std::uint32_t task : part.tasks)
            visit(place++, trace.tasks[task]);
}

std::vector<double> loads_of(const Trace& trace, const Phase& phase, const std::vector<int>& on) {
    std::vector<double> loads(phase.ranks.size(), 0);
    for_each_task(trace, phase, [&](std::size_t place, const trace::Task& task) {
        loads[static_cast<std::size_t>(on[place])] += task.seconds;
    });
    return loads;
}

/// The ranks where tasks of a phase begin: where the plan left them, otherwise where they ran.
/// Tasks that may not migrate are always where they ran.
std::vector<int> begin_of(const Trace& trace, const Phase& phase, const std::vector<int>& recorded,
                          const std::vector<int>& rank_of_object) {
    std::vector<int> ranks = recorded;
    for_each_task(trace, phase, [&](std::size_t place, const trace::Task& task) {
        const int rank = rank_of_object[task.entity];
        if (task.migratable && rank != trace::no_rank) ranks[place] = rank;
    });
    return ranks;
}

void keep_ranks(const Trace& trace, const Phase& phase, const std::vector<int>& ranks,
                std::vector<int>& rank_of_object) {
    for_each_task(trace, phase, [&](std::size_t place, const trace::Task& task) {
        rank_of_object[task.entity] = ranks[place];
    });
}

void count_moves(const Trace& trace, const Phase& phase, const std::vector<int>& from,
                 const std::vector<int>& to, PhaseLevels& levels) {
    for_each_task(trace, phase, [&](std::size_t place, const trace::Task& task) {
        if (from[place] == to[place]) return;
        ++levels.moved;
        levels.weight_moved += task.seconds;
        levels.bytes_moved += task.bytes.value_or(0);
    });
}

/// Levels the phases of one trace, one after the other.
class Levelling {
  public:
    Levelling(const Trace& trace, const TraceRequest& request)
        : trace_(trace),
          request_(request),
          policy_(policy_of(request.policy)),
          by_previous_(request.times == "previous" || request.advise),
          rank_of_object_(trace.entity_count, trace::no_rank),
          recorded_(trace::recorded_placement(trace)) {}

    LevelledTrace level() {
        LevelledTrace made;
        report::LoadTrace& levels = made.levels;
        levels.policy = request_.policy;
        levels.tolerance = request_.tolerance;
        levels.by_previous = by_previous_;
        levels.ranks = trace_.rank_count();
        note_tasks(levels);
        use_sizes_ = levels.has_sizes;
        for (std::size_t number = 0; number < trace_.phases.size(); ++number) {
            if (request_.check) request_.check();
            expect_finite(trace_.phases[number]);
            levels.phases.push_back(levels.by_previous ? level_ahead(number, made.placement)
                                                       : level_own(number, made.placement));
        }
        if (request_.advise) note_advice(levels);
        return made;
    }

  private:
    void note_tasks(report::LoadTrace& levels) const {
        std::vector<bool> counted(trace_.entity_count, false);
        bool any_may_move = false;
        levels.has_sizes = true;
        for (const trace::Task& task : trace_.tasks) {
            if (task.migratable) {
                any_may_move = true;
                levels.has_sizes = levels.has_sizes && task.bytes.has_value();
            }
            if (counted[task.entity]) continue;
            counted[task.entity] = true;
            ++levels.objects;
            if (!task.migratable) ++levels.fixed;
        }
        levels.has_sizes = levels.has_sizes && any_may_move;
        levels.has_traffic = !trace_.communications.empty();
    }

    void expect_finite(const Phase& phase) const {
        double seconds = 0;
        double bytes = 0;
        for_each_task(trace_, phase, [&](std::size_t, const trace::Task& task) {
            seconds += task.seconds;
            bytes += task.bytes.value_or(0);
        });
        for (const auto& [sum, name] : {std::pair{seconds, "seconds"}, std::pair{bytes, "bytes"}})
            if (!std::isfinite(sum))
                throw InputError("phase " + std::to_string(phase.id) + ": expected " + name +
                                 " with a finite sum, found larger ones");
    }

    PhasePlan plan(std::size_t number, const std::vector<int>& begin) const {
        PhaseOptions options;
        options.policy = policy_;
        options.tolerance = request_.tolerance;
        options.use_sizes = use_sizes_;
        options.level_rest = by_previous_;
        return plan_phase(trace_, trace_.phases[number], begin, options);
    }

    /// The figures of a phase, whatever its plan is based on.
    PhaseLevels levels_of(std::size_t number, const std::vector<int>& ranks) const {
        const Phase& phase = trace_.phases[number];
        PhaseLevels levels;
        levels.id = phase.id;
        levels.tasks = ranks.size();
        levels.before = loads_of(trace_, phase, recorded_[number]);
        levels.after = loads_of(trace_, phase, ranks);
        levels.largest_before = *std::max_element(levels.before.begin(), levels.before.end());
        levels.largest_after = *std::max_element(levels.after.begin(), levels.after.end());
        for (const double load : levels.before)
            levels.average += load;
        levels.average /= static_cast<double>(levels.before.size());
        levels.moved_recorded = moved_as_recorded(number);
        levels.traffic_before = trace::traffic_between_ranks(trace_, phase, recorded_[number]);
        levels.traffic_after = trace::traffic_between_ranks(trace_, phase, ranks);
        return levels;
    }

    Tokens moved_as_recorded(std::size_t number) const {
        if (number == 0) return 0;
        const std::vector<int> before =
            trace::rank_of_entity(trace_, trace_.phases[number - 1], recorded_[number - 1]);
        PhaseLevels moves;
        count_moves(trace_, trace_.phases[number],
                    begin_of(trace_, trace_.phases[number], recorded_[number], before),
                    recorded_[number], moves);
        return moves.moved;
    }

    /// Plans from the times of the phase itself.
    PhaseLevels level_own(std::size_t number, trace::Placement& placement) {
        const Phase& phase = trace_.phases[number];
        const std::vector<int> begin = begin_of(trace_, phase, recorded_[number], rank_of_object_);
        PhasePlan planned = plan(number, begin);
        PhaseLevels levels = levels_of(number, planned.rank_of_task);
        count_moves(trace_, phase, begin, planned.rank_of_task, levels);
        note_bounds(planned, levels);
        levels.largest_at_least = planned.largest_at_least;
        keep_ranks(trace_, phase, planned.rank_of_task, rank_of_object_);
        placement.push_back(std::move(planned.rank_of_task));
        return levels;
    }

    /// Plans from the times of the phase before, as at run time.
    PhaseLevels level_ahead(std::size_t number, trace::Placement& placement) {
        PhaseLevels moves;
        if (number > 0 && balances_now()) {
            const Phase& before = trace_.phases[number - 1];
            count_moves(trace_, before, placement.back(), next_.rank_of_task, moves);
            note_bounds(next_, moves);
            keep_ranks(trace_, before, next_.rank_of_task, rank_of_object_);
            advisor_.balanced(request_.cost);
            balanced_after_.push_back(before.id);
        }
        const Phase& phase = trace_.phases[number];
        std::vector<int> ranks = begin_of(trace_, phase, recorded_[number], rank_of_object_);
        PhaseLevels levels = levels_of(number, ranks);
        levels.moved = moves.moved;
        levels.weight_moved = moves.weight_moved;
        levels.bytes_moved = moves.bytes_moved;
        levels.moved_at_least = moves.moved_at_least;
        levels.bytes_at_least = moves.bytes_at_least;
        next_ = plan(number, ranks);
        levels.largest_at_least = next_.largest_at_least;
        keep_ranks(trace_, phase, ranks, rank_of_object_);
        placement.push_back(std::move(ranks));
        advisor_.step(levels.after);
        if (request_.advise) levels.advice = advisor_.worth_it();
        return levels;
    }
    [[nodiscard]] bool balances_now() const {
        return !request_.advise || advisor_.worth_it().worth_it;
    }

    void note_advice(report::LoadTrace& levels) const {
        report::AdvisedTrace advised;
        advised.cost = request_.cost;
        advised.after = balanced_after_;
        const PhaseLevels total = levels.total();
        advised.recorded = total.largest_before;
        const auto with_balances = [&](double phases, std::size_t balances) {
            return phases + request_.cost * static_cast<double>(balances);
        };
        advised.advised = with_balances(total.largest_after, balanced_after_.size());
        TraceRequest every = request_;
        every.advise = false;
        every.times = "previous";
        advised.every_phase =
            with_balances(Levelling(trace_, every).level().levels.total().largest_after,
                          trace_.phases.empty() ? 0 : trace_.phases.size() - 1);
        advised.best = best_seconds();
        levels.advised = std::move(advised);
    }

    /// The least total seconds over all choices of phases after which to balance, where each
    /// balance is planned from the ranks on which its phase's tasks ran.
    [[nodiscard]] std::optional<double> best_seconds() const {
        constexpr double work_most = 1e9;
        double tasks = 0;
        for (const Phase& phase : trace_.phases)
            tasks += static_cast<double>(phase.task_count());
        if (tasks * static_cast<double>(trace_.phases.size()) > work_most) return std::nullopt;
        const auto seconds_of = [&](std::size_t after, std::span<double> seconds) {
            if (request_.check) request_.check();
            std::vector<int> rank_of_object(trace_.entity_count, trace::no_rank);
            std::vector<double> loads(trace_.rank_count());
            if (after > 0)
                keep_ranks(trace_, trace_.phases[after - 1],
                           plan(after - 1, recorded_[after - 1]).rank_of_task, rank_of_object);
            for (std::size_t number = after; number < trace_.phases.size(); ++number) {
                std::fill(loads.begin(), loads.end(), 0.0);
                for_each_task(trace_, trace_.phases[number],
                              [&](std::size_t place, const trace::Task& task) {
                                  int& rank = rank_of_object[task.entity];
                                  if (!task.migratable || rank == trace::no_rank)
                                      rank = recorded_[number][place];
                                  loads[static_cast<std::size_t>(rank)] += task.seconds;
                              });
                seconds[number - after] = *std::max_element(loads.begin(), loads.end());
            }
        };
        const std::vector<double> costs(trace_.phases.size(), request_.cost);
        return placement::best_schedule(costs, seconds_of).seconds;
    }

    static void note_bounds(const PhasePlan& planned, PhaseLevels& levels) {
        levels.moved_at_least = planned.moved_at_least;
        levels.bytes_at_least = planned.bytes_at_least;
    }

    const Trace& trace_;
    const TraceRequest& request_;
    TracePolicy policy_;
    bool by_previous_;
    std::vector<int> rank_of_object_;  ///< where the plan left it
    trace::Placement recorded_;
    bool use_sizes_ = false;
    PhasePlan next_;  ///< from the times of the last phase, whether it is followed or not
    placement::Advisor advisor_;
    std::vector<std::int64_t> balanced_after_;  ///< ids of phases
};

}  // namespace

const std::vector<std::string>& trace_policies() {
    static const std::vector<std::string> words = {"weighted", "minimum-moves", "keep-order"};
    return words;
}

const std::vector<std::string>& trace_times() {
    static const std::vector<std::string> words = {"own", "previous"};
    return words;
}

void TraceRequest::verify() const {
    const std::vector<std::string>& policies = trace_policies();
    if (paths.empty()) throw InputError("trace: expected files or folders, found none");
    if (std::find(policies.begin(), policies.end(), policy) == policies.end())
        throw InputError("--policy: " + expected_word(policy, policies));
    const std::vector<std::string>& known_times = trace_times();
    if (!times.empty() &&
        std::find(known_times.begin(), known_times.end(), times) == known_times.end())
        throw InputError("--times: " + expected_word(times, known_times));
    if (advise && times == "own")
        throw InputError("--advise: expected the times of the previous phase, found --times own");
    if (!std::isfinite(cost) || cost < 0)
        throw InputError("--cost: expected seconds, 0 or more, found " + std::to_string(cost));
    if (cost > 0 && !advise) throw InputError("--cost: expected --advise with it, found none");
    if (!std::isfinite(tolerance) || tolerance < 0)
        throw InputError("--tolerance: expected a number, 0 or more, found " +
                         std::to_string(tolerance));
    if (tolerance > 0 && policy != "weighted")
        throw InputError("--tolerance: expected the policy weighted, found " + policy);
}

LevelledTrace level_trace(const Trace& trace, const TraceRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    LevelledTrace made = Levelling(trace, request).level();
    made.levels.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
}

report::LoadTrace study_trace(const TraceRequest& request) {
    request.verify();
    const Trace trace = trace::read_trace(
        request.paths, {.keep_text = !request.output.empty(), .check = request.check});
    if (!request.output.empty()) trace::expect_writable(trace, request.output);
    LevelledTrace made = level_trace(trace, request);
    made.levels.name =
        request.paths.size() == 1
            ? request.paths.front()
            : request.paths.front() + " and " + std::to_string(request.paths.size() - 1) + " more";
    if (!request.output.empty()) {
        trace::write_trace(trace, made.placement, request.output, request.check);
        made.levels.folder = request.output;
    }
    return std::move(made.levels);
}

}  // namespace equipoise::catalogue
