#pragma once
// Push-relabel on networks whose arcs are computed, not stored.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

/// The result of a search: all tokens have reached room; some cannot; it was asked to stop; or it
/// took too long.
enum class FlowOutcome : std::uint8_t { carried, blocked, stopped, unfinished };

// Problem: moves the excess of nodes of a flow network ("spots") to spots that have room.
// Source: push-relabel (Goldberg, Tarjan 1988), in waves from far to near, with distances computed
//   anew each time after work on the order of the part of the network where excess and room are.
// `Network`, which derives from this, says for a spot
//   place_of(spot)         what the calls below take in its place, found once for all its arcs
//   arcs_of(place)         how many arcs it has
//   arc(place, i)          where its arc number i leads, and what it may carry more: {other, free}
//   back(place, i)         the same arc led to the spot
//   push(place, i, tokens) sends that much over the arc
// or, in place of the last three, way(place, i), from which they follow.
// Guarantee: exact. After `blocked`, the spots that were not reached are the inside of a cut.

template <class Network>
class PushRelabel {
  protected:
    using Spot = std::uint32_t;  ///< a node of the flow network
    using Level = std::uint32_t;
    static constexpr Level unreached = std::numeric_limits<Level>::max();

    struct Arc {
        Spot other;
        Tokens free;  ///< how much more it may carry
    };
    /// An arc seen from one of its ends: `forward` if it leads away.
    struct Way {
        Spot other;
        Tokens* flow;
        Tokens most;
        bool forward;

        /// How much more may flow away from here, and to here.
        [[nodiscard]] Tokens free() const { return forward ? most - *flow : *flow; }
        [[nodiscard]] Tokens back() const { return forward ? *flow : most - *flow; }
    };
    template <class Place>
    [[nodiscard]] Arc arc(const Place& place, std::uint32_t i) {
        const Way to = network().way(place, i);
        return {to.other, backward_ ? to.back() : to.free()};
    }
    template <class Place>
    [[nodiscard]] Arc back(const Place& place, std::uint32_t i) {
        const Way to = network().way(place, i);
        return {to.other, backward_ ? to.free() : to.back()};
    }
    template <class Place>
    void push(const Place& place, std::uint32_t i, Tokens tokens) {
        const Way to = network().way(place, i);
        *to.flow += to.forward == backward_ ? -tokens : tokens;
    }

    struct Limits {
        /// Also if some excess cannot reach room, all that can does.
        bool until_stuck = false;
        /// Distances are computed at most this many times.
        std::uint64_t rounds_max = std::numeric_limits<std::uint64_t>::max();
    };
    [[nodiscard]] FlowOutcome push_all(std::uint64_t links, const std::stop_token& stop,
                                       const Limits& limits = {});
    /// The same for networks with `way` whose excess and room add up to the same: moves what is at
    /// more spots. Many that all deal with a few are served at once, each through those that are
    /// nearer; the few would serve one after another, from near to far.
    [[nodiscard]] FlowOutcome push_all_from_many(std::uint64_t links, const std::stop_token& stop,
                                                 const Limits& limits);
    /// Frees what only the search needs.
    void forget_search();

    std::vector<Tokens> excess_;  ///< by spot; below 0: room
    std::vector<Level> level_;    ///< by spot: a lower bound on the arcs to the nearest room

  private:
    [[nodiscard]] Network& network() { return static_cast<Network&>(*this); }
    void find_levels();
    [[nodiscard]] std::uint64_t work_after_search(std::uint64_t work_max) const;
    void discharge(Spot spot);
    void enqueue(Spot spot);
    [[nodiscard]] Spot take_furthest();

    bool backward_ = false;  ///< excess and room have changed places, and arcs their directions
    std::vector<std::uint32_t> next_;  ///< by spot: the arc to try next
    // Spots with excess wait in a list for each level. A wave takes lists from far to near; spots
    // that have moved further away meanwhile are left for the next wave.
    static constexpr Spot none = std::numeric_limits<Spot>::max();
    std::vector<Spot> first_at_;         ///< by level
    std::vector<Spot> after_;            ///< by spot: the next at its level
    std::vector<bool> waits_;            ///< by spot
    std::vector<std::uint64_t> levels_;  ///< bits of the levels at which spots wait
    std::size_t wave_ = 0;               ///< the level that the wave has come to
    std::uint64_t waiting_ = 0;          ///< how many wait
    std::uint64_t work_ = 0;
    // When distances were computed last: spots that were found, and those with excess.
    std::size_t found_ = 0;
    std::size_t with_excess_ = 0;
};

template <class Network>
FlowOutcome PushRelabel<Network>::push_all_from_many(std::uint64_t links,
                                                     const std::stop_token& stop,
                                                     const Limits& limits) {
    std::int64_t more_with_excess = 0;
    for (const Tokens excess : excess_)
        more_with_excess += excess > 0 ? 1 : excess < 0 ? -1 : 0;
    backward_ = more_with_excess < 0;
    const auto turn = [&] {
        if (!backward_) return;
        for (Tokens& excess : excess_)
            excess = -excess;
    };
    turn();
    const FlowOutcome outcome = push_all(links, stop, limits);
    turn();
    return outcome;
}

template <class Network>
void PushRelabel<Network>::forget_search() {
    level_ = {};
    next_ = {};
    first_at_ = {};
    after_ = {};
    waits_ = {};
    levels_ = {};
}

template <class Network>
void PushRelabel<Network>::enqueue(Spot spot) {
    if (waits_[spot]) return;
    waits_[spot] = true;
    const Level level = level_[spot];
    if (level >= first_at_.size()) {
        first_at_.resize(level + std::size_t{1} + level / 2, none);
        levels_.resize(first_at_.size() / 64 + 1, 0);
    }
    after_[spot] = first_at_[level];
    first_at_[level] = spot;
    levels_[level / 64] |= std::uint64_t{1} << level % 64;
    ++waiting_;
}

/// Takes a spot from the level that is next in this wave or, at its end, furthest in the next one.
template <class Network>
typename PushRelabel<Network>::Spot PushRelabel<Network>::take_furthest() {
    constexpr std::size_t bits = 64;
    while (true) {
        const std::size_t begin = wave_ / bits * bits;
        // Without those further away, which belong to the next wave.
        const std::uint64_t near = ~std::uint64_t{0} >> (begin + bits - 1 - wave_);
        if (const std::uint64_t some = levels_[wave_ / bits] & near; some != 0) {
            wave_ = begin + static_cast<std::size_t>(std::bit_width(some)) - 1;
            break;
        }
        wave_ = (begin == 0 ? levels_.size() * bits : begin) - 1;
    }
    const Spot spot = first_at_[wave_];
    first_at_[wave_] = after_[spot];
    if (first_at_[wave_] == none) levels_[wave_ / bits] &= ~(std::uint64_t{1} << wave_ % bits);
    waits_[spot] = false;
    --waiting_;
    return spot;
}

/// Computes distances to room until all spots with excess are found, and lets those wait that can
/// reach it. If all can, the spots that were not found are about as far as the furthest of them or
/// further, which is a lower bound as well. Otherwise they reach no room.
template <class Network>
void PushRelabel<Network>::find_levels() {
    const std::size_t spots = excess_.size();
    level_.assign(spots, unreached);
    next_.assign(spots, 0);
    after_.resize(spots);
    std::vector<Spot>& found = after_;  // no spot waits
    std::size_t count = 0;
    std::size_t to_find = 0;  // spots with excess
    for (Spot spot = 0; spot < spots; ++spot) {
        if (excess_[spot] > 0) ++to_find;
        if (excess_[spot] >= 0) continue;
        level_[spot] = 0;
        found[count++] = spot;
    }
    with_excess_ = to_find;
    Level near = 0;  // all spots at less than this distance have been found
    for (std::size_t at = 0; at < count && to_find > 0; ++at) {
        const Spot spot = found[at];
        near = level_[spot] + 1;
        const auto place = network().place_of(spot);
        const std::uint32_t arcs = network().arcs_of(place);
        for (std::uint32_t i = 0; i < arcs; ++i) {
            const Arc from = network().back(place, i);
            if (from.free <= 0 || level_[from.other] != unreached) continue;
            level_[from.other] = near;
            found[count++] = from.other;
            if (excess_[from.other] > 0) --to_find;
        }
    }
    found_ = count;
    const Level furthest = count == 0 ? 0 : level_[found[count - 1]];
    first_at_.assign(furthest + std::size_t{1}, none);
    levels_.assign(first_at_.size() / 64 + 1, 0);
    wave_ = furthest;
    waits_.assign(spots, false);
    waiting_ = 0;
    for (Spot spot = 0; spot < spots; ++spot) {
        if (level_[spot] == unreached) {
            if (to_find == 0) level_[spot] = near;
        } else if (excess_[spot] > 0) {
            enqueue(spot);
        }
    }
    work_ = 0;
}

template <class Network>
void PushRelabel<Network>::discharge(Spot spot) {
    const auto place = network().place_of(spot);
    const std::uint32_t arcs = network().arcs_of(place);
    std::uint32_t& next = next_[spot];
    while (next < arcs) {
        const Arc to = network().arc(place, next);
        if (to.free > 0 && level_[to.other] != unreached && level_[spot] == level_[to.other] + 1) {
            const Tokens tokens = std::min(excess_[spot], to.free);
            network().push(place, next, tokens);
            excess_[spot] -= tokens;
            excess_[to.other] += tokens;
            if (excess_[to.other] > 0) enqueue(to.other);
            if (excess_[spot] == 0) return;
        }
        ++next;
    }
    constexpr std::uint64_t work_of_a_spot = 12;
    work_ += arcs + work_of_a_spot;
    Level least = unreached;
    for (std::uint32_t i = 0; i < arcs; ++i) {
        const Arc to = network().arc(place, i);
        if (to.free > 0) least = std::min(least, level_[to.other]);
    }
    next = 0;
    level_[spot] = least == unreached || least >= excess_.size() ? unreached : least + 1;
    if (level_[spot] != unreached) enqueue(spot);
}

/// The work after which distances are computed anew: in proportion to the part of the network that
/// was searched; sooner where little is left that has far to go.
template <class Network>
std::uint64_t PushRelabel<Network>::work_after_search(std::uint64_t work_max) const {
    constexpr std::uint64_t part_min = 16;  // clearing lists takes as long as some work
    constexpr std::size_t few = 256;
    const double searched =
        static_cast<double>(found_) / static_cast<double>(std::max<std::size_t>(1, excess_.size()));
    const std::uint64_t most = with_excess_ < excess_.size() / few ? work_max / 4 : work_max;
    return std::max(work_max / part_min,
                    static_cast<std::uint64_t>(static_cast<double>(most) * searched));
}

template <class Network>
FlowOutcome PushRelabel<Network>::push_all(std::uint64_t links, const std::stop_token& stop,
                                           const Limits& limits) {
    constexpr std::uint64_t ask_after = 1U << 12U;
    std::uint64_t discharges = 0;
    const std::uint64_t work_max = 6 * excess_.size() + 2 * links;
    for (std::uint64_t round = 0;; ++round) {
        find_levels();
        bool waiting = false;
        bool stuck = false;
        for (Spot spot = 0; spot < excess_.size(); ++spot)
            if (excess_[spot] > 0) (level_[spot] == unreached ? stuck : waiting) = true;
        if (stuck && !(waiting && limits.until_stuck)) return FlowOutcome::blocked;
        if (!waiting) return FlowOutcome::carried;
        if (round == limits.rounds_max) return FlowOutcome::unfinished;
        if (stop.stop_requested()) return FlowOutcome::stopped;
        const std::uint64_t work_of_round = work_after_search(work_max);
        while (waiting_ > 0 && work_ < work_of_round) {
            discharge(take_furthest());
            if (++discharges % ask_after == 0 && stop.stop_requested()) return FlowOutcome::stopped;
        }
    }
}

}  // namespace equipoise::optimum
