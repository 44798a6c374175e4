#include "equipoise/mesh/workspace.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::mesh {

bool Workspace::tell(const Clock& clock, std::span<const Tokens> loads) {
    // Parts that work at the same time tell their moves one after the other.
    std::stable_sort(
        moves_.begin(), moves_.end(),
        [](const model::Move& one, const model::Move& other) { return one.step < other.step; });
    for (model::Move& move : moves_)
        move.step -= told_.now();
    model::Stretch stretch;
    stretch.distribution_steps = clock.distribution - told_.distribution;
    stretch.computation_steps = clock.computation - told_.computation;
    stretch.exchanges = std::exchange(exchanges_, 0);
    stretch.moves = moves_;
    stretch.loads = loads;
    const bool go_on = sink_.take(stretch);
    told_ = clock;
    moves_.clear();
    return go_on;
}

void Workspace::refuse_more_moves() {
    throw InputError("more than " + std::to_string(moves_max) +
                     " moves in one phase: too many to be told one by one; expected fewer tokens, "
                     "or a summary of the run without a stop rule");
}

Workspace::Colours& Workspace::colours(std::size_t depth) {
    while (colours_.size() <= depth)
        colours_.push_back({Layer(nodes_), Layer(nodes_), Layer(nodes_)});
    return colours_[depth];
}

}  // namespace equipoise::mesh
