#pragma once
// A placement of copies that is level and near the present one, with bounds, and the transfers that
// lead there.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/replication/bounds.hpp"
#include "equipoise/replication/problem.hpp"
#include "equipoise/replication/search.hpp"
#include "equipoise/replication/transfers.hpp"

namespace equipoise::replication {

struct Options {
    double bound = 1.05;  ///< 1 or more: how far the largest may be above the best possible
    std::optional<std::uint64_t> most_copied = {};  ///< see `SearchOptions`, as the next two
    std::uint64_t effort = 0;
    std::uint64_t seed = 1;
    Tokens at_once = 1;  ///< how many copies a machine gives, and how many it takes, in a wave
    std::stop_token stop = {};
};

struct Plan {
    std::vector<ItemId> placement;  ///< the item in each slot
    Standing before;                ///< of the present placement; all 0 where there is none
    Standing after;
    Bound largest;     ///< of any allowed placement
    Tokens limit = 0;  ///< floor(bound * largest.at_least)
    Bound copied;      ///< of any allowed placement whose largest is at most max(limit,
                       ///< after.largest)
    Transfers transfers;

    /// Whether the largest is within the bound of the best possible for certain.
    [[nodiscard]] bool within() const { return after.largest <= limit; }
};

/// A plan for one layer. Where there are at most 1,000 slots, and at most 50,000 ways to choose
/// what each machine has, all placements are searched, unless that takes too long or `most_copied`
/// is given: both bounds are then what some placement has, and no placement within `limit` copies
/// fewer; from nothing, the level is the lowest. The plan is checked: its figures are those of
/// `stand`, its transfers are replayed. Throws as `Problem::check`, InputError for options out of
/// range, UnsuitableError if no placement is allowed or none with at most `most_copied` copied is
/// found.
[[nodiscard]] Plan make_plan(const Problem& problem, const Options& options);

}  // namespace equipoise::replication
