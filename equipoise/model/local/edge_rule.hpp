#pragma once
// The edge rule: what the two ends of one active link decide in one synchronous step.
//
// A rule sees the two ends' loads and states and the link's own state, never the network. It is a
// pure function, so both ends compute the same answer from one exchange of loads and states.

#include <concepts>
#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/link_end.hpp"

namespace equipoise::model {

/// The state of rules that remember nothing.
struct Nothing {
    friend bool operator==(const Nothing&, const Nothing&) = default;
};

/// What a node knows when a run begins.
struct NodeInfo {
    Tokens load = 0;   ///< tokens
    Port degree = 0;   ///< links
    Tokens speed = 1;  ///< whole units; targets are proportional to speeds
};

/// One end of an active link, as the other end may see it.
template <class NodeState>
struct EdgeEnd {
    Tokens load = 0;
    Port degree = 0;
    Tokens speed = 1;
    const NodeState& state;
};

/// The synchronous clock, which every node has, and the run's seed.
struct StepInfo {
    Step step = 0;
    std::uint64_t seed = 0;
};

/// Where and when a rule is evaluated.
struct EdgeStep {
    Step step = 0;
    std::uint64_t seed = 0;
    std::uint64_t slot = 0;  ///< number of the link's slot in the schedule

    /// Random words that both ends of the link agree on.
    [[nodiscard]] RandomStream random() const { return {seed, Purpose::rule, slot, step}; }
};

/// A rule's answer: tokens from tail to head (negative: from head to tail), and the new state of
/// the link.
template <class LinkState>
struct EdgeMove {
    Tokens flow = 0;
    [[no_unique_address]] LinkState link = {};
};

template <class R>
concept StartsNodes = requires(const R& rule, NodeInfo info) {
    { rule.start_node(info) } -> std::same_as<typename R::NodeState>;
};
template <class R>
concept StartsLinks = requires(const R& rule, NodeInfo info) {
    { rule.start_link(info, info) } -> std::same_as<typename R::LinkState>;
};
template <class R>
concept WakesNodes =
    requires(const R& rule, typename R::NodeState& state, Tokens load, StepInfo at) {
        { rule.wakes_all(Step{}) } -> std::same_as<bool>;
        rule.before_step(state, load, at);
    };
template <class R>
concept MergesStates =
    requires(const R& rule, typename R::NodeState& own, const typename R::NodeState& neighbour,
             const typename R::LinkState& link, LinkEnd own_end,
             Tokens inflow) { rule.merge(own, neighbour, link, own_end, inflow); };
template <class R>
concept NotesLoads = requires(const R& rule, typename R::NodeState& state, Tokens load,
                              StepInfo at) { rule.after_step(state, load, load, at); };
template <class R>
concept Finishes = requires(const R& rule, const typename R::NodeState& state) {
    { rule.checks_finished(Step{}) } -> std::same_as<bool>;
    { rule.finished(state) } -> std::same_as<bool>;
};
template <class R>
concept CreatesTokens = requires(const R& rule, typename R::NodeState& state, Tokens load) {
    { rule.create(state, load, load) } -> std::same_as<Tokens>;
};
template <class R>
concept MayOwe = requires { requires R::may_owe; };
template <class R>
concept ReadsOnlyLoadsAndStates = requires { requires R::reads_only_loads_and_states; };

template <class R>
concept DividesUniformly = requires(const R& rule, Port degree) {
    { rule.uniform_divisor(degree) } -> std::same_as<Tokens>;
};

template <class R>
concept FlowsBetweenLoads = requires(const R& rule, Tokens load, std::int32_t narrow) {
    { rule.flow_between(load, load) } -> std::same_as<Tokens>;
    { rule.flow_between(narrow, narrow) } -> std::same_as<std::int32_t>;
};

/// Whether every optional member has the signature that an engine will call. One with the right
/// name but a wrong signature would be silently ignored.
template <class R>
consteval bool optional_members_fit() {
    bool fit = true;
    if constexpr (requires { &R::start_node; }) fit = fit && StartsNodes<R>;
    if constexpr (requires { &R::start_link; }) fit = fit && StartsLinks<R>;
    if constexpr (requires { &R::before_step; }) fit = fit && WakesNodes<R>;
    if constexpr (requires { &R::merge; }) fit = fit && MergesStates<R>;
    if constexpr (requires { &R::after_step; }) fit = fit && NotesLoads<R>;
    if constexpr (requires { &R::finished; }) fit = fit && Finishes<R>;
    if constexpr (requires { &R::create; }) fit = fit && CreatesTokens<R>;
    if constexpr (requires { &R::uniform_divisor; }) fit = fit && DividesUniformly<R>;
    return fit;
}

/// A synchronous rule on links.
///
/// Required: types `NodeState` and `LinkState`, and
///   `EdgeMove<LinkState> evaluate(EdgeEnd tail, EdgeEnd head, const LinkState&, EdgeStep) const`.
/// `tail` and `head` are given by the schedule's orientation.
///
/// Optional, each found by its name:
///   `NodeState start_node(NodeInfo) const`, `LinkState start_link(NodeInfo tail, NodeInfo head)`
///   `bool wakes_all(Step) const` with `void before_step(NodeState&, Tokens load, StepInfo) const`:
///       runs at every node before the steps for which wakes_all returns true
///   `void merge(NodeState& own, const NodeState& neighbour, const LinkState&, LinkEnd own_end,
///   Tokens inflow) const`:
///       once per active link and end, with the neighbour's state from before the step, the link's
///       new state, which end of it this node is, and the tokens that arrive (negative: leave); the
///       results must not depend on the order of a node's links
///   `void after_step(NodeState&, Tokens old_load, Tokens new_load, StepInfo) const`: once at every
///       node that has an active link, after the tokens have moved
///   `bool checks_finished(Step) const` with `bool finished(const NodeState&) const`: the run ends
///       after a step for which checks_finished returns true, if every node has finished
///   `Tokens create(NodeState&, Tokens load, Tokens outflow) const`: tokens that a node creates
///       (for example because it must send more than it has) or, if negative, removes; called at
///       every node that has an active link, with its old load and everything that leaves it;
///       booked in the ledger as created or destroyed
///   `static constexpr bool may_owe = true`: loads below 0 are part of the process, not an error
///   `static constexpr bool reads_only_loads_and_states = true`: `evaluate` reads neither degrees
///       nor speeds, so that an engine need not fetch them
///   `Tokens uniform_divisor(Port degree) const`: q, if with equal speeds the whole effect of the
///       rule on a link is the flow (tail - head) / q, rounded towards zero, where `degree` is the
///       larger degree of its ends; an engine may then compute the flow itself
///   `Int flow_between(Int tail, Int head) const` for signed words of 32 and 64 bits: the whole
///       effect of the rule on a link whose ends have equal speeds and hold these loads, which
///       leaves both loads between the two; an engine may then keep loads in fewer bytes
template <class R>
concept EdgeRule =
    optional_members_fit<R>() &&
    requires(const R& rule, const typename R::NodeState& state, const typename R::LinkState& link,
             Tokens load, EdgeStep at) {
        {
            rule.evaluate(EdgeEnd<typename R::NodeState>{load, Port{}, load, state},
                          EdgeEnd<typename R::NodeState>{load, Port{}, load, state}, link, at)
        } -> std::same_as<EdgeMove<typename R::LinkState>>;
    };

}  // namespace equipoise::model
