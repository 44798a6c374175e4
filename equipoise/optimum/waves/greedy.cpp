#include "equipoise/optimum/waves/greedy.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/optimum/waves/builder.hpp"

namespace equipoise::optimum {

namespace {

class GreedyMover {
  public:
    GreedyMover(const ItemsProblem& problem, std::uint64_t at_a_time)
        : problem_(problem),
          at_a_time_(at_a_time == 0 ? problem.items() + std::uint64_t{1} : at_a_time),
          builder_(problem),
          items_(problem.nodes),
          counts_(problem.counts()) {
        for (ItemId item = 0; item < problem.items(); ++item)
            items_[problem.places[item]].emplace(problem.size_of(item), item);
    }

    std::optional<WaveSchedule> run() {
        while (is_above()) {
            for (std::uint64_t moved = 0; moved < at_a_time_ && move_one();)
                ++moved;
            if (builder_.wave_is_empty()) return std::nullopt;
            for (const auto& [item, to] : arriving_)
                items_[to].emplace(problem_.size_of(item), item);
            arriving_.clear();
            builder_.end_wave();
        }
        return std::move(builder_.schedule());
    }

  private:
    using Items = std::set<std::pair<Tokens, ItemId>, std::greater<>>;

    /// The size that the node will hold above its final load (negative: room).
    [[nodiscard]] Tokens above(NodeId node) const {
        return builder_.will_hold(node) - problem_.target.base[node];
    }

    [[nodiscard]] bool is_above() const {
        Tokens extras = problem_.target.extras;
        const Tokens unit = problem_.one_size();
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            if (may_end_so(node)) continue;
            if (extras == 0 || !problem_.target.extra_at(node) || above(node) > unit) return true;
            --extras;
        }
        return false;
    }

    [[nodiscard]] bool may_end_so(NodeId node) const {
        return problem_.may_end_with(node, builder_.will_hold(node), counts_[node]);
    }

    /// Moves one item from the fullest node that can give to the emptiest that can take.
    bool move_one() {
        std::vector<std::pair<Tokens, NodeId>> order;
        for (NodeId node = 0; node < problem_.nodes; ++node)
            order.emplace_back(above(node), node);
        std::sort(order.begin(), order.end());
        for (auto from = order.rbegin(); from != order.rend(); ++from) {
            if (may_end_so(from->second) || !builder_.gives_more(from->second)) continue;
            for (auto to = order.begin(); to != order.end() && to->first < from->first; ++to)
                if (may_fill(to->second) && move_between(*from, *to)) return true;
        }
        return false;
    }

    [[nodiscard]] bool may_fill(NodeId node) const {
        // A node that holds a single item larger than its final load is done.
        const bool is_done = counts_[node] == 1 && above(node) > 0 && may_end_so(node);
        return builder_.takes_more(node) && !problem_.ends_empty_at(node) && !is_done &&
               (problem_.target.base[node] > 0 || problem_.may_hold_one_at(node));
    }

    bool move_between(const std::pair<Tokens, NodeId>& from, const std::pair<Tokens, NodeId>& to) {
        // A node that is to end empty gives whatever fits; other nodes give only items that level.
        const bool empties = problem_.target.base[from.second] == 0;
        const bool takes_one = counts_[to.second] == 0 && problem_.may_hold_one_at(to.second);
        const Tokens levels = from.first - to.first - 1;
        Tokens most = empties ? std::max(takes_one ? tokens_max : -to.first, levels) : levels;
        most = std::min({most, builder_.can_give(from.second), builder_.can_take(to.second)});
        Items& items = items_[from.second];
        for (auto next = items.lower_bound({most, ~ItemId{0}}); next != items.end(); ++next) {
            if (next->first == 0 && !empties) return false;  // levels nothing
            if (!builder_.allows(next->second, to.second)) continue;
            arriving_.emplace_back(next->second, to.second);
            builder_.move(next->second, to.second);
            --counts_[from.second];
            ++counts_[to.second];
            items.erase(next);
            return true;
        }
        return false;
    }

    const ItemsProblem& problem_;
    std::uint64_t at_a_time_;
    WaveBuilder builder_;
    std::vector<Items> items_;    ///< by node, without those that move in this wave
    std::vector<Tokens> counts_;  ///< by node, the items that it will hold
    std::vector<std::pair<ItemId, NodeId>> arriving_;
};

}  // namespace

std::optional<WaveSchedule> greedy_waves(const ItemsProblem& problem, std::uint64_t at_a_time) {
    return GreedyMover(problem, at_a_time).run();
}

}  // namespace equipoise::optimum
