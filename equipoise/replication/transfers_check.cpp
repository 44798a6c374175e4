// Transfers replayed wave by wave, by nothing but the rules.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/replication/transfers.hpp"

namespace equipoise::replication {

std::string fault_of(const Problem& problem, const std::vector<ItemId>& placement,
                     const Transfers& transfers, Tokens at_once) {
    std::set<std::pair<MachineId, ItemId>> had;
    std::set<ItemId> exist;
    for (std::uint32_t slot = 0; slot < problem.placement.size(); ++slot) {
        had.emplace(slot / problem.slots, problem.placement[slot]);
        exist.insert(problem.placement[slot]);
    }
    std::set<std::pair<MachineId, ItemId>> has = had;
    std::vector<Tokens> given(problem.machines, 0);
    std::vector<Tokens> taken(problem.machines, 0);
    std::set<std::pair<MachineId, ItemId>> arriving;
    Step wave = 0;
    for (const Transfer& transfer : transfers.list) {
        const std::string what = "wave " + std::to_string(transfer.wave) + ": GPU " +
                                 std::to_string(transfer.from) + " gives expert " +
                                 std::to_string(transfer.item) + " to GPU " +
                                 std::to_string(transfer.to);
        if (transfer.from >= problem.machines || transfer.to >= problem.machines ||
            transfer.item >= problem.items())
            return what + ", which does not exist";
        if (transfer.wave < wave) return what + " after a later wave";
        if (transfer.wave > wave) {
            has.merge(arriving);
            arriving.clear();
            given.assign(problem.machines, 0);
            taken.assign(problem.machines, 0);
            wave = transfer.wave;
        }
        if (!has.contains({transfer.from, transfer.item})) return what + ", which it has not";
        if (has.contains({transfer.to, transfer.item})) return what + ", which has it";
        if (!arriving.emplace(transfer.to, transfer.item).second)
            return what + ", to which it is already given";
        if (++given[transfer.from] > at_once) return what + ", and gives too many at once";
        if (++taken[transfer.to] > at_once) return what + ", which takes too many at once";
    }
    has.merge(arriving);
    if (transfers.waves != (transfers.list.empty() ? 0 : wave + 1))
        return "the transfers end with wave " + std::to_string(wave) + ", not after " +
               std::to_string(transfers.waves) + " waves";
    std::set<std::pair<MachineId, ItemId>> wanted;
    for (std::uint32_t slot = 0; slot < placement.size(); ++slot)
        if (exist.contains(placement[slot])) wanted.emplace(slot / problem.slots, placement[slot]);
    for (const auto& [machine, item] : wanted)
        if (!has.contains({machine, item}))
            return "GPU " + std::to_string(machine) + " never gets expert " + std::to_string(item);
    for (const auto& [machine, item] : has)
        if (!had.contains({machine, item}) && !wanted.contains({machine, item}))
            return "GPU " + std::to_string(machine) + " gets expert " + std::to_string(item) +
                   ", which it is not to have";
    return "";
}

}  // namespace equipoise::replication
