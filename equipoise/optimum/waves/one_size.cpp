#include "equipoise/optimum/waves/one_size.hpp"

#include <algorithm>

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

}  // namespace

LevelProblem level_by_items(const ItemsProblem& problem) {
    const Tokens unit = problem.one_size();
    EQUIPOISE_ASSERT(unit > 0);
    return level_of(problem, unit, problem.at_once_max());
}

LevelProblem level_by_size(const ItemsProblem& problem) {
    return level_of(problem, 1, tokens_max);
}

}  // namespace equipoise::optimum
