#pragma once
// What entries share: requirements on networks, and how runs end.

#include <cstdint>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// Throws UnsuitableError, which says what to do, unless the network is connected.
inline void expect_connected(const Task& task) {
    if (!task.facts.connected())
        throw UnsuitableError(
            "the network is not connected: expected one component (--largest-component keeps the "
            "largest)");
}

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

/// The default stop rules of runs in which no rank knows more than its rows
/// (`Algorithm::stop_by_rows`): a round without a move; and, for rules under which odd tokens
/// wander for ever, as soon as no two neighbours differ by more than 1, or no active link has done
/// so for one round per node.
[[nodiscard]] DefaultStop stop_after_quiet_round(NodeId nodes, Step period);
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
