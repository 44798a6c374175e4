#pragma once
// Proofs about fewest steps whose size is that of the network, however many steps there are: a flow
// at constant rates in windows, and a cut that nodes join one after another.

#include <limits>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// In each of the steps `first`, ..., `first + steps - 1` node `from` sends `tokens / steps`
/// tokens, a fraction as a rule, to its neighbour `to`.
struct Window {
    NodeId from = 0;
    NodeId to = 0;
    Step first = 0;  ///< from 0
    Step steps = 1;
    Tokens tokens = 0;  ///< over the whole window

    friend bool operator==(const Window&, const Window&) = default;
};

/// A fractional flow through the network of `steps` layers. Windows of one link may overlap: their
/// rates add up. If it respects ports, capacities of links and the tokens that nodes hold, and ends
/// in the target, then a flow of whole tokens does so too, since all capacities are whole: a
/// schedule of `steps` steps exists.
struct FlowOverTime {
    Step steps = 0;
    std::vector<Window> windows;
};

/// Fat steps as a flow over time: each of their moves at a constant rate.
[[nodiscard]] FlowOverTime flow_of(std::span<const FatStep> steps);

/// When a node joins a cut through the layers, and when tokens must pass its gates.
struct CutOverTime {
    static constexpr Step never = std::numeric_limits<Step>::max();

    struct Node {
        /// The node is inside from the layer before this step on (0: from the beginning; `steps`:
        /// only at the end), and stays inside.
        Step inside = never;
        /// Steps [send_first, send_end) in which tokens that leave the cut use up the node's
        /// sending port, and [receive_first, receive_end) in which they use up its receiving port.
        Step send_first = 0;
        Step send_end = 0;
        Step receive_first = 0;
        Step receive_end = 0;
    };

    Step steps = 0;           ///< the number of steps that is not enough
    std::vector<Node> nodes;  ///< by node
    /// Tokens of nodes inside from the beginning less the room of nodes inside in the end.
    Tokens surplus = 0;
    /// Tokens that can leave through the gates: fewer than the surplus.
    Tokens crossings = 0;
};

}  // namespace equipoise::optimum
