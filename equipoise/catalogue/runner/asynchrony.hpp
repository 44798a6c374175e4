#pragma once
// Delays, adversary, faults and ports of an asynchronous run, as the command line writes it.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise::engine {
struct SimulationOptions;
}

namespace equipoise::catalogue {

struct Algorithm;
class NetworkFacts;

/// The possible texts of `AsynchronyTexts`, in the order help shows them: models of delays, the
/// first of which is the default; adversaries; faults, several of which a text joins by commas.
[[nodiscard]] const std::vector<SpecInfo>& delay_models();
[[nodiscard]] const std::vector<SpecInfo>& adversaries();

/// A fault, and whether it strikes channels or nodes.
struct FaultInfo {
    enum class Of : std::uint8_t { channels, nodes, both };
    SpecInfo info;
    Of of = Of::channels;
};
[[nodiscard]] std::vector<FaultInfo> fault_kinds();

/// The adversities of a run; an empty text means none.
struct AsynchronyTexts {
    std::string delays;     ///< one of `delay_models`
    std::string adversary;  ///< one of `adversaries`
    std::string faults;     ///< `fault_kinds`, joined by commas (`engine::FaultPlan`)
    /// `1`: a node sends at most one message a tick and receives at most one; `all` (the default):
    /// one through every port, or more.
    std::string ports = {};

    [[nodiscard]] bool empty() const {
        return delays.empty() && adversary.empty() && faults.empty() && ports.empty();
    }
};

/// Throws InputError for a text that is wrong whatever the algorithm and the network.
void check(const AsynchronyTexts& texts);

/// The options of the simulation. Throws InputError naming what was expected, UnsuitableError when
/// the algorithm is synchronous or does not support what is asked for.
[[nodiscard]] engine::SimulationOptions simulation_options(const Algorithm& algorithm,
                                                           const NetworkFacts& facts,
                                                           const AsynchronyTexts& texts);

}  // namespace equipoise::catalogue
