#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "equipoise/optimum/waves/builder.hpp"
#include "equipoise/optimum/waves/list.hpp"

namespace equipoise::optimum {

namespace {

/// The items that leave a node, by size: the largest that still fits is found quickly.
using Leaving = std::multimap<Tokens, ItemId, std::greater<>>;

/// The fewest items that must leave for a node to hold no more than it may: the largest ones, the
/// last of them as small as is enough. If a single item may stay, it is the largest.
Leaving fewest_items(const ItemsProblem& problem, NodeId node, std::vector<ItemId> items,
                     Tokens size_max) {
    Tokens excess = -problem.target.base[node];
    for (const ItemId item : items)
        excess += problem.size_of(item);
    std::stable_sort(items.begin(), items.end(),
                     [&](ItemId a, ItemId b) { return problem.size_of(a) > problem.size_of(b); });
    const std::size_t held = items.size();
    const auto stays = std::find_if(items.begin(), items.end(), [&](ItemId item) {
        return problem.may_end_with(node, problem.size_of(item), 1);
    });
    const ItemId largest = stays == items.end() ? ~ItemId{0} : *stays;
    std::erase_if(items, [&](ItemId item) { return problem.size_of(item) > size_max; });
    Leaving leaving;
    const auto leave = [&](ItemId item) { leaving.emplace(problem.size_of(item), item); };
    if (problem.ends_empty_at(node)) {
        std::for_each(items.begin(), items.end(), leave);
        return leaving;
    }
    for (std::size_t next = 0; excess > 0 && next < items.size(); ++next) {
        std::size_t chosen = next;
        if (problem.size_of(items[next]) >= excess)
            while (chosen + 1 < items.size() && problem.size_of(items[chosen + 1]) >= excess)
                ++chosen;
        leave(items[chosen]);
        excess -= problem.size_of(items[chosen]);
    }
    if (!problem.may_hold_one_at(node) || leaving.size() + 1 < held) return leaving;
    leaving.clear();
    for (const ItemId item : items)
        if (item != largest) leave(item);
    return leaving;
}

class ListAnywhere {
  public:
    ListAnywhere(const ItemsProblem& problem, TakerChoice choice, Tokens size_max)
        : problem_(problem),
          choice_(choice),
          builder_(problem),
          leaving_(problem.nodes),
          counts_(problem.counts()) {
        std::vector<std::vector<ItemId>> items(problem.nodes);
        for (ItemId item = 0; item < problem.items(); ++item)
            items[problem.places[item]].push_back(item);
        const std::vector<Tokens> movable = problem.movable_sizes();
        for (NodeId node = 0; node < problem.nodes; ++node) {
            room_.push_back(problem.target.base[node] - builder_.held(node));
            if (problem.may_end_with(node, builder_.held(node), counts_[node])) {
                add_taker(node);
            } else {
                const bool empties = problem.target.base[node] == 0;
                add_giver(node, std::move(items[node]),
                          empties ? movable[node] : std::min(size_max, movable[node]));
            }
        }
        for (const NodeId node : givers_)
            for (const auto& [size, item] : leaving_[node])
                if (size > base_max_) ++larger_left_;
    }

    std::optional<WaveSchedule> run() {
        while (!givers_.empty()) {
            fill_wave();
            if (builder_.wave_is_empty()) return std::nullopt;
            builder_.end_wave();
        }
        return std::move(builder_.schedule());
    }

  private:
    void add_taker(NodeId node) {
        if (room_[node] < 0 || problem_.ends_empty_at(node) || problem_.takes_of(node) == 0) return;
        takers_.push_back(node);
        base_max_ = std::max(base_max_, problem_.target.base[node]);
        if (takes_one(node)) ++free_;
    }

    void add_giver(NodeId node, std::vector<ItemId> items, Tokens size_max) {
        leaving_[node] = fewest_items(problem_, node, std::move(items), size_max);
        Tokens size = 0;
        for (const auto& [of_item, item] : leaving_[node])
            size += of_item;
        left_.push_back(size);
        givers_.push_back(node);
    }

    /// Whether the node is free for a single item of any size.
    [[nodiscard]] bool takes_one(NodeId node) const {
        return counts_[node] == 0 && problem_.may_hold_one_at(node);
    }

    /// Moves one item of each giver after the other, the giver with the most waves of work left
    /// first.
    void fill_wave() {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < givers_.size(); ++i)
            order.push_back(i);
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return work(a) > work(b); });
        while (!order.empty())
            std::erase_if(order, [&](std::size_t i) { return !give_one(i); });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < givers_.size(); ++i) {
            if (leaving_[givers_[i]].empty()) continue;
            givers_[kept] = givers_[i];
            left_[kept++] = left_[i];
        }
        givers_.resize(kept);
        left_.resize(kept);
    }

    [[nodiscard]] double work(std::size_t giver) const {
        const Tokens rate = std::max<Tokens>(problem_.gives_of(givers_[giver]), 1);
        return static_cast<double>(left_[giver]) / static_cast<double>(rate);
    }

    /// Moves the largest item that still fits; false if none does.
    bool give_one(std::size_t giver) {
        const NodeId node = givers_[giver];
        if (!builder_.gives_more(node)) return false;
        Leaving& leaving = leaving_[node];
        Tokens most = std::min(builder_.can_give(node), most_that_fits());
        for (auto next = leaving.lower_bound(most); next != leaving.end(); ++next) {
            const NodeId to = taker_for(next->second, next->first);
            if (to == no_node) {
                // A smaller item may find a node that need not be kept for larger ones.
                if (problem_.copies_of.empty() && larger_left_ == 0) return false;
                continue;
            }
            builder_.move(next->second, to);
            take(to, next->first);
            left_[giver] -= next->first;
            leaving.erase(next);
            return true;
        }
        return false;
    }

    void take(NodeId node, Tokens size) {
        if (takes_one(node)) --free_;
        if (size > base_max_) --larger_left_;
        room_[node] -= size;
        ++counts_[node];
    }

    [[nodiscard]] Tokens fits_into(NodeId node) const {
        if (!builder_.takes_more(node)) return -1;
        return std::min(takes_one(node) ? tokens_max : room_[node], builder_.can_take(node));
    }

    /// Whether the last free nodes must be kept for items that fit nowhere else.
    [[nodiscard]] bool is_kept_for_larger(NodeId node, Tokens size) const {
        return size <= base_max_ && takes_one(node) && free_ <= larger_left_;
    }

    [[nodiscard]] Tokens most_that_fits() const {
        Tokens most = -1;
        for (const NodeId node : takers_)
            most = std::max(most, fits_into(node));
        return most;
    }

    [[nodiscard]] NodeId taker_for(ItemId item, Tokens size) const {
        NodeId best = no_node;
        Tokens best_score = 0;
        for (const NodeId node : takers_) {
            if (fits_into(node) < size || is_kept_for_larger(node, size) ||
                !builder_.allows(item, node))
                continue;
            const Tokens score = score_of(node);
            if (best != no_node && score <= best_score) continue;
            best = node;
            best_score = score;
        }
        return best;
    }

    [[nodiscard]] Tokens score_of(NodeId node) const {
        switch (choice_) {
            case TakerChoice::emptiest:
                return room_[node];
            case TakerChoice::fastest:
                return builder_.can_take(node);
            case TakerChoice::fullest:
                return -fits_into(node);
        }
        return 0;
    }

    const ItemsProblem& problem_;
    TakerChoice choice_;
    WaveBuilder builder_;
    std::vector<Leaving> leaving_;  ///< by node
    load::Loads room_;              ///< by node, what it may still take in all
    std::vector<Tokens> counts_;    ///< by taker, the items that it is to hold in the end
    Tokens base_max_ = 0;           ///< of takers
    Tokens larger_left_ = 0;        ///< items above it that still have to leave
    Tokens free_ = 0;               ///< takers that are free for a single item of any size
    std::vector<NodeId> givers_;
    load::Loads left_;  ///< by giver, what it still has to give
    std::vector<NodeId> takers_;
};

}  // namespace

std::optional<WaveSchedule> list_anywhere(const ItemsProblem& problem, TakerChoice choice,
                                          Tokens size_max) {
    return ListAnywhere(problem, choice, size_max).run();
}

}  // namespace equipoise::optimum
