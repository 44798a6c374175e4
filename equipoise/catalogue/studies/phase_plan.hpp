#pragma once
// On which ranks the tasks of one phase should run.

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
    Tokens moved_at_least = 0;      ///< equally level placements move at least this many
    double bytes_at_least = 0;
};

/// What is asked of a plan.
struct PhaseOptions {
    TracePolicy policy = TracePolicy::weighted;
    double tolerance = 0;    ///< of weighted
    bool use_sizes = false;  ///< moves are charged by bytes
    /// For weighted: if the tasks of some rank that may not migrate exceed its share, the other
    /// ranks are levelled all the same, since a later phase may not have that excess.
    bool level_rest = false;
};

/// Plans one phase whose tasks are at present on these ranks.
[[nodiscard]] PhasePlan plan_phase(const trace::Trace& trace, const trace::Phase& phase,
                                   const std::vector<int>& rank_of_task,
                                   const PhaseOptions& options);

}  // namespace equipoise::catalogue
