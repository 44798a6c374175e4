#include "equipoise/mesh/workspace.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::mesh {

bool Workspace::tell(const Clock& clock, std::span<const Tokens> loads) {
    order(moves_);
    order(traffic_.phases);
    model::Stretch stretch;
    stretch.distribution_steps = traffic_.moving.size();
    stretch.computation_steps = clock.now() - told_ - stretch.distribution_steps;
    stretch.exchanges = std::exchange(traffic_.exchanges, 0);
    stretch.messages = std::exchange(traffic_.messages, 0);
    stretch.moves = moves_;
    stretch.phases = traffic_.phases;
    stretch.loads = loads;
    const bool go_on = sink_.take(stretch);
    told_ = clock.now();
    moves_.clear();
    traffic_.phases.clear();
    traffic_.moving.clear();
    return go_on;
}

template <class Timed>
void Workspace::order(std::vector<Timed>& list) const {
    std::stable_sort(list.begin(), list.end(),
                     [](const Timed& one, const Timed& other) { return one.step < other.step; });
    for (Timed& entry : list)
        entry.step -= told_;
}

void Workspace::refuse_more_moves() {
    throw UnsuitableError(
        "more than " + std::to_string(moves_max) +
        " moves in one phase: too many to be reported one by one; expected fewer tokens, "
        "or a summary of the run without a stop rule");
}

Workspace::Colours& Workspace::colours(std::size_t depth) {
    while (colours_.size() <= depth)
        colours_.push_back({Layer(nodes_), Layer(nodes_), Layer(nodes_)});
    return colours_[depth];
}

}  // namespace equipoise::mesh
