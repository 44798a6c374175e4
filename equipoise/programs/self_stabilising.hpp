#pragma once
// Self-stabilising deal-agreement: offers and deals over channels that lose, duplicate and reorder.

#include <algorithm>
#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/deal_link.hpp"
#include "equipoise/programs/offer_talk.hpp"
#include "equipoise/programs/water.hpp"

namespace equipoise::programs {

// Problem: make the loads of neighbours differ by at most one, on any network, whatever happened
//   before.
// Model: asynchronous; channels lose, duplicate and reorder packets; timers; anonymous nodes.
// Source: Dinitz, Dolev, Kumar 2020, Section 5, Algorithm 5.
// Guarantee: over `SequenceLink` (any channels, clean start) and over `LabelledLink` (channels of
//   capacity k, clean start): every deal is booked exactly once by both ends, the sum of tokens is
//   constant, no node owes, finally 1-balanced; crashed nodes may restart, nodes may leave and
//   join; tokens may arrive, and be consumed unless they are offered. Over `LabelledLink` from any
//   state: finally 1-balanced with the tokens that are left; only the first two deals in each
//   direction of a link can change their number, for every k.
// Deviations: (1) lines 9 and 20 are blocks of their own: nested in line 4 they run lines 5 to 8
//   once, and a star's centre of 10 gives 90 away; (2) the printed data link is replaced by deal
//   links, whose acknowledgements carry the deal; (3) water is filled as in Algorithm 3; (4) loads
//   travel in every packet instead of being asked for; (5) offers may be limited to a batch.
template <class Link>
class SelfStabilising : public OfferFaults {
  public:
    enum class Kind : std::uint8_t { packet, acknowledgement };

    struct Message {
        Tokens amount;  ///< offered, or dealt
        Tokens level;   ///< TentativeLoad of an offer
        Tokens load;    ///< of the sender as it is, for the receiver's view
        typename Link::Stamp stamp;
        bool closing;
        Kind kind;

        /// None: the sender sets the tokens of an offer aside until it knows how many were taken.
        [[nodiscard]] static Tokens tokens() { return 0; }
        [[nodiscard]] unsigned bits() const {
            return 2 + stamp.bits() + model::number_bits(amount) + model::number_bits(load) +
                   (kind == Kind::packet ? model::number_bits(level) : 0);
        }
        bool operator==(const Message&) const = default;
    };

    /// A program with a single kind of wait needs no name for it.
    struct State {
        std::uint64_t draws = 0;     ///< of random words
        std::uint64_t received = 0;  ///< messages since packets were last repeated
        bool leaving = false;        ///< asked to leave; not a variable: transient faults spare it
    };
    struct PortState {
        typename Link::Sender sender;
        typename Link::Receiver receiver;
        Tokens view = 0;           ///< the neighbour's load as last heard
        bool heard = false;        ///< and no message is under way: an offer may begin
        bool closed = false;       ///< the neighbour has left, or has agreed that this node leaves
        std::uint8_t suspect = 0;  ///< messages until the link is clean; for observers only
    };

    /// `period`: ticks of silence after which packets are repeated. `room`: a node takes no deal
    /// that would leave it with more tokens than this. It must be given for arbitrary starts, and
    /// no node may then begin with more: otherwise forged deals could exceed 64 bits. `batch`: a
    /// node offers at most this many tokens at a time, at least 1. Deals remain downhill, as levels
    /// are those of the full offers.
    explicit SelfStabilising(const Link& link, model::Ticks period = 8, Tokens room = tokens_max,
                             Tokens batch = tokens_max)
        : link_(link), period_(period), room_(room), batch_(batch) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

    // ---- what it supports (see model/local/node_faults.hpp)
    /// Kept in stable storage: tokens, `leaving`, `closed` and the links' senders and receivers.
    /// Lost: what was heard from neighbours.
    static void restart(State& state, std::span<PortState> ports) {
        state.received = 0;
        for (PortState& port : ports) {
            port.view = 0;
            port.heard = false;
        }
    }
    void corrupt(RandomStream& random, State& state, std::span<PortState> ports) const
        requires requires(const Link& link) { link.arbitrary_stamp(random); }
    {
        corrupt_all(link_, random, state, ports, arbitrary_offer, [&](PortState& port) {
            port.view = arbitrary_amount(random);
            port.heard = random.coin();
        });
    }
    /// Takes back the offer of a port, if there is one, of which no packet was sent: as if it had
    /// not been made.
    void withdraw(PortState& port) const
        requires requires(const Link& link) { link.withdraw(port.sender); }
    {
        if (!has_open_offer(port)) return;
        link_.withdraw(port.sender);
        port.heard = true;
    }
    [[nodiscard]] Message arbitrary_message(RandomStream& random) const
        requires requires(const Link& link) { link.arbitrary_stamp(random); }
    {
        const Offer offer = arbitrary_offer(random);
        return {offer.amount,
                offer.level,
                arbitrary_amount(random),
                link_.arbitrary_stamp(random),
                offer.closing,
                random.coin() ? Kind::packet : Kind::acknowledgement};
    }
    /// Tokens move only downhill by two or more: over a clean link between nodes that differ by
    /// less nothing moves.
    [[nodiscard]] static bool settled(Tokens tokens, const PortState& port, Tokens tokens_there,
                                      const PortState& there) {
        return port.suspect == 0 && there.suspect == 0 && tokens - tokens_there <= 1 &&
               tokens_there - tokens <= 1;
    }

  private:
    static Offer arbitrary_offer(RandomStream& random) {
        const Tokens amount = arbitrary_amount(random);
        return {amount, arbitrary_amount(random), random.below(8) == 0};
    }

    Link link_;
    model::Ticks period_;
    Tokens room_;
    Tokens batch_;
};

/// What a node does at an event.
template <class Link>
struct SelfStabilising<Link>::Node : OfferTalk<Node> {
    const Link& link;
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;
    model::Ticks period;
    Tokens room;
    Tokens batch;

    Node(const SelfStabilising& program, model::NodeContext<Message> at, State& node,
         std::span<PortState> all)
        : link(program.link_),
          context(at),
          state(node),
          ports(all),
          period(program.period_),
          room(program.room_),
          batch(program.batch_) {}

    // ---- messages
    /// A node that is about to leave looks full.
    [[nodiscard]] Tokens load() const { return state.leaving ? tokens_max : context.tokens(); }
    [[nodiscard]] Message packet(Port port) const {
        const auto& sender = ports[port].sender;
        const Offer& offer = sender.offer;
        return {offer.amount,  offer.level,
                load(),        link.stamp(sender, context.random(state.draws++)),
                offer.closing, Kind::packet};
    }
    [[nodiscard]] Message acknowledgement(Port port, const typename Link::Stamp& stamp) const {
        return {ports[port].receiver.deal, 0, load(), stamp, false, Kind::acknowledgement};
    }
    [[nodiscard]] static Offer offer_in(const Message& packet) {
        return {packet.amount, packet.level, packet.closing};
    }
    [[nodiscard]] static Tokens deal_in(const Message& acknowledgement) {
        return acknowledgement.amount;
    }
    [[nodiscard]] static Offer plain_offer(Port /*port*/) { return {}; }
    void hears(Port port, const Message& message) const { ports[port].view = message.load; }

    // ---- offers
    void begins(Port port) const { ports[port].heard = false; }
    /// Lines 9 to 19: pours tokens, as water, over the neighbours that are lower by two.
    void propose() const {
        if (std::any_of(ports.begin(), ports.end(), has_open_offer<PortState>)) return;
        if (state.leaving) {
            hand_on();
            return;
        }
        for (PortState& port : ports)
            port.view = std::max<Tokens>(port.view, 0);  // no node holds less than 0
        const Tokens held = context.tokens();
        const std::span<const PortState> views = ports;
        if (!someone_is_lower(held, views)) return;
        const Water water = find_water(held, views);
        // Of more than a batch, each neighbour is offered its share.
        const Tokens gifts = held - water.left();
        Tokens left = batch;
        pour(water, views, [&](Port port, Tokens gift) {
            if (gifts > batch) gift = std::min(left, 1 + part_of(gift, batch, gifts));
            left -= gift;
            if (gift > 0) this->begin(port, Offer{gift, water.left(), false});
        });
    }
    /// Lines 24 to 31: takes the most that leaves the proposer at least as high as this node.
    [[nodiscard]] Tokens accept(Port port, const Offer& offer) const {
        if (state.leaving) return 0;
        ports[port].closed = false;
        const Tokens level = std::clamp<Tokens>(offer.level, 0, room);
        const Tokens deal =
            std::clamp<Tokens>(level - context.tokens(), 0, std::max<Tokens>(offer.amount, 0));
        context.take_over(port, deal);
        return deal;
    }
    void knows(Port port, Tokens /*taken*/) const { ports[port].heard = !ports[port].closed; }

    /// tokens * batch / all, rounded down.
    [[nodiscard]] static Tokens part_of(Tokens tokens, Tokens batch, Tokens all) {
        return static_cast<Tokens>(static_cast<Int128>(tokens) * batch / all);
    }

    // ---- leaving
    /// Offers all tokens to the lowest neighbour; then asks every neighbour for permission to
    /// leave.
    void hand_on() const {
        const Tokens held = context.tokens();
        if (held == 0) return this->ask_to_leave();
        const PortState* lowest = nullptr;
        for (const PortState& port : ports)
            if (port.heard && (lowest == nullptr || port.view < lowest->view)) lowest = &port;
        if (lowest != nullptr)
            this->begin(static_cast<Port>(lowest - ports.data()),
                        Offer{std::min(held, batch), tokens_max, false});
    }
    void lets_leave(Port port) const { ports[port].heard = false; }

    /// Nothing to do: the initial state is complete, and packets are repeated anyway.
    static void start() {}
};

template <class Link>
SelfStabilising<Link>::Node SelfStabilising<Link>::node(model::NodeContext<Message> context,
                                                        State& state,
                                                        std::span<PortState> ports) const {
    return {*this, context, state, ports};
}

}  // namespace equipoise::programs
