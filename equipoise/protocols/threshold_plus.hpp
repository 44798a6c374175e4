#pragma once
// THRESHOLD-1 PLUS: THRESHOLD-1 with frozen maxima.
//
// Problem: as THRESHOLD-1, but a node whose load is the largest that it knows of sends a token only
//          if that lowers the discrepancy: maxima are frozen in place.
// Model:   synchronous, single-port, deterministic.
// Source:  Houle, Symvonis, Wood 2004, Section 5.
// Guarantee: the maximum never rises and the minimum never falls; the building block of
//          DISCREPANCY-1, which sets localMax.
// Deviations: run on its own, localMax(v) is the largest load that v has held since the start.

#include <algorithm>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// The protocol's test at one end: send a token if
///   load(v) >= load(w) + 2, or load(v) = load(w) + 1 and load(v) != localMax(v).
[[nodiscard]] constexpr bool sends_under_threshold_1_plus(Tokens load, Tokens neighbour_load,
                                                          Tokens local_max) {
    return load >= neighbour_load + 2 || (load == neighbour_load + 1 && load != local_max);
}

/// THRESHOLD-1 PLUS with localMax kept from the run's start. Cost O(1) per link, 40 bytes per node.
///
/// A step stirs a node when a link of the node was steep (its ends differed by two or more), or
/// when the node's load has changed to its localMax, new or old: the node is then frozen from that
/// moment on. The run may end when no node has been stirred for a number of steps; the page of
/// threshold-1-plus says after how many of them none ever will be.
class Threshold1Plus {
  public:
    struct NodeState {
        Tokens local_max = 0;
        Tokens load = 0;
        Step seen = 0;        ///< steps played when the node last had an active link
        Step calm_since = 0;  ///< steps played when it was last stirred
        bool steep = false;   ///< in this step
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    /// Runs for ever, unless something else ends the run.
    constexpr Threshold1Plus() = default;
    /// Ends when no node has been stirred for `calm_steps` steps (at least 1); checks once a round
    /// of `round` steps (at least 1).
    constexpr Threshold1Plus(Step calm_steps, Step round)
        : calm_steps_(calm_steps), round_(round) {}

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {info.load, info.load, 0, 0, false};
    }

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

    void merge(NodeState& own, const NodeState& neighbour, const LinkState& /*link*/,
               model::LinkEnd /*own_end*/, Tokens /*inflow*/) const {
        const Tokens difference = own.load - neighbour.load;
        own.steep = own.steep || difference > 1 || difference < -1;
    }

    void after_step(NodeState& state, Tokens old_load, Tokens new_load, model::StepInfo at) const {
        state.local_max = std::max(state.local_max, new_load);
        state.seen = at.step + 1;
        if (state.steep || (new_load != old_load && new_load == state.local_max))
            state.calm_since = state.seen;
        state.load = new_load;
        state.steep = false;
    }

    [[nodiscard]] bool checks_finished(Step step) const {
        return calm_steps_ > 0 && step % round_ == 0;
    }
    [[nodiscard]] bool finished(const NodeState& state) const {
        return state.seen - state.calm_since >= calm_steps_;
    }

  private:
    Step calm_steps_ = 0;
    Step round_ = 1;
};

static_assert(model::EdgeRule<Threshold1Plus>);
static_assert(model::StartsNodes<Threshold1Plus>);
static_assert(model::MergesStates<Threshold1Plus>);
static_assert(model::NotesLoads<Threshold1Plus>);
static_assert(model::Finishes<Threshold1Plus>);

}  // namespace equipoise::protocols
