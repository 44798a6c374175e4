#pragma once
// What a synchronous run is asked for and what comes out of it.

#include <cstdint>
#include <span>
#include <stop_token>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::engine {

class Fabric;
class Partition;

/// Which body plays the steps. All give bit-identical loads, states and costs.
enum class Body : std::uint8_t {
    fast,       ///< the first of the following that serves
    diffusion,  ///< edge rules: every node gathers, on narrow loads
    in_place,   ///< edge rules: links that share no node
    gathered,   ///< edge rules: all flows, then a sum at every node
    announced,  ///< deal rules: an announcement a node, on narrow loads
    pushed,     ///< deal rules whose sender alone decides
    exchanged,  ///< deal rules: a proposal and an answer over every end of every link
    reference,  ///< plain and serial: the definition that the others must equal
};

struct RoundOptions {
    std::uint64_t seed = 0;
    int threads = 1;  ///< 0: as many as the machine has
    /// Where it does not serve, the next one that does.
    Body body = Body::fast;
    model::StopRule stop;
    std::stop_token interrupt;
    std::span<model::Observer* const> observers;
    model::Environment* environment = nullptr;
    std::span<const Tokens> speeds;  ///< empty: all 1
    /// A further thread joins a step only for this many more links (or nodes).
    std::uint64_t items_per_thread_min = 4096;
    /// Other processes that play the same run: each plays its part on one thread. Null: none.
    Fabric* fabric = nullptr;
    const Partition* partition = nullptr;  ///< null: consecutive nodes
};

/// The same for engines that play `round` steps at a time, at least 1: a round that the cap on
/// steps has no room for is not begun.
[[nodiscard]] inline RoundOptions in_whole_rounds(RoundOptions options, Step round) {
    options.stop.steps_max -= options.stop.steps_max % round;
    return options;
}

struct RoundOutcome {
    load::Loads loads;
    model::Costs costs;
    Tokens created = 0;
    Tokens destroyed = 0;
    model::StopReason stopped_because = model::StopReason::steps_max;
};

}  // namespace equipoise::engine
