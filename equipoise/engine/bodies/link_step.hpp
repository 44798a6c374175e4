#pragma once
// One step of an edge rule: what all bodies are built on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::engine {

/// One state for each subject; rules that remember nothing take no memory.
template <class State>
class States {
  public:
    static constexpr bool stored = !std::is_empty_v<State>;

    States() = default;
    explicit States(std::uint64_t count) {
        if constexpr (stored) states_.resize(count);
    }
    [[nodiscard]] State& operator[](std::uint64_t subject) {
        if constexpr (stored)
            return states_[subject];
        else
            return nothing_;
    }
    [[nodiscard]] const State& operator[](std::uint64_t subject) const {
        if constexpr (stored)
            return states_[subject];
        else
            return nothing_;
    }
    void resize(std::uint64_t count) {
        if constexpr (stored) states_.resize(count);
    }
    /// Sets `count` states to their values at the start of a run.
    void renew(std::uint64_t count) {
        if constexpr (stored) states_.assign(count, State{});
    }
    [[nodiscard]] std::uint64_t size() const { return states_.size(); }
    /// The bytes of all states.
    [[nodiscard]] Values values() {
        return {std::as_writable_bytes(std::span<State>(states_)), stored ? sizeof(State) : 0};
    }
    /// Sets to 0 the bytes that belong to no member, so that equal states have equal bytes. Clang
    /// 16 cannot do so.
    void clear_padding() {
#if defined(__GNUC__) && !defined(__clang__)
        if constexpr (!std::has_unique_object_representations_v<State>)
            for (State& state : states_)
                __builtin_clear_padding(&state);
#endif
    }
    friend bool operator==(const States&, const States&) = default;

  private:
    std::vector<State> states_;
    [[no_unique_address]] State nothing_ = {};
};

/// Whether a rule checks for its end after `done` steps and, if so, whether all nodes 0 .. count-1
/// that are up have finished.
template <class R, class IsUp>
[[nodiscard]] bool all_have_finished([[maybe_unused]] const R& rule,
                                     [[maybe_unused]] const States<typename R::NodeState>& states,
                                     [[maybe_unused]] NodeId count, [[maybe_unused]] Step done,
                                     [[maybe_unused]] const IsUp& is_up) {
    if constexpr (model::Finishes<R>) {
        if (!rule.checks_finished(done)) return false;
        for (NodeId node = 0; node < count; ++node)
            if (is_up(node) && !rule.finished(states[node])) return false;
        return true;
    }
    return false;
}

/// An edge rule with everything it may touch in one step of a part, and the operations that the
/// fast bodies share. The reference body defines what a step is (reference_edges.hpp).
template <model::EdgeRule R>
struct LinkStep {
    using NodeState = typename R::NodeState;
    using LinkState = typename R::LinkState;

    const R& rule;
    NodeId own_count = 0;            ///< of own nodes, which come first; then comes the halo
    std::span<Tokens> loads;         ///< by local number
    std::span<const Port> degrees;   ///< likewise; empty for rules that look at none
    std::span<const Tokens> speeds;  ///< likewise; empty: all 1
    States<NodeState>& node_states;  ///< likewise
    States<LinkState>& link_states;
    const Workers& workers;
    Step step = 0;
    std::uint64_t seed = 0;
    PackedLoads packed = {};  ///< the loads, for bodies that serve all widths

    [[nodiscard]] model::StepInfo info() const { return {step, seed}; }

    /// What the other end sees of a node that holds `load` tokens and is in `state`.
    [[nodiscard]] model::EdgeEnd<NodeState> end(NodeId node, Tokens load,
                                                const NodeState& state) const {
        if constexpr (model::ReadsOnlyLoadsAndStates<R>)
            return {load, Port{0}, Tokens{1}, state};
        else
            return {load, degrees[node], speeds.empty() ? Tokens{1} : speeds[node], state};
    }

    /// The flow over a link whose ends hold these loads. Updates the state of the link.
    [[nodiscard]] Tokens evaluate(const Ends& ends, Tokens tail_load, Tokens head_load,
                                  std::uint64_t slot, std::uint64_t state) const {
        LinkState& link = link_states[state];
        const auto move = rule.evaluate(end(ends.tail, tail_load, node_states[ends.tail]),
                                        end(ends.head, head_load, node_states[ends.head]), link,
                                        {step, seed, slot});
        link = move.link;
        return move.flow;
    }

    /// Counts the tokens that cross a link, on the process that has its tail. `bounded`: a step
    /// cannot move more tokens than there are.
    template <bool bounded = false>
    static void count(Tokens flow, Tokens difference, StepTotals& totals) {
        if constexpr (bounded)
            totals.exchanges += static_cast<std::uint64_t>(flow < 0 ? -flow : flow);
        else
            totals.move(flow);
        totals.messages += 2;
        totals.steep = totals.steep || is_steep(difference);
    }

    /// Ends the step at an own node that receives `inflow` tokens net and sends `outflow`.
    void finish(NodeId node, Tokens old_load, Tokens inflow, [[maybe_unused]] Tokens outflow,
                [[maybe_unused]] StepTotals& totals) const {
        Tokens made = 0;
        if constexpr (model::CreatesTokens<R>) {
            made = rule.create(node_states[node], old_load, outflow);
            totals.book(made);
        }
        const Tokens new_load = old_load + inflow + made;
        loads[node] = new_load;
        if constexpr (model::NotesLoads<R>)
            rule.after_step(node_states[node], old_load, new_load, info());
    }

    /// Plays a whole step, in place, for a link that shares no end with another active link.
    template <Reach reach>
    void exchange(const Ends& ends, std::uint64_t slot, std::uint64_t state,
                  StepTotals& totals) const {
        const auto [tail, head] = ends;
        const Tokens tail_load = loads[tail];
        const Tokens head_load = loads[head];
        const bool owns_tail = reach == Reach::inner || tail < own_count;
        const bool owns_head = reach == Reach::inner || head < own_count;
        const Tokens flow = evaluate(ends, tail_load, head_load, slot, state);
        if constexpr (model::MergesStates<R>) {
            const LinkState& link = link_states[state];
            const NodeState tail_before = node_states[tail];
            if (owns_tail)
                rule.merge(node_states[tail], node_states[head], link, model::LinkEnd::tail, -flow);
            if (owns_head)
                rule.merge(node_states[head], tail_before, link, model::LinkEnd::head, flow);
        }
        if (owns_tail) {
            finish(tail, tail_load, -flow, std::max<Tokens>(0, flow), totals);
            // A node gives over one link only, and no more than it has.
            count<!model::MayOwe<R>>(flow, tail_load - head_load, totals);
        }
        if (owns_head) finish(head, head_load, flow, std::max<Tokens>(0, -flow), totals);
    }
};

}  // namespace equipoise::engine
