#pragma once
// The deal rule: transfers that a node chooses from its whole neighbourhood, in phases of one flat
// message per port.

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::model {

/// What a node sees in one synchronous round: itself and, by port, its neighbours' loads and
/// constants. All arrays have `degree` entries.
template <class NodeState>
struct Surroundings {
    Tokens load = 0;                           ///< own tokens at the round's start
    Tokens speed = 1;                          ///< own speed
    NodeState& state;                          ///< own state, to be kept
    std::span<const Tokens> neighbour_loads;   ///< by port
    std::span<const Tokens> neighbour_speeds;  ///< by port; empty when all speeds are 1
    std::span<const Port> neighbour_degrees;   ///< by port
    NodeId node = 0;                           ///< names the node's random stream only
    Step step = 0;                             ///< the first of the round
    std::uint64_t seed = 0;

    [[nodiscard]] Port degree() const { return static_cast<Port>(neighbour_loads.size()); }
    [[nodiscard]] Tokens neighbour_speed(Port port) const {
        return neighbour_speeds.empty() ? 1 : neighbour_speeds[port];
    }
    /// The node's random words of this round. `propose` and `accept` of a round that both draw
    /// must name different sets, or they see the same words.
    [[nodiscard]] RandomStream random(std::uint32_t set = 0) const {
        return {seed, Purpose::rule, node, 2 * step + set};
    }
};

/// A synchronous rule of nodes.
///
/// Required: types `NodeState` and `Proposal` (trivially copyable), and
///   `void propose(const Surroundings&, std::span<Proposal> out) const`: one proposal per port;
///   `void accept(const Surroundings&, std::span<const Proposal> in, std::span<Tokens> taken)`:
///       how many tokens this node takes from the neighbour behind each port (negative: hands over
///       to it, for negative tokens that walk).
/// A rule whose sender alone decides takes exactly what it was sent.
///
/// Both may change the node's own state: what `propose` notes there, `accept` of the same round
/// sees.
///
/// Optional: `may_owe`, `start_node`, `finished` with `checks_finished`, as for edge rules;
///   `after_step(NodeState&, Tokens old_load, Tokens new_load, StepInfo)` at every node;
///   `static constexpr Step phases`: synchronous exchanges over every link that a round takes, each
///   of them one step of the run (1 where it is not declared).
template <class R>
concept DealRule =
    optional_members_fit<R>() && std::is_trivially_copyable_v<typename R::Proposal> &&
    requires(const R& rule, const Surroundings<typename R::NodeState>& here,
             std::span<typename R::Proposal> out, std::span<const typename R::Proposal> in,
             std::span<Tokens> taken) {
        rule.propose(here, out);
        rule.accept(here, in, taken);
    };

/// Steps that a round of the rule takes.
template <class R>
[[nodiscard]] constexpr Step phases_of() {
    if constexpr (requires { R::phases; })
        return R::phases;
    else
        return 1;
}

}  // namespace equipoise::model
