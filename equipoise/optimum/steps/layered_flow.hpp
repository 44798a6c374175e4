#pragma once
// A flow of all tokens through a few layers of a large network.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/push_relabel.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

// Problem: whether T steps are enough, for T = given, given + 1, ...
// Model: off-line, single-port (or `ports`) or multi-port, no capacities or delays.
// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 2.2 (layers as in
//   layered_network.hpp); push-relabel.
// Method: no arc is stored, only what flows: 90 bytes a node and layer with one port, 30 with all
//   ports, and 16 a link and layer; more while a layer is added or the flow is read. A further
//   layer keeps the flow found so far: tokens that have arrived stay. Nodes that cannot reach room
//   form a cut. Which gates pay in a step, where both ends may, follows from a smallest cover of
//   that step's links, the one with the most senders. From step to step nodes only join the cut, so
//   that covers of this kind change in one direction (Gallo, Grigoriadis, Tarjan 1989): every gate
//   pays in one interval of steps.
// Guarantee: exact.

class LayeredFlow : private PushRelabel<LayeredFlow> {
  public:
    LayeredFlow(const Problem& problem, Step steps);

    /// Whether a flow through this many layers takes at most `bytes`.
    [[nodiscard]] static bool fits(const Problem& problem, Step steps, std::uint64_t bytes);

    [[nodiscard]] Step steps() const { return steps_; }
    void add_step();
    /// Before the first `carry`: begins with whole tokens that follow a flow without time, so that
    /// little is left to find. `flow` by link, from its end with the smaller number to the other.
    void follow(std::span<const Tokens> flow);

    /// Sends all tokens to where there is room. `blocked`: the steps are too few.
    [[nodiscard]] FlowOutcome carry(const std::stop_token& stop);

    /// After `carried`: forgets all but the flow; nothing but it may be asked then.
    void shrink();
    /// After `carried`: the flow, in whole tokens in every step.
    [[nodiscard]] FlowOverTime flow_over_time() const;
    /// After `blocked`: the cut that shows why.
    [[nodiscard]] CutOverTime cut() const;

  private:
    friend PushRelabel<LayeredFlow>;
    static constexpr Spot hub = 0;  ///< takes the extras

    enum class Kind : std::uint8_t { held, sends, receives };
    struct Place {
        Spot spot;
        Kind kind;
        NodeId node;
        Step layer;
    };
    [[nodiscard]] bool multi() const { return problem_->all_ports; }
    [[nodiscard]] static std::uint32_t kinds(const Problem& problem) {
        return problem.all_ports ? 1 : 3;
    }
    [[nodiscard]] Spot spot_of(NodeId node, Step layer, Kind kind = Kind::held) const {
        return static_cast<Spot>((layer * count_ + node) * kinds_ + static_cast<Spot>(kind) + 1);
    }
    [[nodiscard]] Place place_of(Spot spot) const;
    [[nodiscard]] std::uint32_t arcs_of(const Place& place) const;
    [[nodiscard]] Way way(const Place& place, std::uint32_t i);
    [[nodiscard]] Way over_link(const Place& place, Port port, bool forward);
    /// The place of the flow over a port in a step.
    [[nodiscard]] std::uint64_t index(NodeId node, Port port, Step step) const;

    void find_gates(Step step, CutOverTime& cut) const;

    const Problem* problem_;
    Step steps_ = 0;
    NodeId count_ = 0;
    std::uint32_t kinds_ = 1;
    Tokens none_ = 0;            ///< the flow over arcs that do not exist
    std::vector<NodeId> may_;    ///< nodes that may hold an extra, if not all of them can
    std::vector<Tokens> extra_;  ///< by node, if not all can
    std::vector<Tokens> room_;   ///< by node, without such extras
    std::vector<Tokens> hold_;   ///< by step and node
    std::vector<Tokens> out_;    ///< by step and node, single-port
    std::vector<Tokens> in_;     ///< by step and node, single-port
    std::vector<Tokens> sent_;   ///< by step, link and direction
};

}  // namespace equipoise::optimum
