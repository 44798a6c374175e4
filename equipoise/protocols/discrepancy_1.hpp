#pragma once
// DISCREPANCY-1: phases of THRESHOLD-1 and THRESHOLD-1 PLUS in turn.
//
// Problem: level indivisible tokens on a tree to a discrepancy of at most 1.
// Model:   synchronous, single-port, deterministic; every node knows n and chi. A cycle is an
//          A-phase (THRESHOLD-1) and a B-phase (THRESHOLD-1 PLUS) of chi*n steps each.
// Source:  Houle, Symvonis, Wood 2004, Section 5, Theorem 18.
// Guarantee: on a tree with a proper colouring of chi colours the discrepancy is at most 1 after
//          2 max(0, D0 - 1) chi n steps, and all nodes stop, together, within chi n more.
// Deviations: the printed remark on termination is false (path 1-0-2, loads 17, 0, 22: the centre's
//          localMax stays, the discrepancy is 2). Default here: nodes flood the extremes (hi, lo)
//          of the A-phase's start over its active links; n - 1 rounds spread them everywhere, so
//          that at the phase's end all nodes know whether hi - lo <= 1. The paper's rule remains as
//          an unsound option: a node that has terminated exchanges no more. n = 1 has chi = 0:
//          nothing to do.

#include <algorithm>
#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/protocols/threshold_plus.hpp"

namespace equipoise::protocols {

class Discrepancy1 {
  public:
    enum class Termination : std::uint8_t {
        extremes,             ///< sound: the extremes of the A-phase's start differ by at most 1
        local_max_unchanged,  ///< unsound: localMax(v) is the same after two consecutive cycles
    };
    struct NodeState {
        Tokens local_max = 0;         ///< localMax(v) of the current cycle, tokens
        Tokens highest = 0;           ///< largest load at the A-phase's start heard of so far
        Tokens lowest = 0;            ///< smallest load at the A-phase's start heard of so far
        Tokens local_max_before = 0;  ///< localMax(v) of the cycle before
        std::uint32_t cycles = 0;     ///< cycles begun, up to 2
        bool terminated = false;      ///< by the unsound option only
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    /// For a tree of `node_count` nodes whose links are coloured with `colour_count` colours.
    constexpr Discrepancy1(NodeId node_count, Colour colour_count,
                           Termination termination = Termination::extremes)
        : phase_(Step{colour_count} * node_count), termination_(termination) {}

    /// chi * n, steps.
    [[nodiscard]] constexpr Step phase() const { return phase_; }

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {info.load, info.load, info.load, 0, 0, false};
    }

    [[nodiscard]] bool wakes_all(Step step) const { return phase_ > 0 && step % (2 * phase_) == 0; }

    /// localMax(v) <- load(v), and likewise the extremes, at the start of every cycle.
    void before_step(NodeState& state, Tokens load, model::StepInfo /*at*/) const {
        if (termination_ == Termination::local_max_unchanged) {
            state.terminated = finished(state);
            state.local_max_before = state.local_max;
            state.cycles = std::min(state.cycles + 1, 2U);
        }
        state.local_max = state.highest = state.lowest = load;
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        if (tail.state.terminated || head.state.terminated) return {0, {}};
        if (in_phase_a(at.step)) return {threshold_flow(tail.load, head.load, 1), {}};
        if (sends_under_threshold_1_plus(tail.load, head.load, tail.state.local_max))
            return {1, {}};
        if (sends_under_threshold_1_plus(head.load, tail.load, head.state.local_max))
            return {-1, {}};
        return {0, {}};
    }

    /// Flooding goes on through the B-phase, where it changes nothing since all nodes know the
    /// extremes.
    void merge(NodeState& own, const NodeState& neighbour, const LinkState& /*link*/,
               model::LinkEnd /*own_end*/, Tokens /*inflow*/) const {
        own.highest = std::max(own.highest, neighbour.highest);
        own.lowest = std::min(own.lowest, neighbour.lowest);
    }

    void after_step(NodeState& state, Tokens /*old_load*/, Tokens new_load,
                    model::StepInfo at) const {
        if (in_phase_a(at.step)) state.local_max = std::max(state.local_max, new_load);
    }

    /// At the end of every A-phase or, with the unsound option, of every cycle.
    [[nodiscard]] bool checks_finished(Step step) const {
        if (phase_ == 0) return true;
        return step > 0 &&
               step % (2 * phase_) == (termination_ == Termination::extremes ? phase_ : 0);
    }
    [[nodiscard]] bool finished(const NodeState& state) const {
        if (termination_ == Termination::extremes) return state.highest - state.lowest <= 1;
        return state.terminated || (state.cycles == 2 && state.local_max == state.local_max_before);
    }

  private:
    [[nodiscard]] bool in_phase_a(Step step) const { return step % (2 * phase_) < phase_; }

    Step phase_;
    Termination termination_;
};

static_assert(model::EdgeRule<Discrepancy1>);
static_assert(model::StartsNodes<Discrepancy1>);
static_assert(model::WakesNodes<Discrepancy1>);
static_assert(model::MergesStates<Discrepancy1>);
static_assert(model::NotesLoads<Discrepancy1>);
static_assert(model::Finishes<Discrepancy1>);

}  // namespace equipoise::protocols
