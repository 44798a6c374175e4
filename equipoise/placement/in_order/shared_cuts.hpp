#pragma once
// The knowledge that all ranks share while they cut their items into consecutive parts: words that
// they gather, and walks that pass through all ranks (own_stretch.hpp), step by step.
//
// From the start every rank knows a sketch: the running sums at some places. Walks through these
// (known_walks.hpp) enclose the level and the cuts. The sums at all places where cuts may still be
// decide the rest. Only where these are too many do walks pass through the ranks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"
#include "equipoise/placement/few_moves/shared_plan.hpp"
#include "equipoise/placement/in_order/cut_choice.hpp"
#include "equipoise/placement/in_order/walk.hpp"

namespace equipoise::placement {

/// The steps of cutting, and what is known after each.
class SharedCuts {
  public:
    enum class Step : std::uint8_t {
        sums,       ///< gathered: what each rank holds, and its capabilities
        loads,      ///< gathered: the same in units, and the sketch
        probes,     ///< walks forwards, one for each level that is tried; perhaps several times
        backwards,  ///< walks from the end: how far left each cut may be, and need be
        forwards,   ///< walks from the start: how far right, and cuts that stay near the old ones
        positions,  ///< gathered: the sums of weights at the places that cuts may have
        done,
    };
    /// How many levels are tried in one pass. Two passes choose cuts; 7 of probes suffice, since
    /// relative gaps of 10^-11 count as none (`within`): the gap at the start is at most the sum of
    /// speeds over the slowest, say 2^29, times the lowest level. The first pass leaves two levels
    /// whose distances from the lowest differ by a factor of sqrt(2), or the nearest, at 2^-31 of
    /// the gap: a relative gap of at most sqrt(2) - 1. Each other pass divides that by 64.
    static constexpr std::size_t probes_max = 64;
    /// The places of all cuts that the choice looks at.
    static constexpr std::size_t cells_max = std::size_t{1} << 18U;
    /// The words of the sketch of all ranks.
    static constexpr std::size_t sketch_words_max = std::size_t{1} << 17U;

    /// Allocates all memory but for what taking `loads`, `forwards` and `positions` needs. The
    /// sketch has at most `sketch_words` words; without any, walks pass through the ranks.
    SharedCuts(std::size_t ranks, const PlaceOptions& options,
               std::size_t sketch_words = sketch_words_max);

    [[nodiscard]] Step step() const { return step_; }
    /// Whether the step is one of walks, rather than a gathering.
    [[nodiscard]] bool walks() const {
        return step_ == Step::probes || step_ == Step::backwards || step_ == Step::forwards;
    }
    /// How many words a rank brings to the gathering that is due.
    [[nodiscard]] std::size_t words_of(std::size_t rank) const;
    /// The most words that a rank brings to the gathering of sums or of loads, without the sketch.
    [[nodiscard]] static std::size_t words_max(std::size_t kinds);
    /// The most words of a pass of walks.
    [[nodiscard]] static std::size_t walk_words_max(std::size_t ranks, std::size_t kinds);
    /// Takes gathered words.
    void take(const Words& words);

    [[nodiscard]] WalkShape shape() const;
    [[nodiscard]] std::size_t walk_count() const;
    /// Walks that have not gone anywhere.
    void begin_walks(std::span<std::int64_t> words) const;
    /// Takes walks that have passed all ranks.
    void take_walks(std::span<std::int64_t> words);
    /// What a part may hold in a walk.
    [[nodiscard]] Units cap(std::size_t walk, std::size_t part, std::size_t kind) const {
        return step_ == Step::probes ? capacity().cap(part, kind, probes_[walk])
                                     : caps_[part * columns() + kind];
    }
    /// The place that the cut before a part may not pass in a walk.
    [[nodiscard]] Tokens stop(std::size_t walk, std::size_t part) const;

    [[nodiscard]] std::size_t ranks() const { return ranks_; }
    [[nodiscard]] std::size_t kinds() const { return options_.weights_per_item; }
    /// What is summed up of items: each kind of weights and, where these are limited, bytes.
    [[nodiscard]] std::size_t columns() const { return kinds() + (bytes_limited_ ? 1 : 0); }
    [[nodiscard]] const UnitScale& scale(std::size_t column) const { return scales_[column]; }
    [[nodiscard]] const Capacity& capacity() const { return *capacity_; }
    /// How many items a part may have; none where its rank has speed 0.
    [[nodiscard]] Tokens most(std::size_t part) const { return most_[part]; }
    /// How many bytes, where these are limited.
    [[nodiscard]] Units bytes_most(std::size_t part) const { return bytes_most_[part]; }
    /// The same as it was given: infinite for any number.
    [[nodiscard]] double bytes_given(std::size_t part) const { return bytes_given_[part]; }
    /// How many places of a rank are in the sketch: each is the number of one of its items, not its
    /// first one, and the sums of its items before that one, column by column.
    [[nodiscard]] std::size_t sketch_of(std::size_t rank) const { return sketch_[rank]; }
    /// The number of a rank's first item; all items for the rank behind the last.
    [[nodiscard]] Tokens first(std::size_t rank) const { return firsts_[rank]; }
    /// The places at which a rank is to say its sums: numbers of its items, rising.
    [[nodiscard]] std::span<const Tokens> positions_of(std::size_t rank) const;

    // What was decided.
    [[nodiscard]] std::vector<Tokens> sizes() const;
    /// All items.
    [[nodiscard]] Tokens items() const { return firsts_.back(); }
    [[nodiscard]] std::span<const Tokens> items_before() const { return items_; }
    [[nodiscard]] std::span<const double> speeds() const { return speeds_; }
    [[nodiscard]] std::span<const int> machines() const { return machine_; }
    [[nodiscard]] PlacementFigures figures() const;
    /// Before and after: rank by rank, kind by kind.
    [[nodiscard]] std::vector<double> weights_before() const { return real_loads(loads_before_); }
    [[nodiscard]] std::vector<double> weights_after() const { return real_loads(loads_after_); }

  private:
    /// What walks through known places say of a level.
    enum class Verdict : std::uint8_t { can_be_kept, cannot_be_kept, unknown };
    struct KnownRanges;

    void take_sums(const Words& words);
    void take_loads(const Words& words);
    void take_positions(const Words& words);
    void take_probes(std::span<std::int64_t> words);
    void take_cuts(std::span<std::int64_t> words);
    [[nodiscard]] double bound() const { return 1 + options_.tolerance; }
    [[nodiscard]] bool may_stay() const;
    void expect_room() const;
    void take_bytes(const Words& words);
    [[nodiscard]] double slowest_that_may_need_all();
    void expect_cuts(std::span<std::int64_t> words);
    void probe(bool first);
    void keep_to(double level);
    void make_caps(double level, std::vector<Units>& caps) const;
    void choose_positions();
    [[nodiscard]] std::size_t index_of(Tokens place) const;
    void choose();

    // In known_cuts.cpp: by the places that are known.
    void plan_sketch(const Words& words);
    void take_sketch(const Words& words);
    [[nodiscard]] Verdict try_level(double level);
    void narrow();
    [[nodiscard]] bool is_settled() const { return within(high_, std::max(bound(), low_)); }
    [[nodiscard]] KnownRanges known_ranges() const;
    void look();
    [[nodiscard]] bool ask_for_places(const KnownRanges& ranges);
    void add_known(std::span<const Units> sums);
    void finish(const KnownRanges& ranges);
    [[nodiscard]] std::pair<Tokens, Tokens> range_of(std::size_t cut) const;
    [[nodiscard]] bool near_is_best() const;
    [[nodiscard]] std::vector<double> real_loads(std::span<const Units> loads) const;

    PlaceOptions options_;
    std::size_t ranks_;
    Step step_ = Step::sums;
    std::vector<Tokens> items_;
    std::vector<Tokens> firsts_;
    std::vector<double> speeds_;
    std::vector<int> machine_;
    std::vector<Tokens> most_;
    bool bytes_limited_ = false;
    std::vector<double> bytes_given_;
    std::vector<Units> bytes_most_;
    std::vector<Units> bytes_;  // by rank, before
    std::vector<UnitScale> scales_;
    std::vector<Units> loads_before_;
    std::vector<Units> loads_after_;
    std::optional<Capacity> capacity_;
    double low_ = 0;         // no placement has a lower level
    double high_ = 0;        // some placement has this level, unless it is in doubt
    bool in_doubt_ = false;  // whether any cuts leave bytes enough room
    std::vector<double> probes_;
    std::vector<Units> caps_;  // part by part, column by column
    // Places of cuts, by part.
    std::vector<Tokens> leftmost_;      // from which the other parts have room for the rest
    std::vector<Tokens> left_enough_;   // no cut need be further left
    std::vector<Tokens> rightmost_;     // that can be reached
    std::vector<Tokens> right_enough_;  // no cut need be further right
    std::vector<Tokens> near_;  // one placement: each as near the old cut as the ones before allow
    std::size_t sketch_words_;
    std::vector<std::size_t> sketch_;  // by rank
    bool knows_places_ = false;        // whether places_ are known before walks pass
    bool asked_ = false;               // for all places where cuts may be
    std::vector<Units> least_caps_;    // as caps_, of the lowest level that may be the best
    std::vector<Tokens> wanted_;       // the places whose sums are gathered
    CutPlaces places_;
    ChosenCuts chosen_;
    Tokens moved_at_least_ = 0;
};

}  // namespace equipoise::placement
