#pragma once
// The token dropping game.
//
// Problem: a layered network whose nodes hold at most one token each; move tokens down to empty
//          nodes of the next lower layer, over every link at most once, until no token can drop.
// Model:   synchronous rounds of three phases (ask, grant, drop), multi-port, deterministic.
// Source:  Brandt, Keller, Rybicki, Suomela, Uitto 2020 (game and rule reconstructed from the
//          abstract); they use it to find stable orientations.
// Guarantee: ends exactly when no occupied node has an unused link to an empty lower node; every
//          round but the last uses a link, so there are no more rounds than links, and no more than
//          the heights of all tokens add up to.
// Deviations: O(L + Delta) rounds are measured, not proved. Lowest port means lowest link number.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// Played over links that point down, from the upper end to the lower one.
class TokenDropping {
  public:
    static constexpr Step phases = 3;

    using Slot = std::uint64_t;
    static constexpr Slot no_slot = std::numeric_limits<Slot>::max();

    struct NodeState {
        Slot asked = no_slot;    ///< the link over which an empty node asks for a token
        Slot granted = no_slot;  ///< the link over which an occupied node grants it
        std::uint8_t phase = 0;
        bool occupied = false;
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct LinkState {
        Slot slot = no_slot;  ///< the link's own, known from the first step on
        bool used = false;
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    [[nodiscard]] static NodeState start_node(model::NodeInfo info) {
        return {no_slot, no_slot, 0, info.load > 0};
    }

    /// A token drops if the lower end asked for it and the upper end granted it.
    [[nodiscard]] static model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                             const model::EdgeEnd<NodeState>& head,
                                                             const LinkState& link,
                                                             model::EdgeStep at) {
        const bool drops =
            tail.state.phase == 2 && tail.state.granted == at.slot && head.state.asked == at.slot;
        return {drops ? 1 : 0, {at.slot, link.used || drops}};
    }

    /// An empty node asks the first occupied upper neighbour over an unused link; an occupied node
    /// grants the first that asks it.
    static void merge(NodeState& own, const NodeState& neighbour, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        const bool is_lower = own_end == model::LinkEnd::head;
        if (own.phase == 0 && is_lower && !own.occupied && neighbour.occupied && !link.used)
            own.asked = std::min(own.asked, link.slot);
        if (own.phase == 1 && !is_lower && own.occupied && neighbour.asked == link.slot)
            own.granted = std::min(own.granted, link.slot);
    }

    static void after_step(NodeState& state, Tokens /*old_load*/, Tokens new_load,
                           model::StepInfo at) {
        state.phase = static_cast<std::uint8_t>((at.step + 1) % phases);
        state.occupied = new_load > 0;
        if (state.phase == 0) state.asked = state.granted = no_slot;
    }
};

static_assert(model::EdgeRule<TokenDropping>);
static_assert(model::StartsNodes<TokenDropping>);
static_assert(model::MergesStates<TokenDropping>);
static_assert(model::NotesLoads<TokenDropping>);

}  // namespace equipoise::protocols
