#pragma once
// The knowledge that all ranks share while they plan together, from words that they gather step by
// step.
//
// Every rank turns its items into words (own_items.hpp), all ranks gather them, and each computes
// the same from them. O(P) words are gathered, plus the words of items that may move: all items
// that are not pinned if these are few, otherwise at most `candidates_max`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/bulk.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"
#include "equipoise/placement/few_moves/evictions.hpp"
#include "equipoise/placement/few_moves/gathered.hpp"
#include "equipoise/placement/few_moves/pool.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/few_moves/weighted.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Words of all ranks, one rank after the other.
struct Words {
    std::span<const std::int64_t> all;
    std::span<const int> begins;  ///< of each rank

    [[nodiscard]] std::span<const std::int64_t> of(std::size_t rank) const {
        const auto begin = static_cast<std::size_t>(begins[rank]);
        const std::size_t end =
            rank + 1 < begins.size() ? static_cast<std::size_t>(begins[rank + 1]) : all.size();
        return all.subspan(begin, end - begin);
    }
};

/// The steps of planning, and what is known after each.
class SharedPlan {
  public:
    enum class Step : std::uint8_t {
        sums,        ///< what each rank holds, and its capabilities
        loads,       ///< the same in units; where the rule of weighted.hpp cuts
        all_items,   ///< if there are few items: all of them
        evictions,   ///< if ranks hold more than they have room for: what leaves them
        bundles,     ///< where room is limited, instead of gifts: all items, in bundles
        gifts,       ///< what the rule of weighted.hpp moves, what allotments give away, and
                     ///< items that may move besides
        candidates,  ///< after bundles: items that may move besides
        outcome,     ///< nothing, but that no rank has failed: not all steps lead here
        done,
    };

    /// The most kinds that take room: items and bytes.
    static constexpr std::size_t limits_max = 2;

    SharedPlan(std::size_t ranks, const PlaceOptions& options, bool machines_known);

    /// The most words that all ranks gather in a step.
    [[nodiscard]] static std::size_t words_max(std::size_t ranks, std::size_t kinds);
    /// The most of each rank in the steps `sums` and `loads`.
    [[nodiscard]] static std::size_t load_words_max(std::size_t kinds);
    /// The most items that a rank offers besides those of the bulk.
    [[nodiscard]] static std::size_t candidates_max(std::size_t ranks);

    /// The most of those items that a rank meant for another rank, for each of these.
    [[nodiscard]] static std::size_t last_of_allotment(std::size_t ranks) {
        return candidates_max(ranks) / 8;
    }

    [[nodiscard]] Step step() const { return step_; }
    /// Whether planning is done after this step, whatever its result.
    [[nodiscard]] bool is_last() const {
        return step_ == Step::all_items || step_ == Step::candidates || step_ == Step::outcome ||
               (step_ == Step::gifts && keeps_limits());
    }
    /// Takes the words of a step and goes on to the next. Cost of all steps: O(P log P), and a
    /// search over the items gathered (search.hpp).
    void take(const Words& words);
    /// Once planning is done: adds those of a rank to the fewest departures.
    void add_least(const Departures& of_rank) {
        least_.items += of_rank.items;
        least_.bytes += of_rank.bytes;
    }
    /// Whether they are known already: all items were gathered.
    [[nodiscard]] bool knows_least() const { return choice_ == Choice::items; }

    // For the steps of a rank.
    [[nodiscard]] std::size_t kinds() const { return options_.weights_per_item; }
    /// How many kinds take room (capacity.hpp).
    [[nodiscard]] std::size_t limits() const { return limits_; }
    /// Whether these are kinds of the loads now: not before a plan without limits broke one.
    [[nodiscard]] bool limited() const { return limited_; }
    [[nodiscard]] std::size_t kinds_of_loads() const { return kinds() + (limited_ ? limits_ : 0); }
    [[nodiscard]] bool by_bytes() const { return by_bytes_; }
    [[nodiscard]] bool in_lines() const { return kinds() == 1 && !few_ && !limited_; }
    [[nodiscard]] const UnitScale& scale(std::size_t kind) const { return scales_[kind]; }
    [[nodiscard]] const UnitScale& room_scale() const { return room_scale_; }
    [[nodiscard]] const UnitScale& bytes_scale() const { return bytes_scale_; }
    [[nodiscard]] double target(std::size_t rank) const { return targets_[rank]; }
    [[nodiscard]] const WeightedLines& lines() const { return lines_; }
    [[nodiscard]] const Capacity& capacity() const { return capacity_[limited_ ? 1 : 0]; }
    [[nodiscard]] const std::vector<Allotment>& allotments() const { return allotments_; }
    [[nodiscard]] const std::vector<Eviction>& evictions() const { return evictions_; }
    /// The weightless items that leave ranks of speed 0, whatever else is decided.
    [[nodiscard]] std::span<const Transfer> weightless() const { return weightless_; }
    /// The lowest of the ranks with the largest speed.
    [[nodiscard]] int fastest() const;
    /// Whether the room below the bound is hardly larger than what must leave other ranks.
    [[nodiscard]] bool tight() const { return tight_; }
    /// After the bulk; rank by rank, kind by kind.
    [[nodiscard]] std::span<const Units> loads() const { return loads_; }
    [[nodiscard]] std::span<const Units> loads_before() const {
        return limited_ ? all_loads_ : loads_before_;
    }
    [[nodiscard]] double bound() const { return bound_; }
    /// The level that was reached, or the bound.
    [[nodiscard]] double level() const { return level_; }

    // What was decided.
    enum class Choice : std::uint8_t { nothing, items, lines, bulk };
    [[nodiscard]] Choice choice() const { return choice_; }
    /// By item gathered, rank after rank: where it ends.
    [[nodiscard]] std::span<const int> ends() const { return found_.at; }
    /// The same by bundle.
    [[nodiscard]] std::span<const int> bundle_ends() const { return bundle_ends_; }
    [[nodiscard]] std::size_t first_gathered(std::size_t rank) const { return begins_[rank]; }
    /// By from, then by to.
    [[nodiscard]] std::vector<Transfer> transfers() const;
    [[nodiscard]] PlacementFigures figures() const;
    /// Before and after: rank by rank, kind by kind.
    [[nodiscard]] std::vector<double> weights_before() const { return real_loads(loads_before_); }
    [[nodiscard]] std::vector<double> weights_after() const { return real_loads(loads_after_); }
    [[nodiscard]] std::span<const Tokens> items_before() const { return items_; }
    [[nodiscard]] std::span<const double> speeds() const { return speeds_; }

  private:
    /// What one rank gives another.
    struct Gift {
        int from = 0;
        int to = 0;
        Tokens items = 0;
        Units bytes = 0;
        Units room = 0;  // bytes, as rooms measure them
    };

    void take_sums(const Words& words);
    void take_loads(const Words& words);
    void take_all_items(const Words& words);
    void take_evictions(const Words& words);
    void take_bundles(const Words& words);
    void take_gifts(const Words& words);
    void take_candidates(const Words& words);
    void read_gifts(std::size_t from, std::span<const std::int64_t> words, std::vector<Gift>& gifts,
                    std::vector<Units>& loads) const;
    void read_limits(std::span<const RankSums> sums, double bytes);
    void make_rooms();
    void expect_room_for_bytes(std::span<const Units> largest, std::span<const Tokens> place) const;
    [[nodiscard]] std::vector<Units> weights_of(std::span<const Units> loads) const;
    void limit();
    void begin_bulk();
    /// Whether there are no limits but those that the plan looks at.
    [[nodiscard]] bool keeps_limits() const { return limits_ == 0 || limited_; }
    [[nodiscard]] bool breaks_limits() const;
    [[nodiscard]] Pool with_rooms(const Pool& pool) const;
    void expect_limits_kept(std::span<const Units> loads, bool proved) const;
    [[nodiscard]] std::span<const int> machines() const {
        return options_.machines_first ? std::span<const int>(machine_) : std::span<const int>();
    }
    /// Its weight in each kind of loads, and its bytes where sizes count.
    [[nodiscard]] std::size_t words_of_item() const {
        return kinds_of_loads() + (by_bytes_ ? 1 : 0);
    }
    void read_pool(const Words& words, Pool& pool);
    void settle(Choice choice, std::span<const Units> loads, std::vector<Gift> gifts);
    [[nodiscard]] std::vector<Gift> gifts_of(const Pool& pool, const Assignment& found) const;
    [[nodiscard]] double bound_with_pinned(Units heaviest) const;
    [[nodiscard]] double near_enough(const Pool& pool) const;
    [[nodiscard]] Cost cost_of(std::span<const Gift> gifts) const;
    [[nodiscard]] std::vector<double> real_loads(std::span<const Units> loads) const;
    [[nodiscard]] double real_largest(double largest) const;

    PlaceOptions options_;
    std::size_t ranks_;
    bool machines_known_;
    Step step_ = Step::sums;
    bool few_ = false;
    bool by_bytes_ = false;
    bool tight_ = false;
    bool limited_ = false;
    std::size_t limits_ = 0;
    Rooms rooms_;
    UnitScale room_scale_;
    std::vector<Tokens> items_;
    std::vector<Tokens> free_;  // items that are not pinned
    std::vector<double> speeds_;
    std::vector<int> machine_;
    std::vector<double> pinned_real_;
    std::vector<double> weight_real_;
    std::vector<double> targets_;
    std::vector<UnitScale> scales_;
    UnitScale bytes_scale_;
    std::vector<Capacity> capacity_;  // once it is known, and behind it the one with limits
    std::vector<Units> pinned_;
    std::vector<Units> heaviest_;
    std::vector<Units> loads_before_;
    std::vector<Units> loads_after_;
    std::vector<Units> loads_;
    std::vector<double> least_levels_;
    WeightedLines lines_;
    std::vector<Transfer> weightless_;
    Units weightless_bytes_ = 0;
    std::vector<Gift> line_gifts_;
    std::vector<Units> line_loads_;
    std::vector<Tokens> most_;        // by rank: items that it may hold
    std::vector<double> bytes_most_;  // by rank, as given
    std::vector<Units> all_loads_;    // at the start, with the kinds that take room
    std::vector<Units> all_pinned_;
    std::vector<Units> room_of_item_;  // bytes of each item gathered, where bytes are limited
    std::vector<Eviction> evictions_;
    std::vector<int> bundle_ends_;
    std::vector<Allotment> allotments_;
    std::vector<Gift> bulk_gifts_;
    std::vector<Gift> gifts_;  // what was decided
    std::vector<std::size_t> begins_;
    Assignment found_;
    Choice choice_ = Choice::nothing;
    double bound_ = 1;
    double level_ = 0;
    Departures least_;
};

}  // namespace equipoise::placement
