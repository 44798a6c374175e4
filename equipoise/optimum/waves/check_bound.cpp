// Adds bounds up again, apart from the code that finds them.

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "equipoise/optimum/waves/bound.hpp"

namespace equipoise::optimum {

namespace {

/// The least that a set of nodes must give or take, and the most that it can in a wave.
class BoundSums {
  public:
    BoundSums(const ItemsProblem& problem, const WaveBound& bound)
        : problem_(problem), bound_(bound), inside_(problem.nodes, false) {
        for (const NodeId node : bound.nodes)
            inside_[node] = true;
    }

    [[nodiscard]] bool is_taking() const {
        return bound_.kind == WaveBoundKind::takes || bound_.kind == WaveBoundKind::takes_items ||
               bound_.kind == WaveBoundKind::large_takes;
    }

    [[nodiscard]] bool is_both() const {
        return bound_.kind == WaveBoundKind::both || bound_.kind == WaveBoundKind::both_items ||
               bound_.kind == WaveBoundKind::large_both;
    }

    /// The sizes that must leave (or enter) the set, if places are given.
    [[nodiscard]] std::vector<Tokens> forced() const {
        std::vector<Tokens> sizes;
        const std::vector<Tokens> smallest = problem_.smallest_copies();
        for (ItemId item = 0; item < problem_.items(); ++item) {
            const NodeId from = problem_.places[item];
            const NodeId to = problem_.final_places[item];
            if (from == to) continue;
            if (inside_[from] && !is_taking()) sizes.push_back(problem_.size_of(item));
            if (inside_[to] && (is_taking() || is_both())) sizes.push_back(smallest[item]);
        }
        return sizes;
    }

    /// How many items must go from and to nodes of the set.
    [[nodiscard]] Tokens items_within() const {
        Tokens count = 0;
        for (ItemId item = 0; item < problem_.items(); ++item) {
            const NodeId from = problem_.places[item];
            const NodeId to = problem_.final_places[item];
            if (from != to && inside_[from] && inside_[to]) ++count;
        }
        return count;
    }
    [[nodiscard]] bool others_take_nothing() const {
        for (NodeId node = 0; node < problem_.nodes; ++node)
            if (!inside_[node] && problem_.takes_of(node) > 0) return false;
        return true;
    }
    /// How many items can go between nodes of the set in a wave: each counts at both ends.
    [[nodiscard]] Tokens items_within_a_wave() const {
        const Tokens unit = problem_.one_size();
        Int128 sum = 0;
        for (const NodeId node : bound_.nodes)
            sum += unit == 0 ? problem_.at_once_max()
                             : std::min(problem_.gives_of(node) / unit, problem_.at_once_max());
        return static_cast<Tokens>(std::min<Int128>(sum / 2, tokens_max));
    }

    /// The same if only final loads are given: as a sum.
    [[nodiscard]] Tokens surplus() const {
        const Tokens unit = problem_.one_size();
        Int128 sum = 0;
        Tokens extras = 0;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (is_taking() != inside_[problem_.places[item]]) sum += problem_.size_of(item);
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            if (is_taking() == inside_[node]) continue;
            const Tokens base = problem_.target.base[node];
            sum -= unit == 0 ? base : base / unit * unit;
            if (problem_.target.extra_at(node)) ++extras;
        }
        sum -= Int128{std::min(extras, problem_.target.extras)} * unit;
        sum -= is_taking() ? single_items_outside() : single_items_inside();
        // Anything below all numbers of tokens is below every amount, too.
        return static_cast<Tokens>(std::max<Int128>(sum, -tokens_max));
    }

    [[nodiscard]] Tokens size_a_wave() const {
        const Tokens unit = problem_.one_size();
        Int128 sum = 0;
        for (const NodeId node : bound_.nodes) {
            const Tokens rate = is_taking() ? problem_.takes_of(node) : problem_.gives_of(node);
            sum += unit == 0 ? Int128{rate}
                             : Int128{std::min(rate / unit, problem_.at_once_max())} * unit;
        }
        return static_cast<Tokens>(std::min<Int128>(sum, tokens_max));
    }

    /// How many items must leave a node: the largest leave first, until the rest may stay.
    [[nodiscard]] Tokens must_leave(NodeId node) const {
        std::vector<Tokens> sizes = sizes_on(node);
        auto count = static_cast<Tokens>(sizes.size());
        Tokens held = 0;
        for (const Tokens size : sizes)
            held += size;
        std::erase_if(sizes, [&](Tokens size) { return !may_leave(node, size); });
        Tokens leaving = 0;
        for (; leaving < static_cast<Tokens>(sizes.size()); ++leaving) {
            if (problem_.may_end_with(node, held, count)) break;
            held -= sizes[static_cast<std::size_t>(leaving)];
            --count;
        }
        return leaving;
    }

    /// The sizes of all items on a node that must leave whichever of them stays; nothing if several
    /// may stay. If one may, the largest is left out.
    [[nodiscard]] std::vector<Tokens> all_must_leave(NodeId node) const {
        std::vector<Tokens> sizes = sizes_on(node);
        if (sizes.empty()) return sizes;
        if (!problem_.may_end_with(node, sizes.back(), 1)) return sizes;
        if (sizes.size() > 1 &&
            problem_.may_end_with(node, sizes.back() + sizes[sizes.size() - 2], 2))
            return {};
        sizes.erase(sizes.begin());
        return sizes;
    }

  private:
    /// The largest first.
    [[nodiscard]] std::vector<Tokens> sizes_on(NodeId node) const {
        std::vector<Tokens> sizes;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (problem_.places[item] == node) sizes.push_back(problem_.size_of(item));
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        return sizes;
    }
    /// Whether the node may give an item of this size, and another may take and keep it.
    [[nodiscard]] bool may_leave(NodeId node, Tokens size) const {
        if (problem_.gives_of(node) == 0 || size > problem_.gives_of(node)) return false;
        for (NodeId other = 0; other < problem_.nodes; ++other)
            if (other != node && problem_.takes_of(other) > 0 &&
                size <= std::min(problem_.takes_of(other), problem_.capacity_of(other)) &&
                problem_.may_end_with(other, size, 1))
                return true;
        return false;
    }
    /// How much the nodes inside may keep above their final loads: each its own largest item.
    [[nodiscard]] Int128 single_items_inside() const {
        std::map<NodeId, Tokens> largest;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (const NodeId node = problem_.places[item];
                inside_[node] && problem_.may_end_with(node, problem_.size_of(item), 1))
                largest[node] = std::max(largest[node], problem_.size_of(item));
        Int128 sum = 0;
        for (const auto& [node, size] : largest)
            sum += std::max<Tokens>(size - problem_.target.base[node], 0);
        return sum;
    }
    /// How much the nodes outside may hold above their final loads: the largest items of all, each
    /// as if it were where the least is allowed.
    [[nodiscard]] Int128 single_items_outside() const {
        std::size_t nodes = 0;
        Tokens least = tokens_max;
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            if (inside_[node] || !problem_.may_hold_one_at(node)) continue;
            least = std::min(least, problem_.target.base[node]);
            ++nodes;
        }
        std::vector<Tokens> sizes = problem_.sizes;
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        sizes.resize(std::min(nodes, sizes.size()));
        Int128 sum = 0;
        for (const Tokens size : sizes)
            sum += std::max<Tokens>(size - least, 0);
        return sum;
    }

    const ItemsProblem& problem_;
    const WaveBound& bound_;
    std::vector<bool> inside_;
};

bool is_large_kind(WaveBoundKind kind) {
    return kind == WaveBoundKind::large_gives || kind == WaveBoundKind::large_takes ||
           kind == WaveBoundKind::large_both;
}

std::string check_sizes(const BoundSums& sums, const ItemsProblem& problem,
                        const WaveBound& bound) {
    Tokens must = 0;
    if (problem.final_places.empty()) {
        must = sums.surplus();
        if (bound.nodes.size() == 1 && !sums.is_taking()) {
            const std::vector<Tokens> leaving = sums.all_must_leave(bound.nodes.front());
            must = std::max(must, std::accumulate(leaving.begin(), leaving.end(), Tokens{0}));
        }
    } else {
        for (const Tokens size : sums.forced())
            must += size;
    }
    if (must < bound.amount)
        return "the nodes must move " + std::to_string(must) + ", not " +
               std::to_string(bound.amount);
    if (sums.size_a_wave() > bound.a_wave)
        return "the nodes can move " + std::to_string(sums.size_a_wave()) + " in a wave, not " +
               std::to_string(bound.a_wave);
    return "";
}

std::string check_within(const BoundSums& sums, const WaveBound& bound) {
    if (!sums.others_take_nothing()) return "items may go by way of other nodes";
    if (sums.items_within() < bound.amount)
        return std::to_string(sums.items_within()) + " items must move, not " +
               std::to_string(bound.amount);
    if (sums.items_within_a_wave() > bound.a_wave)
        return std::to_string(sums.items_within_a_wave()) + " items can move in a wave, not " +
               std::to_string(bound.a_wave);
    return "";
}

std::string check_items(const BoundSums& sums, const ItemsProblem& problem,
                        const WaveBound& bound) {
    if (bound.nodes.size() != 1) return "items are counted on one node";
    const NodeId node = bound.nodes.front();
    const bool goes_anywhere = problem.final_places.empty();
    if (goes_anywhere && sums.is_taking()) return "no items must enter a node";
    Tokens must = 0;
    Tokens a_wave = problem.at_once_max();
    if (is_large_kind(bound.kind)) {
        const std::vector<Tokens> sizes = goes_anywhere ? sums.all_must_leave(node) : sums.forced();
        must = std::count_if(sizes.begin(), sizes.end(),
                             [&](Tokens size) { return size > bound.size_above; });
        const Tokens rate = sums.is_taking() ? problem.takes_of(node) : problem.gives_of(node);
        a_wave = rate / (bound.size_above + 1);
    } else {
        must = goes_anywhere ? sums.must_leave(node) : static_cast<Tokens>(sums.forced().size());
    }
    if (must < bound.amount)
        return std::to_string(must) + " items must move, not " + std::to_string(bound.amount);
    if (a_wave > bound.a_wave)
        return std::to_string(a_wave) + " items can move in a wave, not " +
               std::to_string(bound.a_wave);
    return "";
}

}  // namespace

std::string check_wave_bound(const ItemsProblem& problem, const WaveBound& bound) {
    if (bound.kind == WaveBoundKind::none)
        return bound.amount == 0 ? "" : "a bound without a kind has no amount";
    if (bound.a_wave <= 0 || bound.amount <= 0) return "expected numbers above 0";
    if (std::any_of(bound.nodes.begin(), bound.nodes.end(),
                    [&](NodeId node) { return node >= problem.nodes; }) ||
        std::set<NodeId>(bound.nodes.begin(), bound.nodes.end()).size() != bound.nodes.size())
        return "expected different nodes of the problem";
    const BoundSums sums(problem, bound);
    if ((sums.is_both() || bound.kind == WaveBoundKind::within) &&
        (!problem.half_duplex || problem.final_places.empty()))
        return "giving and taking do not count together";
    if (bound.kind == WaveBoundKind::within) return check_within(sums, bound);
    if (bound.kind == WaveBoundKind::gives || bound.kind == WaveBoundKind::takes ||
        bound.kind == WaveBoundKind::both)
        return check_sizes(sums, problem, bound);
    return check_items(sums, problem, bound);
}

}  // namespace equipoise::optimum
