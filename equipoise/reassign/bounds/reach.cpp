#include "equipoise/reassign/bounds/reach.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/reassign/checks/givers.hpp"

namespace equipoise::reassign {

namespace {

void fill_places(const Problem& problem, Reach& reach) {
    const std::size_t kinds = problem.resource_count();
    reach.begins.assign(std::size_t{problem.machine_count()} + 1, 0);
    for (const MachineId place : problem.places)
        ++reach.begins[place + std::size_t{1}];
    std::partial_sum(reach.begins.begin(), reach.begins.end(), reach.begins.begin());
    std::vector<std::size_t> next(reach.begins.begin(), reach.begins.end() - 1);
    reach.items.resize(problem.item_count());
    reach.used.assign(problem.machine_count() * kinds, 0);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const MachineId place = problem.places[item];
        reach.items[next[place]++] = item;
        for (std::size_t resource = 0; resource < kinds; ++resource)
            reach.used[place * kinds + resource] += problem.amount(item, resource);
    }
}

void fill_takers(const Problem& problem, Reach& reach) {
    const MachineId machines = problem.machine_count();
    reach.takers.assign(problem.sets.size() + 1, std::vector<bool>(machines, false));
    for (MachineId machine = 0; machine < machines; ++machine) {
        if (!problem.may_take(machine)) continue;
        reach.takers[0][machine] = true;
        for (std::size_t set = 0; set < problem.sets.size(); ++set)
            reach.takers[set + 1][machine] = problem.sets[set][machine];
    }
    reach.kinds.assign(problem.item_count(), 0);
    if (problem.allowed_set.empty()) return;
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (problem.allowed_set[item] != any_machine)
            reach.kinds[item] = problem.allowed_set[item] + 1;
}

}  // namespace

Reach reach_of(const Problem& problem) {
    Reach reach;
    fill_places(problem, reach);
    fill_takers(problem, reach);
    std::vector<std::size_t> numbers;
    for (const std::vector<bool>& takers : reach.takers)
        numbers.push_back(static_cast<std::size_t>(std::count(takers.begin(), takers.end(), true)));
    const std::vector<bool> gives = givers(problem);
    const std::size_t kinds = problem.resource_count();
    reach.leaves.assign(problem.item_count(), false);
    reach.must_leave.assign(problem.item_count(), false);
    reach.stuck.assign(problem.machine_count() * kinds, 0);
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        const MachineId place = problem.places[item];
        const std::uint32_t kind = reach.kinds[item];
        const bool stays = !gives[place] || problem.must_stay(item);
        reach.leaves[item] = !stays && numbers[kind] > (reach.takers[kind][place] ? 1 : 0);
        reach.must_leave[item] = !problem.may_be_on(item, place);
        if (reach.leaves[item]) continue;
        for (std::size_t resource = 0; resource < kinds; ++resource)
            reach.stuck[place * kinds + resource] += problem.amount(item, resource);
    }
    return reach;
}

}  // namespace equipoise::reassign
