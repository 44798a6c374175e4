#pragma once
// The rotor-router: every node deals out its tokens one by one, port after port, and continues
// where it stopped.
//
// Problem: level indivisible tokens without randomness, without looking at neighbours and without
//          debt.
// Model:   synchronous, multi-port, deterministic; nodes know D = 2 Delta and remember one number.
// Source:  Berenbrink, Klasing, Kosowski, Mallmann-Trenn, Uznanski 2019 (rules reconstructed from
//          the abstract).
// Guarantee: in any interval of rounds any two ports of a rotor have sent numbers of tokens that
//          differ by at most 1; never negative; nothing is promised about the discrepancy. Cost
//          O(degree) per node and round.
// Deviations: ports are taken in the network's order, then the node's own places; rotors start at
//          port 0. Tokens are dealt out by division.

#include <algorithm>
#include <cstdint>
#include <span>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/push_rule.hpp"

namespace equipoise::protocols {

class RotorRouter {
  public:
    enum class Variant : std::uint8_t {
        plain,  ///< all tokens go round D ports
        star,   ///< an own place keeps ceil(x / D) tokens, the others go round D - 1 ports
    };
    struct NodeState {
        Tokens next = 0;  ///< the port that gets the next token; from the degree on, own places
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    /// Tokens pushed over the link.
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState>;

    /// `degree_max`: Delta.
    RotorRouter(Port degree_max, Variant variant)
        : divisor_(2 * std::max(Tokens{degree_max}, Tokens{1})),
          ports_(variant == Variant::star ? divisor_ - 1 : divisor_) {}

    /// D.
    [[nodiscard]] Tokens divisor() const { return divisor_; }
    /// Ports of the rotor, places of the node's own included.
    [[nodiscard]] Tokens ports() const { return ports_; }
    /// How many of `load` tokens are dealt out.
    [[nodiscard]] Tokens dealt(Tokens load) const {
        return ports_ == divisor_ ? load : load - load / divisor_ - (load % divisor_ > 0 ? 1 : 0);
    }
    /// How many of `tokens` a port of the rotor, or an own place, gets if `next` is the first to
    /// get one.
    [[nodiscard]] Tokens sent_by(Tokens port, Tokens tokens, Tokens next) const {
        const Tokens turn = port >= next ? port - next : port - next + ports_;
        return tokens / ports_ + (turn < tokens % ports_ ? 1 : 0);
    }

    void propose(const Here& here, std::span<Proposal> out) const {
        const Tokens tokens = dealt(here.load);
        for (Port port = 0; port < here.degree(); ++port)
            out[port] = sent_by(port, tokens, here.state.next);
        here.state.next = (here.state.next + tokens % ports_) % ports_;
    }
    void accept(const Here& /*here*/, std::span<const Proposal> in, std::span<Tokens> taken) const {
        std::copy(in.begin(), in.end(), taken.begin());
    }

    [[nodiscard]] static Tokens sent(Proposal proposal) { return proposal; }
    static void receive(NodeState& /*own*/, Proposal /*proposal*/, Step /*step*/) {}
    [[nodiscard]] bool idle(const NodeState& /*own*/, Tokens load, Step /*step*/) const {
        return dealt(load) == 0;
    }

  private:
    Tokens divisor_;
    Tokens ports_;
};

static_assert(model::PushesTokens<RotorRouter>);

}  // namespace equipoise::protocols
