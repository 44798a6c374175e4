#include "equipoise/reassign/checks/standing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/checks/value_counts.hpp"

namespace equipoise::reassign {

namespace {

class Look {
  public:
    Look(const Problem& problem, std::span<const MachineId> places)
        : problem_(problem), places_(places), kinds_(problem.resource_count()) {
        EQUIPOISE_ASSERT(places.size() == problem.item_count());
        standing_.used.assign(std::size_t{problem.machine_count()} * kinds_, 0);
        standing_.moved.assign(kinds_, 0);
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            for (std::size_t resource = 0; resource < kinds_; ++resource) {
                const Tokens amount = problem.amount(item, resource);
                standing_.used[places[item] * kinds_ + resource] += amount;
                if (has_moved(item)) standing_.moved[resource] += amount;
            }
        }
    }

    Standing run() {
        look_at_machines();
        look_at_items();
        for (std::size_t rule = 0; rule < problem_.apart.size(); ++rule)
            look_apart(rule);
        for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule)
            look_at_spread(rule);
        for (std::size_t rule = 0; rule < problem_.near.size(); ++rule)
            look_at_near(rule);
        add_up();
        return std::move(standing_);
    }

  private:
    [[nodiscard]] bool has_moved(ItemId item) const {
        return places_[item] != problem_.places[item];
    }
    [[nodiscard]] Tokens used(MachineId machine, std::size_t resource) const {
        return standing_.used[machine * kinds_ + resource];
    }

    void look_at_machines() {
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            for (std::size_t resource = 0; resource < kinds_; ++resource)
                if (used(machine, resource) > problem_.capacity(machine, resource))
                    add(RuleKind::capacity, machine, resource, problem_.capacity(machine, resource),
                        used(machine, resource) - problem_.capacity(machine, resource));
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            const Tokens least = problem_.least_items_of(machine);
            const Tokens items = used(machine, items_resource);
            if (items < least)
                add(RuleKind::least_items, machine, items_resource, least, least - items);
        }
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (problem_.drained[machine] && used(machine, items_resource) > 0)
                add(RuleKind::drained, machine, items_resource, 0, used(machine, items_resource));
    }

    void add(RuleKind kind, MachineId machine, std::size_t resource, Tokens limit, Tokens by) {
        BrokenRule broken;
        broken.kind = kind;
        broken.machine = machine;
        broken.resource = resource;
        broken.limit = limit;
        broken.by = by;
        standing_.broken.push_back(broken);
    }

    void look_at_items() {
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (problem_.may_be_on(item, places_[item]) || problem_.drained[places_[item]])
                continue;
            BrokenRule broken;
            broken.kind = RuleKind::not_allowed;
            broken.machine = places_[item];
            broken.item = item;
            broken.by = 1;
            standing_.broken.push_back(broken);
        }
    }

    void look_apart(std::size_t rule) {
        const Label& label = problem_.item_labels[problem_.apart[rule].label];
        std::vector<std::pair<MachineId, ValueId>> found;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (label.of[item] != no_value) found.emplace_back(places_[item], label.of[item]);
        std::sort(found.begin(), found.end());
        for (std::size_t first = 0, last = 0; first < found.size(); first = last) {
            while (last < found.size() && found[last] == found[first])
                ++last;
            if (last - first < 2) continue;
            BrokenRule broken;
            broken.kind = RuleKind::apart;
            broken.rule = rule;
            broken.machine = found[first].first;
            broken.value = found[first].second;
            broken.limit = 1;
            broken.by = static_cast<Tokens>(last - first) - 1;
            standing_.broken.push_back(broken);
        }
    }

    void look_at_spread(std::size_t rule) {
        SpreadCounts spread(problem_, rule);
        spread.counts().add_all(places_);
        for (ValueId value = 0; value < spread.counts().values(); ++value)
            spread.append_broken(value, standing_.broken);
    }

    void look_at_near(std::size_t rule) {
        NearCounts near(problem_, rule);
        near.counts().add_all(places_);
        for (std::size_t pair = 0; pair < problem_.near[rule].depends.size(); ++pair)
            near.append_broken(pair, standing_.broken);
    }

    void add_up() {
        Score& score = standing_.score;
        const std::vector<Tokens> weights = problem_.weights();
        const std::vector<Tokens> totals = problem_.totals();
        const Int128 unit = std::max<Tokens>(*std::max_element(totals.begin(), totals.end()), 1);
        for (const BrokenRule& broken : standing_.broken)
            score.broken +=
                Int128{broken.by} *
                (broken.kind == RuleKind::capacity ? Int128{weights[broken.resource]} : unit);
        score.moves = standing_.moved[items_resource];
        if (problem_.objective.given) {
            score.cost = cost();
            return;
        }
        for (std::size_t resource = 0; resource < kinds_; ++resource)
            score.over_thresholds += over_thresholds(resource) * weights[resource];
        for (const LevelAim& aim : problem_.level)
            score.over_levels += over_level(aim) * weights[aim.resource];
        score.fewest = standing_.moved[problem_.fewest];
    }

    [[nodiscard]] Int128 over_thresholds(std::size_t resource) const {
        return above_thresholds(problem_, resource, standing_.used);
    }

    [[nodiscard]] Int128 over_level(const LevelAim& aim) const {
        const std::vector<Tokens> above = above_level(problem_, aim, places_);
        return std::accumulate(above.begin(), above.end(), Int128{0});
    }

    [[nodiscard]] Int128 cost() const {
        const Objective& objective = problem_.objective;
        Int128 sum = 0;
        const auto add = [&](Int128 amount, Int128 weight) {
            sum = checked_add(sum, checked_multiply(amount, weight));
        };
        for (std::size_t resource = 0; resource < objective.over_threshold.size(); ++resource)
            add(over_thresholds(resource), objective.over_threshold[resource]);
        for (const Objective::Balance& balance : objective.balances)
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                add(std::max<Int128>(
                        checked_multiply(Int128{balance.target}, free(machine, balance.resource)) -
                            free(machine, balance.other),
                        0),
                    balance.weight);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (!has_moved(item)) continue;
            if (!objective.move_costs.empty()) add(objective.move_costs[item], 1);
            if (!objective.pair_costs.empty())
                add(objective
                        .pair_costs[std::size_t{problem_.places[item]} * problem_.machine_count() +
                                    places_[item]],
                    objective.pair_weight);
        }
        if (objective.most_moved != 0) add(most_moved(), objective.most_moved);
        return sum;
    }

    [[nodiscard]] Int128 free(MachineId machine, std::size_t resource) const {
        return Int128{problem_.capacity(machine, resource)} - used(machine, resource);
    }

    /// The largest number of moved items that share a value.
    [[nodiscard]] Int128 most_moved() const {
        const Label& label = problem_.item_labels[problem_.objective.most_moved_label];
        std::vector<ItemId> moved(label.values.size(), 0);
        ItemId most = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (has_moved(item) && label.of[item] != no_value)
                most = std::max(most, ++moved[label.of[item]]);
        return most;
    }

    const Problem& problem_;
    std::span<const MachineId> places_;
    std::size_t kinds_;
    Standing standing_;
};

}  // namespace

Standing stand(const Problem& problem, std::span<const MachineId> places) {
    return Look(problem, places).run();
}

std::vector<Tokens> above_level(const Problem& problem, const LevelAim& aim,
                                std::span<const MachineId> places) {
    std::vector<Tokens> above(problem.machine_count(), 0);
    std::vector<ItemId> needing(problem.machine_count(), 0);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const Tokens amount = problem.amount(item, aim.resource);
        above[places[item]] += amount;
        if (amount > 0) ++needing[places[item]];
    }
    const std::vector<Tokens> limits = problem.level_limits(aim);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        const bool counts = needing[machine] > 1 || problem.drained[machine];
        above[machine] = counts ? std::max<Tokens>(above[machine] - limits[machine], 0) : 0;
    }
    return above;
}

Int128 above_thresholds(const Problem& problem, std::size_t resource,
                        std::span<const Tokens> used) {
    Int128 sum = 0;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        sum += std::max<Tokens>(used[machine * problem.resource_count() + resource] -
                                    problem.threshold(machine, resource),
                                0);
    return sum;
}

bool within(const Budget& budget, std::span<const Tokens> moved, Step waves) {
    for (std::size_t resource = 0; resource < budget.amounts.size(); ++resource)
        if (moved[resource] > budget.amounts[resource]) return false;
    return waves <= static_cast<Step>(budget.waves);
}

}  // namespace equipoise::reassign
