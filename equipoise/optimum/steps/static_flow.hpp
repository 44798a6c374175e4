#pragma once
// A flow of all tokens at once, through gates that let more pass the more steps there are.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/push_relabel.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// A place where flow is limited: in the single-port model a node (its number), in the multi-port
/// model a direction of a link (twice the link's number, plus 1 from its head to its tail).
using Gate = std::uint64_t;

// Problem: the least T such that w(X) <= T match(X) for all sets X of nodes (Theorem 1), and a flow
//   that shows it.
// Model: off-line; single-port (or `ports`) or multi-port.
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Theorem 1; push-relabel on imbalances:
//   nodes above their base give, nodes below it take.
// Method: single-port: a_v -> b_v with T ports, b_u -> a_v without limit for every link. A node
//   above its base gives at a_v, one below takes at b_v: then the limit on what a giver sends also
//   holds for what it receives, and the same for takers. Multi-port: one spot for each node, links
//   with T in both directions. T is a parameter: whenever distances are computed anew, nodes that
//   reach no room form a cut that is too small, and T rises to the number that this cut requires.
//   Flows found so far stay.
// Guarantee: exact. Cost: about as a maximum flow on 2 p nodes; 50 bytes a link and 90 a node.

class StaticFlow : private PushRelabel<StaticFlow> {
  public:
    explicit StaticFlow(const Problem& problem);

    [[nodiscard]] Step steps() const { return steps_; }
    /// Raises what gates let pass from the amount for steps() steps to that for `steps`.
    void lengthen(Step steps);

    [[nodiscard]] Gate gates() const { return most_.size(); }
    /// The most that a gate lets pass now, or all tokens that there can be if that is less.
    [[nodiscard]] Tokens most(Gate gate) const { return most_[gate]; }
    /// Lets at most `most` tokens pass a gate; those above that look for other ways at the next
    /// `carry`.
    void limit(Gate gate, Tokens most);

    /// Begins with a flow by link, from its end with the smaller number to the other; gates hold
    /// back what is above their limits. For targets whose room is all needed: what is missing
    /// behind a gate is room, too, and might stay open otherwise.
    void follow(const std::vector<Tokens>& over_links);

    /// Sends all tokens to where there is room. `blocked`: gates let too few tokens pass;
    /// `missing()` and `sides()` describe a cut.
    [[nodiscard]] FlowOutcome carry(const std::stop_token& stop);
    /// The number of further steps after which the cut is no longer too small; nothing if no number
    /// is enough.
    [[nodiscard]] std::optional<Step> missing() const;
    /// The nodes in the cut, and where tokens leave it.
    enum class Side : std::uint8_t { outside, receives, inside, sends };
    [[nodiscard]] std::vector<Side> sides() const;

    /// Removes tokens that go round in circles. Returns the nodes in an order in which tokens only
    /// go forward; none if asked to stop, and then nothing else may be asked. Cost
    /// O(links log nodes), mostly O(links).
    [[nodiscard]] std::vector<NodeId> straighten(const std::stop_token& stop = {});

    /// Tokens over a port of a node, minus those that come back.
    [[nodiscard]] Tokens sent(NodeId node, Port port) const {
        const Flow flow = flow_of(node, port);
        return problem_->all_ports ? (flow.forward ? net_[flow.link] : -net_[flow.link])
                                   : sent_[2 * flow.link + (flow.forward ? 0 : 1)] -
                                         sent_[2 * flow.link + (flow.forward ? 1 : 0)];
    }
    /// The same by link, from its end with the smaller number to the other.
    [[nodiscard]] std::vector<Tokens> over_links() const;
    /// Whether a node gives at its gate (it holds more than its base) or takes.
    [[nodiscard]] bool gives(NodeId node) const {
        return problem_->loads[node] > problem_->target.base[node];
    }

  private:
    friend PushRelabel<StaticFlow>;

    struct Flow {
        LinkId link;
        bool forward;
    };
    [[nodiscard]] Flow flow_of(NodeId node, Port port) const {
        return {problem_->network->link(node, port),
                node < problem_->network->neighbour(node, port)};
    }
    [[nodiscard]] bool closed(NodeId node) const { return problem_->ports_of(node) == 0; }
    [[nodiscard]] bool multi() const { return problem_->all_ports; }
    [[nodiscard]] NodeId node_of(Spot spot) const { return multi() ? spot : spot / 2; }
    /// Where a node's extra token is kept.
    [[nodiscard]] Spot keeps(NodeId node) const {
        return multi() ? node : 2 * node + (gives(node) ? 0 : 1);
    }
    [[nodiscard]] Spot place_of(Spot spot) const { return spot; }
    [[nodiscard]] std::uint32_t arcs_of(Spot spot) const;
    /// Arc number `i` of a spot, leading away from it.
    [[nodiscard]] Arc arc(Spot spot, std::uint32_t i) const;
    /// The same arc, led to the spot.
    [[nodiscard]] Arc back(Spot spot, std::uint32_t i) const;
    void push(Spot spot, std::uint32_t i, Tokens tokens);
    /// Lowers the flow over a port of a node.
    void take_back(NodeId node, Port port, Tokens tokens);
    struct Straightening;
    void cancel_opposites();
    void straighten_along_paths(const std::stop_token& stop, Straightening& state);
    void straighten_in_trees(const std::stop_token& stop, Straightening& state);

    const Problem* problem_;
    Step steps_ = 0;
    Spot hub_ = 0;                     ///< takes the extras; the last spot
    std::vector<NodeId> may_;          ///< nodes that may hold an extra, if not all of them can
    std::vector<std::uint8_t> extra_;  ///< by node, if not all can: 2 if it may, 3 if it has one
    std::vector<Tokens> most_;         ///< by gate
    std::vector<Tokens> passed_;       ///< by node, single-port
    std::vector<Tokens> sent_;         ///< by link and direction, single-port
    std::vector<Tokens> net_;          ///< by link, multi-port
};

}  // namespace equipoise::optimum
