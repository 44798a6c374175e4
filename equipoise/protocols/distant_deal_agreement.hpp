#pragma once
// Deal-agreement with the emptiest node within a distance.
//
// Problem: level indivisible tokens on any network until no two nodes within distance k differ by
//          more than one.
// Model:   synchronous, multi-port, deterministic; rounds of 4k steps.
// Source:  Dinitz, Dolev, Kumar 2020, Section 6: "to transfer loads directly up to a certain
//          distance"; rule of Algorithm 2 (only that sentence is printed).
// Guarantee: at the ends of rounds monotone, at most floor(Phi / 2) rounds with a deal; then every
//          two nodes within distance k differ by at most 1, so the discrepancy is at most
//          ceil(D / k). With k = 1 the rounds are those of Algorithm 2.
// Deviations: a node relays only the largest proposal that reaches it in a step; tokens travel
//          one link a step, so loads pass through nodes within a round.

#include <array>
#include <cstddef>
#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"

namespace equipoise::protocols {

class DistantDealAgreement {
  public:
    /// The largest distance: nodes remember what they relay at each.
    static constexpr std::size_t distance_max = 4;

    /// A proposal travels back along the links through which its proposer heard of the emptiest
    /// node. It is at level l while at most l links of its way are left.
    struct NodeState {
        Tokens low = 0;   ///< smallest load heard of so far
        Tokens next = 0;  ///< the same, with what is heard in this step
        /// By level: the link through which `low` was heard of, the largest proposal, the link from
        /// which that came, whether it was accepted.
        std::array<std::uint64_t, distance_max + 1> way = {};
        std::array<Tokens, distance_max + 1> proposal = {};
        std::array<std::uint64_t, distance_max + 1> origin = {};
        std::array<std::uint64_t, distance_max + 1> accepted = {};
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    /// The number of the link's slot plus 1, by which its ends know it; 0 in a node's state stands
    /// for the node itself.
    struct LinkState {
        std::uint64_t number = 0;
        std::uint64_t step = 0;  ///< the step of the round that has been played
    };
    static constexpr bool reads_only_loads_and_states = true;

    /// Expects 1 <= `distance` <= distance_max.
    explicit constexpr DistantDealAgreement(std::size_t distance) : distance_(distance) {}

    /// Steps of a round: loads spread, proposals travel, answers come back, tokens travel.
    [[nodiscard]] constexpr Step phases() const { return 4 * Step{distance_}; }

    [[nodiscard]] static bool wakes_all(Step /*step*/) { return true; }

    /// Passes on to the next level what has crossed no link in this step.
    void before_step(NodeState& state, Tokens load, model::StepInfo at) const {
        const std::size_t step = at.step % phases();
        if (step == 0) state = {.low = load, .next = load};
        if (step > 0 && step <= distance_) state.low = state.next;
        if (step == distance_) state.proposal[distance_] = fair_deal(load, 1, state.low, 1);
        if (step == 2 * distance_) state.accepted[0] = state.proposal[0] > 0 ? 1 : 0;
        if (step >= distance_ && step < 2 * distance_) {
            const std::size_t level = 2 * distance_ - step;
            if (state.way[level] == 0) state.proposal[level - 1] = state.proposal[level];
        }
        if (step >= 2 * distance_ && step < 3 * distance_) {
            const std::size_t level = step - 2 * distance_;
            if (state.way[level + 1] == 0 && state.proposal[level + 1] > 0)
                state.accepted[level + 1] = state.origin[level] == 0 ? state.accepted[level] : 0;
        }
    }

    /// Tokens of accepted proposals, level by level.
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const LinkState link = {at.slot + 1, at.step % phases()};
        if (link.step < 3 * distance_) return {0, link};
        const std::size_t level = 4 * distance_ - link.step;
        return {given(tail.state, level, link) - given(head.state, level, link), link};
    }

    void merge(NodeState& own, const NodeState& neighbour, const LinkState& link,
               model::LinkEnd /*own_end*/, Tokens /*inflow*/) const {
        if (link.step < distance_)
            hear(own, neighbour, link, link.step + 1);
        else if (link.step < 2 * distance_)
            relay(own, neighbour, link, 2 * distance_ - link.step);
        else if (link.step < 3 * distance_)
            hear_answer(own, neighbour, link, link.step - 2 * distance_);
    }

  private:
    /// Takes over the smallest load; of several equal ones its own, else that of the first link.
    static void hear(NodeState& own, const NodeState& neighbour, const LinkState& link,
                     std::size_t level) {
        if (neighbour.low > own.next) return;
        if (neighbour.low == own.next && own.way[level] < link.number) return;
        own.next = neighbour.low;
        own.way[level] = link.number;
    }
    /// Takes over the largest proposal; of several equal ones its own, else that of the first link.
    static void relay(NodeState& own, const NodeState& neighbour, const LinkState& link,
                      std::size_t level) {
        const Tokens heard = neighbour.proposal[level];
        if (neighbour.way[level] != link.number || heard == 0) return;
        if (heard < own.proposal[level - 1]) return;
        if (heard == own.proposal[level - 1] && own.origin[level - 1] < link.number) return;
        own.proposal[level - 1] = heard;
        own.origin[level - 1] = link.number;
    }
    static void hear_answer(NodeState& own, const NodeState& neighbour, const LinkState& link,
                            std::size_t level) {
        if (own.way[level + 1] == link.number && own.proposal[level + 1] > 0 &&
            neighbour.origin[level] == link.number)
            own.accepted[level + 1] = neighbour.accepted[level];
    }
    static Tokens given(const NodeState& state, std::size_t level, const LinkState& link) {
        return state.accepted[level] != 0 && state.way[level] == link.number ? state.proposal[level]
                                                                             : 0;
    }

    std::size_t distance_;
};

static_assert(model::EdgeRule<DistantDealAgreement>);
static_assert(model::WakesNodes<DistantDealAgreement>);
static_assert(model::MergesStates<DistantDealAgreement>);

}  // namespace equipoise::protocols
