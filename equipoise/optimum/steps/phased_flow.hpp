#pragma once
// A flow over time in phases that follow the tokens on their ways.

#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/flows/push_relabel.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/phases.hpp"

namespace equipoise::optimum {

// Problem: a flow over time in given phases, if tokens only move from each place to the next one.
// Model: off-line, plain problems, both port models.
// Source: own, on phases (phases.hpp).
// Method: a flow network with a copy of each node for every phase in which it takes part.
//   Push-relabel finds the flow, and stores no arcs. A flow in fewer phases is a good beginning.
// Guarantee: finds a flow if there is one in these phases. Memory: 107 bytes a node and phase with
//   one port, 49 with all ports, and 8 a link and phase.

class PhasedFlow : private PushRelabel<PhasedFlow> {
  public:
    /// `phases` is of this problem. The flow begins near `coarse`, one in other phases at the same
    /// places, if that is given; it need not have carried all tokens.
    PhasedFlow(const Problem& problem, Phases phases, const PhasedFlow* coarse = nullptr);

    /// The bytes that it takes, also while the flow is read; the largest number if it would have
    /// too many nodes.
    [[nodiscard]] static std::uint64_t bytes(const Problem& problem, const Phases& phases);
    /// The bytes that are left of it after `shrink`.
    [[nodiscard]] static std::uint64_t bytes_shrunk(const Problem& problem, const Phases& phases);

    /// Sends all tokens to where there is room. `blocked`: there is no such flow; all tokens that
    /// can be carried are. `unfinished`: distances were computed `rounds_max` times.
    [[nodiscard]] FlowOutcome carry(
        const std::stop_token& stop,
        std::uint64_t rounds_max = std::numeric_limits<std::uint64_t>::max());
    /// After `carried`, if phases have pieces: the flow.
    [[nodiscard]] FlowOverTime flow_over_time() const;
    /// After `carried`: the tokens of all phases by link, from its end with the smaller number to
    /// the other.
    [[nodiscard]] std::vector<Tokens> over_links() const;
    /// Forgets all but the flow: what a finer one does not need, nor those who read it.
    void shrink();

  private:
    friend PushRelabel<PhasedFlow>;
    static constexpr Spot hub = 0;  ///< takes the extras

    enum class Kind : std::uint8_t { held, sends, receives };
    /// A node in a phase.
    using Unit = std::uint32_t;
    struct Place {
        Spot spot;
        Kind kind;
        Unit unit;
        NodeId node;
        std::uint32_t phase;
    };
    /// The phases in which both ends of a link take part; none if last < first.
    struct Common {
        std::uint32_t first;
        std::uint32_t last;
        [[nodiscard]] std::uint64_t count() const { return first <= last ? last - first + 1 : 0; }
    };

    [[nodiscard]] static Common common(const Phases& phases, Ends ends);
    /// The pairs of a link and a phase of both of its ends.
    [[nodiscard]] static std::uint64_t flows_in(const Problem& problem, const Phases& phases);
    [[nodiscard]] bool multi() const { return problem_->all_ports; }
    [[nodiscard]] Unit unit_of(NodeId node, std::uint32_t phase) const {
        return unit_0_[node] + phase;
    }
    [[nodiscard]] Unit first_unit(NodeId node) const { return unit_of(node, phases_.first(node)); }
    [[nodiscard]] Unit last_unit(NodeId node) const { return unit_of(node, phases_.last(node)); }
    [[nodiscard]] Spot spot_of(Unit unit, Kind kind = Kind::held) const {
        return 1 + unit * kinds_ + static_cast<Spot>(kind);
    }
    /// Requires a phase in which both ends of the link take part.
    [[nodiscard]] std::uint64_t flow_index(LinkId link, std::uint32_t phase) const {
        return first_flow_[link] + (phase - first_phase_[link]);
    }
    [[nodiscard]] Place place_of(Spot spot) const;
    [[nodiscard]] std::uint32_t arcs_of(const Place& place) const;
    [[nodiscard]] Way way(const Place& place, std::uint32_t i);
    [[nodiscard]] Way over_port(const Place& place, Port port, bool forward);
    void number_units();
    void number_flows();
    void find_room();
    [[nodiscard]] std::vector<Tokens> wanted_from(NodeId node, const PhasedFlow& coarse) const;
    void follow(NodeId node, const PhasedFlow& coarse);
    void keep(NodeId node, const PhasedFlow* coarse);

    const Problem* problem_;
    Phases phases_;
    std::uint32_t kinds_;
    std::vector<Unit> unit_0_;      ///< by node: its unit in phase 0, if it took part in it
    std::vector<NodeId> node_of_;   ///< by unit
    Tokens none_ = 0;               ///< the flow over arcs that do not exist
    bool filled_ = false;           ///< whether there is no more room than tokens
    bool all_extras_ = false;       ///< whether all nodes that may hold an extra can do so
    std::vector<NodeId> may_;       ///< nodes that may hold an extra, if not all of them can
    std::vector<Tokens> extra_;     ///< by node, if not all can
    std::vector<Tokens> hold_;      ///< by unit: kept for the next phase
    std::vector<Tokens> out_;       ///< by unit, single-port
    std::vector<Tokens> in_;        ///< by unit, single-port
    std::vector<Tokens> most_out_;  ///< by unit; with all ports, over each link
    std::vector<Tokens> most_in_;
    std::vector<std::uint64_t> first_flow_;   ///< by link, and one more
    std::vector<std::uint32_t> first_phase_;  ///< by link
    std::vector<Tokens> sent_;                ///< by link and phase, to the next place
    std::vector<bool> open_;                  ///< by link and phase
};

}  // namespace equipoise::optimum
