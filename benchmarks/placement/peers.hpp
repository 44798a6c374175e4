#pragma once
// Rules by which other systems place weighted items, written from their published descriptions.
// Where a description leaves something open, the comment says what was taken.

#include <cstdint>
#include <span>
#include <vector>

namespace equipoise::peers {

/// Items that may move, and what stays.
struct Items {
    std::span<const double> weights;  ///< item by item, in seconds
    std::span<const int> rank;        ///< where each item is
    std::span<const double> fixed;    ///< rank by rank: the weight of what cannot move
};

/// The rank of each item afterwards. `longest_processing_time` (R. L. Graham, Bounds on
/// multiprocessing timing anomalies, 1969; GreedyLB of Charm++): the items in descending order of
/// weight, each to the rank with the least load so far, the lowest such rank. Where an item was
/// does not matter. Without fixed weight, the largest load is at most 4/3 - 1/(3 P) times the
/// optimum.
[[nodiscard]] std::vector<int> longest_processing_time(const Items& items);

/// Charm++'s GreedyRefineLB (its manual and the comments of GreedyRefineLB.C): each of the P
/// processors makes one placement with tolerances A and B of its own, the first by
/// longest_processing_time; taken is the one that moves fewest items among those whose largest load
/// is at most 1.003 times the lowest found. A placement goes through the items in descending order
/// of weight; an item stays if its rank's load so far is at most B times (the least load + 0.01)
/// and if it stays at or below M, else it goes to the least loaded rank. M is A times the largest
/// load of longest_processing_time, and rises with what was placed.
[[nodiscard]] std::vector<int> greedy_refine(const Items& items);

/// One of these placements; M is `most` at first.
[[nodiscard]] std::vector<int> greedy_refine_once(const Items& items, double most, double spread);

/// What GreedyRefineLB tries: A and B.
struct Tolerances {
    double most;
    double spread;
};
[[nodiscard]] std::vector<Tolerances> greedy_refine_tolerances(std::size_t processors);

/// vt's TemperedLB (J. Lifflander et al., Optimizing distributed load balancing for workloads with
/// time-varying imbalance, CLUSTER 2021; vt's documentation), with the options it has by default:
/// 3 trials of 8 iterations, knowledge Log, ordering FewestMigrations, criterion ModifiedGrapevine,
/// CMF NormByMax, rollback. An iteration has two stages. Inform: ranks below the average load are
/// known to themselves; in each of k rounds who has learnt something sends it all to f random ranks
/// that are not known as below the average. Transfer: each rank above the average offers its items,
/// those first that need the fewest migrations, to ranks that it knows, at random in proportion to
/// 1 - load / (largest load known, or the average if that is more); the item goes if the receiver's
/// load, as far as known, then stays below the sender's. The best iteration counts, if it is no
/// worse than the start. Its gossip is played in rounds (inform=SyncInform).
[[nodiscard]] std::vector<int> tempered(const Items& items, std::uint64_t seed);

/// Zoltan's BLOCK with weights (its user's guide, and the comments of block.c): the items of all
/// ranks in their order, rank after rank, each to the part in which the middle of its weight lies
/// on the line of all weight, cut into P equal parts. Fixed weight is unknown to it.
[[nodiscard]] std::vector<int> zoltan_block(const Items& items);

/// The load of every rank after a placement.
[[nodiscard]] std::vector<double> loads_of(const Items& items, std::span<const int> rank);

}  // namespace equipoise::peers
