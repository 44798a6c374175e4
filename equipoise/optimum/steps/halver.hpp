#pragma once
// Totals of links, spread over time in whole tokens.

#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: send given totals over links at rates that are constant but for rounding.
// Source: own, with integrality of flows.
// Method: the tokens that are sent in half of the time, all that a node sends or receives in it,
//   and what it has then gained are each rounded up or down, as a circulation
//   (circulation_rounding.hpp); so both halves are problems of the same kind.
// Guarantee: over any links of a node and in all, what is sent in a step is the rate, rounded up or
//   down. A node that holds 0 tokens or more in the beginning and in the end does so after every
//   step. Cost O(tokens log steps).

class Halver {
  public:
    /// Appends moves to `schedule`.
    Halver(NodeId nodes, Schedule& schedule, std::stop_token stop = {})
        : schedule_(schedule), stop_(std::move(stop)), index_(nodes, none) {}

    /// Appends the moves of the steps first, ..., first + steps - 1, in the order of steps.
    /// `totals`: at most one for each link and direction. False if asked to stop before the end.
    [[nodiscard]] bool play(const std::vector<FatMove>& totals, Step first, Step steps);

  private:
    using Totals = std::vector<FatMove>;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    [[nodiscard]] std::uint32_t place(NodeId node);
    [[nodiscard]] std::pair<Totals, Totals> split(const Totals& totals, Step steps);

    Schedule& schedule_;
    std::stop_token stop_;
    std::vector<std::uint32_t> index_;  ///< by node
    std::vector<NodeId> nodes_;         ///< of the totals that are split
    std::vector<Tokens> sent_;
    std::vector<Tokens> received_;
};

}  // namespace equipoise::optimum
