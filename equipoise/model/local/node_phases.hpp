#pragma once
// What a node program adds to its contract if it works in phases whose ends are of interest.

#include <concepts>
#include <cstdint>
#include <span>

#include "equipoise/model/local/node_program.hpp"

namespace equipoise::model {

/// `phases`: how many there are; `phases_ended(state)`: how many of them a node has behind it,
/// never fewer than before; `written_bits(state, ports)`: the bits of everything that the node
/// remembers, where a number takes as many bits as `number_bits` says.
template <class P>
concept HasPhases = NodeProgram<P> && requires(const P& program, const typename P::State& state,
                                               std::span<const typename P::PortState> ports) {
    { P::phases } -> std::convertible_to<std::uint32_t>;
    { program.phases_ended(state) } -> std::same_as<std::uint32_t>;
    { program.written_bits(state, ports) } -> std::same_as<std::uint64_t>;
};

}  // namespace equipoise::model
