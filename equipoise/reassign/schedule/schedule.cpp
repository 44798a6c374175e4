#include "equipoise/reassign/schedule/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/optimum/waves/planner.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/schedule/detours.hpp"
#include "equipoise/reassign/schedule/equal_ends.hpp"
#include "equipoise/reassign/schedule/made_schedule.hpp"
#include "equipoise/reassign/schedule/wave_list.hpp"
#include "equipoise/reassign/waves/every_wave.hpp"
#include "equipoise/reassign/waves/plain.hpp"
#include "equipoise/reassign/waves/wave_builder.hpp"

namespace equipoise::reassign {

namespace {

constexpr Step no_limit = ~Step{0};
/// Tries in a row without a better schedule after which the search for one ends.
constexpr int tries_in_vain_most = 100;
/// Orders that are tried where items do not all go straight to their ends.
constexpr int orders_most = 30;
/// All waves are tried only of problems with at most so many items.
constexpr ItemId items_searched = 24;

/// What the planner of one resource makes of a plain problem; nothing if no schedule.
std::optional<optimum::WavesPlan> plan_plain(const optimum::ItemsProblem& plain) {
    try {
        optimum::WavesPlan plan = optimum::plan_waves(plain);
        if (plan.found) return plan;
    } catch (const UnsuitableError&) {
        // Some item is too large for every wave. Others may move nevertheless.
    } catch (const InputError&) {
        // Copies that are together in the beginning, or in the end.
    }
    return std::nullopt;
}

class Scheduler {
  public:
    Scheduler(const Problem& problem, std::span<const MachineId> ends,
              const ScheduleOptions& options)
        : problem_(problem), ends_(ends), options_(options) {}

    Schedule run() {
        if (std::equal(ends_.begin(), ends_.end(), problem_.places.begin())) {
            best_.complete = true;
            return std::move(best_);
        }
        at_least_ = static_cast<Step>(waves_at_least(problem_, ends_).at_least);
        if (offer_plain()) return std::move(best_);
        WaveList list(problem_, straight_routes(problem_, ends_));
        list_ = &list;
        list.set_stop(options_.stop);
        list.set_bonuses(bonuses_of_rates_alone());
        if (list.needs_partners() && offer_together()) return std::move(best_);
        offer_list();
        if (!is_done()) {
            list.set_bonuses(std::vector<double>(problem_.item_count(), 0));
            list.restart();
            offer_list();
        }
        if (!is_done()) offer_every_wave();
        if (!is_done() && (!best_.complete || best_.detours > 0)) offer_other_orders();
        if (!is_done()) improve(Begin::one_by_one);
        if (!is_done() && list.needs_partners()) improve(Begin::together);
        return std::move(best_);
    }

  private:
    [[nodiscard]] bool is_done() const {
        return proved_ || (best_.complete && best_.detours == 0 && best_.waves() <= at_least_);
    }
    [[nodiscard]] std::uint64_t effort_left() const {
        const std::uint64_t spent = spent_ + (list_ == nullptr ? 0 : list_->steps());
        return spent < options_.effort ? options_.effort - spent : 0;
    }

    /// Keeps the moves if they are better than the best so far: more items at their ends, then
    /// fewer moves, then fewer waves.
    void offer(const std::vector<Move>& moves) {
        Schedule made = made_schedule(problem_, ends_, moves);
        if (made.detours > 0 && !is_within_budget(moves)) return;
        const auto rank = [](const Schedule& schedule) {
            return std::tuple(schedule.blocked.size(), schedule.moves.size(), schedule.waves());
        };
        if (offered_ && rank(made) >= rank(best_)) return;
        offered_ = true;
        best_ = std::move(made);
    }

    /// Whether all waves are allowed.
    [[nodiscard]] bool is_allowed(const std::vector<Move>& moves) const {
        WaveBuilder builder(problem_);
        std::vector<Debt> debts;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (builder.add(moves[i].item, moves[i].to) != Refusal::none) return false;
            if (i + 1 < moves.size() && moves[i + 1].wave == moves[i].wave) continue;
            for (const Move& move : builder.wave())
                builder.append_debts(move, debts);
            if (!debts.empty()) return false;
            builder.end_wave();
        }
        return true;
    }

    /// Whether the planner of one resource finds a schedule that cannot be better.
    bool offer_plain() {
        const std::optional<PlainProblem> plain = as_plain(problem_, ends_);
        if (!plain) return false;
        const std::optional<optimum::WavesPlan> plan = plan_plain(plain->problem);
        if (!plan) return false;
        std::vector<Move> moves;
        std::vector<MachineId> places = problem_.places;
        for (const optimum::WaveMove& move : plan->schedule) {
            MachineId& place = places[plain->items[move.item]];
            moves.push_back({move.wave, plain->items[move.item], place, move.to});
            place = move.to;
        }
        if (!is_allowed(moves)) return false;
        offer(moves);
        return is_done();
    }

    /// Items go in the order of a schedule that looks at rates alone.
    [[nodiscard]] std::vector<double> bonuses_of_rates_alone() const {
        std::vector<double> bonuses(problem_.item_count(), 0);
        const PlainProblem plain = rates_alone(problem_, ends_, GiversAs::likely);
        const std::optional<optimum::WavesPlan> plan = plan_plain(plain.problem);
        if (!plan) return bonuses;
        for (const optimum::WaveMove& move : plan->schedule)
            bonuses[plain.items[move.item]] = static_cast<double>(plan->waves - move.wave) * 1e6;
        return bonuses;
    }

    /// Whether waves begun with all moves at once cannot be better.
    bool offer_together() {
        list_->set_begin(Begin::together);
        if (problem_.item_count() > items_searched) {
            offer_list();
        } else {
            (void)list_->run(no_limit);
            offer(list_->moves());
        }
        list_->set_begin(Begin::one_by_one);
        list_->restart();
        return is_done();
    }

    /// Runs the list to its end, with detours where nothing else helps.
    void offer_list() {
        while (!list_->run(no_limit)) {
            if (!offered_ || list_->left() < best_.blocked.size()) offer(list_->moves());
            if (effort_left() == 0 || options_.stop.stop_requested()) return;
            if (!make_way(*list_, problem_, effort_left() / 2, options_.stop)) return;
        }
        offer(list_->moves());
    }

    /// All schedules, where they are few.
    void offer_every_wave() {
        const std::vector<MachineId> goal(ends_.begin(), ends_.end());
        if (problem_.item_count() > items_searched) return;
        EveryWaveOptions every;
        every.stop = options_.stop;
        every.effort = effort_left() / 4;
        every.once = best_.complete && best_.detours == 0;
        if (every.once) every.fewer_than = best_.waves();
        const FewestWaves found = every.once
                                      ? search_every_wave(problem_, std::span(&goal, 1), every)
                                      : search_fewest_moves(problem_, std::span(&goal, 1), every);
        spent_ += found.steps;
        if (found.moves) offer(*found.moves);
        proved_ = found.ended;
    }

    [[nodiscard]] bool is_within_budget(const std::vector<Move>& moves) const {
        std::vector<Tokens> moved(problem_.resource_count(), 0);
        for (const Move& move : moves)
            for (std::size_t resource = 0; resource < moved.size(); ++resource)
                moved[resource] += problem_.amount(move.item, resource);
        return within(problem_.budget, moved);
    }

    /// Other orders, in which items may all go straight.
    void offer_other_orders() {
        RandomStream random(options_.seed, Purpose::schedule, 3);
        list_->set_routes(straight_routes(problem_, ends_));
        for (int tried = 0; tried < orders_most; ++tried) {
            if (effort_left() == 0 || options_.stop.stop_requested()) return;
            std::vector<double> bonuses(problem_.item_count(), 0);
            for (double& bonus : bonuses)
                bonus = random.unit() * static_cast<double>(best_.waves() + 1);
            list_->set_bonuses(std::move(bonuses));
            const bool all_gone = list_->run(no_limit);
            if (all_gone || list_->left() < best_.blocked.size()) offer(list_->moves());
            list_->restart();
            if (all_gone) return;
        }
    }

    /// Again and again with a bonus for items that came last.
    void improve(Begin begin) {
        if (!best_.complete) return;
        list_->set_begin(begin);
        RandomStream random(options_.seed, Purpose::schedule);
        std::vector<double> bonuses(problem_.item_count(), 0);
        list_->set_routes(routes_of(problem_, best_.moves));
        for (int in_vain = 0; in_vain < tries_in_vain_most && !is_done(); ++in_vain) {
            if (effort_left() == 0 || options_.stop.stop_requested()) return;
            list_->set_bonuses(bonuses);
            if (list_->run(best_.waves() - 1)) {
                offer(list_->moves());
                in_vain = 0;
            } else {
                for (const ItemId item : list_->waiting())
                    bonuses[item] += 1 + random.unit();
            }
            list_->restart();
        }
    }

    const Problem& problem_;
    std::span<const MachineId> ends_;
    const ScheduleOptions& options_;
    Step at_least_ = 0;
    bool proved_ = false;  ///< whether all schedules were searched
    bool offered_ = false;
    Schedule best_;
    WaveList* list_ = nullptr;
    std::uint64_t spent_ = 0;
};

}  // namespace

Schedule schedule_as_good(const Problem& problem, std::span<const MachineId> ends,
                          const ScheduleOptions& options) {
    constexpr std::uint64_t tries = 2;
    Schedule best = schedule_moves(problem, ends, options);
    EqualEndsOptions equal;
    equal.enough =
        static_cast<Step>(waves_at_least(problem, stand(problem, ends).score, 0).at_least);
    equal.stop = options.stop;
    equal.effort = std::min(equal.effort, options.effort / 10);
    const auto rank = [](const Schedule& schedule) {
        return std::tuple(schedule.blocked.size(), schedule.moves.size(), schedule.waves());
    };
    for (std::uint64_t tried = 0; tried < tries; ++tried) {
        if ((best.complete && best.waves() <= equal.enough) || options.stop.stop_requested()) break;
        equal.seed = options.seed + tried;
        Schedule other = schedule_moves(problem, equal_ends(problem, ends, equal), options);
        if (rank(other) < rank(best)) best = std::move(other);
    }
    return best;
}

Schedule schedule_moves(const Problem& problem, std::span<const MachineId> ends,
                        const ScheduleOptions& options) {
    return Scheduler(problem, ends, options).run();
}

}  // namespace equipoise::reassign
