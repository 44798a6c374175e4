#pragma once
// The costs of asynchronous runs besides steps, exchanges and messages.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/model/run/extremes.hpp"
#include "equipoise/model/run/phase_end.hpp"

namespace equipoise::engine {

/// Costs that only asynchronous runs have, and the digest of their trace.
struct ProgramCosts {
    model::Ticks time = 0;                    ///< of the last event
    std::uint64_t digest = 0;                 ///< of the trace of events
    std::vector<model::Delivery> deliveries;  ///< in order, if asked for and not too many
    std::uint64_t largest_message_bits = 0;   ///< if the program's messages tell their bits
    std::uint64_t memory_bits = 0;            ///< of the node that remembers most
    std::vector<model::PhaseEnd> phases;      ///< of the program, if it has any
    std::uint64_t lost = 0;                   ///< messages lost by faults
    std::uint64_t duplicated = 0;             ///< messages duplicated by faults
    std::uint64_t crashes = 0;
    std::optional<model::Extremes> held;  ///< if asked for: what nodes held, nothing under way
};

}  // namespace equipoise::engine
