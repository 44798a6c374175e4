#pragma once
// Push-relabel on networks whose arcs are computed, not stored.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

/// The result of a search: all tokens have reached room; some cannot; or it was asked to stop.
enum class FlowOutcome : std::uint8_t { carried, blocked, stopped };

// Problem: moves the excess of nodes of a flow network ("spots") to spots that have room.
// Source: push-relabel (Goldberg, Tarjan 1988), first in, first out, with distances computed anew
//   each time after work on the order of the network's size.
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
        return {to.other, to.free()};
    }
    template <class Place>
    [[nodiscard]] Arc back(const Place& place, std::uint32_t i) {
        const Way to = network().way(place, i);
        return {to.other, to.back()};
    }
    template <class Place>
    void push(const Place& place, std::uint32_t i, Tokens tokens) {
        const Way to = network().way(place, i);
        *to.flow += to.forward ? tokens : -tokens;
    }

    [[nodiscard]] FlowOutcome push_all(std::uint64_t links, const std::stop_token& stop);

    std::vector<Tokens> excess_;  ///< by spot; below 0: room
    std::vector<Level> level_;    ///< by spot: a lower bound on the arcs to the nearest room

  private:
    [[nodiscard]] Network& network() { return static_cast<Network&>(*this); }
    void find_levels();
    void discharge(Spot spot);
    void enqueue(Spot spot);
    [[nodiscard]] Spot take_first();

    std::vector<std::uint32_t> next_;  ///< by spot: the arc to try next
    std::vector<Spot> queue_;          ///< a ring of spots with excess
    std::vector<bool> queued_;
    std::size_t queue_first_ = 0;
    std::size_t queue_size_ = 0;
    std::uint64_t work_ = 0;
};

template <class Network>
void PushRelabel<Network>::enqueue(Spot spot) {
    if (queued_[spot]) return;
    queued_[spot] = true;
    std::size_t end = queue_first_ + queue_size_++;
    if (end >= queue_.size()) end -= queue_.size();
    queue_[end] = spot;
}

template <class Network>
typename PushRelabel<Network>::Spot PushRelabel<Network>::take_first() {
    const Spot spot = queue_[queue_first_];
    if (++queue_first_ == queue_.size()) queue_first_ = 0;
    --queue_size_;
    queued_[spot] = false;
    return spot;
}

/// Computes exact distances to room, and fills the queue anew.
template <class Network>
void PushRelabel<Network>::find_levels() {
    const std::size_t spots = excess_.size();
    level_.assign(spots, unreached);
    next_.assign(spots, 0);
    queue_.resize(spots);
    queued_.assign(spots, false);
    std::size_t found = 0;
    for (Spot spot = 0; spot < spots; ++spot) {
        if (excess_[spot] >= 0) continue;
        level_[spot] = 0;
        queue_[found++] = spot;
    }
    for (std::size_t at = 0; at < found; ++at) {
        const Spot spot = queue_[at];
        const auto place = network().place_of(spot);
        const std::uint32_t arcs = network().arcs_of(place);
        for (std::uint32_t i = 0; i < arcs; ++i) {
            const Arc from = network().back(place, i);
            if (from.free <= 0 || level_[from.other] != unreached) continue;
            level_[from.other] = level_[spot] + 1;
            queue_[found++] = from.other;
        }
    }
    // Spots far from room come first: the excess that they push is pushed on by those that follow.
    queue_first_ = 0;
    queue_size_ = 0;
    std::vector<Spot> active;
    for (std::size_t at = found; at-- > 0;)
        if (excess_[queue_[at]] > 0) active.push_back(queue_[at]);
    for (const Spot spot : active)
        enqueue(spot);
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

template <class Network>
FlowOutcome PushRelabel<Network>::push_all(std::uint64_t links, const std::stop_token& stop) {
    constexpr std::uint64_t ask_after = 1U << 12U;
    std::uint64_t discharges = 0;
    const std::uint64_t work_max = 6 * excess_.size() + 2 * links;
    while (true) {
        find_levels();
        bool waiting = false;
        for (Spot spot = 0; spot < excess_.size(); ++spot) {
            if (excess_[spot] <= 0) continue;
            waiting = true;
            if (level_[spot] == unreached) return FlowOutcome::blocked;
        }
        if (!waiting) return FlowOutcome::carried;
        if (stop.stop_requested()) return FlowOutcome::stopped;
        while (queue_size_ > 0 && work_ < work_max) {
            discharge(take_first());
            if (++discharges % ask_after == 0 && stop.stop_requested()) return FlowOutcome::stopped;
        }
    }
}

}  // namespace equipoise::optimum
