#pragma once
// Theorem 1: a lower bound on the steps of a token distribution problem.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flows/flow_budget.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// A set X of nodes with too many tokens, and the gates through which their surplus must leave.
struct StaticCut {
    std::vector<NodeId> nodes;      ///< X
    std::vector<NodeId> senders;    ///< gates in X
    std::vector<NodeId> receivers;  ///< gates outside X
    Tokens surplus = 0;             ///< w(X): tokens of X less the room of X
    Tokens matching = 0;            ///< match(X): tokens that can leave X in a step, sum of ports
};

/// ceil(w(X) / match(X)) steps, and the X where it is largest (no nodes where it is 0).
struct StaticBound {
    Step steps = 0;
    StaticCut cut;
};

// Problem: max over sets X of ceil(w(X) / match(X)), the lower bound on the steps of any schedule.
// Model: off-line, single-port (or `ports`).
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Theorem 1(a).
// Method: match(X) is the size of a smallest set of gates that meets every link out of X (Koenig).
//   So w(X) <= T match(X) holds for all X if and only if all tokens pass a static network: q -> u
//   with l(u), u -> s with the room of u, u -> u_out and u_in -> u with T, u_out -> v_in unlimited
//   for every link. Newton's method on T: take X = the source side of a smallest cut that is too
//   small and T = ceil(w(X) / match(X)), until the flow carries all tokens. Few iterations, each
//   one maximum flow on 3 p + 3 nodes.

/// A lower bound for every problem, also for those with capacities and delays, which it ignores.
/// Throws UnsuitableError when no number of steps is enough: some X has too many tokens and no way
/// out. If asked to stop, what has been proved by then.
[[nodiscard]] StaticBound static_bound(const Problem& problem, const std::stop_token& stop = {});

/// The bytes that this takes, about.
[[nodiscard]] std::uint64_t static_bound_bytes(const Problem& problem);

/// B+: the same maximum with max(l, ports) in place of l, over X other than all nodes. An upper
/// bound on the fewest steps of a plain problem whose nodes may each finally hold at least as many
/// tokens as they have ports. Nothing if these conditions are not met. Costs `nodes` times as much
/// as the lower bound if some node is empty.
[[nodiscard]] std::optional<Step> static_upper_bound(const Problem& problem);

/// The most tokens that can leave a set of nodes in one step, with the gates.
[[nodiscard]] StaticCut gates_of(const Problem& problem, std::span<const NodeId> nodes);

/// The same; nothing if the budget ends before.
[[nodiscard]] std::optional<StaticCut> gates_within(FlowBudget& budget, const Problem& problem,
                                                    std::span<const NodeId> nodes);

}  // namespace equipoise::optimum
