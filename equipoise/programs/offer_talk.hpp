#pragma once
// How a node talks to its neighbours in offers over deal links: for ever, and until it has left.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/deal_link.hpp"

namespace equipoise::programs {

/// How many offers of a link transient faults can spoil: the one under way and the next.
inline constexpr std::uint8_t suspect_max = 2;

/// Whether tokens are set aside for an offer of which it is not yet known how many were taken.
template <class PortState>
[[nodiscard]] bool has_open_offer(const PortState& port) {
    return port.sender.open && port.sender.offer.amount > 0;
}
/// The tokens of a node that are not set aside for an offer.
template <class Ports>
[[nodiscard]] Tokens not_offered(Tokens tokens, const Ports& ports) {
    for (const auto& port : ports)
        if (has_open_offer(port)) tokens -= std::min(tokens, port.sender.offer.amount);
    return tokens;
}

/// Any amount that an arbitrary start may hold: mostly small numbers, which pass for loads;
/// otherwise any 64 bits.
[[nodiscard]] inline Tokens arbitrary_amount(RandomStream& random) {
    const std::uint64_t kind = random.below(16);
    if (kind < 2) return static_cast<Tokens>(random());
    return static_cast<Tokens>(random.below(kind == 2 ? 1U << 12U : 64));
}

/// What all such programs support (see model/local/node_faults.hpp) in the same way. `State` has
/// `draws`, `received` and `leaving`; `PortState` has `sender`, `receiver`, `closed` and `suspect`.
struct OfferFaults {
    template <class State>
    static void leave(State& state) {
        state.leaving = true;
    }
    template <class PortState>
    static void meet(PortState& port) {
        port = {};
    }
    template <class PortState>
    static void part(PortState& port) {
        port = {};
        port.closed = true;
    }
    template <class State, class Ports>
    [[nodiscard]] static Tokens spare(Tokens tokens, const State& /*state*/, const Ports& ports) {
        return not_offered(tokens, ports);
    }
    /// The node's next packet will report it.
    template <class State>
    static void arrive(State& /*state*/, Tokens /*tokens*/) {}

  protected:
    /// Any state of the links; `offer(random)` is any offer, `more(port)` sets the program's own
    /// fields.
    template <class Link, class State, class Ports, class DrawOffer, class More>
    static void corrupt_all(const Link& link, RandomStream& random, State& state,
                            const Ports& ports, const DrawOffer& offer, const More& more) {
        state.draws = random();
        state.received = random.coin() ? random() : random.below(1000);
        for (auto& port : ports) {
            link.corrupt(random, port.sender, offer(random), arbitrary_amount(random));
            link.corrupt(random, port.receiver, offer(random), arbitrary_amount(random));
            more(port);
            port.closed = random.coin();
            port.suspect = suspect_max;
        }
    }
};

/// What the nodes of all such programs do at an event (lines are those of Algorithm 5 of Dinitz,
/// Dolev, Kumar 2020): they repeat what was not acknowledged, send
/// an offer without tokens when nothing was heard for a while, answer offers, and leave when they
/// are asked to. `Node` derives from this, and has
///   `link`, `context`, `state` (with `draws`, `received`, `leaving`), `ports` (with `sender`,
///       `receiver`, `closed`, `suspect`) and `period`, ticks of silence before it repeats;
///   `packet(port)`: the message that carries the offer under way;
///   `acknowledgement(port, stamp)`: the message that answers a packet with this stamp;
///   `offer_in(message)`, `deal_in(message)`: what a packet and an acknowledgement carry;
///   `plain_offer(port)`: an offer of no tokens;
///   `begins(port)`: is called when an offer begins;
///   `hears(port, message)`: is called with every message, whether it is new or not;
///   `accept(port, offer)`: takes tokens of an offer that was delivered; returns how many;
///   `knows(port, tokens)`: is called with how many tokens of the node's own offer were taken;
///   `lets_leave(port)`: is called when the neighbour asks for permission to leave;
///   `propose()`: begins offers, after everything else.
template <class Node>
class OfferTalk {
  public:
    // ---- packets
    void send_packet(Port port) const { self().context.send(port, self().packet(port)); }
    template <class Offered>
    void begin(Port port, const Offered& offer) const {
        auto& sender = self().ports[port].sender;
        if (sender.open) return;
        self().begins(port);
        self().link.begin(sender, offer);
        for (unsigned packet = 0; packet == 0 || packet + 1 < self().link.packets(); ++packet)
            send_packet(port);
    }
    /// Lines 20 to 23: sends a packet for every message under way, or an empty offer if there is
    /// none.
    void repeat() const {
        self().state.received = 0;
        for (Port port = 0; port < self().ports.size(); ++port) {
            if (self().ports[port].sender.open)
                send_packet(port);
            else if (!self().state.leaving || !self().ports[port].closed)
                begin(port, self().plain_offer(port));
        }
    }
    /// How many ticks to wait now: random, `period` on average, so that two neighbours do not meet
    /// full channels in lockstep again and again.
    [[nodiscard]] model::Ticks patience() const {
        RandomStream random = self().context.random(self().state.draws);
        return 1 + random.below(2 * self().period);
    }
    /// A node with many neighbours never sees silence; it then counts messages instead of time,
    /// slowly enough that packets do not multiply even if each is duplicated.
    [[nodiscard]] bool repeats() const {
        return self().state.received >=
               8 * (std::uint64_t{self().link.packets()} + 1) * self().ports.size();
    }

    // ---- leaving
    /// Asks every neighbour for permission to leave, once nothing is left to give away.
    void ask_to_leave() const {
        for (Port port = 0; port < self().ports.size(); ++port) {
            if (self().ports[port].closed) continue;
            auto offer = self().plain_offer(port);
            offer.closing = true;
            begin(port, offer);
        }
    }
    /// Lets the neighbour leave, unless an offer to it is open.
    [[nodiscard]] Tokens take_leave(Port at) const {
        auto& port = self().ports[at];
        self().lets_leave(at);
        port.closed = !has_open_offer(port);
        return port.closed ? 1 : 0;
    }
    [[nodiscard]] bool gone() const {
        return self().state.leaving && self().context.tokens() == 0 &&
               std::all_of(self().ports.begin(), self().ports.end(),
                           [](const auto& port) { return port.closed; });
    }

    // ---- what comes
    template <class Message>
    void answer(Port port, const Message& packet) const {
        auto& receiver = self().ports[port].receiver;
        const auto offer = Node::offer_in(packet);
        if (self().link.collect(receiver, packet.stamp, offer))
            receiver.deal = offer.closing ? take_leave(port) : self().accept(port, offer);
        if (self().link.answers(receiver, packet.stamp))
            self().context.send(port, self().acknowledgement(port, packet.stamp));
    }
    /// Lines 32 to 34.
    template <class Stamp>
    void acknowledge(Port at, const Stamp& stamp, Tokens said) const {
        auto& port = self().ports[at];
        const Progress progress = self().link.acknowledge(port.sender, stamp, said);
        if (progress == Progress::more) send_packet(at);
        if (progress != Progress::done) return;
        const bool closing = port.sender.offer.closing;
        const Tokens deal = port.sender.deal;
        const Tokens taken = closing ? 0 : std::clamp<Tokens>(deal, 0, self().context.tokens());
        self().context.hand_over(at, taken);
        if (closing && deal == 1) port.closed = true;
        self().knows(at, taken);
        if (port.suspect > 0) --port.suspect;
    }

    // ---- events
    /// Only nodes that leave end: one that stays can never know that all channels are clean.
    [[nodiscard]] model::Ask awaited() const {
        return gone() ? model::Ask::nothing()
                      : model::Ask::message(model::any_port, model::KindSet::all(), patience());
    }
    template <class Message>
    void handle(const model::Received<Message>& received) const {
        ++self().state.draws;
        const Message& message = received.message;
        ++self().state.received;
        self().hears(received.port, message);
        if (message.kind == std::remove_cvref_t<decltype(message.kind)>::packet)
            answer(received.port, message);
        else
            acknowledge(received.port, message.stamp, Node::deal_in(message));
        if (repeats()) repeat();
        self().propose();
    }
    void timer() const {
        ++self().state.draws;
        repeat();
        self().propose();
    }

  private:
    [[nodiscard]] const Node& self() const { return static_cast<const Node&>(*this); }
};

}  // namespace equipoise::programs
