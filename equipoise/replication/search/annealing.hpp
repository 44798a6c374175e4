#pragma once
// Simulated annealing of placements.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/replication/problem.hpp"
#include "equipoise/replication/search.hpp"
#include "equipoise/replication/search/pools.hpp"
#include "equipoise/replication/search/state.hpp"

namespace equipoise::replication {

/// One search. It changes a placement by replacements and swaps of slots, and keeps the best one
/// that it met. All is reckoned in whole numbers, so that it is the same on every machine.
class Annealing {
  public:
    struct Found {
        std::vector<ItemId> placement;  ///< empty: none
        Tokens largest = std::numeric_limits<Tokens>::max();
        std::int64_t copied = std::numeric_limits<std::int64_t>::max();
    };

    /// Never keeps a placement with more than `SearchOptions::most_copied` copied.
    Annealing(const Problem& problem, std::span<const Pool> pools, std::span<const ItemId> start,
              const SearchOptions& options);

    /// Keeps this placement if its largest is lower than that of the best, or the same with fewer
    /// copied.
    void offer(std::span<const ItemId> placement);
    /// Looks, from `start` on, for a placement whose largest is at most `limit`, and then for one
    /// with fewer copied. If none is found, the level at which it ends counts instead.
    void save_copies(std::span<const ItemId> start, Tokens limit, std::uint64_t steps);
    /// Looks for lower levels, from the best placement on; not below `floor`.
    void lower_largest(Tokens floor, std::uint64_t steps);

    [[nodiscard]] const Found& best() const { return best_; }

  private:
    /// Steps with one price; the price is chosen anew after each block.
    static constexpr std::uint64_t block = 256;

    /// Returns false when there is nothing left to do.
    bool run_block(std::uint64_t temperature_permille);
    void choose_price(std::uint32_t within, std::uint32_t too_many);
    void step();
    void try_revert(std::uint32_t slot, std::uint32_t draw);
    void try_replace_in(std::uint32_t slot, std::uint64_t bits);
    void try_replace(std::uint32_t slot, ItemId by);
    void try_swap(std::uint32_t a, std::uint32_t b);
    void try_rotation(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    [[nodiscard]] bool accepts(const Change& change);
    void changed(std::uint32_t slot);
    void keep_if_better();
    void keep_if_lower();
    void begin_again(std::span<const ItemId> placement, Tokens limit);
    [[nodiscard]] bool is_done() const;
    /// Any slot of the same pool.
    [[nodiscard]] std::uint32_t any_slot_beside(std::uint32_t slot, std::uint64_t bits) const;

    const Problem& problem_;
    std::span<const Pool> pools_;
    std::int64_t most_copied_;
    std::stop_token stop_;
    RandomStream random_;
    State state_;
    std::uint32_t pool_slots_;
    std::uint64_t hottest_permille_;  // see `save_copies`
    std::vector<std::uint32_t> pool_of_slot_;
    std::vector<std::uint32_t> pool_of_item_;
    Found best_;
    std::vector<std::uint32_t> changed_;  // slots since the best was kept; at most all of them
    /// What is tried in turn.
    enum Try : std::uint8_t { revert, replacement, exchange, rotation };
    std::array<Try, 16> tries_{revert,   exchange, replacement, revert,   exchange, revert,
                               exchange, revert,   replacement, exchange, revert,   exchange,
                               exchange, revert,   replacement, rotation};
    std::uint64_t steps_ = 0;
    // A change has the energy (excess << shift_) + copied * price_.
    std::uint32_t shift_ = 0;
    Tokens unit_ = 1;  // the mean of a machine as energy
    Tokens price_ = 1;
    Tokens temperature_ = 0;
};

}  // namespace equipoise::replication
