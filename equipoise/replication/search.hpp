#pragma once
// A placement whose largest machine is low, and which is near the present one.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

struct SearchOptions {
    /// The largest is to be at most this; where that is not found, it is as low as is found.
    Tokens limit = 0;
    /// At most so many copies, however far the largest is then; nothing: no limit.
    std::optional<std::uint64_t> most_copied = {};
    /// Steps, in rounds of 2,000 a slot (at least 10,000); less than a round is a shorter one, and
    /// a round that is begun is finished. 0: one round, or up to five where slots are few; some
    /// 15 ms for 256 items on 32 machines of 9 slots. A round has up to three times the steps where
    /// it does not find the limit, and there is one for each of up to three ways in which groups go
    /// to hosts.
    std::uint64_t effort = 0;
    std::uint64_t seed = 1;
    std::stop_token stop = {};
};

/// An allowed placement (by slot; what stays on a machine keeps its slot): first, one whose largest
/// is at most `limit` or else as low as is found; then, with that level, with as few copied as are
/// found. The same in every run with the same options. The best of all rounds counts, so that more
/// effort than a round never makes the answer worse. Throws UnsuitableError if no placement is
/// allowed, or none with at most `most_copied` copied is found.
[[nodiscard]] std::vector<ItemId> search_placement(const Problem& problem,
                                                   const SearchOptions& options);

/// The same placement, with what stays on a machine in its slot.
[[nodiscard]] std::vector<ItemId> in_former_slots(const Problem& problem,
                                                  const std::vector<ItemId>& placement);

}  // namespace equipoise::replication
