#pragma once
// The world of an asynchronous run, as the command line writes it.

#include <string>

#include "equipoise/engine/simulation/options.hpp"

namespace equipoise::catalogue {

struct Algorithm;
class NetworkFacts;

/// The adversities of a run; an empty text means none.
struct WorldTexts {
    /// `unit` (the default), `random` or `random:max=16`, `heavy-tail` or `heavy-tail:max=1048576`.
    std::string delays;
    /// `starve:NODE`, `slow-link:FROM-TO`, `newest-first` or `hold-acks`.
    std::string adversary;
    /// Any of `loss=0.1,duplicate=0.1,reorder=0.1,capacity=4,crash=0.01,down=64,corrupt-start,
    /// until=1000` (`engine::FaultPlan`).
    std::string faults;
    /// `1`: a node sends at most one message a tick and receives at most one; `all` (the default):
    /// one through every port, or more.
    std::string ports = {};

    [[nodiscard]] bool empty() const {
        return delays.empty() && adversary.empty() && faults.empty() && ports.empty();
    }
};

/// The options of the simulation. Throws InputError naming what was expected, UnsuitableError when
/// the algorithm is synchronous or does not support what is asked for.
[[nodiscard]] engine::SimulationOptions world_of(const Algorithm& algorithm,
                                                 const NetworkFacts& facts,
                                                 const WorldTexts& texts);

}  // namespace equipoise::catalogue
