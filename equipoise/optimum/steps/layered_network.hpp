#pragma once
// The network whose flows are schedules: one layer of nodes before and after every (fat) step.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// The moves of some of the tokens: `started[v]` tokens of node v are moved by them.
struct Routing {
    load::Loads started;
    std::vector<FatStep> steps;
};

// Problem: can tokens be distributed within given steps?
// Model: off-line.
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 2.2, with steps lumped together.
// Method: arcs are q -> u in V_0 with l(u); u in V_T -> s with the room of u. For a step of size c:
//   hold u in V_i -> u in V_(i+1) without limit; send u in V_i -> u_out with c times ports; u_out
//   -> v_in without limit for every link; receive v_in -> v in V_(i+1) with c times ports. A flow
//   of all tokens is a schedule in which a fat step sends only tokens held at its beginning. A cut
//   that does not change in any step of size above 1 has the same capacity as in the network of
//   single steps. Multi-port: no u_out and u_in; u in V_i -> v in V_(i+1) with c for every link.
//   Copies of u exist from the first layer that a token can reach. A link of delay d leads d layers
//   on; with capacities every copy is split by an arc of its capacity.

/// The layered network of a problem. Sizes are all 1 unless the problem is plain.
class LayeredNetwork {
  public:
    LayeredNetwork(const Problem& problem, std::vector<Step> sizes);

    /// The bytes that the network and a maximum flow on it will take, computed before it is made.
    [[nodiscard]] static std::uint64_t memory_bytes(const Problem& problem, std::size_t steps);

    [[nodiscard]] const FlowNetwork& flow_network() const { return flow_; }
    /// 1 for every arc that represents a link, 0 for others.
    [[nodiscard]] std::vector<std::int64_t> link_costs() const;

    /// The flow that corresponds to a routing. Its steps must have the sizes of this network.
    [[nodiscard]] std::vector<std::int64_t> flow_of(const Routing& routing) const;
    /// The routing that corresponds to a flow.
    [[nodiscard]] Routing routing_of(const std::vector<std::int64_t>& by_arc) const;

    /// Steps during which the set of nodes on the cut's source side changes, by their index.
    [[nodiscard]] std::vector<std::size_t> changing_steps(
        const std::vector<std::uint8_t>& source_side) const;
    /// The certificate that corresponds to a cut. No changing step may be larger than 1.
    [[nodiscard]] Certificate certificate_of(const std::vector<std::uint8_t>& source_side) const;
    /// The same for multi-port problems without capacities.
    [[nodiscard]] CutOverTime cut_over_time_of(const std::vector<std::uint8_t>& source_side) const;

  private:
    struct Layer {
        NodeId present = 0;     ///< nodes that have a copy: the first of `order_`
        FlowNode held = 0;      ///< first copy, after the capacity's arc
        FlowNode arriving = 0;  ///< first copy before the capacity's arc; `held` without capacities
        FlowNode sending = 0;   ///< first u_out; `held` if multi-port
        FlowNode receiving = 0;  ///< first u_in; `arriving` if multi-port
        FlowArc capacity = 0;    ///< first arcs of each kind
        FlowArc hold = 0;
        FlowArc send = 0;
        FlowArc receive = 0;
        FlowArc links = 0;
    };

    void number_nodes();
    void add_arcs();
    /// Calls `visit(arc, tail's rank, head's rank, last layer)` for all links of a step.
    template <class Visit>
    void for_links(std::size_t step, const Visit& visit) const;
    [[nodiscard]] std::int64_t passing(NodeId node, Step size) const;
    [[nodiscard]] bool in_zone(const std::vector<std::uint8_t>& side, std::size_t layer,
                               NodeId rank) const {
        return rank < layers_[layer].present && side[layers_[layer].held + rank] != 0;
    }
    [[nodiscard]] Zone zone_of(const std::vector<std::uint8_t>& side, std::size_t step) const;

    const Problem& problem_;
    std::vector<Step> sizes_;
    std::vector<NodeId> order_;  ///< nodes by the first layer that a token can reach
    std::vector<NodeId> rank_;   ///< places in `order_`
    std::vector<Layer> layers_;  ///< one more than steps
    FlowNetwork flow_;
    std::vector<FlowArc> start_;       ///< by rank: arc from the source
    FlowArc base_ = 0;                 ///< by rank: first arc to the sink
    std::vector<FlowArc> extra_arcs_;  ///< by rank: arc to the extras' node
    FlowArc extras_ = 0;
};

}  // namespace equipoise::optimum
