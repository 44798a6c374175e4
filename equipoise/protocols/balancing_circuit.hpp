#pragma once
// Periodic balancing circuits: levels of balancers, whose states decide about odd tokens.
//
// Problem: smooth or count (smooth to 1 and sort) indivisible tokens.
// Model:   synchronous, single-port; the matchings of an elementary circuit in turn; every balancer
//          is back in its initial state at the start of every round.
// Source:  Rabani, Sinclair, Wanka 1998, Section 2; Aspnes, Herlihy, Shavit 1991.
// Guarantee: every load stays within (q - 1) / q Psi(P^T) of the idealised process, q the divisor
//          of the share, 2 for even balancers (Theorem 2, sharpened); even ones with an almost
//          Hamiltonian cycle and all up count any input of discrepancy K within 2N (K - 1) rounds
//          (Theorem 9(b)).
// Deviations: up is the tail of the schedule's orientation. `random` draws the states afresh every
//          round (the paper's footnote 5). A share other than 1/2 moves that fraction of the
//          difference (uneven dimension exchange).

#include <cstdint>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// The state in which every balancer starts a round.
enum class BalancerState : std::uint8_t { up, down, random };

class BalancingCircuit {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    /// The fraction `share_numerator / share_denominator` of the difference moves, in (0, 1).
    explicit BalancingCircuit(BalancerState initial = BalancerState::up, Tokens share_numerator = 1,
                              Tokens share_denominator = 2)
        : initial_(initial), numerator_(share_numerator), denominator_(share_denominator) {
        EQUIPOISE_ASSERT(0 < numerator_ && numerator_ < denominator_);
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const bool up =
            initial_ == BalancerState::random ? at.random().coin() : initial_ == BalancerState::up;
        const Int128 moving = Int128{tail.load - head.load} * numerator_;
        const auto down_flow = static_cast<Tokens>(moving / denominator_);
        const bool inexact = moving % denominator_ != 0;
        // Up: the tail keeps the fraction (flow rounded down); down: the head gets it.
        if (up) return {down_flow - (inexact && moving < 0 ? 1 : 0), {}};
        return {down_flow + (inexact && moving > 0 ? 1 : 0), {}};
    }

  private:
    BalancerState initial_;
    Tokens numerator_;
    Tokens denominator_;
};

/// Balancers that keep their state: over all rounds they send tokens up and down in turn, like the
/// toggles of a counting network. The numbers of tokens that have left a balancer by its two ends
/// differ by at most one, so a counting network keeps the step property over any sequence of inputs
/// (Aspnes, Herlihy, Shavit 1991). Each slot of the schedule is a balancer. Memory: one byte a
/// slot.
class KeptBalancers {
  public:
    using NodeState = model::Nothing;
    struct LinkState {
        bool down = false;  ///< where the next token goes: up is the tail
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    /// All balancers begin up, or all begin down.
    explicit KeptBalancers(BalancerState initial = BalancerState::up)
        : starts_down_(initial == BalancerState::down) {
        EQUIPOISE_ASSERT(initial != BalancerState::random);
    }

    [[nodiscard]] LinkState start_link(model::NodeInfo /*tail*/, model::NodeInfo /*head*/) const {
        return {starts_down_};
    }

    [[nodiscard]] static model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                             const model::EdgeEnd<NodeState>& head,
                                                             const LinkState& balancer,
                                                             model::EdgeStep /*at*/) {
        const Tokens passed = tail.load + head.load;
        const bool odd = passed % 2 != 0;
        const Tokens up = passed / 2 + (odd && !balancer.down ? 1 : 0);
        return {tail.load - up, {balancer.down != odd}};
    }

  private:
    bool starts_down_;
};

static_assert(model::EdgeRule<BalancingCircuit>);
static_assert(model::EdgeRule<KeptBalancers>);

}  // namespace equipoise::protocols
