// Adds bounds up again, apart from the code that finds them.

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "equipoise/optimum/waves/bound.hpp"

namespace equipoise::optimum {

namespace {

/// What a set of nodes must give or take at least, and what it can in a wave.
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

    /// The sizes that must leave (or enter) the set, if places are given.
    [[nodiscard]] std::vector<Tokens> forced() const {
        std::vector<Tokens> sizes;
        for (ItemId item = 0; item < problem_.items(); ++item) {
            const NodeId from = problem_.places[item];
            const NodeId to = problem_.final_places[item];
            if (from != to && inside_[is_taking() ? to : from])
                sizes.push_back(problem_.size_of(item));
        }
        return sizes;
    }

    /// The same where only final loads are: as a sum.
    [[nodiscard]] Tokens surplus() const {
        const Tokens unit = problem_.one_size();
        Tokens sum = 0;
        Tokens extras = 0;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (is_taking() != inside_[problem_.places[item]]) sum += problem_.size_of(item);
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            if (is_taking() == inside_[node]) continue;
            const Tokens base = problem_.target.base[node];
            sum -= unit == 0 ? base : base / unit * unit;
            if (problem_.target.extra_at(node)) ++extras;
        }
        return sum - std::min(extras, problem_.target.extras) * unit;
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

    /// The sizes of all items that must leave a node, the largest first; all of it if even the
    /// smallest alone is too much.
    [[nodiscard]] std::vector<Tokens> must_leave(NodeId node) const {
        std::vector<Tokens> sizes;
        Tokens held = 0;
        for (ItemId item = 0; item < problem_.items(); ++item) {
            if (problem_.places[item] != node) continue;
            sizes.push_back(problem_.size_of(item));
            held += problem_.size_of(item);
        }
        std::erase_if(sizes, [&](Tokens size) { return !may_leave(node, size); });
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        std::size_t leaving = 0;
        while (held > problem_.target.base[node] && leaving < sizes.size())
            held -= sizes[leaving++];
        sizes.resize(leaving);
        return sizes;
    }

  private:
    /// Whether the node may give an item of this size, and another may take and keep it.
    [[nodiscard]] bool may_leave(NodeId node, Tokens size) const {
        if (size > problem_.gives_of(node)) return false;
        for (NodeId other = 0; other < problem_.nodes; ++other)
            if (other != node && size <= problem_.takes_of(other) &&
                size <= problem_.target.base[other])
                return true;
        return false;
    }

    const ItemsProblem& problem_;
    const WaveBound& bound_;
    std::vector<bool> inside_;
};

bool is_large_kind(WaveBoundKind kind) {
    return kind == WaveBoundKind::large_gives || kind == WaveBoundKind::large_takes;
}

std::string check_sizes(const BoundSums& sums, const ItemsProblem& problem,
                        const WaveBound& bound) {
    Tokens must = 0;
    if (problem.final_places.empty()) {
        must = sums.surplus();
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

std::string check_items(const BoundSums& sums, const ItemsProblem& problem,
                        const WaveBound& bound) {
    if (bound.nodes.size() != 1) return "items are counted on one node";
    const NodeId node = bound.nodes.front();
    std::vector<Tokens> sizes =
        problem.final_places.empty() ? sums.must_leave(node) : sums.forced();
    Tokens a_wave = problem.at_once_max();
    if (is_large_kind(bound.kind)) {
        const auto held = std::count(problem.places.begin(), problem.places.end(), node);
        if (problem.final_places.empty() && static_cast<std::ptrdiff_t>(sizes.size()) != held)
            return "not all items must leave";
        std::erase_if(sizes, [&](Tokens size) { return size <= bound.size_above; });
        const Tokens rate = sums.is_taking() ? problem.takes_of(node) : problem.gives_of(node);
        a_wave = rate / (bound.size_above + 1);
    }
    if (problem.final_places.empty() && sums.is_taking()) return "no items must enter a node";
    if (static_cast<Tokens>(sizes.size()) < bound.amount)
        return std::to_string(sizes.size()) + " items must move, not " +
               std::to_string(bound.amount);
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
    if (bound.kind == WaveBoundKind::gives || bound.kind == WaveBoundKind::takes)
        return check_sizes(sums, problem, bound);
    return check_items(sums, problem, bound);
}

}  // namespace equipoise::optimum
