#include "equipoise/reassign/waves/good_placements.hpp"

#include "equipoise/reassign/checks/ends.hpp"

namespace equipoise::reassign {

std::optional<std::vector<std::vector<MachineId>>> placements_as_good(
    const Problem& problem, const Score& score, std::uint64_t placements_most) {
    // By item: where it is, and where it may go.
    std::vector<std::vector<MachineId>> choices;
    std::uint64_t count = 1;
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        std::vector<MachineId>& of_item = choices.emplace_back(1, problem.places[item]);
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            if (machine != problem.places[item] && problem.may_be_on(item, machine))
                of_item.push_back(machine);
        if (count > placements_most / of_item.size()) return std::nullopt;
        count *= of_item.size();
    }
    const Standing before = stand(problem, problem.places);
    std::vector<std::vector<MachineId>> found;
    std::vector<MachineId> places = problem.places;
    std::vector<std::size_t> chosen(places.size(), 0);
    while (true) {
        const Standing standing = stand(problem, places);
        if (standing.score <= score && may_end(problem, places, standing, before))
            found.push_back(places);
        std::size_t item = 0;
        for (; item < places.size(); ++item) {
            chosen[item] = (chosen[item] + 1) % choices[item].size();
            places[item] = choices[item][chosen[item]];
            if (chosen[item] != 0) break;
        }
        if (item == places.size()) return found;
    }
}

}  // namespace equipoise::reassign
