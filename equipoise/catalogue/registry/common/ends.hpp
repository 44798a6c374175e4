#pragma once
// What entries share: how runs end, and what is true then.

#include <cstdint>

#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// The cost of a step that visits this many links, in links: even a step without links costs
/// something.
[[nodiscard]] constexpr std::uint64_t links_visited(std::uint64_t links) {
    constexpr std::uint64_t least = 100;
    return links < least ? least : links;
}

/// How many steps a run may spend on making sure that it is over: a number that takes seconds, not
/// minutes, but at least the steps of one tour.
[[nodiscard]] Step steps_affordable(const Task& task);

/// One round per node.
[[nodiscard]] Step steps_of_one_tour(const Task& task);

/// The default stop rule of THRESHOLD-1, under which neighbours that differ by one swap for ever:
/// the run must be stable for the window that proves stability or, if waiting for that takes too
/// long, for one tour. Not for protocols that freeze loads: the proof requires that every
/// difference of 1 swaps.
[[nodiscard]] DefaultStop stop_when_stable(const Task& task);

/// The default stop rule of protocols without memory: after this many consecutive steps without a
/// move, nothing will ever move again.
[[nodiscard]] DefaultStop stop_when_quiet(Step steps);

/// Ends at this discrepancy (in units of the run), and by no other rule unless the caller adds one.
[[nodiscard]] DefaultStop stop_at_discrepancy(Tokens discrepancy);

// The same rules as functions that entries name, for runs that know the task and for those in which
// no rank knows more than its rows (`Algorithm::stop_by_rows`).
/// Ends after this number of quiet steps, whatever the network.
template <Step steps>
[[nodiscard]] DefaultStop stop_after_quiet_steps(const Task& /*task*/) {
    return stop_when_quiet(steps);
}
template <Step steps>
[[nodiscard]] DefaultStop stop_after_quiet_steps(NodeId /*nodes*/, Step /*period*/) {
    return stop_when_quiet(steps);
}
/// Ends after a quiet round; for a task, a round has one step for each colour of its edge
/// colouring.
[[nodiscard]] DefaultStop stop_after_quiet_round(const Task& task);
[[nodiscard]] DefaultStop stop_after_quiet_round(NodeId nodes, Step period);

/// The stop rule by rows of rules under which odd tokens wander for ever: no two neighbours differ
/// by more than 1, or no active link has done so for one round per node.
[[nodiscard]] DefaultStop stop_when_level_or_circling(NodeId nodes, Step period);

/// The steps after which a deal rule whose deals lower the potential has had a round without a
/// deal: the rounds of a theorem or those that the potential allows, whichever are fewer, and one
/// more.
[[nodiscard]] Step steps_until_quiet(const Task& task, std::uint64_t rounds_by_theorem,
                                     Step phases);

/// The stop rule and the promise of protocols that go on until no two neighbours differ by more
/// than one token: the discrepancy is then at most the diameter.
[[nodiscard]] DefaultStop stop_when_one_balanced(const Task& task);
[[nodiscard]] model::Guarantee promise_one_balanced(const Task& task);

}  // namespace equipoise::catalogue
