#pragma once
// Where the tasks of one phase should run.

#include <cstdint>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/trace/trace.hpp"

namespace equipoise::catalogue {

/// How phases are levelled: the policies of the balancer.
enum class TracePolicy : std::uint8_t {
    weighted,       ///< seconds are levelled, with few moves
    minimum_moves,  ///< numbers of tasks are levelled, with the fewest moves
    keep_order,     ///< the same, and tasks that may migrate stay in their order across ranks
};

/// A plan for one phase.
struct PhasePlan {
    std::vector<int> rank_of_task;  ///< in the order of Placement
    double largest_at_least = 0;    ///< no placement has a smaller largest load
    Tokens moved_at_least = 0;      ///< any that levels as well moves as many
    double bytes_at_least = 0;
};

/// What is wanted of a plan.
struct PhaseOptions {
    TracePolicy policy = TracePolicy::weighted;
    double tolerance = 0;    ///< of weighted
    bool use_sizes = false;  ///< moves cost bytes
    /// For weighted: where a rank has more than its share that may not migrate, level the others
    /// all the same, since a later phase may not have it.
    bool level_rest = false;
};

/// Plans one phase whose tasks are on these ranks.
[[nodiscard]] PhasePlan plan_phase(const trace::Trace& trace, const trace::Phase& phase,
                                   const std::vector<int>& rank_of_task,
                                   const PhaseOptions& options);

}  // namespace equipoise::catalogue
