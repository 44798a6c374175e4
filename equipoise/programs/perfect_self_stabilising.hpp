#pragma once
// Perfect token distribution on any network and from any state: a tree, counts that moves keep
// exact, and moves along the tree.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/deal_link.hpp"
#include "equipoise/programs/offer_talk.hpp"

namespace equipoise::programs {

/// What a node tells a neighbour with every offer.
struct TreeReport {
    static constexpr std::uint64_t no_root = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t root = no_root;  ///< the smallest identity known; no_root: leaving, or not heard
    Tokens tokens = 0;             ///< to the parent: of the sender's subtree
    Tokens share = 0;              ///< to a child: what every node is to hold at least
    std::uint32_t distance = 0;    ///< of the root, in links
    std::uint32_t nodes = 0;       ///< to the parent: of the sender's subtree
    std::uint32_t extras = 0;      ///< to a child: nodes of its subtree that hold one more
    bool child = false;            ///< the receiver is the sender's parent
    bool assigned = false;         ///< to a child: share and extras come from a root
    bool mark = false;             ///< changes with every offer of tokens over this port
    bool echo = false;             ///< the mark that the sender last heard from the receiver
    friend bool operator==(const TreeReport&, const TreeReport&) = default;
    [[nodiscard]] unsigned bits() const {
        return static_cast<unsigned>(std::bit_width(root) + std::bit_width(distance) +
                                     std::bit_width(nodes) + std::bit_width(extras)) +
               model::number_bits(tokens) + model::number_bits(share) + 4;
    }
};

/// An offer with its report.
struct TreeOffer {
    Tokens amount = 0;  ///< at most this many tokens; 0: only the report
    TreeReport report;
    bool closing = false;  ///< asks for permission to leave instead: a deal of 1 agrees
    friend bool operator==(const TreeOffer&, const TreeOffer&) = default;
};

// Problem: every node ends with floor(T/N) or ceil(T/N) tokens, on any network, whatever happened
//   before.
// Model: asynchronous; channels lose, duplicate and reorder packets; timers; a bound on the number
//   of nodes is known, and each node has 63 random bits of its own that nothing changes.
// Source: no paper. Links: Dinitz, Dolev, Kumar 2020, Section 5, repaired. Tree: distances to the
//   smallest identity (as Dolev, Israeli, Moran 1990).
// Guarantee: if identities differ, finally discrepancy at most 1 for the tokens that are left, and
//   then no token moves: O(nodes_max + D) rounds after the links are exact, however many tokens
//   there are, if no node lacks room (proof: docs/results/perfect-and-self-stabilising.md). From a
//   clean start both ends book every deal exactly once, over links as in `SelfStabilising`.
// How: reports travel in offers, which links deliver once and in order. Every node counts the
//   tokens of each child's subtree, and corrects the count with every deal over that link: so all
//   counts stay exact while tokens move, and each link moves exactly what its subtree has too many
//   of or too few.
template <class Link>
class PerfectSelfStabilising : public OfferFaults {
  public:
    enum class Kind : std::uint8_t { packet, acknowledgement };

    struct Message {
        TreeOffer offer;
        Tokens deal = 0;
        typename Link::Stamp stamp;
        Kind kind;

        /// None: the sender sets the tokens of an offer aside until it knows how many were taken.
        [[nodiscard]] static Tokens tokens() { return 0; }
        [[nodiscard]] unsigned bits() const {
            const unsigned head = 2 + stamp.bits();
            if (kind == Kind::acknowledgement) return head + model::number_bits(deal);
            return head + model::number_bits(offer.amount) + offer.report.bits();
        }
    };

    struct State {
        std::uint64_t draws = 0;     ///< of random words
        std::uint64_t received = 0;  ///< messages since packets were last repeated
        std::uint64_t changes = 0;   ///< of what this node says or has heard; for observers only
        bool leaving = false;        ///< asked to leave; not a variable: transient faults spare it
    };
    struct PortState {
        typename Link::Sender sender;
        typename Link::Receiver receiver;
        TreeReport heard;   ///< delivered last
        Tokens beyond = 0;  ///< behind a child's port: tokens of its subtree
        Tokens rest = -1;   ///< tokens of this node if it is at rest, else -1; for observers only
        bool mark = false;  ///< of the last offer of tokens
        bool counted = false;      ///< `beyond` was heard after the last offer of tokens had ended
        bool closed = false;       ///< the neighbour has left, or has agreed that this node leaves
        std::uint8_t suspect = 0;  ///< messages until the link is clean; for observers only
    };

    /// `nodes_max`: no fewer than the network has nodes. `period`: ticks of silence after which
    /// packets are repeated. `room`: a node takes no deal that would leave it with more tokens than
    /// this, see `SelfStabilising`.
    PerfectSelfStabilising(const Link& link, std::uint32_t nodes_max, model::Ticks period = 8,
                           Tokens room = tokens_max)
        : link_(link), nodes_max_(nodes_max), period_(period), room_(room) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

    // ---- what it supports (see model/local/node_faults.hpp)
    /// Everything is in stable storage: a node that had forgotten its neighbours' reports would
    /// count itself alone, and tokens would move once more.
    static void restart(State& state, std::span<PortState> /*ports*/) { state.received = 0; }
    void corrupt(RandomStream& random, State& state, std::span<PortState> ports) const
        requires requires(const Link& link) { link.arbitrary_stamp(random); }
    {
        corrupt_all(link_, random, state, ports, arbitrary_offer, [&](PortState& port) {
            port.heard = arbitrary_report(random);
            port.beyond = arbitrary_amount(random);
            port.rest = -1;
            port.mark = random.coin();
            port.counted = random.coin();
        });
    }
    [[nodiscard]] Message arbitrary_message(RandomStream& random) const
        requires requires(const Link& link) { link.arbitrary_stamp(random); }
    {
        const TreeOffer offer = arbitrary_offer(random);
        return {offer, arbitrary_amount(random), link_.arbitrary_stamp(random),
                random.coin() ? Kind::packet : Kind::acknowledgement};
    }
    /// Both ends are at rest, and each has heard what the other says: if all are, no report will
    /// ever change, and no token is wanted anywhere. A forged permission to leave (`closed`)
    /// ends with the next offer.
    [[nodiscard]] static bool settled(Tokens tokens, const PortState& port, Tokens tokens_there,
                                      const PortState& there) {
        return port.suspect == 0 && there.suspect == 0 && !port.closed && !there.closed &&
               port.rest == tokens && there.rest == tokens_there &&
               port.heard == there.sender.offer.report && there.heard == port.sender.offer.report;
    }
    [[nodiscard]] static std::uint64_t changes(const State& state) { return state.changes; }

    /// A report such as an arbitrary start may hold.
    [[nodiscard]] static TreeReport arbitrary_report(RandomStream& random) {
        const auto any_root = random() >> random.below(64);
        const auto number = [&] {
            return static_cast<std::uint32_t>(random.coin() ? random.below(8) : random());
        };
        TreeReport report;
        report.root = random.below(8) == 0 ? TreeReport::no_root : any_root;
        report.tokens = arbitrary_amount(random);
        report.share = arbitrary_amount(random);
        report.distance = number();
        report.nodes = number();
        report.extras = number();
        report.child = random.coin();
        report.assigned = random.coin();
        report.mark = random.coin();
        report.echo = random.coin();
        return report;
    }

  private:
    static TreeOffer arbitrary_offer(RandomStream& random) {
        return {arbitrary_amount(random), arbitrary_report(random), random.below(8) == 0};
    }

    Link link_;
    std::uint32_t nodes_max_;
    model::Ticks period_;
    Tokens room_;
};

/// What a node does at an event.
template <class Link>
struct PerfectSelfStabilising<Link>::Node : OfferTalk<Node> {
    static constexpr Port no_port = std::numeric_limits<Port>::max();

    const Link& link;
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;
    model::Ticks period;
    std::uint32_t nodes_max;
    Tokens room;

    Node(const PerfectSelfStabilising& program, model::NodeContext<Message> at, State& node,
         std::span<PortState> all)
        : link(program.link_),
          context(at),
          state(node),
          ports(all),
          period(program.period_),
          nodes_max(program.nodes_max_),
          room(program.room_) {}

    // ---- the tree, and what it holds: a function of what was heard
    /// Where this node is in the tree, and its subtree: with what it holds and what it should.
    struct Place {
        std::uint64_t root = 0;
        Port parent = no_port;
        std::uint32_t distance = 0;
        std::uint32_t nodes = 1;
        Tokens tokens = 0;
        Tokens share = 0;
        std::uint32_t extras = 0;
        bool assigned = true;  ///< share and extras come from a root
    };
    /// Any 64 bits as a number of tokens.
    [[nodiscard]] static Tokens count(Tokens any) { return std::clamp<Tokens>(any, 0, tokens_max); }
    /// The same word at every event, whatever else is drawn.
    [[nodiscard]] std::uint64_t identity() const {
        return context.random(std::numeric_limits<Step>::max()).at(0) >> 1U;
    }
    [[nodiscard]] bool is_child(const Place& here, Port port) const {
        return port != here.parent && !ports[port].closed && ports[port].heard.child;
    }
    /// Cost O(degree).
    [[nodiscard]] Place place() const {
        Place here{.root = identity(), .tokens = context.tokens()};
        for (Port port = 0; port < ports.size(); ++port) {
            const TreeReport& heard = ports[port].heard;
            if (ports[port].closed || heard.distance + std::uint64_t{1} >= nodes_max) continue;
            const bool nearer = heard.root == here.root && here.parent != no_port &&
                                heard.distance + 1 < here.distance;
            if (heard.root >= here.root && !nearer) continue;
            here.root = heard.root;
            here.parent = port;
            here.distance = heard.distance + 1;
        }
        for (Port port = 0; port < ports.size(); ++port) {
            if (!is_child(here, port)) continue;
            const std::uint32_t more = nodes_max - here.nodes;
            here.nodes += std::min(ports[port].heard.nodes, more);
            here.tokens += std::min(count(ports[port].beyond), count(tokens_max - here.tokens));
        }
        if (here.parent == no_port) {
            here.share = here.tokens / here.nodes;
            here.extras = static_cast<std::uint32_t>(here.tokens % here.nodes);
        } else {
            const TreeReport& heard = ports[here.parent].heard;
            here.assigned = heard.assigned;
            here.share = std::max<Tokens>(heard.share, 0);
            here.extras = std::min(heard.extras, here.nodes);
        }
        return here;
    }
    /// Calls `visit(port, report, surplus)`: what to say at each port now, and how many tokens are
    /// to leave through it (negative: to come). The first extra is this node's own, the others go
    /// to the children in the order of their ports.
    template <class Visit>
    void for_each_port(Visit visit) const {
        const Place here = place();
        std::uint32_t extras = here.extras - (here.extras > 0 ? 1 : 0);
        for (Port port = 0; port < ports.size(); ++port) {
            const PortState& at = ports[port];
            TreeReport report;
            Int128 surplus = 0;
            report.root = here.root;
            report.distance = here.distance;
            if (port == here.parent) {
                report.child = true;
                report.nodes = here.nodes;
                report.tokens = here.tokens;
                if (here.assigned)
                    surplus = here.tokens - (Int128{here.share} * here.nodes + here.extras);
            } else if (is_child(here, port) && here.assigned) {
                report.assigned = true;
                report.share = here.share;
                report.extras = std::min(extras, at.heard.nodes);
                extras -= report.extras;
                surplus = Int128{here.share} * at.heard.nodes + report.extras - at.beyond;
            }
            if (state.leaving) report = {};
            report.mark = at.mark;
            report.echo = at.heard.mark;
            visit(port, report, surplus, is_child(here, port));
        }
    }

    // ---- messages
    [[nodiscard]] Message packet(Port port) const {
        const auto& sender = ports[port].sender;
        return {sender.offer, 0, link.stamp(sender, context.random(state.draws++)), Kind::packet};
    }
    [[nodiscard]] Message acknowledgement(Port port, const typename Link::Stamp& stamp) const {
        return {{}, ports[port].receiver.deal, stamp, Kind::acknowledgement};
    }
    [[nodiscard]] static const TreeOffer& offer_in(const Message& packet) { return packet.offer; }
    [[nodiscard]] static Tokens deal_in(const Message& acknowledgement) {
        return acknowledgement.deal;
    }
    /// Only what is delivered counts.
    static void hears(Port /*port*/, const Message& /*message*/) {}
    static void begins(Port /*port*/) {}

    // ---- offers
    [[nodiscard]] TreeOffer plain_offer(Port of) const {
        TreeOffer offer;
        for_each_port([&](Port port, const TreeReport& report, Int128 /*surplus*/, bool /*child*/) {
            if (port == of) offer.report = report;
        });
        if (offer.report != ports[of].sender.offer.report) ++state.changes;
        return offer;
    }
    void offer_tokens(Port port, Tokens amount, TreeReport report) const {
        ++state.changes;
        report.mark = ports[port].mark = !ports[port].mark;
        this->begin(port, TreeOffer{amount, report, false});
    }
    /// Says at every port what is new, and offers what is to leave through it as far as the tokens
    /// at hand suffice; to a child only when its count is up to date.
    void propose() const {
        if (state.leaving) return hand_on();
        Tokens free = not_offered(context.tokens(), ports);
        bool at_rest = true;
        for_each_port([&](Port at, const TreeReport& report, Int128 surplus, bool child) {
            const PortState& port = ports[at];
            if (port.closed) return;
            const bool agreed = !child || (port.counted && port.beyond == port.heard.tokens &&
                                           port.heard.echo == port.mark);
            at_rest = at_rest && agreed && surplus == 0 && !has_open_offer(port) &&
                      port.sender.offer.report == report;
            if (port.sender.open) return;
            const auto amount = child && !port.counted
                                    ? Tokens{0}
                                    : static_cast<Tokens>(std::clamp<Int128>(surplus, 0, free));
            free -= amount;
            if (amount > 0)
                offer_tokens(at, amount, report);
            else if (report != port.sender.offer.report) {
                ++state.changes;
                this->begin(at, TreeOffer{0, report, false});
            }
        });
        note_rest(at_rest);
    }
    void note_rest(bool at_rest) const {
        const Tokens rest = at_rest ? context.tokens() : -1;
        for (PortState& port : ports) {
            if (port.rest != rest) ++state.changes;
            port.rest = rest;
        }
    }
    /// Takes all that is offered. The sender counted its subtree before this deal, so the count is
    /// lowered by it; if it did not know of this node's last offer of tokens, it is not believed.
    [[nodiscard]] Tokens accept(Port at, const TreeOffer& offer) const {
        PortState& port = ports[at];
        if (port.heard != offer.report) ++state.changes;
        port.heard = offer.report;
        if (offer.report.echo == port.mark && !has_open_offer(port)) {
            if (!port.counted || port.beyond != offer.report.tokens) ++state.changes;
            port.beyond = offer.report.tokens;
            port.counted = true;
        }
        if (state.leaving) return 0;
        port.closed = false;
        const Tokens deal = std::min(count(offer.amount), count(room - context.tokens()));
        context.take_over(at, deal);
        port.beyond = count(count(port.beyond) - deal);
        return deal;
    }
    void knows(Port at, Tokens taken) const {
        PortState& port = ports[at];
        if (port.sender.offer.amount <= 0) return;
        port.beyond = count(count(port.beyond) + taken);
        port.counted = false;
        ++state.changes;
    }

    // ---- leaving
    /// Offers all tokens to a neighbour that stays; then asks every neighbour for permission to
    /// leave. A node that leaves is in nobody's tree.
    void hand_on() const {
        note_rest(false);
        if (context.tokens() == 0) return this->ask_to_leave();
        if (not_offered(context.tokens(), ports) < context.tokens()) return;
        bool offered = false;
        for_each_port([&](Port at, const TreeReport& report, Int128 /*surplus*/, bool /*child*/) {
            const PortState& port = ports[at];
            if (offered || port.closed || port.heard.root == TreeReport::no_root) return;
            if (!port.sender.open) offer_tokens(at, context.tokens(), report);
            offered = true;
        });
    }
    void lets_leave(Port port) const {
        ports[port].heard = {};
        ++state.changes;
    }

    /// Says at once where this node is; everything else is an answer to what it hears.
    void start() const { propose(); }
};

template <class Link>
PerfectSelfStabilising<Link>::Node PerfectSelfStabilising<Link>::node(
    model::NodeContext<Message> context, State& state, std::span<PortState> ports) const {
    return {*this, context, state, ports};
}

}  // namespace equipoise::programs
