#pragma once
// Flow imitation: tokens follow an idealised process link by link.
//
// Problem: stay within one token per link of an idealised process, on any network.
// Model:   synchronous; the links of the process that is followed (all at once, or matchings);
//          deterministic or randomised.
// Source:  Akbari, Berenbrink, Sauerwald 2012 (bounds confirmed in a public text, rule
//          reconstructed from the idea).
// Guarantee: |f - F| < 1 on every link after every step (f, F: cumulative idealised and token
//          flow), so a load without dummies is less than its node's degree d away from the
//          idealised one. If no idealised load falls below 0, as in all processes here but those of
//          second order, then with rounding towards zero that is also true of loads with dummies.
// Deviations: idealised loads and flows have 20 fractional bits and add up exactly. A node short of
//          tokens makes dummies, and removes one as soon as it has a token to spare, not at the
//          end: tokens are alike, and flows do not depend on loads. (A node with dummies left holds
//          what the last step brought: on each link less than 1 above the idealised flow, which is
//          no more than the idealised load.)

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/diffusion_2.hpp"
#include "equipoise/protocols/dimension_exchange.hpp"

namespace equipoise::protocols::baselines {

/// What all imitations share: how a link and a node keep up with the idealised process.
class Imitation {
  public:
    /// One token, scaled.
    static constexpr Tokens one = Tokens{1} << 20U;

    enum class Rounding : std::uint8_t {
        towards_zero,  ///< send trunc(f - F)
        random,        ///< and one more with the probability of the fraction that is left
    };

    /// Makes the tokens that are missing as dummies; otherwise removes as many dummies as can be
    /// spared.
    template <class NodeState>
    [[nodiscard]] static Tokens create(NodeState& own, Tokens load, Tokens outflow) {
        const Tokens made = std::max(outflow - load, -own.dummies);
        own.dummies += made;
        return made;
    }

  protected:
    explicit Imitation(Rounding rounding) : rounding_(rounding) {}

    /// The tokens that a link sends which is this far behind, scaled.
    [[nodiscard]] Tokens flow_of(Tokens behind, model::EdgeStep at) const {
        const Tokens flow = behind / one;
        const Tokens left = behind - flow * one;
        if (rounding_ == Rounding::towards_zero || left == 0) return flow;
        const bool more = static_cast<Tokens>(at.random().below(one)) < (left < 0 ? -left : left);
        return more ? flow + (left < 0 ? -1 : 1) : flow;
    }

    /// What the idealised flow of a link, from tail to head, brings to the load of one end.
    [[nodiscard]] static Tokens inflow(Tokens ideal, model::LinkEnd own_end) {
        return own_end == model::LinkEnd::tail ? -ideal : ideal;
    }

  private:
    Rounding rounding_;
};

/// Follows the process that `Ideal` plays in units of 1/`one` token: diffusion of first or second
/// order, or averaging in matchings, each link in the same slot whenever it is active.
template <class Ideal>
class FlowImitationOf : public Imitation {
  public:
    struct NodeState {
        Tokens ideal = 0;    ///< load of the idealised process, scaled
        Tokens dummies = 0;  ///< tokens made here and not yet removed
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct LinkState {
        Tokens behind = 0;  ///< f - F from tail to head, scaled
        Tokens ideal = 0;   ///< idealised flow of the last step, scaled
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    explicit FlowImitationOf(Rounding rounding = Rounding::towards_zero, Ideal ideal = Ideal{})
        : Imitation(rounding), ideal_(ideal) {}

    /// Throws OverflowError for more than about 8e12 tokens at a node.
    [[nodiscard]] static NodeState start_node(model::NodeInfo info) {
        NodeState state;
        state.ideal = checked_multiply(info.load, one);
        return state;
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        const model::Nothing nothing;
        const Tokens ideal =
            ideal_
                .evaluate({tail.state.ideal, tail.degree, 1, nothing},
                          {head.state.ideal, head.degree, 1, nothing}, last_flow(link), at)
                .flow;
        expect_room(ideal);
        const Tokens behind = link.behind + ideal;
        const Tokens flow = flow_of(behind, at);
        return {flow, {behind - flow * one, ideal}};
    }

    static void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        own.ideal += inflow(link.ideal, own_end);
        expect_room(own.ideal);
    }

  private:
    /// Second order: the link remembers its flow, and loads may go beyond their extremes.
    static constexpr bool overshoots = std::is_same_v<typename Ideal::LinkState, Tokens>;

    /// Keeps sums and differences of idealised loads and flows inside 64 bits.
    static void expect_room([[maybe_unused]] Tokens ideal) {
        constexpr Tokens most = tokens_max / 4;
        if constexpr (overshoots)
            if (ideal > most || ideal < -most) throw OverflowError("idealised load");
    }

    [[nodiscard]] static typename Ideal::LinkState last_flow(const LinkState& link) {
        if constexpr (overshoots)
            return link.ideal;
        else
            return {};
    }

    Ideal ideal_;
};

/// Follows first-order diffusion with Metropolis weights.
using FlowImitation = FlowImitationOf<Diffusion>;

/// Follows averaging in random matchings, which nodes find by themselves while all links are
/// active: in every step each link draws a key for the next one, and every node keeps the least of
/// its links' keys; a link is matched if its key is the least at both of its ends. Step t, counted
/// from 0, has the matching that model::RandomMatching draws for step t - 1; step 0 has none.
class MatchingImitation : public Imitation {
  public:
    using Key = std::uint64_t;

    struct NodeState {
        Tokens ideal = 0;    ///< load of the idealised process, scaled
        Tokens dummies = 0;  ///< tokens made here and not yet removed
        Key least = no_key;  ///< of the keys for this step
        Key next = no_key;   ///< of those for the next step, as far as they are drawn
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct LinkState {
        Tokens behind = 0;  ///< f - F from tail to head, scaled
        Tokens ideal = 0;   ///< idealised flow of the last step, scaled
        Key key = no_key;   ///< for the next step
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    explicit MatchingImitation(Rounding rounding = Rounding::towards_zero) : Imitation(rounding) {}

    /// Throws OverflowError for more than about 8e12 tokens at a node.
    [[nodiscard]] static NodeState start_node(model::NodeInfo info) {
        NodeState state;
        state.ideal = checked_multiply(info.load, one);
        return state;
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        const Key key = RandomStream(at.seed, Purpose::schedule, 0, at.step).at(at.slot);
        const bool matched =
            at.step > 0 && link.key == tail.state.least && link.key == head.state.least;
        if (!matched) return {0, {link.behind, 0, key}};
        const Tokens ideal = DimensionExchange{}.flow_between(tail.state.ideal, head.state.ideal);
        const Tokens behind = link.behind + ideal;
        const Tokens flow = flow_of(behind, at);
        return {flow, {behind - flow * one, ideal, key}};
    }

    static void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        own.ideal += inflow(link.ideal, own_end);
        own.next = std::min(own.next, link.key);
    }

    static void after_step(NodeState& own, Tokens /*old_load*/, Tokens /*new_load*/,
                           model::StepInfo /*at*/) {
        own.least = own.next;
        own.next = no_key;
    }

  private:
    static constexpr Key no_key = std::numeric_limits<Key>::max();
};

static_assert(model::EdgeRule<FlowImitation>);
static_assert(model::EdgeRule<FlowImitationOf<Diffusion2>>);
static_assert(model::EdgeRule<FlowImitationOf<DimensionExchange>>);
static_assert(model::EdgeRule<MatchingImitation>);

}  // namespace equipoise::protocols::baselines
