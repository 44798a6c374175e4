#pragma once
// One rule, one step: everything that happens on one active link whose ends no other active link
// shares.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// One state a subject; no memory for states that remember nothing.
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
    /// What is in memory of all states.
    [[nodiscard]] std::span<std::byte> bytes() {
        return std::as_writable_bytes(std::span<State>(states_));
    }
    friend bool operator==(const States&, const States&) = default;

  private:
    std::vector<State> states_;
    [[no_unique_address]] State nothing_ = {};
};

/// Whatever knows the degrees of nodes: a network, or its live part.
template <class N>
concept KnowsDegrees = requires(const N& network, NodeId node) {
    { network.degree(node) } -> std::convertible_to<Port>;
};

/// Whether a rule checks after `done` steps, and then whether all nodes 0 .. count-1 that are up
/// have finished.
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

/// A rule with all it may touch in one step.
template <model::EdgeRule R, KnowsDegrees N>
struct LinkStep {
    using NodeState = typename R::NodeState;
    using LinkState = typename R::LinkState;

    const R& rule;
    const N& network;
    std::span<Tokens> loads;
    std::span<const Tokens> speeds;  ///< empty: all 1
    States<NodeState>& node_states;
    States<LinkState>& link_states;  ///< by slot
    bool keeps_links = false;        ///< whether slots have states of their own
    Step step = 0;
    std::uint64_t seed = 0;

    [[nodiscard]] model::StepInfo info() const { return {step, seed}; }

    /// What the other end sees of a node that holds `load` tokens and is in `state`.
    [[nodiscard]] model::EdgeEnd<NodeState> end(NodeId node, Tokens load,
                                                const NodeState& state) const {
        if constexpr (model::ReadsOnlyLoadsAndStates<R>)
            return {load, Port{0}, Tokens{1}, state};
        else
            return {load, network.degree(node), speeds.empty() ? Tokens{1} : speeds[node], state};
    }

    /// Evaluates, merges, creates, applies and notes, in place. All that a step is for a link that
    /// shares no end with another active one.
    void exchange(NodeId tail, NodeId head, std::uint64_t slot, StepTotals& totals) const {
        const Tokens tail_load = loads[tail];
        const Tokens head_load = loads[head];
        NodeState& tail_state = node_states[tail];
        NodeState& head_state = node_states[head];
        LinkState fresh{};
        LinkState& link = keeps_links ? link_states[slot] : fresh;

        const auto move = rule.evaluate(end(tail, tail_load, tail_state),
                                        end(head, head_load, head_state), link, {step, seed, slot});
        link = move.link;
        if constexpr (model::MergesStates<R>) {
            const NodeState tail_before = tail_state;
            rule.merge(tail_state, head_state, link, model::LinkEnd::tail, -move.flow);
            rule.merge(head_state, tail_before, link, model::LinkEnd::head, move.flow);
        }
        const Tokens tail_made = create(tail_state, tail_load, std::max<Tokens>(0, move.flow));
        const Tokens head_made = create(head_state, head_load, std::max<Tokens>(0, -move.flow));
        const Tokens tail_now = tail_load - move.flow + tail_made;
        const Tokens head_now = head_load + move.flow + head_made;
        loads[tail] = tail_now;
        loads[head] = head_now;
        if constexpr (model::NotesLoads<R>) {
            rule.after_step(tail_state, tail_load, tail_now, info());
            rule.after_step(head_state, head_load, head_now, info());
        }
        totals.exchanges += static_cast<std::uint64_t>(move.flow < 0 ? -move.flow : move.flow);
        totals.messages += 2;
        totals.book(tail_made);
        totals.book(head_made);
        totals.steep = totals.steep || is_steep(tail_load - head_load);
    }

    /// Tokens that a node makes (negative: removes) while `outflow` tokens leave it.
    [[nodiscard]] Tokens create(NodeState& state, Tokens load, Tokens outflow) const {
        if constexpr (model::CreatesTokens<R>)
            return rule.create(state, load, outflow);
        else
            return 0;
    }
};

}  // namespace equipoise::engine
