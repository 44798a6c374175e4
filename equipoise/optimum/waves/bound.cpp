#include "equipoise/optimum/waves/bound.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/optimum/waves/level.hpp"
#include "equipoise/optimum/waves/one_size.hpp"

namespace equipoise::optimum {

namespace {

/// The sizes of items, by node.
using SizesByNode = std::vector<std::vector<Tokens>>;

/// The items that must change place if final places are given.
struct Forced {
    SizesByNode gives;
    SizesByNode takes;
};

Forced forced_items(const ItemsProblem& problem) {
    Forced forced;
    forced.gives.resize(problem.nodes);
    forced.takes.resize(problem.nodes);
    const std::vector<Tokens> smallest = problem.smallest_copies();
    for (ItemId item = 0; item < problem.items(); ++item) {
        if (problem.final_places[item] == problem.places[item]) continue;
        forced.gives[problem.places[item]].push_back(problem.size_of(item));
        forced.takes[problem.final_places[item]].push_back(smallest[item]);
    }
    return forced;
}

[[noreturn]] void refuse_hopeless() {
    throw UnsuitableError(
        "no plan reaches the target: some node must lose more, or larger, items than nodes may "
        "give, take or hold");
}

/// A node that may not end with everything that it holds.
struct FullNode {
    NodeId node = 0;
    Tokens load = 0;
    std::vector<Tokens> sizes;    ///< of its items, the largest first
    std::vector<Tokens> movable;  ///< those of them that may leave

    [[nodiscard]] Tokens count() const { return static_cast<Tokens>(sizes.size()); }
};

std::vector<FullNode> full_nodes(const ItemsProblem& problem) {
    const load::Loads loads = problem.loads();
    const std::vector<Tokens> counts = problem.counts();
    std::vector<FullNode> full;
    std::vector<std::size_t> at(problem.nodes, 0);  // 1 more than the place in `full`
    for (NodeId node = 0; node < problem.nodes; ++node) {
        if (problem.may_end_with(node, loads[node], counts[node])) continue;
        full.push_back({node, loads[node], {}, {}});
        at[node] = full.size();
    }
    for (ItemId item = 0; item < problem.items(); ++item)
        if (const std::size_t place = at[problem.places[item]]; place > 0)
            full[place - 1].sizes.push_back(problem.size_of(item));
    const std::vector<Tokens> most = problem.movable_sizes();
    for (FullNode& node : full) {
        std::sort(node.sizes.begin(), node.sizes.end(), std::greater<>());
        node.movable = node.sizes;
        std::erase_if(node.movable, [&](Tokens size) { return size > most[node.node]; });
    }
    return full;
}

/// The fewest items that must leave.
Tokens fewest_leaving(const ItemsProblem& problem, const FullNode& full) {
    Tokens load = full.load;
    std::size_t leaving = 0;
    while (!problem.may_end_with(full.node, load, full.count() - static_cast<Tokens>(leaving))) {
        if (leaving == full.movable.size()) refuse_hopeless();
        load -= full.movable[leaving++];
    }
    return static_cast<Tokens>(leaving);
}

/// The least size that must leave.
Tokens least_leaving(const ItemsProblem& problem, const FullNode& full) {
    if (problem.ends_empty_at(full.node)) return full.load;
    const auto kept = std::find_if(full.sizes.begin(), full.sizes.end(), [&](Tokens size) {
        return problem.may_end_with(full.node, size, 1);
    });
    return full.load -
           std::max(problem.target.base[full.node], kept == full.sizes.end() ? Tokens{0} : *kept);
}

/// The sizes of all items, or of all but the largest if one may stay, but no two; nothing if more
/// may stay.
std::vector<Tokens> all_leaving(const ItemsProblem& problem, const FullNode& full) {
    const Tokens smallest = full.sizes.back();
    if (!problem.may_end_with(full.node, smallest, 1)) return full.sizes;
    // The node holds more than this item, since it may not end with what it holds.
    const Tokens two = smallest + full.sizes[full.sizes.size() - 2];
    if (problem.may_end_with(full.node, two, 2)) return {};
    return {full.sizes.begin() + 1, full.sizes.end()};
}

Tokens sum_of(const std::vector<Tokens>& sizes) {
    Tokens sum = 0;
    for (const Tokens size : sizes)
        sum += size;
    return sum;
}

/// What bounds on one node count.
struct Kinds {
    WaveBoundKind sizes;
    WaveBoundKind items;
    WaveBoundKind large;
};
constexpr Kinds of_giving = {WaveBoundKind::gives, WaveBoundKind::gives_items,
                             WaveBoundKind::large_gives};
constexpr Kinds of_taking = {WaveBoundKind::takes, WaveBoundKind::takes_items,
                             WaveBoundKind::large_takes};
constexpr Kinds of_both = {WaveBoundKind::both, WaveBoundKind::both_items,
                           WaveBoundKind::large_both};

/// Keeps the bound that gives the most waves.
class BestBound {
  public:
    void offer(WaveBound bound) {
        if (bound.amount <= 0 || bound.a_wave <= 0) return;
        if (bound.waves() > best_.waves()) best_ = std::move(bound);
    }
    /// Offers all bounds that follow if items of these sizes all leave (or enter) a node.
    void offer_items(NodeId node, const Kinds& kinds, const std::vector<Tokens>& sizes, Tokens rate,
                     const ItemsProblem& problem) {
        offer({kinds.sizes, {node}, sum_of(sizes), rate, 0});
        offer({kinds.items, {node}, static_cast<Tokens>(sizes.size()), problem.at_once_max(), 0});
        for (const Tokens at_once : {1, 2, 3, 4, 6, 8}) {
            const Tokens above = rate / (at_once + 1);
            const auto large = std::count_if(sizes.begin(), sizes.end(),
                                             [&](Tokens size) { return size > above; });
            offer({kinds.large, {node}, large, at_once, above});
        }
    }
    [[nodiscard]] WaveBound take() { return std::move(best_); }

  private:
    WaveBound best_;
};

WaveBound bound_of_level(const LevelWaves& level, Tokens unit) {
    WaveBound bound;
    if (level.waves == 0) return bound;
    bound.kind = level.tight_takes ? WaveBoundKind::takes : WaveBoundKind::gives;
    bound.nodes = level.tight;
    bound.amount = level.amount * unit;
    bound.a_wave = std::min(level.a_wave, tokens_max / unit) * unit;
    return bound;
}

/// Items between all nodes that take anything and some that only give: those first that give most
/// in relation to what a wave allows them.
void offer_within(const ItemsProblem& problem, const Forced& forced, BestBound& best) {
    const auto count = [](const std::vector<Tokens>& sizes) {
        return static_cast<Tokens>(sizes.size());
    };
    const Tokens unit = problem.one_size();
    WaveBound bound;
    bound.kind = WaveBoundKind::within;
    Int128 items_a_wave = 0;  // twice
    std::vector<NodeId> others;
    for (NodeId node = 0; node < problem.nodes; ++node) {
        if (problem.takes_of(node) == 0) {
            if (count(forced.gives[node]) > 0) others.push_back(node);
            continue;
        }
        bound.nodes.push_back(node);
        bound.amount += count(forced.gives[node]);
        items_a_wave += problem.items_a_wave(node, unit);
    }
    std::sort(others.begin(), others.end(), [&](NodeId a, NodeId b) {
        const Int128 one = Int128{count(forced.gives[a])} * problem.items_a_wave(b, unit);
        const Int128 other = Int128{count(forced.gives[b])} * problem.items_a_wave(a, unit);
        return one != other ? one > other : a < b;
    });
    const auto offer = [&] {
        bound.a_wave = static_cast<Tokens>(std::min<Int128>(items_a_wave / 2, tokens_max));
        best.offer(bound);
    };
    offer();
    for (const NodeId node : others) {
        bound.nodes.push_back(node);
        bound.amount += count(forced.gives[node]);
        items_a_wave += problem.items_a_wave(node, unit);
        offer();
    }
}

WaveBound bound_to_places(const ItemsProblem& problem) {
    const Forced forced = forced_items(problem);
    BestBound best;
    const Tokens unit = problem.one_size();
    const auto rate = [&](Tokens given) { return unit == 0 ? given : given / unit * unit; };
    for (NodeId node = 0; node < problem.nodes; ++node) {
        const std::vector<Tokens>& gives = forced.gives[node];
        const std::vector<Tokens>& takes = forced.takes[node];
        if (problem.half_duplex) {
            std::vector<Tokens> both = gives;
            both.insert(both.end(), takes.begin(), takes.end());
            best.offer_items(node, of_both, both, rate(problem.gives_of(node)), problem);
        }
        best.offer_items(node, of_giving, gives, rate(problem.gives_of(node)), problem);
        best.offer_items(node, of_taking, takes, rate(problem.takes_of(node)), problem);
    }
    if (problem.half_duplex) offer_within(problem, forced, best);
    return best.take();
}

WaveBound bound_of_several_sizes(const ItemsProblem& problem) {
    BestBound best;
    const LevelWaves level = fewest_level_waves(level_by_size(problem));
    if (!level.possible) refuse_hopeless();
    best.offer(bound_of_level(level, 1));
    for (const FullNode& full : full_nodes(problem)) {
        const NodeId node = full.node;
        best.offer({WaveBoundKind::gives_items,
                    {node},
                    fewest_leaving(problem, full),
                    problem.at_once_max(),
                    0});
        best.offer({WaveBoundKind::gives,
                    {node},
                    least_leaving(problem, full),
                    problem.gives_of(node),
                    0});
        best.offer_items(node, of_giving, all_leaving(problem, full), problem.gives_of(node),
                         problem);
    }
    return best.take();
}

}  // namespace

std::string to_string(WaveBoundKind kind) {
    switch (kind) {
        case WaveBoundKind::none:
            return "none";
        case WaveBoundKind::gives:
            return "gives";
        case WaveBoundKind::takes:
            return "takes";
        case WaveBoundKind::gives_items:
            return "gives-items";
        case WaveBoundKind::takes_items:
            return "takes-items";
        case WaveBoundKind::large_gives:
            return "large-gives";
        case WaveBoundKind::large_takes:
            return "large-takes";
        case WaveBoundKind::both:
            return "both";
        case WaveBoundKind::both_items:
            return "both-items";
        case WaveBoundKind::large_both:
            return "large-both";
        case WaveBoundKind::within:
            return "within";
    }
    return "";
}

MovesBound moves_at_least(const ItemsProblem& problem) {
    MovesBound bound;
    if (!problem.final_places.empty()) {
        for (const std::vector<Tokens>& sizes : forced_items(problem).gives) {
            bound.moves += static_cast<Tokens>(sizes.size());
            bound.size += sum_of(sizes);
        }
        return bound;
    }
    if (const Tokens unit = problem.one_size(); unit != 0) {
        const LevelProblem level = level_by_items(problem);
        bound.moves = minimum_moves(level.loads, level.target);
        bound.size = bound.moves * unit;
        return bound;
    }
    for (const FullNode& full : full_nodes(problem)) {
        bound.moves += fewest_leaving(problem, full);
        bound.size += least_leaving(problem, full);
    }
    return bound;
}

WaveBound waves_at_least(const ItemsProblem& problem) {
    if (!problem.final_places.empty()) return bound_to_places(problem);
    const Tokens unit = problem.one_size();
    if (unit == 0) return bound_of_several_sizes(problem);
    const LevelWaves level = fewest_level_waves(level_by_items(problem));
    if (!level.possible) refuse_hopeless();
    return bound_of_level(level, unit);
}

}  // namespace equipoise::optimum
