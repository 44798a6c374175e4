#include "equipoise/reassign/reasons/held_back.hpp"

#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

std::vector<std::string> held_back(const Problem& problem, std::span<const MachineId> places,
                                   std::size_t most) {
    std::vector<std::string> found;
    if (problem.gives.empty()) return found;
    const Resource& copied = problem.resources[problem.copied];
    const CopySources sources(problem);
    for (ItemId item = 0; item < problem.item_count() && found.size() < most; ++item) {
        const MachineId place = places[item];
        const MachineId giver = sources.giver(item, place, places);
        const Tokens amount = problem.amount(item, problem.copied);
        if (problem.may_be_on(item, place) || amount <= problem.gives[giver]) continue;
        const AmountWords words = amounts_words(copied, amount, problem.gives[giver]);
        found.push_back(problem.item_name(item) + " has " + words.amount + ", and " +
                        machine_words(problem, giver) + " gives at most " + words.limit +
                        " in a wave");
    }
    return found;
}

}  // namespace equipoise::reassign
