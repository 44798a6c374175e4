#pragma once
// Why no schedule can be shorter: a cut with sums that anyone can check.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// A set of nodes during some steps, and the gates through which everything that leaves it must
/// pass.
struct Zone {
    Step first = 0;
    Step steps = 0;
    std::vector<NodeId> nodes;  ///< ascending
    /// Some of `nodes`: each lets out at most as many tokens a step as it has ports.
    std::vector<NodeId> senders;
    /// Nodes outside the zone when their tokens arrive: each takes in at most as many tokens a step
    /// as it has ports.
    std::vector<NodeId> receivers;
    /// Nodes that leave the zone when the step ends, with at most as many tokens as their capacity;
    /// none if there are no capacities.
    std::vector<NodeId> dropped;

    friend bool operator==(const Zone&, const Zone&) = default;
};

/// A cut through the layers of `steps` steps. Each zone adds nodes at the edge of the one before; a
/// token of the first zone that is not to end in the last one must leave some zone through its
/// gates. With one zone only it is the static cut of Theorem 1.
struct Certificate {
    Step steps = 0;                 ///< the number of steps that is not enough
    std::vector<Zone> zones;        ///< their steps add up to `steps`
    std::vector<NodeId> last_zone;  ///< after the last step
    Tokens surplus = 0;             ///< tokens that must leave
    Tokens crossings = 0;           ///< tokens that can leave, fewer than the surplus

    [[nodiscard]] bool empty() const { return zones.empty(); }
    /// Whether one set of nodes explains the bound.
    [[nodiscard]] bool is_static() const {
        return zones.size() == 1 && zones.front().nodes == last_zone;
    }
};

/// Tokens that may pass the gates of a zone in one step.
[[nodiscard]] Tokens leaving_a_step(const Problem& problem, const Zone& zone);

/// Computes the surplus and the crossings of a certificate.
void add_up(const Problem& problem, Certificate& certificate);

/// Computes the surplus and the crossings of a cut over time.
void add_up(const Problem& problem, CutOverTime& cut);

}  // namespace equipoise::optimum
