#include "equipoise/replication/level_needs.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/tokens.hpp"

namespace equipoise::replication {

LevelNeeds::LevelNeeds(const Problem& problem)
    : problem_(problem),
      copies_most_(problem.groups == 0 ? problem.machines : problem.machines / problem.hosts) {
    std::vector<Tokens> copies;
    copies.reserve(problem.items());
    for (const Tokens load : problem.loads)
        copies.push_back(load_of_copy(load, Tokens{copies_most_}));
    std::sort(copies.begin(), copies.end());
    least_.push_back(0);
    for (std::uint32_t count = 0; count < problem.slots; ++count)
        least_.push_back(least_.back() + copies[count]);
}

Tokens LevelNeeds::most_of_smallest(Tokens level, std::uint32_t copies) const {
    return floor_divide(level - least_[problem_.slots - copies], Tokens{copies});
}

std::uint32_t LevelNeeds::copies_for(Tokens load, Tokens most) const {
    if (load <= most) return 1;
    if (most <= 0) return copies_most_ + 1;
    return static_cast<std::uint32_t>(std::min(ceil_divide(load, most), Tokens{copies_most_} + 1));
}

std::uint64_t LevelNeeds::large_copies(Tokens level, std::uint32_t beside) const {
    // No copy may carry more than `most`. Beyond that, an item either has as few copies as it
    // needs for that, all of them large, or so many that none is: anything between has more large
    // copies and takes more slots. To have few large copies with the slots that there are is a
    // knapsack problem; items taken by parts give a bound.
    const std::uint64_t out_of_reach = std::uint64_t{problem_.all_slots()} + 1;
    const Tokens most = most_of_smallest(level, 1);
    const Tokens large = most_of_smallest(level, beside + 1);
    if (most < 0 || large < 0) return out_of_reach;
    std::uint64_t slots = 0;
    std::uint64_t count = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        choices;  // large copies, slots to have none
    for (const Tokens load : problem_.loads) {
        const std::uint32_t few = copies_for(load, most);
        if (few > copies_most_) return out_of_reach;
        slots += few;
        const std::uint32_t many = copies_for(load, large);
        if (many == few) continue;
        count += few;
        if (many <= copies_most_) choices.emplace_back(few, many - few);
    }
    if (slots > problem_.all_slots()) return out_of_reach;
    std::sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
        return std::uint64_t{a.first} * b.second > std::uint64_t{b.first} * a.second;
    });
    std::uint64_t spare = problem_.all_slots() - slots;
    for (const auto& [copies, price] : choices) {
        if (price > spare) return count - copies * spare / price;
        spare -= price;
        count -= copies;
    }
    return count;
}

}  // namespace equipoise::replication
