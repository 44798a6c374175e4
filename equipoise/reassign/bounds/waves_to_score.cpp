#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/figures.hpp"
#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/bounds/gives.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/waves/every_wave.hpp"
#include "equipoise/reassign/waves/good_placements.hpp"

namespace equipoise::reassign {

namespace {

constexpr std::uint64_t gives_effort = 1'000'000;
constexpr std::uint64_t placements_most = 20'000;

class WavesToScore {
  public:
    WavesToScore(const Problem& problem, const Score& reached)
        : problem_(problem),
          reached_(reached),
          reach_(reach_of(problem)),
          leaves_gives_(!problem.copies_from_leader || problem.leads.empty()),
          holds_(reached.broken == 0) {}

    Bound run(std::uint64_t effort, const std::stop_token& stop) {
        const Score now = stand(problem_, problem_.places).score;
        if (now <= reached_) return {};
        best_ = {1, "something must move"};
        if (holds_) {
            find_limits();
            bound_gives();
            bound_level(items_resource, {}, {});
            if (!problem_.gives.empty() || !problem_.takes.empty())
                bound_level(problem_.copied, problem_.gives, problem_.take_rates());
        }
        if (effort > 0) search(effort, stop);
        return std::move(best_);
    }

  private:
    void offer(Int128 waves, const std::string& reason) {
        if (waves > best_.at_least) best_ = {waves, reason};
    }

    /// What machines hold at most where rules hold and the rest is as good as what was reached.
    void find_limits() {
        const std::size_t kinds = problem_.resource_count();
        const std::vector<Tokens> weights = problem_.weights();
        const bool aims = !problem_.objective.given;
        for (std::size_t at = 0; at < problem_.capacities.size(); ++at) {
            Int128 most = problem_.capacities[at];
            if (aims)
                most = std::min(
                    most, problem_.thresholds[at] + reached_.over_thresholds / weights[at % kinds]);
            limits_.hard.push_back(most);
        }
        if (!aims || reached_.over_thresholds > 0) return;
        for (const LevelAim& aim : problem_.level) {
            Limits limits;
            limits.resource = aim.resource;
            limits.except_single = true;
            for (const Tokens most : problem_.level_limits(aim))
                limits.most.push_back(most + reached_.over_levels / weights[aim.resource]);
            limits_.levels.push_back(std::move(limits));
        }
    }

    /// What must leave each machine, which gives it itself unless it is copied from leaders, and
    /// all that must be taken.
    void bound_gives() {
        const Certain certain{true, std::vector<bool>(problem_.apart.size(), true),
                              std::vector<bool>(problem_.spread.size(), true)};
        const auto gives = [&](std::size_t cost) {
            GivesAsked asked;
            asked.cost = cost;
            std::uint64_t effort = gives_effort;
            return gives_at_least(problem_, reach_, certain, limits_, asked, effort);
        };
        if (problem_.at_once > 0) {
            const std::vector<Tokens> items = gives(items_resource);
            for (MachineId machine = 0; machine < givers(); ++machine)
                offer(ceil_divide(items[machine], problem_.at_once),
                      "machine " + problem_.machine_name(machine) + " must give " +
                          counted(items[machine], "item") + gives_at_most() +
                          grouped(problem_.at_once) + " in a wave");
            bound_takers(std::accumulate(items.begin(), items.end(), Int128{0}));
            if (problem_.half_duplex && leaves_gives_)
                bound_exchange(
                    std::accumulate(items.begin(), items.begin() + known_machines(), Int128{0}));
        }
        if (problem_.gives.empty() || !leaves_gives_) return;
        const std::vector<Tokens> copied = gives(problem_.copied);
        for (MachineId machine = 0; machine < givers(); ++machine) {
            const Tokens rate = problem_.gives[machine];
            if (rate > 0)
                offer(ceil_divide(copied[machine], rate),
                      "machine " + problem_.machine_name(machine) + " must give " +
                          amount_words(problem_, problem_.copied, copied[machine]) +
                          gives_at_most() + amount_words(problem_, problem_.copied, rate) +
                          " in a wave");
        }
    }

    [[nodiscard]] const char* gives_at_most() const {
        return problem_.half_duplex ? ", and gives and takes at most " : ", and gives at most ";
    }

    /// In half duplex an item counts where it is given and where it is taken.
    void bound_exchange(Int128 items) {
        const auto pinned =
            std::count(problem_.pinned.begin(), problem_.pinned.begin() + known_machines(), true);
        const Int128 a_wave = Int128{known_machines() - pinned} * problem_.at_once / 2;
        if (a_wave == 0) return;
        offer((items + a_wave - 1) / a_wave,
              "machines must give each other " + amount_words(problem_, items_resource, items) +
                  ", and can give at most " + amount_words(problem_, items_resource, a_wave) +
                  " in a wave");
    }

    [[nodiscard]] std::ptrdiff_t known_machines() const {
        return static_cast<std::ptrdiff_t>(problem_.known_machines());
    }

    /// Of the first so many machines it is known that what leaves them is given by them.
    [[nodiscard]] MachineId givers() const { return leaves_gives_ ? problem_.known_machines() : 0; }

    /// All items that machines must give have to be taken by those that take any.
    void bound_takers(Int128 items) {
        Int128 takers = 0;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (problem_.may_take(machine)) ++takers;
        const Int128 a_wave = takers * problem_.at_once;
        if (a_wave == 0) return;
        offer((items + a_wave - 1) / a_wave,
              "all machines must give " + amount_words(problem_, items_resource, items) +
                  ", and take at most " + amount_words(problem_, items_resource, a_wave) +
                  " in a wave");
    }

    /// As if items could be cut: what machines hold too much must go where there is room.
    void bound_level(std::size_t resource, const std::vector<Tokens>& gives,
                     const std::vector<Tokens>& takes) {
        const std::size_t kinds = problem_.resource_count();
        const bool by_items = resource == items_resource && problem_.at_once > 0;
        Tokens largest = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            largest = std::max(largest, problem_.amount(item, resource));
        optimum::LevelProblem level;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            const bool pinned = problem_.pinned[machine];
            const Tokens held = reach_.used[machine * kinds + resource];
            Int128 most = limits_.hard[machine * kinds + resource];
            for (const Limits& each : limits_.levels)
                if (each.resource == resource)
                    most = std::min(most, std::max<Int128>(each.most[machine], largest));
            if (problem_.drained[machine]) most = 0;
            if (pinned) most = std::max<Int128>(most, held);
            level.loads.push_back(held);
            level.target.base.push_back(static_cast<Tokens>(std::min<Int128>(most, tokens_max)));
            const auto rate = [&](const std::vector<Tokens>& rates) {
                const Tokens limit = rates.empty() ? tokens_max : rates[machine];
                return pinned ? 0 : by_items ? std::min(limit, problem_.at_once) : limit;
            };
            level.gives.push_back(pinned || machine < givers() ? rate(gives) : tokens_max);
            level.takes.push_back(problem_.may_take(machine) ? rate(takes) : 0);
        }
        const optimum::LevelWaves waves = optimum::fewest_level_waves(level);
        if (!waves.possible || waves.tight.empty() || waves.a_wave >= tokens_max) return;
        offer(Int128{static_cast<Tokens>(waves.waves)},
              (waves.tight.size() == 1 ? "machine " : "machines ") +
                  some_machines(problem_, waves.tight) + " must " +
                  (waves.tight_takes ? "take " : "give ") +
                  amount_words(problem_, resource, waves.amount) + ", at most " +
                  amount_words(problem_, resource, waves.a_wave) + " in a wave");
    }

    /// All schedules to all such placements, where they are few.
    void search(std::uint64_t effort, const std::stop_token& stop) {
        const auto goals = placements_as_good(problem_, reached_, placements_most);
        if (!goals || goals->empty()) return;
        EveryWaveOptions options;
        options.effort = effort;
        options.stop = stop;
        const FewestWaves found = search_every_wave(problem_, *goals, options);
        if (found.ended && !found.moves) return;
        offer(Int128{static_cast<Tokens>(found.at_least)}, "all schedules were searched");
    }

    const Problem& problem_;
    const Score& reached_;
    Reach reach_;
    bool leaves_gives_;  ///< whether what leaves a machine is given by it
    bool holds_;         ///< whether all rules do
    GiveLimits limits_;
    Bound best_;
};

}  // namespace

Bound waves_at_least(const Problem& problem, const Score& reached, std::uint64_t effort,
                     const std::stop_token& stop) {
    return WavesToScore(problem, reached).run(effort, stop);
}

}  // namespace equipoise::reassign
