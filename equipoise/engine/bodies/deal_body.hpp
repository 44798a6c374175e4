#pragma once
// The interface of bodies that play the rounds of a deal rule on a part.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::engine {

/// Own nodes: all of them, or some.
struct NodeSet {
    NodeId count = 0;
    std::span<const NodeId> some;  ///< empty: 0 .. count-1
    bool boundary = false;         ///< they have neighbours on other ranks

    /// Calls `visit(node, working memory of the thread)` on all threads.
    template <class Memory, class Visit>
    void for_each(const Workers& workers, const Visit& visit) const {
        for_each_block(workers, count, [&](std::uint64_t begin, std::uint64_t end) {
            Memory memory;
            for (std::uint64_t i = begin; i < end; ++i)
                visit(some.empty() ? static_cast<NodeId>(i) : some[i], memory);
        });
    }
};

/// The ends of links, node by node, in the numbering of a part: first those of own nodes, as in its
/// rows, then the far ends of links to other ranks.
struct Arcs {
    /// The own end of a link to another rank.
    struct Far {
        std::uint64_t arc = 0;
        NodeId node = 0;
    };
    std::vector<Far> far;     ///< by far end
    std::uint64_t count = 0;  ///< own and far ones

    // Only for bodies that need them:
    std::vector<std::uint64_t> reverse;  ///< by own arc: the arc at the link's other end
    std::vector<Port> degrees;           ///< by own arc: of the neighbour behind it
    std::vector<Tokens> taken;           ///< by the taker's arc

    [[nodiscard]] std::uint64_t first_far() const { return count - far.size(); }
};

/// A deal rule with everything it may touch in one round of a part.
template <model::DealRule R>
struct DealStep {
    using NodeState = typename R::NodeState;

    const R& rule;
    const Part& part;
    const Rows& rows;
    Arcs& arcs;
    std::span<Tokens> loads;                       ///< by local number
    std::span<const Tokens> speeds;                ///< likewise; empty: all 1
    States<NodeState>& node_states;                ///< of own nodes
    std::span<model::PortStateOf<R>> port_states;  ///< by own arc; empty for rules without
    const LiveNetwork* live = nullptr;             ///< null: the network stays as it is
    const Workers& workers;
    Step step = 0;
    std::uint64_t seed = 0;

    [[nodiscard]] Tokens speed(NodeId node) const {
        return speeds.empty() ? Tokens{1} : speeds[node];
    }
    [[nodiscard]] std::span<model::PortStateOf<R>> ports(NodeId node) const {
        return port_states.empty() ? port_states : of(port_states, node);
    }
    template <class T>
    [[nodiscard]] std::span<T> of(std::span<T> by_arc, NodeId node) const {
        return by_arc.subspan(rows.first_arc(node), rows.degree(node));
    }
};

/// The facts by which a body says whether it serves a run. The same on every rank, except for the
/// part.
struct DealSetting {
    Part& part;
    std::span<const Tokens> own_loads;
    bool lists_transfers = false;  ///< an observer wants to see every transfer
    bool changes = false;          ///< tokens, nodes or links come and go
    bool network_changes = false;  ///< nodes or links do
    bool has_speeds = false;
    Tokens load_least = 0;  ///< of the whole network
    Tokens load_most = 0;   ///< likewise
    Port degree_most = 0;   ///< likewise
};

/// Plays the phases of a round on spans; it knows nothing of ranks. In each round: `propose` at
/// nodes without neighbours on other ranks and, when the halo has arrived, at the others; when
/// proposals have travelled, `accept` in the same two steps; when answers have travelled, `settle`.
/// A process alone makes the same calls: once for all nodes, once for none.
template <model::DealRule R>
class DealBody {
  public:
    DealBody() = default;
    DealBody(const DealBody&) = delete;
    DealBody& operator=(const DealBody&) = delete;
    virtual ~DealBody() = default;

    virtual void propose(const DealStep<R>& at, const NodeSet& nodes) = 0;
    virtual void accept(const DealStep<R>& at, const NodeSet& nodes) = 0;
    /// Nets the links at every own node. Tokens are counted at both ends of a link.
    virtual void settle(const DealStep<R>& at, StepTotals& totals) = 0;

    /// Whether the body looks at both ends of links.
    [[nodiscard]] virtual bool needs_arcs() const { return true; }
    /// Makes room for all arcs.
    virtual void make_room(const Arcs& /*arcs*/) {}
    // Values that travel to other ranks: once, before the first round, by arc; after `propose` by
    // node or by arc; after `accept` by arc, unless receivers take everything they are sent.
    [[nodiscard]] virtual Values told_once(const Arcs& /*arcs*/) { return {}; }
    virtual void hear_once(const Arcs& /*arcs*/) {}
    [[nodiscard]] virtual Values told_by_nodes() { return {}; }
    [[nodiscard]] virtual Values told_by_arcs() { return {}; }
    [[nodiscard]] virtual Values answers(Arcs& /*arcs*/) { return {}; }
};

/// What a node sees of its neighbours, by port; working memory of one thread.
struct SeenNeighbours {
    std::vector<Tokens> loads;
    std::vector<Tokens> speeds;
    std::vector<Port> degrees;
};

/// What an own node sees around it.
template <model::DealRule R>
[[nodiscard]] model::SurroundingsOf<R> look(const DealStep<R>& at, NodeId node,
                                            SeenNeighbours& seen) {
    const std::span<const NodeId> row = at.rows.of(node);
    seen.loads.resize(row.size());
    if (!at.speeds.empty()) seen.speeds.resize(row.size());
    for (std::size_t port = 0; port < row.size(); ++port) {
        seen.loads[port] = at.loads[row[port]];
        if (!at.speeds.empty()) seen.speeds[port] = at.speeds[row[port]];
    }
    return {
        at.loads[node],       at.speed(node), at.node_states[node],
        seen.loads,           seen.speeds,    at.of(std::span<const Port>(at.arcs.degrees), node),
        at.part.global(node), at.step,        at.seed,
        at.ports(node)};
}

}  // namespace equipoise::engine
