#pragma once
// Flow problems as plain arrays, and the solvers behind them.
// Plain C++17: one of the solvers is compiled as such.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace equipoise::optimum {

using FlowNode = std::uint32_t;
using FlowArc = std::uint32_t;

/// More than any flow of tokens: the capacity of arcs that are never in a smallest cut.
inline constexpr std::int64_t unlimited_flow = std::int64_t{1} << 62;

/// A directed network with capacities. 16 bytes an arc.
struct FlowNetwork {
    FlowNode nodes = 0;
    FlowNode source = 0;
    FlowNode sink = 0;
    std::vector<FlowNode> from;
    std::vector<FlowNode> to;
    std::vector<std::int64_t> capacity;

    FlowArc add_arc(FlowNode tail, FlowNode head, std::int64_t most) {
        from.push_back(tail);
        to.push_back(head);
        capacity.push_back(most);
        return static_cast<FlowArc>(from.size() - 1);
    }
    void reserve(std::size_t arcs) {
        from.reserve(arcs);
        to.reserve(arcs);
        capacity.reserve(arcs);
    }
};

class FlowBudget;

/// A maximum flow and a minimum cut.
struct Flow {
    bool complete = true;  ///< if not, the budget ended before the flow was largest
    std::int64_t value = 0;
    std::vector<std::int64_t> by_arc;
    std::vector<std::uint8_t> source_side;  ///< by node; arcs out of it make up a smallest cut
};

/// Largest flow by shortest augmenting paths. `start` is a flow to begin with (by arc; empty:
/// none). Returns the cut nearest to the source: its source side is everything that the source can
/// still reach. 36 bytes per arc and 20 per node besides the network. Asserts that the flow fills
/// the cut. `budget` (null: none) may end it early.
[[nodiscard]] Flow maximum_flow(const FlowNetwork& network, std::vector<std::int64_t> start = {},
                                FlowBudget* budget = nullptr);

/// The same by LEMON's push-relabel algorithm.
[[nodiscard]] Flow maximum_flow_by_preflow(const FlowNetwork& network);

/// The value of the flow given by arc, or -1 if it breaks a capacity, or the balance of a node
/// other than source and sink.
[[nodiscard]] std::int64_t flow_value(const FlowNetwork& network,
                                      const std::vector<std::int64_t>& by_arc);

/// The capacity of the arcs that leave a set of nodes; `unlimited_flow` or more if one of them is
/// unlimited.
[[nodiscard]] std::int64_t cut_capacity(const FlowNetwork& network,
                                        const std::vector<std::uint8_t>& source_side);

/// A cheapest flow of a given value.
struct CheapestFlow {
    bool feasible = false;
    bool complete = true;  ///< not if it was stopped before; then nothing else is said
    std::int64_t cost = 0;
    std::vector<std::int64_t> by_arc;
};

/// Cheapest flow of `value` from source to sink by LEMON's network simplex; `cost` by arc, none
/// negative. Ends without it soon after `is_stopped`, if there is one, returns true.
[[nodiscard]] CheapestFlow cheapest_flow(const FlowNetwork& network,
                                         const std::vector<std::int64_t>& cost, std::int64_t value,
                                         const std::function<bool()>& is_stopped = {});

}  // namespace equipoise::optimum
