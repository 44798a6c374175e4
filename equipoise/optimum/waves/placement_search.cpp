#include "equipoise/optimum/waves/placement_search.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/waves/builder.hpp"

namespace equipoise::optimum {

namespace {

class PlacementSearch {
  public:
    PlacementSearch(const ItemsProblem& problem, std::uint64_t effort)
        : problem_(problem),
          order_(problem.items()),
          ends_(problem.places),
          movable_(problem.movable_sizes()),
          takeable_(problem.takeable_sizes()),
          undecided_(problem.loads()),
          undecided_items_(problem.counts()),
          decided_(problem.nodes, 0),
          decided_items_(problem.nodes, 0),
          decided_copies_(problem.copies_of),
          one_size_(problem.one_size()),
          extras_left_(problem.target.extras),
          effort_left_(effort) {
        std::iota(order_.begin(), order_.end(), ItemId{0});
        std::stable_sort(order_.begin(), order_.end(), [&](ItemId a, ItemId b) {
            return problem.size_of(a) > problem.size_of(b);
        });
    }

    [[nodiscard]] bool exhausted() const { return effort_left_ == 0; }
    [[nodiscard]] std::vector<NodeId>& ends() { return ends_; }

    /// Decides where the items from the next one on end, with at most this many moves.
    bool decide(std::size_t next, Tokens moves_left) {
        if (!may_suffice(next, moves_left)) return false;
        if (next == order_.size()) return true;
        const ItemId item = order_[next];
        const NodeId from = problem_.places[item];
        const Tokens size = problem_.size_of(item);
        undecided_[from] -= size;
        --undecided_items_[from];
        if (may_end_on(from, item) && try_end(next, from, moves_left)) return true;
        if (moves_left > 0 && size <= movable_[from])
            for (NodeId to = 0; to < problem_.nodes && !exhausted(); ++to)
                if (to != from && size <= takeable_[to] && may_end_on(to, item) &&
                    try_end(next, to, moves_left - 1))
                    return true;
        undecided_[from] += size;
        ++undecided_items_[from];
        return false;
    }

  private:
    [[nodiscard]] bool may_end_on(NodeId node, ItemId item) const {
        if (decided_copies_.holds(item, node)) return false;
        const Tokens load = decided_[node] + problem_.size_of(item);
        return problem_.may_end_with(node, load, decided_items_[node] + 1) ||
               (takes_extra(node, load) && extras_left_ > 0);
    }
    /// Whether the node has room for the load only with an extra, which it does not have yet: then
    /// all items have one size.
    [[nodiscard]] bool takes_extra(NodeId node, Tokens load) const {
        const Tokens above = load - problem_.target.base[node];
        return may_take_extra(node) && above > 0 && above <= one_size_;
    }
    [[nodiscard]] bool has_extra(NodeId node) const {
        return may_take_extra(node) && decided_[node] > problem_.target.base[node];
    }
    [[nodiscard]] bool may_take_extra(NodeId node) const {
        return problem_.target.extras > 0 && problem_.target.extra_at(node) &&
               !problem_.ends_empty_at(node);
    }
    bool try_end(std::size_t next, NodeId end, Tokens moves_left) {
        const ItemId item = order_[next];
        const Tokens size = problem_.size_of(item);
        decided_[end] += size;
        ++decided_items_[end];
        decided_copies_.add(item, end);
        const Tokens extras = takes_extra(end, decided_[end]) ? 1 : 0;
        extras_left_ -= extras;
        ends_[item] = end;
        if (decide(next + 1, moves_left)) return true;
        decided_[end] -= size;
        --decided_items_[end];
        decided_copies_.remove(item, end);
        extras_left_ += extras;
        ends_[item] = problem_.places[item];
        return false;
    }

    /// Whether the nodes that hold too much could still get rid of it.
    bool may_suffice(std::size_t next, Tokens moves_left) {
        effort_left_ -= std::min<std::uint64_t>(effort_left_, problem_.nodes);
        if (exhausted()) return false;
        const Tokens largest =
            next < order_.size() ? std::max<Tokens>(problem_.size_of(order_[next]), 1) : 1;
        Tokens needed = 0;
        Tokens extras = extras_left_;
        for (NodeId node = 0; node < problem_.nodes && needed <= moves_left; ++node) {
            needed += needed_from(node, largest);
            if (extras == 0 || !may_take_extra(node) || has_extra(node)) continue;
            if (needed_from(node, largest) == 0) continue;
            --needed;
            --extras;
        }
        return needed <= moves_left;
    }

    /// How many of the undecided items must leave the node, none of them larger than `largest`.
    [[nodiscard]] Tokens needed_from(NodeId node, Tokens largest) const {
        const Tokens undecided = undecided_items_[node];
        if (problem_.ends_empty_at(node)) return undecided;
        const Tokens most = problem_.target.base[node] + (has_extra(node) ? one_size_ : 0);
        const Tokens excess = decided_[node] + undecided_[node] - most;
        if (excess <= 0) return 0;
        const Tokens by_size = ceil_divide(excess, largest);
        if (!problem_.may_hold_one_at(node) || decided_items_[node] > 1) return by_size;
        return std::min(by_size, undecided - (decided_items_[node] == 0 ? 1 : 0));
    }

    const ItemsProblem& problem_;
    std::vector<ItemId> order_;
    std::vector<NodeId> ends_;
    std::vector<Tokens> movable_;
    std::vector<Tokens> takeable_;
    load::Loads undecided_;  ///< by node
    std::vector<Tokens> undecided_items_;
    load::Loads decided_;
    std::vector<Tokens> decided_items_;
    CopyPlaces decided_copies_;
    Tokens one_size_;
    Tokens extras_left_;
    std::uint64_t effort_left_;
};

}  // namespace

SearchedPlaces search_final_places(const ItemsProblem& problem, Tokens moves_least,
                                   Tokens moves_most, std::uint64_t effort) {
    SearchedPlaces found;
    found.moves_at_least = moves_least;
    // The search descends an item at a time.
    constexpr ItemId items_max = 10'000;
    if (problem.items() > items_max) return found;
    PlacementSearch search(problem, effort);
    for (; found.moves_at_least <= moves_most; ++found.moves_at_least) {
        if (search.decide(0, found.moves_at_least)) {
            found.ends = search.ends();
            return found;
        }
        if (search.exhausted()) return found;
    }
    return found;
}

}  // namespace equipoise::optimum
