#pragma once
// A token distribution problem: where tokens are, where they may end, and what a step allows.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::optimum {

/// The loads that are allowed at the end: node v holds at most `base[v]` tokens, and at most
/// `extras` of the nodes in `may_hold_extra` hold one more. If the room adds up to all tokens,
/// every node holds exactly its base or, with an extra, one more.
struct FinalLoads {
    load::Loads base;
    std::vector<bool> may_hold_extra;  ///< by node; empty: no node
    Tokens extras = 0;

    [[nodiscard]] bool extra_at(NodeId node) const {
        return !may_hold_extra.empty() && may_hold_extra[node];
    }
    /// The tokens that a set of nodes may hold together.
    [[nodiscard]] Tokens room(std::span<const NodeId> nodes) const;
    /// The tokens that all nodes may hold together.
    [[nodiscard]] Tokens room() const;
    /// Whether loads are among those allowed.
    [[nodiscard]] bool allows(std::span<const Tokens> loads) const;
};

/// A target in which no node holds more than `most` tokens.
[[nodiscard]] FinalLoads at_most(NodeId nodes, Tokens most);

/// At most ceiling of the mean plus `delta`: delta-exact (Meyer auf der Heide, Oesterdiekhoff,
/// Wanka 1996, Section 1.2).
[[nodiscard]] FinalLoads exact_up_to(std::span<const Tokens> loads, Tokens delta);

/// Every node holds floor or ceiling of its share: the mean or, with `speeds` (one a node, not all
/// 0), T s_v / S, where an extra goes only to nodes whose share is not whole. Nodes in `pinned`
/// (empty: none) keep what they hold and take no part. Throws InputError when speeds do not fit or
/// tokens are left to nodes that all have speed 0 or take no part.
[[nodiscard]] FinalLoads floor_or_ceiling(std::span<const Tokens> loads,
                                          std::span<const std::uint64_t> speeds = {},
                                          const std::vector<bool>& pinned = {});

/// The fewest tokens that must change place at all, wherever they go: the sum of what nodes hold
/// above their final loads, with the extras placed where they save a move.
[[nodiscard]] Tokens minimum_moves(std::span<const Tokens> loads, const FinalLoads& target);

/// A problem. In a step a node sends at most `ports` tokens and receives at most `ports` tokens,
/// each over one of its links; with `all_ports`, at most one token over every link in either
/// direction. It must hold the tokens that it sends when the step begins.
struct Problem {
    const network::Network* network = nullptr;  ///< outlives the problem
    load::Loads loads;
    FinalLoads target;
    std::vector<Tokens> ports;       ///< by node, 0: takes no part; empty: 1 everywhere
    std::vector<Tokens> capacities;  ///< by node, tokens held after any step; empty: no limit
    std::vector<Step> delays;        ///< by link, steps a token is under way; empty: 1 everywhere
    bool all_ports = false;          ///< one token a link and direction; `ports` only 0 or 1 then

    /// A node that may hold nothing takes no part: what passes through it would be held there.
    [[nodiscard]] Tokens ports_of(NodeId node) const {
        if (!capacities.empty() && capacities[node] == 0) return 0;
        return ports.empty() ? 1 : ports[node];
    }
    [[nodiscard]] Step delay_of(LinkId link) const { return delays.empty() ? 1 : delays[link]; }
    /// Whether several steps may be lumped together: no capacities, no delays.
    [[nodiscard]] bool plain() const { return capacities.empty() && delays.empty(); }

    /// Throws InputError when a list does not fit the network, a number is negative, a delay is 0,
    /// there are capacities or several ports together with `all_ports`, a load is above its node's
    /// capacity or the room is too small for the tokens.
    void check() const;
};

/// The target without room above capacities.
[[nodiscard]] FinalLoads within_capacities(FinalLoads target, std::span<const Tokens> capacities);

}  // namespace equipoise::optimum
