#include "equipoise/catalogue/studies/phase_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::catalogue {

namespace {

/// The tasks of one rank, those that may not migrate first.
struct RankTasks {
    std::vector<std::size_t> places;  ///< among the tasks of the phase
    std::vector<double> weights;
    std::vector<double> bytes;
    Tokens pinned = 0;
};

std::vector<RankTasks> by_rank(const trace::Trace& trace, const trace::Phase& phase,
                               const std::vector<int>& rank_of_task, bool use_sizes) {
    std::vector<RankTasks> ranks(phase.ranks.size());
    for (const bool pinned : {true, false}) {
        std::size_t place = 0;
        for (const trace::RankPhase& part : phase.ranks) {
            for (const std::uint32_t number : part.tasks) {
                const trace::Task& task = trace.tasks[number];
                const std::size_t at = place++;
                if (task.migratable == pinned) continue;
                RankTasks& rank = ranks[static_cast<std::size_t>(rank_of_task[at])];
                rank.places.push_back(at);
                rank.weights.push_back(task.seconds);
                if (use_sizes) rank.bytes.push_back(task.bytes.value_or(0));
                if (pinned) ++rank.pinned;
            }
        }
    }
    return ranks;
}

/// Levels the numbers of tasks on all ranks, as far as pinned ones allow; the last tasks of a rank
/// leave.
void level_counts(std::span<const RankTasks> ranks, PhasePlan& plan) {
    std::vector<Tokens> counts;
    std::vector<Tokens> pinned;
    for (const RankTasks& rank : ranks) {
        counts.push_back(static_cast<Tokens>(rank.places.size()));
        pinned.push_back(rank.pinned);
    }
    const std::vector<Tokens> targets = placement::level_targets({counts, pinned, {}});
    plan.moved_at_least = placement::surplus(counts, targets);
    std::vector<std::size_t> next;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        next.push_back(static_cast<std::size_t>(std::min(counts[rank], targets[rank])));
    for (const placement::Transfer& transfer : placement::match_surpluses(counts, targets)) {
        const auto from = static_cast<std::size_t>(transfer.from);
        for (Tokens item = 0; item < transfer.items; ++item)
            plan.rank_of_task[ranks[from].places[next[from]++]] = transfer.to;
    }
}

/// Levels the numbers of tasks that may migrate, which stay in their order across ranks.
void level_in_order(std::span<const RankTasks> ranks, PhasePlan& plan) {
    std::vector<std::size_t> places;
    std::vector<Tokens> counts;
    for (const RankTasks& rank : ranks) {
        places.insert(places.end(), rank.places.begin() + rank.pinned, rank.places.end());
        counts.push_back(static_cast<Tokens>(rank.places.size()) - rank.pinned);
    }
    const std::size_t share = places.size() / ranks.size();
    const std::size_t odd = places.size() % ranks.size();
    std::size_t at = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::size_t target = share + (rank < odd ? 1 : 0);
        for (std::size_t item = 0; item < target; ++item)
            plan.rank_of_task[places[at++]] = static_cast<int>(rank);
    }
    // Among all level numbers, those with the fewest moves.
    plan.moved_at_least = placement::surplus(counts, placement::level_targets({counts, {}, {}}));
}

/// Levels seconds, with few moves.
placement::Placement placed(std::span<const RankTasks> ranks, double tolerance) {
    std::vector<placement::RankItems> items;
    for (const RankTasks& rank : ranks)
        items.push_back({.weights = rank.weights, .sizes = rank.bytes, .pinned = rank.pinned});
    placement::PlaceOptions options;
    options.tolerance = tolerance;
    return placement::place(items, options);
}

/// The same tasks, except that on no rank those that may not migrate exceed its share: on ranks
/// where they do, their times are scaled down to the share of the other ranks. Nothing if there is
/// no such rank.
std::optional<std::vector<RankTasks>> without_excess(std::span<const RankTasks> ranks) {
    std::vector<double> weights;
    std::vector<double> pinned;
    for (const RankTasks& rank : ranks) {
        const auto fixed = rank.weights.begin() + rank.pinned;
        weights.push_back(std::accumulate(rank.weights.begin(), rank.weights.end(), 0.0));
        pinned.push_back(std::accumulate(rank.weights.begin(), fixed, 0.0));
    }
    const std::vector<double> targets = placement::weight_targets(weights, pinned, {});
    const double share = *std::min_element(targets.begin(), targets.end());
    if (share >= *std::max_element(pinned.begin(), pinned.end())) return std::nullopt;
    std::vector<RankTasks> scaled(ranks.begin(), ranks.end());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (Tokens item = 0; pinned[rank] > share && item < ranks[rank].pinned; ++item)
            scaled[rank].weights[static_cast<std::size_t>(item)] *= share / pinned[rank];
    return scaled;
}

}  // namespace

PhasePlan plan_phase(const trace::Trace& trace, const trace::Phase& phase,
                     const std::vector<int>& rank_of_task, const PhaseOptions& options) {
    PhasePlan plan;
    plan.rank_of_task = rank_of_task;
    const std::vector<RankTasks> ranks = by_rank(trace, phase, rank_of_task, options.use_sizes);
    placement::Placement levelled = placed(ranks, options.tolerance);
    plan.largest_at_least = levelled.largest_at_least;
    if (options.level_rest)
        if (const auto rest = without_excess(ranks)) levelled = placed(*rest, options.tolerance);
    switch (options.policy) {
        case TracePolicy::weighted:
            for (const placement::Relocation& move : levelled.moves)
                plan.rank_of_task[ranks[static_cast<std::size_t>(move.from)]
                                      .places[static_cast<std::size_t>(move.place)]] = move.to;
            plan.moved_at_least = levelled.moved_at_least;
            plan.bytes_at_least = levelled.bytes_at_least;
            break;
        case TracePolicy::minimum_moves:
            level_counts(ranks, plan);
            break;
        case TracePolicy::keep_order:
            level_in_order(ranks, plan);
            break;
    }
    return plan;
}

}  // namespace equipoise::catalogue
