#pragma once
// The synchronous round engine: plays a rule over a schedule, alone moves the tokens, and tells
// observers what happened.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/load/ledger.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::engine {

/// Which body runs a step. All give bit-identical loads, states and costs.
enum class Body : std::uint8_t {
    fast,       ///< fused, threaded
    reference,  ///< plain and serial: the definition that fast bodies must equal
};

struct RoundOptions {
    std::uint64_t seed = 0;
    int threads = 1;  ///< 0: as many as the machine has
    Body body = Body::fast;
    model::StopRule stop;
    std::stop_token interrupt;
    std::span<model::Observer* const> observers;
    model::Environment* environment = nullptr;
    std::span<const Tokens> speeds;  ///< empty: all 1
};

struct RoundOutcome {
    load::Loads loads;
    model::Costs costs;
    Tokens created = 0;
    Tokens destroyed = 0;
    model::StopReason stopped_because = model::StopReason::steps_max;
};

}  // namespace equipoise::engine
