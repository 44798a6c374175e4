#pragma once
// One rank's side of cutting all items into consecutive parts: what it tells the others about its
// items, and how walks pass through them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"

namespace equipoise::placement {

/// Must not outlive the items' weights.
class OwnStretch {
  public:
    /// Allocates the running sums of its weights.
    OwnStretch(std::size_t rank, const RankItems& items, std::size_t kinds);

    /// The machine that the rank is on, where machines matter.
    void set_machine(int machine) { items_.machine = machine; }
    /// This rank's words for the gathering that is due: as many as `cuts.words_of(rank)`. Cost
    /// O(items) at most.
    void words(const SharedCuts& cuts, std::span<std::int64_t> words);
    /// Takes all walks of a step through the items. Cost O(log items) for each cut.
    void walk(const SharedCuts& cuts, std::span<std::int64_t> words) const;

  private:
    void sums(std::span<std::int64_t> words) const;
    void loads(const SharedCuts& cuts, std::span<std::int64_t> words);
    void sketch(const SharedCuts& cuts, std::span<std::int64_t> words) const;
    void forwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const;
    void backwards(const SharedCuts& cuts, std::size_t number, Walk& walk) const;
    /// The sum of a column over the items before one.
    [[nodiscard]] Units before(std::size_t item, std::size_t column) const {
        return sums_[item * stride_ + column];
    }
    /// Whether the part that is being filled has room for the items from `from` to `to` too, of
    /// which one is where it starts on this rank, and the other is `reached`.
    [[nodiscard]] bool has_room(const SharedCuts& cuts, const Walk& walk, std::size_t from,
                                std::size_t to, std::size_t reached) const;
    /// Whether it may hold them at the level of the walk.
    [[nodiscard]] bool fits(const SharedCuts& cuts, std::size_t number, const Walk& walk,
                            std::size_t from, std::size_t to, std::size_t reached) const;
    /// The level of the part that is being filled, if it also had these items.
    [[nodiscard]] double level(const SharedCuts& cuts, const Walk& walk, std::size_t from,
                               std::size_t to) const;

    std::size_t rank_;
    RankItems items_;
    std::size_t kinds_;
    std::size_t count_;
    std::size_t stride_;       // columns that may be needed: kinds of weights, and bytes
    std::vector<Units> sums_;  // item by item, column by column, and the sums of all items
};

}  // namespace equipoise::placement
