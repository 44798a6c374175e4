#include "equipoise/optimum/steps/phased_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/optimum/steps/phased_flow.hpp"

namespace equipoise::optimum {

namespace {

/// The node with too many tokens that is furthest from nodes with room; `no_node` if there are not
/// both.
NodeId root_of(const Problem& problem) {
    std::vector<NodeId> with_room;
    for (NodeId node = 0; node < problem.loads.size(); ++node)
        if (problem.loads[node] < problem.target.base[node] ||
            (problem.loads[node] == problem.target.base[node] && problem.target.extra_at(node)))
            with_room.push_back(node);
    network::BreadthFirst search;
    search.run(*problem.network, with_room);
    const std::vector<std::uint32_t>& distances = search.distances();
    NodeId root = no_node;
    for (NodeId node = 0; node < problem.loads.size(); ++node) {
        if (problem.loads[node] <= problem.target.base[node] ||
            distances[node] == network::unreachable)
            continue;
        if (root == no_node || distances[node] > distances[root]) root = node;
    }
    return root;
}

class PhasedSearch {
  public:
    /// `from_root` has searched from the root, and found all nodes.
    PhasedSearch(const Problem& problem, const PhasedStepsOptions& options,
                 const network::BreadthFirst& from_root, EnclosedSteps& known)
        : problem_(problem), options_(options), from_root_(from_root), known_(known) {}

    void search() {
        constexpr Step phases_at_first = 24;
        Step phase = std::max<Step>(1, from_root_.eccentricity() / phases_at_first);
        while (fits(phase) && narrow(phase) && phase > 1)
            phase = std::max<Step>(1, phase / 4);
    }

  private:
    [[nodiscard]] bool fits(Step phase) const {
        return PhasedFlow::fits(problem_, from_root_.distances(),
                                known_.at_most.value_or(known_.at_least), phase,
                                options_.memory_bytes_max);
    }
    /// Whether to go on. Numbers that are too small mostly take little time, since most of the flow
    /// meets the same cut; so steps go up, and with longer phases only to the first that is enough.
    bool narrow(Step phase) {
        constexpr Step strides_max = Step{1} << 30U;
        Step open = known_.at_least;  // fewer are too few, at least with such phases
        for (Step stride = 1; stride <= strides_max; stride *= 2) {
            const Step steps = stride == 1 ? open : open + stride / 2 - 1;
            if (known_.at_most && steps >= *known_.at_most) break;
            if (is_enough(steps, phase)) {
                if (phase == 1) halve(open, phase);
                return !known_.exact();
            }
            if (options_.stop.stop_requested()) return false;
            open = steps + 1;
        }
        return known_.at_most.has_value();
    }
    /// Bisects between numbers that are too small and one that is enough.
    void halve(Step open, Step phase) {
        while (open < *known_.at_most && !options_.stop.stop_requested()) {
            const Step middle = open + (*known_.at_most - open) / 2;
            if (!is_enough(middle, phase)) open = middle + 1;
        }
    }
    bool is_enough(Step steps, Step phase) {
        PhasedFlow flow(problem_, from_root_.distances(), steps, phase);
        if (flow.carry(options_.stop) != FlowOutcome::carried) return false;
        known_.lower(steps, flow.flow_over_time());
        return true;
    }

    const Problem& problem_;
    const PhasedStepsOptions& options_;
    const network::BreadthFirst& from_root_;
    EnclosedSteps& known_;
};

}  // namespace

void lower_by_phases(const Problem& problem, const PhasedStepsOptions& options,
                     EnclosedSteps& known) {
    if (known.exact()) return;
    const NodeId root = root_of(problem);
    if (root == no_node) return;
    network::BreadthFirst search;
    search.run(*problem.network, root);
    if (search.order().size() < problem.loads.size()) return;
    PhasedSearch(problem, options, search, known).search();
    if (known.exact()) known.open.clear();
}

}  // namespace equipoise::optimum
