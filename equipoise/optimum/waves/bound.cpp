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

/// Items that change place where final places are given.
struct Forced {
    SizesByNode gives;
    SizesByNode takes;
};

Forced forced_items(const ItemsProblem& problem) {
    Forced forced;
    forced.gives.resize(problem.nodes);
    forced.takes.resize(problem.nodes);
    for (ItemId item = 0; item < problem.items(); ++item) {
        if (problem.final_places[item] == problem.places[item]) continue;
        forced.gives[problem.places[item]].push_back(problem.size_of(item));
        forced.takes[problem.final_places[item]].push_back(problem.size_of(item));
    }
    return forced;
}

/// The items on each node that holds too much, without those that are too large to leave.
SizesByNode items_on_full_nodes(const ItemsProblem& problem, const load::Loads& loads) {
    SizesByNode sizes(problem.nodes);
    const std::vector<Tokens> movable = problem.movable_sizes();
    for (ItemId item = 0; item < problem.items(); ++item) {
        const NodeId node = problem.places[item];
        if (loads[node] > problem.target.base[node] && problem.size_of(item) <= movable[node])
            sizes[node].push_back(problem.size_of(item));
    }
    return sizes;
}

[[noreturn]] void refuse_hopeless() {
    throw UnsuitableError(
        "no plan reaches the target: what must leave some node is more, or larger, than the nodes "
        "may give, take or hold");
}

/// How many items must leave for the rest to be at most `most`, the largest first.
Tokens fewest_leaving(std::vector<Tokens>& sizes, Tokens load, Tokens most) {
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    Tokens leaving = 0;
    for (std::size_t next = 0; load > most && next < sizes.size(); ++next, ++leaving)
        load -= sizes[next];
    if (load > most) refuse_hopeless();
    return leaving;
}

Tokens sum_of(const std::vector<Tokens>& sizes) {
    Tokens sum = 0;
    for (const Tokens size : sizes)
        sum += size;
    return sum;
}

/// Keeps the bound of the most waves.
class BestBound {
  public:
    void offer(WaveBound bound) {
        if (bound.amount <= 0 || bound.a_wave <= 0) return;
        if (bound.waves() > best_.waves()) best_ = std::move(bound);
    }
    /// All that items of these sizes, which all leave or enter a node, say.
    void offer_items(NodeId node, bool takes, const std::vector<Tokens>& sizes, Tokens rate,
                     const ItemsProblem& problem) {
        const auto kind = [&](WaveBoundKind give, WaveBoundKind take) {
            return takes ? take : give;
        };
        offer({kind(WaveBoundKind::gives, WaveBoundKind::takes), {node}, sum_of(sizes), rate, 0});
        offer({kind(WaveBoundKind::gives_items, WaveBoundKind::takes_items),
               {node},
               static_cast<Tokens>(sizes.size()),
               problem.at_once_max(),
               0});
        for (const Tokens at_once : {1, 2, 3, 4, 6, 8}) {
            const Tokens above = rate / (at_once + 1);
            const auto large = std::count_if(sizes.begin(), sizes.end(),
                                             [&](Tokens size) { return size > above; });
            offer({kind(WaveBoundKind::large_gives, WaveBoundKind::large_takes),
                   {node},
                   large,
                   at_once,
                   above});
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

WaveBound bound_to_places(const ItemsProblem& problem) {
    const Forced forced = forced_items(problem);
    BestBound best;
    const Tokens unit = problem.one_size();
    const auto rate = [&](Tokens given) { return unit == 0 ? given : given / unit * unit; };
    for (NodeId node = 0; node < problem.nodes; ++node) {
        best.offer_items(node, false, forced.gives[node], rate(problem.gives_of(node)), problem);
        best.offer_items(node, true, forced.takes[node], rate(problem.takes_of(node)), problem);
    }
    return best.take();
}

WaveBound bound_of_several_sizes(const ItemsProblem& problem) {
    const load::Loads loads = problem.loads();
    BestBound best;
    const LevelWaves level = fewest_level_waves(level_by_size(problem));
    if (!level.possible) refuse_hopeless();
    best.offer(bound_of_level(level, 1));
    SizesByNode sizes = items_on_full_nodes(problem, loads);
    for (NodeId node = 0; node < problem.nodes; ++node) {
        if (loads[node] <= problem.target.base[node]) continue;
        const Tokens leaving = fewest_leaving(sizes[node], loads[node], problem.target.base[node]);
        best.offer({WaveBoundKind::gives_items, {node}, leaving, problem.at_once_max(), 0});
        if (leaving == static_cast<Tokens>(sizes[node].size()))
            best.offer_items(node, false, sizes[node], problem.gives_of(node), problem);
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
    const load::Loads loads = problem.loads();
    SizesByNode sizes = items_on_full_nodes(problem, loads);
    for (NodeId node = 0; node < problem.nodes; ++node) {
        if (loads[node] <= problem.target.base[node]) continue;
        bound.moves += fewest_leaving(sizes[node], loads[node], problem.target.base[node]);
        bound.size += loads[node] - problem.target.base[node];
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
