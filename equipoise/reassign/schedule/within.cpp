#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/schedule/made_schedule.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/schedule/wave_list.hpp"

namespace equipoise::reassign {

namespace {

/// How many orders of moves are tried at most, and how many moves are left out at most to see
/// whether that is better.
constexpr int orders_tried = 50;
constexpr std::size_t left_out_most = 200;

/// Moves within some waves, by what they do to the score.
class Within {
  public:
    Within(const Problem& problem, std::span<const MachineId> ends, const ScheduleOptions& options)
        : problem_(problem),
          ends_(ends),
          options_(options),
          waves_(static_cast<Step>(problem.budget.waves)),
          best_score_(stand(problem, problem.places).score) {}

    std::vector<Move> run(const Schedule& whole) {
        offer(first_waves(whole.moves));
        try_orders();
        leave_out();
        return std::move(best_);
    }

  private:
    [[nodiscard]] std::vector<Move> first_waves(const std::vector<Move>& moves) const {
        std::vector<Move> first;
        std::copy_if(moves.begin(), moves.end(), std::back_inserter(first),
                     [&](const Move& move) { return move.wave < waves_; });
        return first;
    }

    void offer(std::vector<Move> moves) {
        const Score score = stand(problem_, places_after(problem_, moves)).score;
        if (score >= best_score_) return;
        best_score_ = score;
        best_ = std::move(moves);
    }

    /// How much of what is above limits, or must leave, would leave with each item.
    [[nodiscard]] std::vector<double> relief() const {
        const std::size_t kinds = problem_.resource_count();
        const std::vector<Tokens> weights = problem_.weights();
        const std::vector<Tokens> used = stand(problem_, problem_.places).used;
        std::vector<double> above(used.size(), 0);
        const auto count = [&](std::size_t resource, std::size_t at, Tokens limit, double factor) {
            above[at] += factor * static_cast<double>(weights[resource]) *
                         static_cast<double>(std::max<Tokens>(used[at] - limit, 0));
        };
        for (std::size_t at = 0; at < used.size(); ++at) {
            const std::size_t resource = at % kinds;
            const auto machine = static_cast<MachineId>(at / kinds);
            if (problem_.drained[machine]) count(resource, at, 0, 1e6);
            count(resource, at, problem_.capacities[at], 1e6);
            count(resource, at, problem_.thresholds[at], 1e3);
        }
        for (const LevelAim& aim : problem_.level) {
            const std::vector<Tokens> limits = problem_.level_limits(aim);
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                count(aim.resource, machine * kinds + aim.resource, limits[machine], 1);
        }
        std::vector<double> relief(problem_.item_count(), 0);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (!problem_.may_be_on(item, problem_.places[item])) relief[item] += 1e12;
            for (std::size_t resource = 0; resource < kinds; ++resource) {
                const std::size_t at = problem_.places[item] * kinds + resource;
                relief[item] +=
                    std::min(above[at], static_cast<double>(weights[resource]) *
                                            static_cast<double>(problem_.amount(item, resource)) *
                                            (above[at] > 0 ? 1e6 : 0));
            }
        }
        return relief;
    }

    /// Items with much relief first; then with some disorder.
    void try_orders() {
        const std::vector<double> relieved = relief();
        std::vector<ItemId> order(problem_.item_count());
        std::iota(order.begin(), order.end(), ItemId{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](ItemId a, ItemId b) { return relieved[a] < relieved[b]; });
        std::vector<double> bonuses(order.size(), 0);
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            bonuses[order[rank]] = static_cast<double>(rank);
        RandomStream random(options_.seed, Purpose::schedule, 1);
        WaveList list(problem_, straight_routes(problem_, ends_));
        for (int tried = 0; tried < orders_tried; ++tried) {
            if (list.steps() > options_.effort || options_.stop.stop_requested()) return;
            std::vector<double> drawn = bonuses;
            if (tried > 0)
                for (double& bonus : drawn)
                    bonus *= 1 - random.unit() * tried / orders_tried;
            for (double& bonus : drawn)
                bonus *= 1e6;
            list.restart();
            list.set_bonuses(std::move(drawn));
            (void)list.run(waves_);
            offer(list.moves());
        }
    }

    /// Leaves items out whose moves only cost something.
    void leave_out() {
        std::size_t tried = 0;
        for (std::size_t i = best_.size(); i-- > 0 && tried < left_out_most; ++tried) {
            if (i >= best_.size()) continue;
            const ItemId item = best_[i].item;
            std::vector<Move> fewer = best_;
            std::erase_if(fewer, [&](const Move& move) { return move.item == item; });
            if (replay(problem_, fewer).allowed) offer(std::move(fewer));
        }
    }

    const Problem& problem_;
    std::span<const MachineId> ends_;
    const ScheduleOptions& options_;
    Step waves_;
    Score best_score_;
    std::vector<Move> best_;
};

}  // namespace

Schedule schedule_within(const Problem& problem, std::span<const MachineId> ends,
                         const ScheduleOptions& options) {
    Schedule whole = schedule_moves(problem, ends, options);
    if (whole.waves() <= static_cast<Step>(problem.budget.waves)) return whole;
    return made_schedule(problem, ends, Within(problem, ends, options).run(whole));
}

}  // namespace equipoise::reassign
