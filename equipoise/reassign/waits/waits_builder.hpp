#pragma once
// Turns waves into moves that wait only for moves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/counted_rules.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

// Problem: moves in waves, each of which begins when the one before is over; which moves must each
//   move really wait for?
// Model: executions as `check_waits` judges them: a partial order schedule (Policella, Cesta, Oddi,
//   Smith 2004), whose every execution keeps the limits.
// Guarantee: if `replay` allows the waves, every execution of the lists keeps what `check_waits`
//   asks. Every move waits for moves of earlier waves only. Why that is so, by limit:
// - What machines give and take: a move waits for all moves of the last earlier wave at its end of
//   the giving machine, and at its end of the taking one; these wait for those before. So what is
//   under way at one end of a machine is always of one wave. Half duplex: both ends are one.
// - Room: in the order of waves and of moves within each, an arrival waits for as many departures,
//   the first ones first, as are needed for what the machine held at first, and all arrivals up to
//   this one, less those departures, to be within the capacity. At any moment, look at the last
//   arrival that has started: all that is there is among the former, and the latter are done. Where
//   departures of its own wave are needed, since room is free at once, they start together with it.
// - Apart on the way: an arrival waits for the departures of what it must be apart from.
// - Rules that count items (one is `apart` where that is not judged on the way), where some order
//   could break them: the moves of one wave that change the same counts start together, and wait
//   for those of the wave before. So the counts are those between waves whenever nothing moves that
//   changes them.
// - Copies: a copy waits for moves of the item that it is made from, and these for it. If both are
//   in one wave they start together, and what waits for the item waits for the copy, too.
// Cost: O(waits + moves (resources + rules)), all sizes of waves at an end multiplied with those of
//   the wave before.

/// Builds lists wave by wave. The problem outlives it.
class WaitsBuilder {
  public:
    /// `moves`: all that will be added, each item's moves in their order.
    WaitsBuilder(const Problem& problem, std::span<const Move> moves);

    /// What the moves of the next wave wait for, by move: numbers of moves in the order in which
    /// they were added, ascending. Each list holds more than it must, as moves also wait for what
    /// these wait for. `replay` must allow the wave after those that were added.
    [[nodiscard]] WaitsFor next_waits(std::span<const Move> wave);
    /// Adds the wave after `next_waits` was asked for it.
    void add(std::span<const Move> wave);
    /// The machine that gives when the item moves in the next wave.
    [[nodiscard]] MachineId giver(const Move& move) const {
        return sources_.giver(move.item, move.from, places_);
    }

  private:
    using Number = std::uint32_t;
    using Numbers = std::vector<Number>;

    /// Moves that must not overlap if they are of different waves.
    struct Chain {
        Numbers last;          ///< of the last wave that has any
        std::size_t wave = 0;  ///< which that is, from 1
    };

    void wait_for(std::size_t at, const Numbers& numbers);
    void join(std::size_t at, std::size_t other);
    [[nodiscard]] std::size_t root(std::size_t at);
    void wait_at_ends(std::size_t at, const Move& move);
    void wait_for_item(std::size_t at, const Move& move);
    /// The value by which the item must be apart on the way; none if the rule is about the end.
    [[nodiscard]] ValueId value_on_the_way(std::size_t rule, ItemId item) const;
    void wait_for_apart(std::size_t at, const Move& move);
    void wait_for_counts(std::size_t at, const Move& move);
    void wait_for_room(std::size_t at, std::span<const Move> wave);
    [[nodiscard]] WaitsFor joined_lists();
    void add_to(Chain& chain, Number number) const;

    [[nodiscard]] std::size_t at_machine(MachineId machine, std::size_t resource) const {
        return machine * problem_.resource_count() + resource;
    }

    const Problem& problem_;
    MachineEnds machine_ends_;
    CopySources sources_;
    CountedRules rules_;
    std::vector<std::size_t> limited_;  ///< resources whose room is free again, with capacities

    // After the waves that were added.
    std::vector<MachineId> places_;
    Number moves_ = 0;
    std::size_t waves_ = 0;
    std::vector<Chain> ends_;          ///< by end of `machine_ends_`
    std::vector<Chain> counts_;        ///< by place of `rules_`
    std::vector<Numbers> last_of_;     ///< by item: its last move and copies made with it
    std::vector<Numbers> copies_of_;   ///< by item: copies made from it since; may be empty
    std::vector<Numbers> departures_;  ///< by machine, in order
    std::vector<ItemId> item_of_;      ///< by number
    std::vector<std::size_t> known_;   ///< by machine: so many departures come before any
                                       ///< arrival that is still to be added
    std::vector<Int128> held_;         ///< by machine and resource: at first, and arrivals
    std::vector<Int128> known_left_;   ///< the same of departures that are `known_`
    std::unordered_map<Number, Numbers> made_with_;  ///< by move: copies that start with it
    /// By rule, then machine and value: departures since the last arrival.
    std::vector<std::unordered_map<std::uint64_t, Numbers>> left_apart_;

    // Of the wave that was asked for last.
    WaitsFor lists_;
    std::vector<std::size_t> parents_;  ///< moves that start together
    std::vector<std::size_t> reaches_;  ///< by move: departures that it waits for
    std::vector<Int128> arriving_;      ///< by machine and resource
    std::unordered_map<std::size_t, std::size_t> first_at_;  ///< by place of `rules_`: a move
    std::unordered_map<ItemId, std::size_t> moving_;
    std::unordered_map<MachineId, std::vector<std::size_t>> leaving_;
    std::vector<std::size_t> rule_places_;
};

}  // namespace equipoise::reassign
