#pragma once
// One rank's side of planning few moves: what it tells the others about its items, step by step,
// and which of them leave in the end.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/prefetch.hpp"
#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/shared_plan.hpp"
#include "equipoise/placement/rank_moves.hpp"

namespace equipoise::placement {

/// Must not outlive the items' weights and sizes.
class OwnItems {
  public:
    OwnItems(int rank, const RankItems& items, std::size_t kinds)
        : rank_(static_cast<std::size_t>(rank)), items_(items), kinds_(kinds) {}

    /// This rank's words for the step that is due. Cost of all steps: O(items), with sizes or
    /// several weights O(items log items).
    [[nodiscard]] std::vector<std::int64_t> words(const SharedPlan& plan);
    /// The items that leave, once the plan is done. Cost O(items).
    [[nodiscard]] std::vector<Departure> departures(const SharedPlan& plan) const;
    /// The fewest items, and bytes in whole units, that must leave this rank for it to be as level
    /// as the plan. Cost O(items).
    [[nodiscard]] Departures least_departures(const SharedPlan& plan) const;

  private:
    struct Shipped {
        std::uint32_t item = 0;  // among those that are not pinned
        int to = 0;
    };

    void sums(std::vector<std::int64_t>& words) const;
    void loads(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void all_items(const SharedPlan& plan, std::vector<std::int64_t>& words) const;
    void gifts(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void lines(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void evictions(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void bulk(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void bundles(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void ship_bundles(const SharedPlan& plan);
    /// Notes that an item leaves for another rank.
    void ship_item(const SharedPlan& plan, std::uint32_t free, int to);
    /// Adds an item to what goes to another rank, or (-1 times) takes it out.
    void count_in(const SharedPlan& plan, std::uint32_t free, int to, Units times);
    void put_shipped(const SharedPlan& plan, std::vector<std::int64_t>& words) const;
    [[nodiscard]] std::vector<Units> allotted(const SharedPlan& plan,
                                              const Allotment& allotment) const;
    [[nodiscard]] std::vector<std::uint32_t> by_use(const SharedPlan& plan) const;
    void find_weightless(const SharedPlan& plan);
    void ship(const SharedPlan& plan, bool between, std::span<Units> excess);
    void empty(const SharedPlan& plan);
    void keep_last(const SharedPlan& plan);
    void candidates(const SharedPlan& plan, std::vector<std::int64_t>& words);
    void sort(const SharedPlan& plan);
    void forget_choices();
    [[nodiscard]] std::size_t kinds(const SharedPlan& plan) const { return plan.kinds_of_loads(); }
    [[nodiscard]] std::size_t free_items() const { return count() - pinned(); }
    [[nodiscard]] std::size_t count() const {
        EQUIPOISE_ASSERT(kinds_ > 0);
        return items_.weights.size() / kinds_;
    }
    [[nodiscard]] std::size_t pinned() const { return static_cast<std::size_t>(items_.pinned); }
    /// An item's weight; behind the kinds of weights 1, then its bytes as rooms measure them.
    [[nodiscard]] Units units_of(const SharedPlan& plan, std::size_t item, std::size_t kind) const {
        if (kind < kinds_) return plan.scale(kind).units(items_.weights[item * kinds_ + kind]);
        return kind == kinds_ ? 1 : plan.room_scale().units(items_.sizes[item]);
    }
    [[nodiscard]] Units units(const SharedPlan& plan, std::size_t free, std::size_t kind) const {
        return units_of(plan, pinned() + free, kind);
    }
    /// Bytes as rooms measure them, where bytes are limited.
    [[nodiscard]] Units room(const SharedPlan& plan, std::size_t free) const {
        return plan.limits() > 1 ? units(plan, free, kinds_ + 1) : 0;
    }
    [[nodiscard]] Units bytes(const SharedPlan& plan, std::size_t free) const {
        return items_.sizes.empty() ? 0 : plan.bytes_scale().units(items_.sizes[pinned() + free]);
    }
    [[nodiscard]] Units size(const SharedPlan& plan, std::size_t free) const;
    /// For an item whose weights are read soon. They may lie in two lines of the cache.
    void fetch(std::size_t free) const {
        const double* const first = items_.weights.data() + (pinned() + free) * kinds_;
        prefetch(first);
        prefetch(first + kinds_ - 1);
    }
    [[nodiscard]] bool leaves_weightless(std::size_t free) const {
        return !weightless_.empty() && weightless_[free];
    }

    std::size_t rank_;
    RankItems items_;
    std::size_t kinds_;     // of weights
    bool limited_ = false;  // as the plan was at the last step
    Cut cut_;
    Tokens kept_ = 0;
    std::vector<WeightedParcel> parcels_;
    std::vector<std::uint32_t> order_;  // of items that are not pinned, by falling size
    std::size_t have_size_ = 0;         // how many of these, the first, have a size above 0
    std::vector<bool> weightless_;      // by item that is not pinned: leaves, on a rank of speed 0
    std::vector<bool> gone_;            // by item that is not pinned: shipped, or a candidate
    std::vector<Shipped> shipped_;
    std::vector<GiftWords> gifts_;     // by rank: what is shipped to it
    std::vector<Units> gift_weights_;  // rank by rank, kind by kind
    std::vector<std::uint32_t> offered_;
    std::vector<std::uint32_t> bundled_;    // bundle by bundle
    std::vector<std::size_t> bundle_ends_;  // of each bundle in bundled_, until they are shipped
};

}  // namespace equipoise::placement
