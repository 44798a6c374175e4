#include "equipoise/optimum/waves/wrap_around.hpp"

#include <algorithm>
#include <vector>

#include "equipoise/optimum/waves/builder.hpp"
#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/optimum/waves/one_size.hpp"

namespace equipoise::optimum {

namespace {

/// The items of each node.
std::vector<std::vector<ItemId>> items_by_node(const ItemsProblem& problem) {
    std::vector<std::vector<ItemId>> items(problem.nodes);
    for (ItemId item = 0; item < problem.items(); ++item)
        items[problem.places[item]].push_back(item);
    return items;
}

/// Gives each of a node's receivers an item of which it has no copy: a bipartite matching by
/// augmenting paths.
class CopyMatching {
  public:
    CopyMatching(const std::vector<ItemId>& items, const std::vector<NodeId>& receivers,
                 const CopyPlaces& copies)
        : items_(items), receivers_(receivers), copies_(copies), receiver_of_(items.size(), none) {}

    /// By receiver; empty if there is no such choice.
    [[nodiscard]] std::vector<ItemId> find() {
        for (std::size_t slot = 0; slot < receivers_.size(); ++slot) {
            seen_.assign(items_.size(), false);
            if (!augment(slot)) return {};
        }
        std::vector<ItemId> chosen(receivers_.size());
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (receiver_of_[i] != none) chosen[receiver_of_[i]] = items_[i];
        return chosen;
    }

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    bool augment(std::size_t slot) {
        const auto fits = [&](std::size_t i) {
            return !seen_[i] && !copies_.holds(items_[i], receivers_[slot]);
        };
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (receiver_of_[i] != none || !fits(i)) continue;
            receiver_of_[i] = slot;
            return true;
        }
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (!fits(i)) continue;
            seen_[i] = true;
            if (augment(receiver_of_[i])) {
                receiver_of_[i] = slot;
                return true;
            }
        }
        return false;
    }

    const std::vector<ItemId>& items_;
    const std::vector<NodeId>& receivers_;
    const CopyPlaces& copies_;
    std::vector<std::size_t> receiver_of_;  ///< by item
    std::vector<bool> seen_;
};

}  // namespace

std::optional<WaveSchedule> wrap_around(const ItemsProblem& problem, Step waves) {
    const LevelQuotas quotas = level_quotas(level_by_items(problem), waves);
    std::vector<NodeId> takers;
    for (NodeId node = 0; node < problem.nodes; ++node)
        takers.insert(takers.end(), static_cast<std::size_t>(quotas.takes[node]), node);
    const std::vector<std::vector<ItemId>> items = items_by_node(problem);
    CopyPlaces copies(problem);
    WaveSchedule schedule;
    schedule.reserve(takers.size());
    for (NodeId node = 0; node < problem.nodes; ++node) {
        const auto giving = static_cast<std::size_t>(quotas.gives[node]);
        if (giving == 0) continue;
        const auto first = takers.begin() + static_cast<std::ptrdiff_t>(schedule.size());
        const std::vector<NodeId> receivers(first, first + static_cast<std::ptrdiff_t>(giving));
        std::vector<ItemId> chosen = items[node];
        if (!problem.copies_of.empty())
            chosen = CopyMatching(items[node], receivers, copies).find();
        if (chosen.size() < giving) return std::nullopt;
        for (std::size_t i = 0; i < giving; ++i) {
            copies.add(chosen[i], receivers[i]);
            schedule.push_back({schedule.size() % waves, chosen[i], node, receivers[i]});
        }
    }
    std::stable_sort(schedule.begin(), schedule.end(),
                     [](const WaveMove& a, const WaveMove& b) { return a.wave < b.wave; });
    return schedule;
}

}  // namespace equipoise::optimum
