#pragma once
// A given load at every node of a rooted tree whose root trades with the outside.
//
// Problem: every node of a rooted tree ends with exactly k tokens.
// Model:   synchronous, single-port; links oriented from child to parent, one colour a step; the
//          root creates and removes tokens.
// Source:  Sudo et al. 2018 (reconstructed from the idea).
// Guarantee: from any loads every node reaches k and stays there. A subtree that is done (all its
//          nodes hold k) never moves a token again.
// Deviations: all tokens are alike and one crosses a link at a time. A node below k asks its parent
//          whether or not its children are done, so that it can serve them; an empty parent makes
//          it wait. The root knows that it is the root after the first round, in which every other
//          node meets its parent.

#include <algorithm>
#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols::baselines {

class RootedTarget {
  public:
    struct NodeState {
        Port children = 0;       ///< links that are not known to lead to the parent
        Port children_done = 0;  ///< children whose subtrees are known to be done
        bool has_parent = false;
        bool is_root = false;
        bool done = false;  ///< the whole subtree holds the target
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    /// Whether the child has told its parent that it is done.
    enum class LinkState : std::uint8_t { working, told_now, told };

    /// `target`: k, tokens. `round`: steps in which every link is active once.
    RootedTarget(Tokens target, Step round) : target_(target), round_(round) {}

    [[nodiscard]] static NodeState start_node(model::NodeInfo info) {
        NodeState state;
        state.children = info.degree;
        return state;
    }

    [[nodiscard]] bool wakes_all(Step step) const { return step == round_; }
    static void before_step(NodeState& state, Tokens /*load*/, model::StepInfo /*at*/) {
        state.is_root = !state.has_parent;
    }

    /// Tail: the child.
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& child,
                                                      const model::EdgeEnd<NodeState>& parent,
                                                      const LinkState& link,
                                                      model::EdgeStep /*at*/) const {
        const bool offers = child.load > target_ && children_are_done(child.state);
        const bool asks = child.load < target_ && parent.load > 0;
        LinkState next = link;
        if (child.state.done)
            next = link == LinkState::working ? LinkState::told_now : LinkState::told;
        return {static_cast<Tokens>(offers) - static_cast<Tokens>(asks), next};
    }

    static void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        if (own_end == model::LinkEnd::head) {
            own.children_done += link == LinkState::told_now ? 1 : 0;
        } else if (!own.has_parent) {
            own.has_parent = true;
            --own.children;
        }
    }

    /// The root takes a token from outside while it has too few, and gives one away while it has
    /// too many and no node below needs it.
    [[nodiscard]] Tokens create(NodeState& own, Tokens load, Tokens outflow) const {
        if (!own.is_root) return 0;
        if (load - outflow < target_) return 1;
        return load > target_ && children_are_done(own) ? -1 : 0;
    }

    void after_step(NodeState& own, Tokens /*old_load*/, Tokens new_load,
                    model::StepInfo /*at*/) const {
        own.done = new_load == target_ && children_are_done(own);
    }

    [[nodiscard]] bool checks_finished(Step done) const { return done % round_ == 0; }
    [[nodiscard]] static bool finished(const NodeState& state) { return state.done; }

  private:
    [[nodiscard]] static bool children_are_done(const NodeState& state) {
        return state.children_done == state.children;
    }

    Tokens target_;
    Step round_;
};

static_assert(model::EdgeRule<RootedTarget>);

}  // namespace equipoise::protocols::baselines
