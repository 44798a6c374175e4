#include "benchmarks/placement/ours.hpp"

#include "equipoise/placement/few_moves.hpp"

namespace equipoise::benchmarks {

std::vector<int> ours(const peers::Items& items, std::span<const double> bytes, double tolerance) {
    const std::size_t ranks = items.fixed.size();
    // What cannot move is one pinned item of each rank, the first.
    std::vector<std::vector<double>> weights(ranks);
    std::vector<std::vector<double>> sizes(ranks);
    std::vector<std::vector<std::size_t>> item_at(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        weights[r].push_back(items.fixed[r]);
        if (!bytes.empty()) sizes[r].push_back(0);
    }
    for (std::size_t i = 0; i < items.weights.size(); ++i) {
        const auto r = static_cast<std::size_t>(items.rank[i]);
        weights[r].push_back(items.weights[i]);
        if (!bytes.empty()) sizes[r].push_back(bytes[i]);
        item_at[r].push_back(i);
    }
    std::vector<placement::RankItems> parts(ranks);
    for (std::size_t r = 0; r < ranks; ++r)
        parts[r] = {.weights = weights[r], .sizes = sizes[r], .pinned = 1};
    std::vector<int> rank(items.rank.begin(), items.rank.end());
    for (const placement::Relocation& move :
         placement::place(parts, {.tolerance = tolerance}).moves) {
        const auto from = static_cast<std::size_t>(move.from);
        rank[item_at[from][static_cast<std::size_t>(move.place) - 1]] = move.to;
    }
    return rank;
}

}  // namespace equipoise::benchmarks
