#include "equipoise/optimum/waves/one_size.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "equipoise/base/assert.hpp"

namespace equipoise::optimum {

namespace {

LevelProblem level_of(const ItemsProblem& problem, Tokens unit, Tokens at_once) {
    LevelProblem level;
    level.loads = problem.loads();
    level.target = problem.target;
    for (NodeId node = 0; node < problem.nodes; ++node) {
        level.loads[node] /= unit;
        level.target.base[node] /= unit;
        level.gives.push_back(std::min(problem.gives_of(node) / unit, at_once));
        level.takes.push_back(std::min(problem.takes_of(node) / unit, at_once));
    }
    return level;
}

/// What single items that are larger than the target allows may add to it on all nodes together.
Tokens larger_than_target(const ItemsProblem& problem) {
    Tokens least = tokens_max;
    ItemId nodes = 0;
    for (NodeId node = 0; node < problem.nodes; ++node) {
        if (!problem.may_hold_one_at(node)) continue;
        least = std::min(least, problem.target.base[node]);
        ++nodes;
    }
    std::vector<Tokens> sizes = problem.sizes;
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    Tokens sum = 0;
    for (ItemId item = 0; item < std::min(nodes, problem.items()) && sizes[item] > least; ++item)
        sum += sizes[item] - least;
    return sum;
}

}  // namespace

LevelProblem level_by_items(const ItemsProblem& problem) {
    const Tokens unit = problem.one_size();
    EQUIPOISE_ASSERT(unit > 0);
    return level_of(problem, unit, problem.at_once_max());
}

LevelProblem level_by_size(const ItemsProblem& problem) {
    LevelProblem level = level_of(problem, 1, tokens_max);
    Tokens more = larger_than_target(problem);
    std::vector<Tokens> largest(problem.nodes, 0);
    for (ItemId item = 0; item < problem.items(); ++item)
        largest[problem.places[item]] =
            std::max(largest[problem.places[item]], problem.size_of(item));
    const auto raise = [&](NodeId node, Tokens by) {
        if (by <= 0) return;
        level.target.base[node] += by;
        more -= by;
    };
    for (NodeId node = 0; node < problem.nodes; ++node)
        if (problem.may_hold_one_at(node)) raise(node, largest[node] - level.target.base[node]);
    for (NodeId node = 0; node < problem.nodes; ++node)
        raise(node, std::min(more, level.loads[node] - level.target.base[node]));
    return level;
}

}  // namespace equipoise::optimum
