#include "equipoise/reassign/bounds/gives.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace equipoise::reassign {

namespace {

Tokens clamped(Int128 amount) {
    return static_cast<Tokens>(std::min<Int128>(amount, tokens_max));
}

/// What one machine gives.
class MachineGives {
  public:
    MachineGives(const Problem& problem, const Reach& reach, const Certain& certain,
                 const GiveLimits& limits, const GivesAsked& asked, MachineId machine)
        : problem_(problem),
          reach_(reach),
          limits_(limits),
          asked_(asked),
          machine_(machine),
          kinds_(problem.resource_count()),
          given_(kinds_, 0) {
        for (const ItemId item : reach.on(machine)) {
            if (!reach.may_stay(item, certain.leaves)) {
                give(item);
            } else {
                undecided_.push_back(item);
            }
        }
        decide_apart(certain);
    }

    [[nodiscard]] Tokens at_least(std::uint64_t& effort) const {
        const Covered all = cost_within(true, effort);
        if (problem_.drained[machine_]) return all.at_least;
        // A single item that needs some of a resource is level, however large it is.
        std::optional<Tokens> least;
        for (const Limits& level : limits_.levels) {
            if (needs(level) <= 0) continue;
            if (const std::optional<Tokens> cost = cost_but_one(level.resource))
                least = std::min(least.value_or(tokens_max), *cost);
        }
        if (!least || (all.possible && *least >= all.at_least)) return all.at_least;
        const Covered without = cost_within(false, effort);
        if (!without.possible) return all.at_least;
        const Tokens alone = std::max(*least, without.at_least);
        return all.possible ? std::min(all.at_least, alone) : alone;
    }

  private:
    [[nodiscard]] Tokens cost(ItemId item) const { return problem_.amount(item, asked_.cost); }
    [[nodiscard]] Tokens second(ItemId item) const {
        return asked_.second_most.empty() ? 0 : problem_.amount(item, asked_.second);
    }

    void give(ItemId item) {
        for (std::size_t resource = 0; resource < kinds_; ++resource)
            given_[resource] += problem_.amount(item, resource);
    }

    /// Of the rules that keep items apart, the one for which most must leave decides which may stay
    /// together.
    void decide_apart(const Certain& certain) {
        std::size_t most_together = 0;
        std::map<ValueId, std::vector<ItemId>> groups;
        for (std::size_t rule = 0; rule < problem_.apart.size(); ++rule) {
            if (!certain.apart[rule]) continue;
            const Label& label = problem_.item_labels[problem_.apart[rule].label];
            std::map<ValueId, std::vector<ItemId>> found;
            std::size_t together = 0;
            for (const ItemId item : undecided_) {
                if (label.of[item] == no_value) continue;
                found[label.of[item]].push_back(item);
                if (found[label.of[item]].size() > 1) ++together;
            }
            if (together <= most_together) continue;
            most_together = together;
            groups = std::move(found);
        }
        std::vector<ItemId> grouped;
        for (const auto& [value, items] : groups) {
            if (items.size() < 2) continue;
            grouped.insert(grouped.end(), items.begin(), items.end());
            decide_group(items);
        }
        std::sort(grouped.begin(), grouped.end());
        std::erase_if(undecided_, [&](ItemId item) {
            return std::binary_search(grouped.begin(), grouped.end(), item);
        });
    }

    void decide_group(const std::vector<ItemId>& items) {
        const auto stuck = std::find_if(items.begin(), items.end(),
                                        [&](ItemId item) { return !reach_.leaves[item]; });
        if (stuck == items.end()) {
            groups_.push_back(items);
            return;
        }
        for (const ItemId item : items)
            if (reach_.leaves[item]) give(item);
    }

    /// What must leave besides what is given, for the level.
    [[nodiscard]] Int128 needs(const Limits& level) const {
        return used(level.resource) - given_[level.resource] - level.most[machine_];
    }
    [[nodiscard]] Int128 used(std::size_t resource) const {
        return reach_.used[machine_ * kinds_ + resource];
    }

    /// The least cost with which no limit is exceeded; levels only if asked for.
    [[nodiscard]] Covered cost_within(bool with_levels, std::uint64_t& effort) const {
        std::vector<std::size_t> needed;
        CoveringProblem covering;
        for (std::size_t resource = 0; resource < kinds_; ++resource) {
            Int128 most = limits_.hard[machine_ * kinds_ + resource];
            for (const Limits& level : limits_.levels)
                if (with_levels && level.resource == resource)
                    most = std::min(most, level.most[machine_]);
            const Int128 need = used(resource) - given_[resource] - most;
            if (need <= 0) continue;
            needed.push_back(resource);
            covering.needs.push_back(static_cast<Tokens>(need));
        }
        if (!asked_.second_most.empty())
            covering.second_most =
                asked_.second_most[machine_] - static_cast<Tokens>(given_[asked_.second]);
        for (const ItemId item : undecided_) {
            if (!reach_.leaves[item]) continue;
            CoveringOption leaves = option(needed, item);
            if (std::all_of(leaves.gives.begin(), leaves.gives.end(),
                            [](Tokens amount) { return amount == 0; }))
                continue;
            CoveringOption stays;
            stays.gives.assign(needed.size(), 0);
            covering.choices.push_back({std::move(stays), std::move(leaves)});
        }
        for (const std::vector<ItemId>& group : groups_)
            covering.choices.push_back(options_of(needed, group));
        Covered covered = least_cost(covering, effort);
        covered.at_least += static_cast<Tokens>(given_[asked_.cost]);
        return covered;
    }

    [[nodiscard]] CoveringOption option(const std::vector<std::size_t>& needed, ItemId item) const {
        CoveringOption leaves{cost(item), second(item), {}};
        for (const std::size_t resource : needed)
            leaves.gives.push_back(problem_.amount(item, resource));
        return leaves;
    }

    /// All leave, or all but one.
    [[nodiscard]] std::vector<CoveringOption> options_of(const std::vector<std::size_t>& needed,
                                                         const std::vector<ItemId>& group) const {
        CoveringOption all;
        all.gives.assign(needed.size(), 0);
        for (const ItemId item : group) {
            const CoveringOption leaves = option(needed, item);
            all.cost += leaves.cost;
            all.second += leaves.second;
            for (std::size_t need = 0; need < needed.size(); ++need)
                all.gives[need] += leaves.gives[need];
        }
        std::vector<CoveringOption> options = {all};
        for (const ItemId item : group) {
            const CoveringOption stays = option(needed, item);
            CoveringOption others = all;
            others.cost -= stays.cost;
            others.second -= stays.second;
            for (std::size_t need = 0; need < needed.size(); ++need)
                others.gives[need] -= stays.gives[need];
            options.push_back(std::move(others));
        }
        return options;
    }

    /// The least cost with which a single item at most stays that needs some of the resource;
    /// nothing if several cannot leave.
    [[nodiscard]] std::optional<Tokens> cost_but_one(std::size_t resource) const {
        std::size_t stuck = 0;
        Tokens sum = 0;
        Tokens largest = 0;
        for (const ItemId item : reach_.on(machine_)) {
            if (problem_.amount(item, resource) == 0) continue;
            if (!reach_.leaves[item]) {
                ++stuck;
                continue;
            }
            sum += cost(item);
            largest = std::max(largest, cost(item));
        }
        if (stuck > 1) return std::nullopt;
        return stuck == 1 ? sum : sum - largest;
    }

    const Problem& problem_;
    const Reach& reach_;
    const GiveLimits& limits_;
    const GivesAsked& asked_;
    MachineId machine_;
    std::size_t kinds_;
    std::vector<Int128> given_;  ///< by resource: what leaves in any case
    std::vector<ItemId> undecided_;
    std::vector<std::vector<ItemId>> groups_;  ///< of which one may stay
};

/// What a machine may give so that less is above its limit: `gives` at `cost`, or parts of it.
struct Reduction {
    Tokens cost = 0;
    Tokens gives = 0;
    Tokens most = 0;  ///< how much of `gives` counts
};

bool is_cheaper(const Reduction& one, const Reduction& other) {
    return Int128{one.cost} * other.gives < Int128{other.cost} * one.gives;
}

/// What is above limits if nothing else leaves than what must, and what may be given.
struct Reductions {
    Int128 over = 0;
    Int128 leaving = 0;  ///< the cost of items that must leave
    std::vector<Reduction> all;
};

Reductions reductions_of(const Problem& problem, const Reach& reach, bool leave,
                         const Limits& limits, std::size_t cost) {
    Reductions reductions;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        Int128 held = 0;
        Tokens largest = 0;
        std::vector<Reduction> here;
        for (const ItemId item : reach.on(machine)) {
            const Tokens amount = problem.amount(item, limits.resource);
            largest = std::max(largest, amount);
            if (!reach.may_stay(item, leave)) {
                reductions.leaving += problem.amount(item, cost);
                continue;
            }
            held += amount;
            if (reach.leaves[item] && amount > 0)
                here.push_back({problem.amount(item, cost), amount, amount});
        }
        Int128 over = surplus(held, limits.most[machine]);
        // A single item may stay that is above the limit by itself.
        if (limits.except_single && !problem.drained[machine])
            over = surplus(over, surplus(largest, limits.most[machine]));
        reductions.over += over;
        std::sort(here.begin(), here.end(), is_cheaper);
        for (Reduction& each : here) {
            if (over == 0) break;
            each.most = clamped(std::min<Int128>(over, each.gives));
            over -= each.most;
            reductions.all.push_back(each);
        }
    }
    return reductions;
}

}  // namespace

std::vector<Tokens> gives_at_least(const Problem& problem, const Reach& reach,
                                   const Certain& certain, const GiveLimits& limits,
                                   const GivesAsked& asked, std::uint64_t& effort) {
    std::vector<Tokens> gives;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        // Each machine gets its part of the effort that is left.
        std::uint64_t part = effort / (problem.machine_count() - machine);
        effort -= part;
        gives.push_back(
            MachineGives(problem, reach, certain, limits, asked, machine).at_least(part));
        effort += part;
    }
    return gives;
}

Int128 moved_at_least(const Problem& problem, const Reach& reach, const Certain& certain,
                      const Limits& limits, Int128 over, std::size_t cost) {
    Reductions reductions = reductions_of(problem, reach, certain.leaves, limits, cost);
    Int128 need = reductions.over - over;
    Int128 moved = reductions.leaving;
    const bool by_number = cost == items_resource;
    std::sort(reductions.all.begin(), reductions.all.end(),
              [&](const Reduction& one, const Reduction& other) {
                  return by_number ? one.most > other.most : is_cheaper(one, other);
              });
    for (const Reduction& each : reductions.all) {
        if (need <= 0) break;
        const Int128 taken = std::min<Int128>(need, each.most);
        moved += by_number ? Int128{1} : taken * each.cost / each.gives;
        need -= taken;
    }
    return moved;
}

Int128 over_within(const Problem& problem, const Reach& reach, const Limits& limits,
                   std::size_t cost, Int128 budget) {
    Reductions reductions = reductions_of(problem, reach, false, limits, cost);
    const bool by_number = cost == items_resource;
    std::sort(reductions.all.begin(), reductions.all.end(),
              [&](const Reduction& one, const Reduction& other) {
                  return by_number ? one.most > other.most : is_cheaper(one, other);
              });
    Int128 over = reductions.over;
    for (const Reduction& each : reductions.all) {
        const Int128 whole = by_number ? Int128{1} : Int128{each.cost} * each.most / each.gives;
        if (whole > budget) {
            if (!by_number && each.cost > 0)
                over -= std::min<Int128>(each.most, budget * each.gives / each.cost + 1);
            break;
        }
        budget -= whole;
        over -= each.most;
    }
    return std::max<Int128>(over, 0);
}

}  // namespace equipoise::reassign
