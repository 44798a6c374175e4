#include "equipoise/reassign/search/cost/cost_tables.hpp"

#include <algorithm>
#include <numeric>

namespace equipoise::reassign {

namespace {

/// Adds up what costs can be at most, as long as this is below 2^60.
class GreatestCost {
  public:
    static constexpr Int128 limit = Int128{1} << 60U;

    /// The product, or the limit if it is above it or a factor is below 0.
    static Int128 product(Int128 a, Int128 b) {
        if (a < 0 || b < 0 || a > limit || b > limit || (a > 0 && b > limit / a)) return limit;
        return a * b;
    }
    void add(Int128 weight, Int128 amount) {
        sum_ = std::min(sum_ + product(weight, amount), limit);
    }
    /// What is computed on the way.
    void pass(Int128 amount) { passes_ &= amount < limit; }
    [[nodiscard]] bool is_small() const { return passes_ && sum_ < limit; }

  private:
    Int128 sum_ = 0;
    bool passes_ = true;
};

/// Whether a resource has capacities or costs something.
bool matters(const Problem& problem, std::size_t resource) {
    const Objective& objective = problem.objective;
    if (resource < objective.over_threshold.size() && objective.over_threshold[resource] > 0)
        return true;
    for (const Objective::Balance& balance : objective.balances)
        if (balance.resource == resource || balance.other == resource) return true;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        if (problem.capacity(machine, resource) < tokens_max) return true;
    return false;
}

}  // namespace

bool CostTables::suit(const Problem& problem) {
    const Objective& objective = problem.objective;
    if (!objective.given) return false;
    if (std::any_of(problem.thresholds.begin(), problem.thresholds.end(),
                    [](Tokens each) { return each < 0; }) ||
        std::any_of(problem.capacities.begin(), problem.capacities.end(),
                    [](Tokens each) { return each < 0; }))
        return false;
    const std::vector<Tokens> totals = problem.totals();
    GreatestCost greatest;
    for (std::size_t resource = 0; resource < objective.over_threshold.size(); ++resource)
        greatest.add(objective.over_threshold[resource], totals[resource]);
    for (const Objective::Balance& balance : objective.balances) {
        Int128 capacities = 0;
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            capacities += problem.capacity(machine, balance.resource);
        const Int128 most =
            GreatestCost::product(balance.target, capacities + totals[balance.resource]);
        greatest.pass(most + totals[balance.other]);
        greatest.add(balance.weight, most + totals[balance.other]);
    }
    for (const Tokens cost : objective.move_costs)
        greatest.add(1, cost);
    if (!objective.pair_costs.empty())
        greatest.add(GreatestCost::product(objective.pair_weight,
                                           *std::max_element(objective.pair_costs.begin(),
                                                             objective.pair_costs.end())),
                     problem.item_count());
    greatest.add(objective.most_moved, problem.item_count());
    return greatest.is_small();
}

std::uint64_t CostTables::bytes(const Problem& problem) {
    const std::uint64_t kinds = problem.resource_count();
    return problem.item_count() * (8 * kinds + 28) + problem.machine_count() * (24 * kinds + 4);
}

CostTables::CostTables(const SearchTables& search_tables)
    : tables(search_tables), problem(search_tables.problem) {
    std::vector<std::size_t> resources;
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
        if (matters(problem, resource)) resources.push_back(resource);
    const auto late =
        std::stable_partition(resources.begin(), resources.end(),
                              [&](std::size_t resource) { return !tables.transient[resource]; });
    kinds = resources.size();
    first_late = static_cast<std::size_t>(late - resources.begin());
    const Objective& objective = problem.objective;
    std::vector<std::size_t> kind_of(problem.resource_count(), 0);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        kind_of[resources[kind]] = kind;
        weights.push_back(resources[kind] < objective.over_threshold.size()
                              ? objective.over_threshold[resources[kind]]
                              : 0);
    }
    for (const Objective::Balance& balance : objective.balances)
        balances.push_back(
            {kind_of[balance.resource], kind_of[balance.other], balance.target, balance.weight});
    amounts.reserve(problem.item_count() * kinds);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        for (const std::size_t resource : resources)
            amounts.push_back(problem.amount(item, resource));
        if (tables.movable[item]) movable.push_back(item);
    }
    sort_by_size();
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        for (const std::size_t resource : resources) {
            capacities.push_back(problem.capacity(machine, resource));
            thresholds.push_back(problem.threshold(machine, resource));
            held.push_back(tables.held[machine * tables.kinds + resource]);
        }
        if (tables.takes[machine]) takers.push_back(machine);
    }
    if (tables.apart.empty()) return;
    const ItemGroups& groups = tables.groups[tables.apart.back().groups];
    first_peers.assign(groups.sizes.size() + 1, 0);
    for (const ItemId item : movable)
        if (groups.of[item] != ItemGroups::none) ++first_peers[groups.of[item] + 1];
    std::partial_sum(first_peers.begin(), first_peers.end(), first_peers.begin());
    peers.resize(first_peers.back());
    std::vector<std::uint32_t> next(first_peers.begin(), first_peers.end() - 1);
    for (const ItemId item : movable)
        if (groups.of[item] != ItemGroups::none) peers[next[groups.of[item]]++] = item;
}

void CostTables::sort_by_size() {
    std::vector<double> totals(kinds, 1);
    for (std::size_t at = 0; at < amounts.size(); ++at)
        totals[at % kinds] += static_cast<double>(amounts[at]);
    std::vector<double> sizes(problem.item_count(), 0);
    for (std::size_t at = 0; at < amounts.size(); ++at)
        sizes[at / kinds] =
            std::max(sizes[at / kinds], static_cast<double>(amounts[at]) / totals[at % kinds]);
    by_size = movable;
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](ItemId one, ItemId other) { return sizes[one] > sizes[other]; });
}

}  // namespace equipoise::reassign
