#pragma once
// THRESHOLD-1 PLUS.
//
// Problem: as THRESHOLD-1, but a node whose load is the largest that it knows of lets go of a token
//          only where that lowers the discrepancy: maxima are frozen in place.
// Model:   synchronous, single-port, deterministic.
// Source:  Houle, Symvonis, Wood 2004, Section 5.
// Guarantee: the maximum never rises and the minimum never falls; the building block of
//          DISCREPANCY-1, which sets localMax.
// Deviations: run on its own, localMax(v) is the largest load that v has held since the start.

#include <algorithm>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// The protocol's test at one end: send a token if
///   load(v) >= load(w) + 2, or load(v) = load(w) + 1 and load(v) != localMax(v).
[[nodiscard]] constexpr bool sends_under_threshold_1_plus(Tokens load, Tokens neighbour_load,
                                                          Tokens local_max) {
    return load >= neighbour_load + 2 || (load == neighbour_load + 1 && load != local_max);
}

/// THRESHOLD-1 PLUS with localMax kept from the run's start. Cost O(1) a link, 8 bytes a node.
struct Threshold1Plus {
    struct NodeState {
        Tokens local_max = 0;
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const { return {info.load}; }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        if (sends_under_threshold_1_plus(tail.load, head.load, tail.state.local_max))
            return {1, {}};
        if (sends_under_threshold_1_plus(head.load, tail.load, head.state.local_max))
            return {-1, {}};
        return {0, {}};
    }

    void after_step(NodeState& state, Tokens /*old_load*/, Tokens new_load,
                    model::StepInfo /*at*/) const {
        state.local_max = std::max(state.local_max, new_load);
    }
};

static_assert(model::EdgeRule<Threshold1Plus>);
static_assert(model::StartsNodes<Threshold1Plus>);
static_assert(model::NotesLoads<Threshold1Plus>);

}  // namespace equipoise::protocols
