#include <algorithm>
#include <numeric>
#include <utility>

#include "equipoise/optimum/waves/builder.hpp"
#include "equipoise/optimum/waves/list.hpp"

namespace equipoise::optimum {

namespace {

/// The waves that a size takes at a rate, as a number to compare.
double waves_of(Tokens size, Tokens rate) {
    return static_cast<double>(size) / static_cast<double>(std::max<Tokens>(rate, 1));
}

class ListToPlaces {
  public:
    ListToPlaces(const ItemsProblem& problem, const std::vector<NodeId>& final_places)
        : problem_(problem),
          final_places_(final_places),
          builder_(problem),
          queues_(problem.nodes),
          giving_(problem.nodes, 0),
          taking_(problem.nodes, 0) {
        for (ItemId item = 0; item < problem.items(); ++item)
            if (final_places[item] != problem.places[item]) enter(item);
        for (NodeId node = 0; node < problem.nodes; ++node)
            sort_queue(node);
    }

    std::optional<WaveSchedule> run() {
        while (left_ > 0) {
            fill_wave();
            if (builder_.wave_is_empty() && !make_room()) return std::nullopt;
            builder_.end_wave();
        }
        return std::move(builder_.schedule());
    }

  private:
    void enter(ItemId item) {
        const NodeId from = builder_.place(item);
        queues_[from].push_back(item);
        giving_[from] += problem_.size_of(item);
        taking_[final_places_[item]] += problem_.size_of(item);
        ++left_;
    }

    void sort_queue(NodeId node) {
        const auto urgency = [&](ItemId item) {
            const NodeId to = final_places_[item];
            return std::pair(
                waves_of(problem_.counted(taking_[to], giving_[to]), problem_.takes_of(to)),
                problem_.size_of(item));
        };
        std::stable_sort(queues_[node].begin(), queues_[node].end(),
                         [&](ItemId a, ItemId b) { return urgency(a) > urgency(b); });
    }

    void fill_wave() {
        std::vector<std::pair<double, NodeId>> givers;
        for (NodeId node = 0; node < problem_.nodes; ++node)
            if (!queues_[node].empty())
                givers.emplace_back(-waves_of(problem_.counted(giving_[node], taking_[node]),
                                              problem_.gives_of(node)),
                                    node);
        std::sort(givers.begin(), givers.end());
        for (const auto& [urgency, node] : givers)
            give(node);
    }

    void give(NodeId node) {
        constexpr std::size_t misses_max = 256;
        std::vector<ItemId>& queue = queues_[node];
        std::size_t kept = 0;
        std::size_t at = 0;
        for (; at < queue.size() && kept < misses_max && builder_.gives_more(node); ++at) {
            const ItemId item = queue[at];
            const NodeId to = final_places_[item];
            if (!builder_.allows(item, to)) {
                queue[kept++] = item;
                continue;
            }
            builder_.move(item, to);
            giving_[node] -= problem_.size_of(item);
            taking_[to] -= problem_.size_of(item);
            --left_;
        }
        if (kept == at) return;
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(kept),
                    queue.begin() + static_cast<std::ptrdiff_t>(at));
    }

    /// Moves an item out of the way of others to any node with room. Every item does so at most
    /// once, so this ends.
    bool make_room() {
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            for (std::size_t at = 0; at < queues_[node].size(); ++at) {
                const ItemId item = queues_[node][at];
                if (detoured(item)) continue;
                for (NodeId to = 0; to < problem_.nodes; ++to) {
                    if (!builder_.allows(item, to)) continue;
                    detours_[item] = true;
                    queues_[node].erase(queues_[node].begin() + static_cast<std::ptrdiff_t>(at));
                    giving_[node] -= problem_.size_of(item);
                    giving_[to] += problem_.size_of(item);
                    builder_.move(item, to);
                    queues_[to].push_back(item);
                    sort_queue(to);
                    return true;
                }
            }
        }
        return false;
    }

    bool detoured(ItemId item) {
        if (detours_.empty()) detours_.assign(problem_.items(), false);
        return detours_[item];
    }

    const ItemsProblem& problem_;
    const std::vector<NodeId>& final_places_;
    WaveBuilder builder_;
    std::vector<std::vector<ItemId>> queues_;  ///< by node, what it still has to give
    load::Loads giving_;
    load::Loads taking_;
    std::vector<bool> detours_;
    std::size_t left_ = 0;
};

}  // namespace

std::optional<WaveSchedule> list_to_places(const ItemsProblem& problem,
                                           const std::vector<NodeId>& final_places) {
    return ListToPlaces(problem, final_places).run();
}

}  // namespace equipoise::optimum
