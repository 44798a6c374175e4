#include "equipoise/reassign/bounds/bounds.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/cost_by_prices.hpp"
#include "equipoise/reassign/bounds/excess.hpp"
#include "equipoise/reassign/bounds/gives.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/bounds/placement_program.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/bounds/rule_counts.hpp"
#include "equipoise/reassign/bounds/value_groups.hpp"

namespace equipoise::reassign {

namespace {

/// Columns, and entries, of the largest linear program that is tried.
constexpr std::size_t program_size_most = 1'000'000;
/// In a second, a program of this size is set up, and solved in part.
constexpr double program_size_a_second = 500'000;
/// Looks at items on machines for prices: within a second.
constexpr std::uint64_t price_effort = 600'000'000;

/// One part of a score that adds up what is above limits: bounds by limit, and how much of each a
/// plan may have that is as good in this part as the one found.
class ScorePart {
  public:
    void add(Limits limits, Tokens weight, Excess least) {
        at_least_ += least.amount * weight;
        add_reason(reason_, least.reason);
        limits_.push_back(std::move(limits));
        weights_.push_back(weight);
        least_.push_back(least.amount);
        elsewhere_.push_back(std::move(least.elsewhere));
    }

    /// `reached`: of this part, not less than `at_least`.
    void allow(Int128 reached) { rest_ = reached - at_least_; }

    [[nodiscard]] Int128 at_least() const { return at_least_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }
    [[nodiscard]] std::size_t size() const { return limits_.size(); }
    /// The same for a linear program.
    [[nodiscard]] LimitsAllowed allowed() const {
        LimitsAllowed all;
        for (std::size_t index = 0; index < limits_.size(); ++index)
            all.limits.push_back({limits_[index], weights_[index]});
        all.over = at_least_ + rest_;
        return all;
    }
    [[nodiscard]] const Limits& limits(std::size_t index) const { return limits_[index]; }
    /// The most above all limits of one kind together.
    [[nodiscard]] Int128 most_over(std::size_t index) const {
        return least_[index] + rest_ / weights_[index];
    }
    /// What the machine may hold at most, if others have no more above limits than they must.
    [[nodiscard]] Int128 most_on(std::size_t index, MachineId machine) const {
        return limits_[index].most[machine] +
               std::max<Int128>(most_over(index) - elsewhere_[index][machine], 0);
    }

  private:
    std::vector<Limits> limits_;
    std::vector<Tokens> weights_;
    std::vector<Int128> least_;
    std::vector<std::vector<Int128>> elsewhere_;  ///< by limits, then machine
    Int128 at_least_ = 0;
    Int128 rest_ = 0;
    std::string reason_;
};

Limits lower_of(const Limits& one, const Limits& other) {
    Limits both = one;
    for (std::size_t machine = 0; machine < both.most.size(); ++machine)
        both.most[machine] = std::min(both.most[machine], other.most[machine]);
    return both;
}

class BoundsOf {
  public:
    BoundsOf(const Problem& problem, const Score& reached, const BoundOptions& options)
        : problem_(problem),
          reached_(reached),
          effort_(options.effort),
          linear_programs_(options.linear_program && has_linear_programs()),
          seconds_(options.seconds),
          stop_(options.stop),
          reach_(reach_of(problem)),
          weights_(problem.weights()) {
        const std::vector<Tokens> totals = problem.totals();
        unit_ = std::max<Tokens>(*std::max_element(totals.begin(), totals.end()), 1);
    }

    Bounds all() {
        bound_broken();
        if (problem_.objective.given) {
            bound_cost();
        } else {
            bound_thresholds();
            bound_levels();
        }
        bound_moved();
        return std::move(bounds_);
    }

  private:
    [[nodiscard]] std::size_t kinds() const { return problem_.resource_count(); }

    [[nodiscard]] Limits by_resource(const std::vector<Tokens>& amounts,
                                     std::size_t resource) const {
        Limits limits;
        limits.resource = resource;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            limits.most.push_back(amounts[machine * kinds() + resource]);
        return limits;
    }

    [[nodiscard]] Excess excess(const Limits& limits, const Certain& certain) const {
        Excess least = excess_at_least(problem_, reach_, limits, certain);
        for (std::size_t cost = 0; cost < problem_.budget.amounts.size(); ++cost) {
            const Tokens budget = problem_.budget.amounts[cost];
            const Int128 over = over_within(problem_, reach_, limits, cost, budget);
            if (over > least.amount)
                least = {over,
                         "with at most " + amount_words(problem_, cost, budget) + " moved, " +
                             amount_words(problem_, limits.resource, over) + " stay above limits",
                         std::move(least.elsewhere)};
        }
        return least;
    }

    /// Of limits that are combined with others that count more: what is above the lower of both,
    /// less what may be above the others.
    [[nodiscard]] Excess excess_besides(const Limits& limits, const Limits& lower_ones,
                                        Int128 over_others) const {
        Excess least = excess(limits, certain_);
        const Excess both = excess(lower_ones, certain_);
        if (both.amount - over_others > least.amount) {
            least.amount = both.amount - over_others;
            least.reason = both.reason;
        }
        return least;
    }

    void bound_broken() {
        RuleCounts counts = rules_broken(problem_, reach_);
        const Certain anything{false, std::vector<bool>(problem_.apart.size(), false),
                               std::vector<bool>(problem_.spread.size(), false)};
        certain_ = {true, counts.apart, counts.spread};
        ScorePart loose;
        ScorePart strict;
        for (std::size_t resource = 0; resource < kinds(); ++resource) {
            const Limits limits = by_resource(problem_.capacities, resource);
            loose.add(limits, weights_[resource], excess(limits, anything));
            strict.add(limits, weights_[resource], excess(limits, certain_));
        }
        const Int128 separate = counts.separate * unit_;
        const Int128 by_capacity = separate + std::min(strict.at_least(), unit_ + loose.at_least());
        const Int128 by_count = counts.at_least * unit_ + loose.at_least();
        bounds_.broken.at_least = std::max(by_capacity, by_count);
        add_reason(bounds_.broken.reason, counts.reason);
        add_reason(bounds_.broken.reason,
                   by_capacity > by_count ? strict.reason() : loose.reason());
        rule_counts_ = counts;
        if (bounds_.broken.at_least < reached_.broken) {
            PlacementAsked asked;
            asked.parts = {loose.allowed()};
            asked.least_over = true;
            asked.budget = problem_.budget.amounts;
            asked.rule_cost = unit_;
            improve(bounds_.broken, asked);
        }
        reached_.broken = std::max(reached_.broken, bounds_.broken.at_least);
        broken_more_ = (reached_.broken - separate - loose.at_least()) / unit_;
        if (broken_more_ > 0) {
            certain_ = anything;
            certain_.leaves = false;
        }
        capacities_ = broken_more_ > 0 ? std::move(loose) : std::move(strict);
        capacities_.allow(reached_.broken - separate);
        rules_ = {true, counts.apart, counts.spread};
    }

    /// The same bound by a linear program, if that is better.
    void improve(Bound& bound, const PlacementAsked& asked) {
        if (!linear_programs_) return;
        if (seconds_ <= 0 || stop_.stop_requested()) {
            bounds_.cut_short = true;
            return;
        }
        const auto begin = std::chrono::steady_clock::now();
        const double size_in_time = seconds_ * program_size_a_second;
        const bool is_short = size_in_time < static_cast<double>(program_size_most);
        if (const std::optional<ChoiceProgram> program = placement_program(
                problem_, reach_, rule_counts_, asked,
                is_short ? static_cast<std::size_t>(size_in_time) : program_size_most)) {
            const Int128 cost = cost_at_prices(*program, good_prices(*program, seconds_));
            if (cost > bound.at_least)
                bound = {cost,
                         "a linear program says so, in which items may be split; its prices "
                         "were added up exactly"};
        } else if (is_short) {
            bounds_.cut_short = true;
        }
        seconds_ -= std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (seconds_ <= 0) bounds_.cut_short = true;
    }

    void improve_over(Bound& bound, const std::vector<const ScorePart*>& parts) {
        if (broken_more_ > 0) return;
        PlacementAsked asked;
        for (const ScorePart* part : parts)
            asked.parts.push_back(part->allowed());
        asked.least_over = true;
        asked.budget = problem_.budget.amounts;
        improve(bound, asked);
    }

    void improve_moved(Bound& bound, std::size_t cost, const std::vector<Tokens>& gives) {
        if (broken_more_ > 0) return;
        PlacementAsked asked;
        for (const ScorePart* part : {&capacities_, &thresholds_, &levels_})
            asked.parts.push_back(part->allowed());
        asked.cost = cost;
        asked.gives = gives;
        asked.budget = problem_.budget.amounts;
        if (cost != problem_.fewest && !problem_.objective.given) {
            asked.budget.resize(kinds(), tokens_max);
            Tokens& most = asked.budget[problem_.fewest];
            most = static_cast<Tokens>(std::min<Int128>(most, reached_.fewest));
        }
        improve(bound, asked);
    }

    void bound_thresholds() {
        for (std::size_t resource = 0; resource < kinds(); ++resource) {
            const Limits limits = by_resource(problem_.thresholds, resource);
            thresholds_.add(limits, weights_[resource],
                            excess_besides(limits, lower_of(limits, capacities_.limits(resource)),
                                           capacities_.most_over(resource)));
        }
        bounds_.over_thresholds = {thresholds_.at_least(), thresholds_.reason()};
        if (bounds_.over_thresholds.at_least < reached_.over_thresholds)
            improve_over(bounds_.over_thresholds, {&capacities_, &thresholds_});
        reached_.over_thresholds =
            std::max(reached_.over_thresholds, bounds_.over_thresholds.at_least);
        thresholds_.allow(reached_.over_thresholds);
    }

    void bound_levels() {
        for (const LevelAim& aim : problem_.level) {
            Limits limits;
            limits.resource = aim.resource;
            limits.except_single = true;
            for (const Tokens most : problem_.level_limits(aim))
                limits.most.push_back(most);
            const Limits all = lower_of(lower_of(limits, capacities_.limits(aim.resource)),
                                        thresholds_.limits(aim.resource));
            levels_.add(limits, weights_[aim.resource],
                        excess_besides(limits, all,
                                       capacities_.most_over(aim.resource) +
                                           thresholds_.most_over(aim.resource)));
        }
        bounds_.over_levels = {levels_.at_least(), levels_.reason()};
        if (bounds_.over_levels.at_least < reached_.over_levels)
            improve_over(bounds_.over_levels, {&capacities_, &thresholds_, &levels_});
        reached_.over_levels = std::max(reached_.over_levels, bounds_.over_levels.at_least);
        levels_.allow(reached_.over_levels);
    }

    void bound_cost() {
        const Objective& objective = problem_.objective;
        Bound& bound = bounds_.cost;
        for (std::size_t resource = 0; resource < objective.over_threshold.size(); ++resource) {
            if (objective.over_threshold[resource] == 0) continue;
            const Limits limits = by_resource(problem_.thresholds, resource);
            const Excess over =
                excess_besides(limits, lower_of(limits, capacities_.limits(resource)),
                               capacities_.most_over(resource));
            bound.at_least = checked_add(
                bound.at_least,
                checked_multiply(over.amount, Int128{objective.over_threshold[resource]}));
            add_reason(bound.reason, over.reason);
        }
        for (const Objective::Balance& balance : objective.balances)
            bound_balance(balance);
        const Int128 sums = bound.at_least;
        const std::string reason = bound.reason;
        bound_first_move();
        if (broken_more_ == 0 && !objective.move_costs.empty()) {
            Int128 moves = 0;
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                if (!reach_.may_stay(item, true)) moves += objective.move_costs[item];
            if (sums + moves > bound.at_least) {
                bound = {checked_add(sums, moves), reason};
                add_reason(bound.reason, "items that must leave where they are");
            }
        }
        if (bound.at_least >= reached_.cost) return;
        if (seconds_ <= 0 || stop_.stop_requested()) {
            bounds_.cut_short = true;
            return;
        }
        const auto looks =
            static_cast<std::uint64_t>(static_cast<double>(price_effort) * std::min(seconds_, 1.0));
        if (looks < price_effort) bounds_.cut_short = true;
        const Int128 priced =
            cost_by_prices(problem_, reach_, certain_.leaves, reached_.cost, looks);
        if (priced > bound.at_least)
            bound = {priced,
                     "machines have prices for what they hold and take, at which all items "
                     "together cost so much, each where it costs least and has room"};
    }

    /// Either nothing moves, or the move that costs least must be paid for besides.
    void bound_first_move() {
        const Objective& objective = problem_.objective;
        const MachineId machines = problem_.machine_count();
        std::vector<Int128> pair_costs(machines, 0);  // the least, by old machine
        if (!objective.pair_costs.empty())
            for (MachineId from = 0; from < machines; ++from) {
                std::optional<std::uint32_t> least;
                for (MachineId to = 0; to < machines; ++to)
                    if (to != from && problem_.may_take(to))
                        least = std::min(least.value_or(std::numeric_limits<std::uint32_t>::max()),
                                         objective.pair_costs[std::size_t{from} * machines + to]);
                pair_costs[from] = Int128{objective.pair_weight} * least.value_or(0);
            }
        std::optional<Int128> least;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (!reach_.leaves[item]) continue;
            Int128 cost = pair_costs[problem_.places[item]];
            if (!objective.move_costs.empty()) cost += objective.move_costs[item];
            if (objective.most_moved > 0 &&
                problem_.item_labels[objective.most_moved_label].of[item] != no_value)
                cost += objective.most_moved;
            least = std::min(least.value_or(cost), cost);
        }
        const Int128 nothing = stand(problem_, problem_.places).score.cost;
        Bound& bound = bounds_.cost;
        const Int128 something = checked_add(bound.at_least, least.value_or(nothing));
        const Int128 either = std::min(nothing, something);
        if (either <= bound.at_least) return;
        bound.at_least = either;
        add_reason(bound.reason, something < nothing ? "something must move, which costs something"
                                                     : "a move costs more than it can save");
    }

    /// The sum over machines of what is not negative is at least the sum of all.
    void bound_balance(const Objective::Balance& balance) {
        Int128 free = 0;
        Int128 other = 0;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            free += problem_.capacity(machine, balance.resource) -
                    reach_.used[machine * kinds() + balance.resource];
            other += problem_.capacity(machine, balance.other) -
                     reach_.used[machine * kinds() + balance.other];
        }
        Int128 wanted = 0;
        if (__builtin_mul_overflow(free, Int128{balance.target}, &wanted) || wanted <= other)
            return;
        bounds_.cost.at_least = checked_add(
            bounds_.cost.at_least, checked_multiply(wanted - other, Int128{balance.weight}));
        add_reason(bounds_.cost.reason, "all machines together have too little free of " +
                                            problem_.resources[balance.other].name +
                                            " for what is free of " +
                                            problem_.resources[balance.resource].name);
    }

    void bound_moved() {
        limit_gives();
        GivesAsked asked;
        asked.cost = problem_.fewest;
        if (problem_.objective.given) asked.cost = items_resource;
        std::uint64_t part = steps_left() / 2;
        const std::vector<Tokens> gives =
            gives_at_least(problem_, reach_, rules_, gives_limits_, asked, part);
        Bound fewest = moved(asked.cost, gives);
        const bool by_moves = asked.cost == items_resource;
        if (fewest.at_least < (by_moves ? reached_.moves : reached_.fewest))
            improve_moved(fewest, asked.cost, gives);
        if (by_moves) {
            bounds_.moves = fewest;
            if (!problem_.objective.given) bounds_.fewest = fewest;
            return;
        }
        bounds_.fewest = fewest;
        reached_.fewest = std::max(reached_.fewest, fewest.at_least);
        asked.second = asked.cost;
        asked.cost = items_resource;
        // Where the others give as little as they must, one may give all the rest.
        const Int128 rest =
            reached_.fewest - std::accumulate(gives.begin(), gives.end(), Int128{0});
        if (broken_more_ == 0)
            for (const Tokens each : gives)
                asked.second_most.push_back(
                    static_cast<Tokens>(std::min<Int128>(each + rest, tokens_max)));
        part = std::min(part, steps_left());
        const std::vector<Tokens> moves =
            gives_at_least(problem_, reach_, rules_, gives_limits_, asked, part);
        bounds_.moves = moved(asked.cost, moves);
        if (bounds_.moves.at_least < reached_.moves)
            improve_moved(bounds_.moves, asked.cost, moves);
    }

    /// Steps for bounds that get better with more of them.
    std::uint64_t steps_left() {
        if (!stop_.stop_requested()) return effort_;
        bounds_.cut_short = true;
        return 0;
    }

    void limit_gives() {
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            for (std::size_t resource = 0; resource < kinds(); ++resource) {
                Int128 most = capacities_.most_on(resource, machine);
                if (thresholds_.size() > 0)
                    most = std::min(most, thresholds_.most_on(resource, machine));
                gives_limits_.hard.push_back(most);
            }
        }
        for (std::size_t aim = 0; aim < levels_.size(); ++aim) {
            Limits limits = levels_.limits(aim);
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                limits.most[machine] = levels_.most_on(aim, machine);
            gives_limits_.levels.push_back(std::move(limits));
        }
    }

    /// What moves of a resource: all that machines give, or what must leave them together.
    [[nodiscard]] Bound moved(std::size_t cost, const std::vector<Tokens>& gives) const {
        Bound bound;
        std::vector<std::pair<MachineId, Int128>> amounts;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            bound.at_least += gives[machine];
            if (gives[machine] > 0 && machine != problem_.outside)
                amounts.emplace_back(machine, gives[machine]);
        }
        if (!amounts.empty())
            bound.reason = "machines must give at least: " + shares_words(problem_, cost, amounts);
        if (problem_.outside != no_machine && gives[problem_.outside] > 0)
            add_reason(bound.reason, "copies that are to be made: " +
                                         amount_words(problem_, cost, gives[problem_.outside]));
        for (const ScorePart* part : {&capacities_, &thresholds_, &levels_}) {
            for (std::size_t index = 0; index < part->size(); ++index) {
                if (part->most_over(index) == 0) continue;
                const Int128 moved = moved_at_least(problem_, reach_, rules_, part->limits(index),
                                                    part->most_over(index), cost);
                if (moved <= bound.at_least) continue;
                bound = {moved, "with " +
                                    amount_words(problem_, part->limits(index).resource,
                                                 part->most_over(index)) +
                                    " above limits at most, machines must give " +
                                    amount_words(problem_, cost, moved)};
            }
        }
        // Each rule that may be broken more often than it must lets one item stay.
        if (broken_more_ > 0) {
            Tokens largest = 0;
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                largest = std::max(largest, problem_.amount(item, cost));
            bound.at_least = std::max<Int128>(bound.at_least - broken_more_ * largest, 0);
            add_reason(bound.reason, "less " +
                                         amount_words(problem_, cost, broken_more_ * largest) +
                                         " that broken rules may keep in place");
        }
        if (bound.at_least == 0) bound.reason.clear();
        return bound;
    }

    const Problem& problem_;
    Score reached_;
    std::uint64_t effort_;
    bool linear_programs_;
    double seconds_;  ///< left for linear programs and prices
    std::stop_token stop_;
    Reach reach_;
    std::vector<Tokens> weights_;
    Int128 unit_ = 1;         ///< what rules count that are not capacities
    Int128 broken_more_ = 0;  ///< how often such rules may be broken that need not be
    Certain certain_;         ///< which of them hold in any case
    RuleCounts rule_counts_;
    Certain rules_;  ///< which hold if none of those is broken
    ScorePart capacities_;
    ScorePart thresholds_;
    ScorePart levels_;
    GiveLimits gives_limits_;
    Bounds bounds_;
};

}  // namespace

Bounds bounds_of(const Problem& problem, const Score& reached, const BoundOptions& options) {
    return BoundsOf(problem, reached, options).all();
}

}  // namespace equipoise::reassign
