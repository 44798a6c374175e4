#pragma once
// How entries bring rules, schedules and engines together.

#include <cstdint>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/algorithm.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue::entries {

/// Plays an edge rule over matchings in turn, oriented as they are; what is measured is the
/// network.
template <class Rule>
[[nodiscard]] engine::RoundOutcome play_matchings(const Rule& rule,
                                                  const network::MatchingSequence& matchings,
                                                  const Task& task,
                                                  const engine::RoundOptions& options) {
    model::PeriodicSchedule schedule(matchings);
    return task.facts.network().visit([&](const auto& graph) {
        return engine::run_rounds(rule, schedule, task.loads, graph, options);
    });
}

/// Plays an edge rule by dimension exchange over the network's own colouring, grids without stored
/// links, or over the one that was given.
template <class Rule>
[[nodiscard]] engine::RoundOutcome play_colours(const Rule& rule, const Task& task,
                                                const engine::RoundOptions& options) {
    const network::AnyNetwork& any = task.facts.network();
    if (const network::MatchingSequence& given = task.facts.given().colouring; !given.empty())
        return play_matchings(rule, given, task, options);
    if (const network::Grid* grid = any.grid()) {
        model::GridSchedule schedule(*grid);
        return engine::run_rounds(rule, schedule, task.loads, *grid, options);
    }
    model::PeriodicSchedule schedule =
        model::colour_schedule(*any.stored(), task.facts.colouring());
    return engine::run_rounds(rule, schedule, task.loads, *any.stored(), options);
}

/// Plays an edge rule by dimension exchange over a spanning tree; what is measured is the network.
template <class Rule>
[[nodiscard]] engine::RoundOutcome play_tree(const Rule& rule, const ColouredTree& coloured,
                                             const Task& task,
                                             const engine::RoundOptions& options) {
    model::PeriodicSchedule schedule = model::colour_schedule(coloured.tree, coloured.colouring);
    return task.facts.network().visit([&](const auto& graph) {
        return engine::run_rounds(rule, schedule, task.loads, graph, options);
    });
}

/// Plays an edge rule over all links of the network in every step, stored: finding a node's links
/// in an implicit grid would take longer than playing them.
template <class Rule>
[[nodiscard]] engine::RoundOutcome play_all_links(const Rule& rule, const Task& task,
                                                  const engine::RoundOptions& options) {
    const network::Network& graph = task.facts.stored();
    model::AllLinks schedule(graph);
    return engine::run_rounds(rule, schedule, task.loads, graph, options);
}

/// Plays an edge rule over a schedule of the network's links.
template <class Rule, class Schedule>
[[nodiscard]] engine::RoundOutcome play_schedule(const Rule& rule, Schedule& schedule,
                                                 const Task& task,
                                                 const engine::RoundOptions& options) {
    return task.facts.network().visit([&](const auto& graph) {
        return engine::run_rounds(rule, schedule, task.loads, graph, options);
    });
}

/// Plays a deal rule on the network.
template <class Rule>
[[nodiscard]] engine::RoundOutcome play_deal_rule(const Rule& rule, const Task& task,
                                                  const engine::RoundOptions& options) {
    return task.facts.network().visit(
        [&](const auto& graph) { return engine::run_rounds(rule, task.loads, graph, options); });
}

/// Throws UnsuitableError naming the remedy unless the network is connected.
inline void expect_connected(const Task& task) {
    if (!task.facts.connected())
        throw UnsuitableError(
            "the network is not connected: expected one component (--largest-component keeps the "
            "largest)");
}

/// Steps that a run may take only to make sure that it is over: seconds, not minutes; at least
/// those of one tour.
[[nodiscard]] Step steps_affordable(const Task& task);

/// One round a node.
[[nodiscard]] Step steps_of_one_tour(const Task& task);

/// The default stop rule of THRESHOLD-1, under which neighbours that differ swap for ever: stable
/// for the window that proves stability, or, where that is too long to wait for, for one tour.
/// Protocols that freeze loads are not served: the proof needs that every difference of 1 swaps.
[[nodiscard]] DefaultStop stop_when_stable(const Task& task);

/// The default stop rule of protocols without memory: so many steps in a row without a move are
/// repeated for ever.
[[nodiscard]] DefaultStop stop_when_quiet(Step steps);

/// Steps of a deal rule whose deals lower the potential until a round without a deal has been seen:
/// the smaller of a theorem's rounds and of those that the potential allows, and one more.
[[nodiscard]] Step steps_until_quiet(const Task& task, std::uint64_t rounds_by_theorem,
                                     Step phases);

/// The stop rule and the promise of protocols that go on until no two neighbours differ by more
/// than one token: then the discrepancy is at most the diameter.
[[nodiscard]] DefaultStop stop_when_one_balanced(const Task& task);
[[nodiscard]] model::Guarantee promise_one_balanced(const Task& task);

}  // namespace equipoise::catalogue::entries
