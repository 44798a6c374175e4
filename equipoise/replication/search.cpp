#include "equipoise/replication/search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/replication/bounds.hpp"
#include "equipoise/replication/search/annealing.hpp"
#include "equipoise/replication/search/pools.hpp"
#include "equipoise/replication/search/start.hpp"

namespace equipoise::replication {

// Problem: a placement of copies whose largest machine is at most a limit, or else as low as is
//   found, and which then has the fewest pairs of item and machine that are new.
// Model: as `Problem` says.
// Source: simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over replacements of one copy and
//   swaps of two, from the present placement, made allowed. The energy is what machines hold above
//   the limit, plus a price for each new pair. The price follows the search: lower while no
//   placement keeps the limit, higher while many do (strategic oscillation, Glover 1977). So all
//   effort goes to placements that just keep the limit, which is where copies are few. Rounds of
//   this are repeated, from the start and from the best, while effort is left.
// Guarantee: none on level or copies, but it never returns more than `most_copied` copied, nor
//   anything but the present placement where that is allowed and keeps the limit; and never worse
//   with more effort, once this is a whole round: rounds depend only on those before them.
// Deviations: whole groups are assigned to hosts beforehand, by search of all ways where they are
//   few; what happens on hosts then is one search, with one price.

namespace {

/// Steps of one round: in proportion to slots, and enough for few.
std::uint64_t steps_of_round(const Problem& problem) {
    return std::max(std::uint64_t{10'000}, std::uint64_t{2'000} * problem.all_slots());
}

/// Steps in all if no effort is given. Single rounds differ most where slots are few, and are cheap
/// there.
std::uint64_t default_effort(const Problem& problem) {
    const std::uint64_t round = steps_of_round(problem);
    return std::max(round, std::min(std::uint64_t{400'000}, 5 * round));
}

/// The mean of the pool that has most.
Tokens highest_mean(const Problem& problem, const std::vector<Pool>& pools) {
    Tokens highest = 0;
    for (const Pool& pool : pools) {
        Tokens sum = 0;
        for (const ItemId item : pool.items)
            sum += problem.loads[item];
        highest = std::max(highest, load_of_copy(sum, Tokens{pool.machines}));
    }
    return highest;
}

/// The search with the items of each pool on its machines, and the best that it has found.
class PoolSearch {
  public:
    /// `at_least`: no allowed placement has a lower largest machine.
    PoolSearch(const Problem& problem, std::vector<Pool> pools, Tokens at_least,
               const SearchOptions& options)
        : problem_(problem),
          pools_(std::move(pools)),
          start_(first_placement(problem, pools_)),
          floor_(std::max(highest_mean(problem, pools_), at_least)),
          // Without a present placement a lower level costs nothing.
          limit_(problem.placement.empty() ? 0 : options.limit),
          annealing_(problem, pools_, start_, options) {}

    [[nodiscard]] const Annealing::Found& best() const { return annealing_.best(); }

    /// Whether nothing can be better than the best.
    [[nodiscard]] bool is_done() const {
        return best().largest <= std::max(limit_, floor_) &&
               (best().copied == 0 || problem_.placement.empty());
    }

    /// The first round and every third one begin at the start, the others at the best so far.
    void run_round(std::uint64_t steps) {
        const bool is_first = rounds_ == 0;
        if (best().placement.empty()) {  // the start copies more than is allowed
            annealing_.save_copies(start_, tokens_max, steps);
            if (best().placement.empty()) return;
        }
        const std::vector<ItemId> from = rounds_++ % 3 == 0 ? start_ : best().placement;
        if (limit_ >= floor_) annealing_.save_copies(from, limit_, steps);
        if (best().largest <= limit_) return;

        // What follows is rare: the limit is too low, or far from all that is near.
        if (is_first && !problem_.placement.empty())
            annealing_.offer(level_placement(problem_, pools_));
        annealing_.lower_largest(std::max(limit_, floor_), steps);
        if (problem_.placement.empty()) return;
        const Tokens level = std::max(limit_, best().largest);
        annealing_.save_copies(from, level, steps / 2);
        annealing_.save_copies(std::vector(best().placement), level, steps / 2);
    }

  private:
    const Problem& problem_;
    std::vector<Pool> pools_;
    std::vector<ItemId> start_;
    Tokens floor_;
    Tokens limit_;
    Annealing annealing_;
    std::uint64_t rounds_ = 0;
};

/// Which of several searches has found the best.
const Annealing::Found& best_of(const std::vector<std::unique_ptr<PoolSearch>>& searches,
                                Tokens limit) {
    const auto key = [&](const auto& search) {
        return std::pair(std::max(search->best().largest, limit), search->best().copied);
    };
    return (*std::min_element(searches.begin(), searches.end(),
                              [&](const auto& a, const auto& b) { return key(a) < key(b); }))
        ->best();
}

}  // namespace

std::vector<ItemId> in_former_slots(const Problem& problem, const std::vector<ItemId>& placement) {
    if (problem.placement.empty()) return placement;
    std::vector<ItemId> result(placement.size());
    std::vector<std::uint8_t> waits(problem.items(), 0);
    std::vector<ItemId> rest;
    std::vector<std::uint32_t> open;
    for (std::uint32_t first = 0; first < problem.all_slots(); first += problem.slots) {
        const std::uint32_t end = first + problem.slots;
        for (std::uint32_t slot = first; slot < end; ++slot)
            waits[placement[slot]] = 1;
        open.clear();
        for (std::uint32_t slot = first; slot < end; ++slot) {
            std::uint8_t& waiting = waits[problem.placement[slot]];
            if (waiting != 0)
                result[slot] = problem.placement[slot];
            else
                open.push_back(slot);
            waiting = 0;
        }
        rest.clear();
        for (std::uint32_t slot = first; slot < end; ++slot)
            if (waits[placement[slot]] != 0) rest.push_back(placement[slot]);
        std::sort(rest.begin(), rest.end());
        EQUIPOISE_ASSERT(rest.size() == open.size());
        for (std::size_t i = 0; i < rest.size(); ++i) {
            result[open[i]] = rest[i];
            waits[rest[i]] = 0;
        }
    }
    return result;
}

std::vector<ItemId> search_placement(const Problem& problem, const SearchOptions& options) {
    problem.check();
    refuse_unsuitable(problem);
    const std::uint64_t effort = options.effort != 0 ? options.effort : default_effort(problem);
    const std::uint64_t steps = std::min(effort, steps_of_round(problem));
    const Tokens at_least = largest_at_least(problem).at_least;
    std::vector<std::unique_ptr<PoolSearch>> searches;
    std::vector<std::vector<std::uint32_t>> tried;
    // Groups go where the limit allows it, or where the level is lowest, or where most of them is.
    for (const Tokens level : {options.limit, Tokens{0}, tokens_max}) {
        std::vector<std::uint32_t> hosts = hosts_of_groups(problem, level);
        if (std::find(tried.begin(), tried.end(), hosts) != tried.end()) continue;
        searches.push_back(
            std::make_unique<PoolSearch>(problem, pools_of(problem, hosts), at_least, options));
        searches.back()->run_round(steps);
        if (best_of(searches, options.limit).largest <= options.limit ||
            (level == 0 && !options.most_copied))
            break;
        tried.push_back(std::move(hosts));
    }
    // Each round is the same whatever the effort is: more of it adds rounds.
    for (std::uint64_t done = steps; done < effort && !options.stop.stop_requested();
         done += std::min(steps, effort - done))
        for (const auto& search : searches)
            if (!search->is_done()) search->run_round(steps);
    const Annealing::Found& best = best_of(searches, options.limit);
    if (best.placement.empty())
        throw UnsuitableError("found no placement with at most " +
                              std::to_string(options.most_copied.value_or(0)) +
                              " copies in which each expert has a slot and none is twice on a GPU");
    return in_former_slots(problem, best.placement);
}

}  // namespace equipoise::replication
