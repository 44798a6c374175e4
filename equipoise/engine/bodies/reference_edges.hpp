#pragma once
// The definition of a step of an edge rule, written for clarity, not speed.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/engine/bodies/edge_body.hpp"

namespace equipoise::engine {

/// A step:
///   1. every active link is evaluated on the loads and states from before the step, and keeps its
///      new state;
///   2. both ends merge their neighbour's state from before the step;
///   3. nodes with an active link may create or remove tokens; the tokens move;
///   4. `after_step` runs once at each of them.
/// Serves every run, on one thread, and is the only body that reports what crosses each link.
/// Memory: 24 bytes and a state for each node.
template <model::EdgeRule R>
class ReferenceEdges final : public EdgeBody<R> {
  public:
    static constexpr Body name = Body::reference;
    static constexpr bool possible = true;
    [[nodiscard]] static bool serves(const R& /*rule*/, const EdgeSetting& /*setting*/) {
        return true;
    }
    using typename EdgeBody<R>::Note;

    ReferenceEdges(const R& /*rule*/, const EdgeSetting& /*setting*/) {}

    void tell(Note note) override { note_ = std::move(note); }

    void exchange(const LinkStep<R>& at, const ActiveLinks& links, Reach /*reach*/,
                  StepTotals& totals) override {
        if (arrivals_.size() != at.own_count) arrivals_.resize(at.own_count);
        links.for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t state) {
            const auto [tail, head] = ends;
            const Tokens flow = at.evaluate(ends, at.loads[tail], at.loads[head], slot, state);
            arrive(at, tail, head, state, model::LinkEnd::tail, -flow);
            arrive(at, head, tail, state, model::LinkEnd::head, flow);
            if (tail >= at.own_count) return;
            at.count(flow, at.loads[tail] - at.loads[head], totals);
            if (note_ && flow != 0) note_(slot, ends, flow);
        });
    }

    void settle(const LinkStep<R>& at, StepTotals& totals) override {
        for (const NodeId node : touched_) {
            Arrival& here = arrivals_[node];
            here.touched = false;
            at.node_states[node] = here.state;
            at.finish(node, at.loads[node], here.inflow, here.outflow, totals);
        }
        touched_.clear();
    }

  private:
    /// What a node receives in a step.
    struct Arrival {
        Tokens inflow = 0;  ///< net
        Tokens outflow = 0;
        bool touched = false;
        [[no_unique_address]] typename R::NodeState state = {};  ///< merged
    };

    void arrive(const LinkStep<R>& at, NodeId node, [[maybe_unused]] NodeId neighbour,
                [[maybe_unused]] std::uint64_t state, [[maybe_unused]] model::LinkEnd own_end,
                Tokens inflow) {
        if (node >= at.own_count) return;
        Arrival& here = arrivals_[node];
        if (!here.touched) {
            here = {0, 0, true, at.node_states[node]};
            touched_.push_back(node);
        }
        if constexpr (model::MergesStates<R>)
            at.rule.merge(here.state, at.node_states[neighbour], at.link_states[state], own_end,
                          inflow);
        here.inflow += inflow;
        here.outflow += inflow < 0 ? -inflow : 0;
    }

    std::vector<Arrival> arrivals_;
    std::vector<NodeId> touched_;
    Note note_;
};

}  // namespace equipoise::engine
