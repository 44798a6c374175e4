#pragma once
// Which rank each part of a new partition goes to, so that the fewest bytes move.
//
// Problem: rank r holds h_ir bytes of part i. Give every part a rank, at most k parts to each, so
// that the fewest bytes change their rank: these are the sum of all h minus the bytes that stay,
// and the bytes that stay are the gain of an assignment with w_ij = h_ij (assignment.hpp).
// Machines first: w_ij = (H + 1) * (bytes of part i on the machine of j) + h_ij, with H the sum of
//    all h. At most H bytes stay on ranks: so an assignment that keeps one byte more on its machine
//    gains more, however many bytes it keeps on ranks. The best one therefore moves the fewest
//    bytes between machines and, of those that do, the fewest between ranks.
// Parts without gain fill the remaining room: there is enough for all, and they keep nothing on any
//    rank that has room. The certificate holds for them as well.

#include <span>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/assignment.hpp"

namespace equipoise::placement {

/// The bytes that a rank holds of a part of the new partition.
struct Holding {
    int rank = 0;
    int part = 0;
    Tokens bytes = 0;  ///< at least 0
};

struct RelabelProblem {
    int parts = 0;
    int ranks = 0;
    int parts_a_rank = 1;                    ///< at most
    std::span<const Holding> holdings = {};  ///< at most one for each rank and part
    std::span<const int> machines = {};  ///< by rank; empty: bytes between machines do not matter
};

struct Relabelling {
    std::vector<int> rank_of_part;
    Tokens bytes = 0;              ///< of all items
    Tokens moved = 0;              ///< bytes that change their rank
    Tokens moved_by_identity = 0;  ///< the same if rank p / parts_a_rank gets part p
    Tokens between_machines = 0;   ///< bytes that change their machine, if there are machines
    Tokens between_machines_by_identity = 0;
    /// Certify that no relabelling is better (assignment.hpp), in the unit of gains.
    std::vector<Int128> part_prices;
    std::vector<Int128> rank_prices;
};

/// A relabelling that moves the fewest bytes. Throws InputError if there are more parts than
/// places or if the bytes add up to more than 2^61.
[[nodiscard]] Relabelling fewest_bytes(const RelabelProblem& problem);

/// What is wrong with the claim that no relabelling moves fewer bytes than this one; empty if
/// nothing is. Shares with fewest_bytes only the definition of gains.
[[nodiscard]] std::string fault_of(const Relabelling& claim, const RelabelProblem& problem);

}  // namespace equipoise::placement
