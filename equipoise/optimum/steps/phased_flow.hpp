#pragma once
// A flow over time that leads away from one node, in phases that follow the tokens outwards.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/push_relabel.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

// Problem: whether T steps are enough, if tokens only move away from a root.
// Model: off-line, plain problems, both port models.
// Source: own. A node at distance d from the root counts its steps from d on. A token that is sent
//   on at once then moves in one and the same step of this count, so that streams at constant rates
//   need no tokens in store, however far they go.
// Method: the count is cut into phases with constant rates. Between the step in which the outermost
//   tokens begin and the last that all nodes have, one phase does for any number of steps, since
//   rates of several phases could be replaced by their mean; before and after it, where only some
//   nodes still take part, phases are short. A phase in which a node does not take part from
//   beginning to end is lost to it. Push-relabel finds the flow, and stores no arcs.
// Guarantee: a flow over time if there is one in these phases and directions. Memory: 91 bytes a
//   node and phase with one port, 33 with all ports, and 8 a link and phase.

class PhasedFlow : private PushRelabel<PhasedFlow> {
  public:
    /// `distances` from the root, by node; all nodes are reached. Short phases have `phase` steps.
    PhasedFlow(const Problem& problem, View<std::uint32_t> distances, Step steps, Step phase);

    /// Whether it takes at most `bytes`.
    [[nodiscard]] static bool fits(const Problem& problem, View<std::uint32_t> distances,
                                   Step steps, Step phase, std::uint64_t bytes);

    /// Sends all tokens to where there is room. `blocked`: there is no such flow.
    [[nodiscard]] FlowOutcome carry(const std::stop_token& stop);
    /// After `carried`: the flow.
    [[nodiscard]] FlowOverTime flow_over_time() const;

  private:
    friend PushRelabel<PhasedFlow>;
    static constexpr Spot hub = 0;  ///< takes the extras
    using Time = std::int64_t;      ///< counted at the root; other nodes are later

    enum class Kind : std::uint8_t { held, sends, receives };
    /// A node in a phase.
    using Unit = std::uint32_t;
    struct Place {
        Spot spot;
        Kind kind;
        Unit unit;
        NodeId node;
        std::uint32_t phase;
        bool sends;     ///< whether the node takes part in the phase from beginning to end, and
        bool receives;  ///< whether those do that are nearer to the root by one
    };
    /// The phases in which a node takes part.
    struct Phases {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    [[nodiscard]] static std::vector<Time> moments_of(const Problem& problem,
                                                      View<std::uint32_t> distances, Step steps,
                                                      Step phase);
    [[nodiscard]] bool multi() const { return problem_->all_ports; }
    [[nodiscard]] Tokens length(std::uint32_t phase) const {
        return moments_[phase + std::size_t{1}] - moments_[phase];
    }
    [[nodiscard]] bool sends_in(NodeId node, std::uint32_t phase) const;
    [[nodiscard]] bool receives_in(NodeId node, std::uint32_t phase) const;
    [[nodiscard]] Phases phases_of(NodeId node) const;
    [[nodiscard]] Unit unit_of(NodeId node, std::uint32_t phase) const {
        return first_unit_[node] + (phase - phases_[node].first);
    }
    [[nodiscard]] Spot spot_of(Unit unit, Kind kind = Kind::held) const {
        return 1 + unit * kinds_ + static_cast<Spot>(kind);
    }
    [[nodiscard]] Place place_of(Spot spot) const;
    [[nodiscard]] std::uint32_t arcs_of(const Place& place) const;
    [[nodiscard]] Way way(const Place& place, std::uint32_t i);
    [[nodiscard]] Way over_port(const Place& place, Port port, bool forward);
    [[nodiscard]] std::uint64_t flow_index(LinkId link, NodeId one, NodeId other,
                                           std::uint32_t phase) const;

    const Problem* problem_;
    View<std::uint32_t> distances_;
    Step steps_;
    std::uint32_t kinds_;
    std::vector<Time> moments_;  ///< at which phases begin, and the end of the last
    std::vector<Phases> phases_;
    std::vector<Unit> first_unit_;
    std::vector<NodeId> node_of_;  ///< by unit
    Tokens none_ = 0;              ///< the flow over arcs that do not exist
    std::vector<NodeId> may_;      ///< nodes that may hold an extra, if not all of them can
    std::vector<Tokens> extra_;    ///< by node, if not all can
    std::vector<Tokens> hold_;     ///< by unit: kept for the next phase
    std::vector<Tokens> out_;      ///< by unit, single-port
    std::vector<Tokens> in_;       ///< by unit, single-port
    std::vector<std::uint64_t> first_flow_;  ///< by link
    std::vector<Tokens> sent_;               ///< by link and phase, away from the root
};

}  // namespace equipoise::optimum
