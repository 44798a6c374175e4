#pragma once
// Where items end: a placement with as low a score as can be found.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct SearchOptions {
    std::optional<double> seconds = 30;   ///< nothing: no limit
    std::optional<std::uint64_t> effort;  ///< iterations in all; with it, the result is the same in
                                          ///< every run with the same seed and threads
    unsigned threads = 1;
    std::uint64_t seed = 1;
    std::uint64_t memory = std::uint64_t{1} << 30U;  ///< bytes
    std::stop_token stop;
    /// Told now and then by one thread: the best score so far and the iterations done.
    std::function<void(const Score&, std::uint64_t)> progress;
};

struct SearchedPlacement {
    std::vector<MachineId> places;  ///< by item
    Score score;                    ///< as `stand` computes it
    std::uint64_t effort = 0;       ///< iterations done
    /// Whether no placement has a lower score: all were searched, or a bound says so.
    bool proved = false;
};

/// Searches from the present places, and never returns worse ones. The result keeps to
/// `Problem::budget` and may be the end of a schedule (see ends.hpp): that a resource is released
/// only after the last wave counts against capacities. The search ends when it reaches
/// `good_enough`, or when nothing needs to move. Threads get equal parts of the effort; the best of
/// them is returned.
/// Throws UnsuitableError if the memory does not suffice.
[[nodiscard]] SearchedPlacement search_places(const Problem& problem, const SearchOptions& options,
                                              const std::optional<Score>& good_enough = {});

/// The same by trying all placements, cleverly, as long as this takes at most `effort` steps of
/// cost O(items (resources + rules) + machines resources); nothing if it does not end within them
/// and before it is asked to stop. The result is `proved`. For small problems.
[[nodiscard]] std::optional<SearchedPlacement> search_all_places(const Problem& problem,
                                                                 std::uint64_t effort,
                                                                 const std::stop_token& stop = {});

}  // namespace equipoise::reassign
