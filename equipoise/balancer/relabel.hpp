#pragma once
// Gives the parts of a new partition the ranks that move the fewest bytes.
//
//     std::vector<int> part = my_partitioner(...);       // of each item of this rank: 0, 1, ...
//     relabel_in_place(communicator, part);              // now the rank that it goes to
//     plan_to(communicator, part).execute(items);

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "equipoise/base/numbers_view.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/local_failure.hpp"
#include "equipoise/placement/relabel.hpp"

namespace equipoise::balancer {

/// The options of a call; the same on all ranks, except the value of `machine`.
struct RelabelOptions {
    int parts = 0;         ///< parts are 0 .. parts - 1; 0: up to the largest that has an item
    int parts_a_rank = 1;  ///< the most parts that a rank gets
    /// Asks for the fewest bytes between machines, and then for the fewest between ranks.
    bool machines_first = false;
    /// Ranks with equal numbers share a machine; by default MPI is asked. On all ranks or none.
    std::optional<int> machine = {};
};

/// A new partition with ranks for its parts; the same on all ranks. See placement/relabel.hpp.
struct Relabelled : placement::Relabelling {
    bool machines_first = false;

    /// The relabelling and its savings, in words.
    [[nodiscard]] std::string describe() const;
};

/// The relabelling that moves the fewest bytes, given the new part of each item of this rank and
/// its bytes (none given: each counts 1). No relabelling moves fewer bytes (with machines_first:
/// none moves fewer between machines, and none that moves equally few there moves fewer in all);
/// `part_prices` and `rank_prices` certify it (placement::fault_of). Collective: two reductions,
/// and gatherings of one word a rank and of two for every part of which a rank has items. Every
/// rank solves the same assignment problem.
///
/// Throws CollectiveError, the same on every rank: for negative parts, for more parts than ranks
/// take or than 2^24, unless there is one size for each item (on all ranks) or none at all,
/// negative sizes, and sums above 2^61; for options that differ; for a rank that runs out of
/// memory.
[[nodiscard]] Relabelled relabel(MPI_Comm callers, std::span<const int> new_part,
                                 std::span<const Tokens> bytes = {},
                                 const RelabelOptions& options = {},
                                 engine::LocalFailure failure = {});

/// The same for parts of 64 bits, none of which is cut.
[[nodiscard]] Relabelled relabel_wide(MPI_Comm callers, std::span<const std::int64_t> new_part,
                                      std::span<const Tokens> bytes, const RelabelOptions& options,
                                      engine::LocalFailure failure);

/// The same for a vector, array or span of any other type of whole numbers.
template <std::ranges::contiguous_range Parts>
    requires(std::integral<std::ranges::range_value_t<Parts>> &&
             !std::same_as<std::ranges::range_value_t<Parts>, int>)
[[nodiscard]] Relabelled relabel(MPI_Comm callers, const Parts& new_part,
                                 std::span<const Tokens> bytes = {},
                                 const RelabelOptions& options = {},
                                 engine::LocalFailure failure = {}) {
    if constexpr (std::same_as<std::ranges::range_value_t<Parts>, std::int64_t>) {
        return relabel_wide(callers, new_part, bytes, options, failure);
    } else {
        std::vector<std::int64_t> wide;
        failure.guard([&] { wide = as_int64(new_part, "parts"); });
        return relabel_wide(callers, wide, bytes, options, failure);
    }
}

/// The same; replaces each part by the rank that it gets. Parts are of a type that can be the
/// number of any rank.
template <std::ranges::contiguous_range Parts>
    requires(std::integral<std::ranges::range_value_t<Parts>> &&
             sizeof(std::ranges::range_value_t<Parts>) >= sizeof(int))
Relabelled relabel_in_place(MPI_Comm callers, Parts&& new_part, std::span<const Tokens> bytes = {},
                            const RelabelOptions& options = {}) {
    Relabelled result = relabel(callers, new_part, bytes, options);
    for (auto& part : new_part)
        part = static_cast<std::ranges::range_value_t<Parts>>(
            result.rank_of_part[static_cast<std::size_t>(part)]);
    return result;
}

}  // namespace equipoise::balancer
