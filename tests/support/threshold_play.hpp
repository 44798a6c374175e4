#pragma once
// Dimension exchange played step by step by the round engine, with a look at active links.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::test {

/// A run of an edge rule over the classes of a colouring, from step 0.
template <model::EdgeRule R>
class Play {
  public:
    Play(R rule, const network::Network& network, const network::EdgeColouring& colouring,
         load::Loads loads)
        : schedule_(model::colour_schedule(network, colouring)),
          rounds_(std::move(rule), schedule_, std::move(loads), network, {}) {}
    Play(const Play&) = delete;
    Play& operator=(const Play&) = delete;

    /// Plays a step. Returns the largest discrepancy of an active link before it.
    Tokens step() {
        Tokens largest = 0;
        for (const auto& [tail, head] : schedule_.links(steps())) {
            const Tokens difference = loads()[tail] - loads()[head];
            largest = std::max(largest, std::max(difference, -difference));
        }
        rounds_.step();
        return largest;
    }
    /// Plays steps; returns the largest discrepancy of an active link in them.
    Tokens steps_of(Step count) {
        Tokens largest = 0;
        for (Step i = 0; i < count; ++i)
            largest = std::max(largest, step());
        return largest;
    }
    [[nodiscard]] std::span<const Tokens> loads() const { return rounds_.loads(); }
    [[nodiscard]] load::Loads copy() const { return {loads().begin(), loads().end()}; }
    [[nodiscard]] Step steps() const { return rounds_.costs().steps; }
    [[nodiscard]] Step chi() const { return schedule_.period(); }
    [[nodiscard]] const auto& node_states() const { return rounds_.node_states(); }

    /// Plays rounds until the loads at the start of a round have occurred before: they are then
    /// stable by definition. Returns the number of rounds after which they recur.
    std::size_t play_until_stable() {
        std::vector<load::Loads> seen;
        while (true) {
            const load::Loads now = copy();
            const auto before = std::find(seen.begin(), seen.end(), now);
            if (before != seen.end()) return static_cast<std::size_t>(seen.end() - before);
            seen.push_back(now);
            steps_of(chi());
        }
    }

  private:
    model::PeriodicSchedule schedule_;
    engine::EdgeRounds<R> rounds_;
};

}  // namespace equipoise::test
