#include "equipoise/placement/few_moves.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/few_moves/own_items.hpp"
#include "equipoise/placement/few_moves/shared_plan.hpp"

namespace equipoise::placement {

void expect_countable(std::uint64_t items) {
    if (items > weighted_items_max)
        throw InputError("expected at most 2^32 - 1 weighted items on a rank, found " +
                         std::to_string(items));
}

// Plays the sides of all ranks in one process (few_moves/).
Placement place(std::span<const RankItems> ranks, const PlaceOptions& options) {
    std::vector<OwnItems> own;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        own.emplace_back(static_cast<int>(rank), ranks[rank], options.weights_per_item);
    SharedPlan plan(ranks.size(), options, true);
    std::vector<int> begins(ranks.size());
    while (plan.step() != SharedPlan::Step::done) {
        std::vector<std::int64_t> all;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            begins[rank] = static_cast<int>(all.size());
            const std::vector<std::int64_t> words = own[rank].words(plan);
            all.insert(all.end(), words.begin(), words.end());
        }
        plan.take({all, begins});
    }
    for (std::size_t rank = 0; rank < ranks.size() && !plan.knows_least(); ++rank)
        plan.add_least(own[rank].least_departures(plan));
    Placement placement{plan.figures(), {}, plan.weights_after()};
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Departure& departure : own[rank].departures(plan))
            placement.moves.push_back({static_cast<int>(rank), departure.place, departure.to});
    }
    return placement;
}

}  // namespace equipoise::placement
