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

/// The fewest items that bring a node down to what it may hold in the end: the largest, the last of
/// them as small as will do.
Leaving fewest_items(const ItemsProblem& problem, std::vector<ItemId> items, Tokens excess,
                     Tokens size_max) {
    std::erase_if(items, [&](ItemId item) { return problem.size_of(item) > size_max; });
    std::stable_sort(items.begin(), items.end(),
                     [&](ItemId a, ItemId b) { return problem.size_of(a) > problem.size_of(b); });
    Leaving leaving;
    for (std::size_t next = 0; excess > 0 && next < items.size(); ++next) {
        std::size_t chosen = next;
        if (problem.size_of(items[next]) >= excess)
            while (chosen + 1 < items.size() && problem.size_of(items[chosen + 1]) >= excess)
                ++chosen;
        leaving.emplace(problem.size_of(items[chosen]), items[chosen]);
        excess -= problem.size_of(items[chosen]);
    }
    return leaving;
}

class ListAnywhere {
  public:
    ListAnywhere(const ItemsProblem& problem, TakerChoice choice, Tokens size_max)
        : problem_(problem), choice_(choice), builder_(problem), leaving_(problem.nodes) {
        const std::vector<Tokens> movable = problem.movable_sizes();
        std::vector<std::vector<ItemId>> items(problem.nodes);
        for (ItemId item = 0; item < problem.items(); ++item)
            items[problem.places[item]].push_back(item);
        for (NodeId node = 0; node < problem.nodes; ++node) {
            room_.push_back(problem.target.base[node] - builder_.held(node));
            if (room_[node] >= 0) {
                if (room_[node] > 0 && problem.takes_of(node) > 0) takers_.push_back(node);
                continue;
            }
            leaving_[node] = fewest_items(
                problem, std::move(items[node]), -room_[node],
                problem.target.base[node] == 0 ? movable[node] : std::min(size_max, movable[node]));
            Tokens size = 0;
            for (const auto& [of_item, item] : leaving_[node])
                size += of_item;
            left_.push_back(size);
            givers_.push_back(node);
        }
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
    /// One item of each giver after the other, the giver with most waves of work left first.
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
                if (problem_.copies_of.empty()) return false;
                continue;
            }
            builder_.move(next->second, to);
            room_[to] -= next->first;
            left_[giver] -= next->first;
            leaving.erase(next);
            return true;
        }
        return false;
    }

    [[nodiscard]] Tokens fits_into(NodeId node) const {
        return builder_.takes_more(node) ? std::min(room_[node], builder_.can_take(node)) : 0;
    }

    [[nodiscard]] Tokens most_that_fits() const {
        Tokens most = 0;
        for (const NodeId node : takers_)
            most = std::max(most, fits_into(node));
        return most;
    }

    [[nodiscard]] NodeId taker_for(ItemId item, Tokens size) const {
        NodeId best = no_node;
        Tokens best_score = 0;
        for (const NodeId node : takers_) {
            if (fits_into(node) < size || !builder_.allows(item, node)) continue;
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
