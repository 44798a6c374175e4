#pragma once
// How long messages are under way.

#include <bit>
#include <cstdint>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/options.hpp"

namespace equipoise::engine {

/// Draws the delay of the message with the number `message`. Whole numbers only, so that every
/// machine draws the same. Cost O(1).
[[nodiscard]] inline model::Ticks draw_delay(const SimulationOptions& options,
                                             const RandomStream& random, std::uint64_t message) {
    switch (options.delays) {
        case DelayModel::unit:
            return 1;
        case DelayModel::random:
            return 1 + random.at(message) % (options.delay_max == 0 ? 16 : options.delay_max);
        case DelayModel::heavy_tail: {
            const std::uint64_t most = options.delay_max == 0 ? 1U << 20U : options.delay_max;
            const auto exponent_max = static_cast<unsigned>(std::bit_width(most) - 1);
            const std::uint64_t word = random.at(message);
            const unsigned exponent = static_cast<unsigned>(
                std::countr_one(word & ((std::uint64_t{1} << exponent_max) - 1)));
            const std::uint64_t base = std::uint64_t{1} << exponent;
            return base + ((word >> exponent_max) & (base - 1));
        }
    }
    return 1;
}

/// Nodes need not start together: a node whose messages are slow also starts late.
[[nodiscard]] inline model::Ticks start_delay(const SimulationOptions& options, NodeId node) {
    const RandomStream starts(options.seed, Purpose::delay, 1);
    const model::Ticks drawn = draw_delay(options, starts, node);
    const Adversary& adversary = options.adversary;
    const bool starved = adversary.kind == Adversary::Kind::starve_node && node == adversary.node;
    return starved ? drawn * adversary.factor : drawn - 1;
}

}  // namespace equipoise::engine
