#pragma once
// What an adversary does to the channels of a simulation.

#include <cstdint>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// How long a message is held back: until no other can arrive or, if there are always others, 64
/// ticks.
inline constexpr model::Ticks held_back = model::Ticks{1} << 40U;
inline constexpr model::Ticks held_back_amid_others = 64;

/// The sending side of the link that the adversary slows down, or `LinkSide::none`. Throws
/// InputError when the adversary names a node or link that does not exist.
[[nodiscard]] inline std::uint32_t slow_side(const Adversary& adversary,
                                             const network::Network& network,
                                             const Mailboxes& sides) {
    if (adversary.kind == Adversary::Kind::starve_node && adversary.node >= network.node_count())
        throw InputError("simulation: the adversary starves a node that does not exist");
    if (adversary.kind != Adversary::Kind::slow_link) return LinkSide::none;
    if (adversary.link >= network.link_count())
        throw InputError("simulation: the adversary slows a link that does not exist");
    const Ends ends = network.ends(adversary.link);
    const NodeId from = adversary.from_head ? ends.head : ends.tail;
    std::uint32_t side = sides.first(from);
    while (sides[side].neighbour != (adversary.from_head ? ends.tail : ends.head))
        ++side;
    return side;
}

/// The delay of a message, given the delay `drawn` for it; `held` is the delay of messages held
/// back.
[[nodiscard]] inline model::Ticks hinder(const Adversary& adversary, model::Ticks drawn,
                                         NodeId from, NodeId to, bool on_slow_link,
                                         std::uint32_t kind, model::Ticks held) {
    switch (adversary.kind) {
        case Adversary::Kind::starve_node:
            return from == adversary.node || to == adversary.node ? drawn * adversary.factor
                                                                  : drawn;
        case Adversary::Kind::slow_link:
            return on_slow_link ? drawn * adversary.factor : drawn;
        case Adversary::Kind::hold_kinds:
            return adversary.kinds.contains(kind) ? drawn + held : drawn;
        case Adversary::Kind::none:
        case Adversary::Kind::newest_first:
            return drawn;
    }
    return drawn;
}

}  // namespace equipoise::engine
