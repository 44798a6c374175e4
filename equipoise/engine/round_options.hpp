#pragma once
// What is asked of a synchronous run, and its outcome.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::engine {

class Fabric;
class Keeper;
class Partition;

/// Names the body that plays the steps (engine/bodies). All bodies give bit-identical loads, states
/// and costs.
class Body {
  public:
    constexpr explicit Body(std::string_view name) : name_(name) {}
    static const Body fast;       ///< the first that serves
    static const Body reference;  ///< plain and serial: the definition that the others must equal

    [[nodiscard]] constexpr std::string_view name() const { return name_; }
    friend constexpr bool operator==(Body, Body) = default;

  private:
    std::string_view name_;
};
inline constexpr Body Body::fast{"fast"};
inline constexpr Body Body::reference{"reference"};

/// How a synchronous run is played, when it ends and which observers it has.
struct RoundOptions {
    std::uint64_t seed = 0;
    int threads = 1;  ///< 0: as many as the machine has
    /// If this body does not serve the run, the next in its list that does is taken.
    Body body = Body::fast;
    model::StopRule stop;
    std::stop_token interrupt;
    std::span<model::Observer* const> observers;
    model::Environment* environment = nullptr;
    std::span<const Tokens> speeds;  ///< empty: all 1
    /// This many more links (or nodes) in a step occupy one more thread.
    std::uint64_t items_per_thread_min = 4096;
    /// In larger networks all loads are looked at only now and then to follow their range, if that
    /// cannot be told from a few. `RoundOutcome::level_since` is then unknown if the discrepancy
    /// changed for the last time between two looks.
    NodeId nodes_always_followed = NodeId{1} << 14U;
    /// Connects the processes that play this run; if there are several, each plays its part on one
    /// thread. Null: this process is alone.
    Fabric* fabric = nullptr;
    const Partition* partition = nullptr;  ///< null: consecutive nodes
    /// Of ranks that play together; a process without a fabric has all loads.
    model::FinalLoads final_loads = model::FinalLoads::on_every_rank;
    /// Saves the state of the run now and then, or restores one (engine/keeper.hpp). Null: nothing
    /// is saved.
    Keeper* keeper = nullptr;
};

/// The same options for engines that play `round` steps at a time, at least 1: a round that does
/// not fit below the cap on steps is not begun.
[[nodiscard]] inline RoundOptions in_whole_rounds(RoundOptions options, Step round) {
    options.stop.steps_max -= options.stop.steps_max % round;
    return options;
}

/// The same options, with the final loads left where they are.
[[nodiscard]] inline RoundOptions with_loads_apart(RoundOptions options) {
    options.final_loads = model::FinalLoads::apart;
    return options;
}

/// The outcome of a run.
struct RoundOutcome {
    /// As `final_loads` says: of all nodes, of all nodes on rank 0 and none elsewhere, or of this
    /// rank's own nodes.
    load::Loads loads;
    model::Costs costs;
    Tokens created = 0;
    Tokens destroyed = 0;
    model::StopReason stopped_because = model::StopReason::steps_max;
    Body body = Body::reference;  ///< the one that played, if rounds were played
    /// For rules that may owe: the smallest load at the start and after every step or, in deal
    /// rules, every round. Nothing if the run went on from books that do not have it.
    std::optional<Tokens> least_load = {};
    /// The first step such that the discrepancy after it and after every later step is the final
    /// one; 0: it was so from the start. Nothing if the run went on from books that do not have it,
    /// or if a large network changed too much to be followed.
    std::optional<Step> level_since = {};
    model::FinalLoads final_loads = model::FinalLoads::on_every_rank;
    /// Of the loads of all nodes, if no rank has them all.
    std::optional<Tokens> discrepancy = {};
};

}  // namespace equipoise::engine
