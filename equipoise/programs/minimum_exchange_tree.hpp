#pragma once
// Perfect token distribution on trees with the fewest exchanges, asynchronous and decentralised.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/tree_totals.hpp"

namespace equipoise::programs {

// Problem: every node of a tree ends with floor or ceiling of its share T s/S, by the fewest
//   exchanges of tokens, and knows that it is done.
// Model: asynchronous messages on first-in-first-out channels; anonymous nodes, no global
//   knowledge.
// Source: answers open question 2 of Margara, Pistocchi, Vassura 2004, Section 6.
// Guarantee: perfect, and exactly the fewest exchanges, under every schedule.
// Cost: O(d) words per node. A subtree of height h offers at most 2h+1 (slope, count) pairs, one a
//   message and asked for one by one: time O(H min(r, H) + tokens), H the height of the tree. At
//   most one message with tokens is on its way over a link.
// How: let f(X) be the fewest exchanges that leave X of the r extra tokens in a node's subtree. f
//   is convex; its slopes are those of the children and a 0 for the node itself, merged and sorted;
//   the link above lowers the first b of them by 1 (b: the subtree's surplus) and raises the
//   others. No node stores a list: the root draws the r smallest slopes through the tree, and each
//   node merges the heads of the lists below.
class MinimumExchangeTree {
  public:
    enum class Kind : std::uint8_t { local, global, surplus, offer, next, keep, token };

    struct Message {
        Tokens first;   ///< T; surplus; slope; extras to keep; tokens
        Tokens second;  ///< S; count of the slope
        Kind kind;

        [[nodiscard]] Tokens tokens() const { return kind == Kind::token ? first : 0; }
        [[nodiscard]] unsigned bits() const {
            return 3 + model::number_bits(first) + model::number_bits(second);
        }
    };

    /// What a node waits for.
    enum class At : std::uint8_t {
        start,
        gather,    ///< for T and S of all neighbours' subtrees but one
        last,      ///< for that neighbour: T and S of everything
        surplus,   ///< for the surpluses of the children's subtrees
        offers,    ///< for the slopes that children were asked for
        decision,  ///< of the parent: draw on, or keep this many extras
        flow,      ///< for tokens
        channel,   ///< to be free for the next token
        final,
    };

    static constexpr Port no_port = Totals::no_port;

    struct State {
        Totals totals;          ///< tokens and speeds
        Tokens surplus = 0;     ///< of the subtree: its tokens minus the floors of its shares
        Tokens position = 0;    ///< extras offered, with the last group
        Tokens in = 0;          ///< tokens that are still to come
        Tokens out = 0;         ///< tokens that are still to go
        Tokens own = 0;         ///< extras that this node may still hold itself: 0 or 1
        Tokens own_taken = 0;   ///< of earlier groups
        Tokens own_latest = 0;  ///< of the latest group
        Port last = no_port;    ///< of the ring of ports that tokens are to leave by: the latest
        At at = At::start;
    };

    /// What a node remembers of the child behind a port; `flow` also serves for the parent.
    struct PortState {
        Tokens surplus = 0;
        Tokens slope = 0;    ///< head of the child's list
        Tokens count = 0;    ///< how many times it occurs there
        Tokens taken = 0;    ///< extras drawn from this child in earlier groups
        Tokens latest = 0;   ///< in the latest group
        Tokens flow = 0;     ///< tokens still to go through this port; negative: to come
        Port following = 0;  ///< in the ring of ports that tokens are to leave by
        bool heard = false;
        bool exhausted = false;
    };

    /// `bundles`: a node waits for all tokens that are to come, and sends all tokens that leave
    /// through a link in one message: at most N-1 messages with tokens, in O(D) time. Otherwise a
    /// message carries one token, and the next one follows on a link when it has been delivered.
    explicit MinimumExchangeTree(bool bundles = false) : bundles_(bundles) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

  private:
    bool bundles_;
};

/// What a node does at an event.
struct MinimumExchangeTree::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;
    bool bundles;

    // ---- T and S, and a root
    [[nodiscard]] TreeTotals<Message> totals() const { return {context, state.totals}; }
    void start() {
        totals().begin(context.tokens(), context.speed());
        gather();
    }
    void gather() {
        if (ports.empty()) return learn_surpluses();
        const bool told = totals().tell_the_last([&](Port port) { return ports[port].heard; });
        state.at = told ? At::last : At::gather;
    }
    void add_local(const Message& message, Port port) const {
        totals().add_local(message.first, message.second);
        ports[port].heard = true;
    }
    void add_last(const Message& message) {
        if (totals().add_last(message.kind, message.first, message.second)) learn_surpluses();
    }

    // ---- surpluses of subtrees
    [[nodiscard]] Port children() const {
        return static_cast<Port>(ports.size()) - (state.totals.parent == no_port ? 0 : 1);
    }
    void learn_surpluses() {
        const Int128 share = static_cast<Int128>(state.totals.T) * context.speed();
        state.surplus = context.tokens() - static_cast<Tokens>(share / state.totals.S);
        state.own = share % state.totals.S == 0 ? 0 : 1;
        state.totals.waiting = children();
        state.at = At::surplus;
        if (state.totals.waiting == 0) pass_surplus();
    }
    void add_surplus(const Message& message, Port port) {
        ports[port].surplus = message.first;
        state.surplus += message.first;
        if (--state.totals.waiting == 0) pass_surplus();
    }
    void pass_surplus() {
        if (state.totals.parent != no_port)
            context.send(state.totals.parent, {state.surplus, 0, Kind::surplus});
        state.totals.waiting = children();
        state.at = At::offers;
        if (state.totals.waiting == 0) offer();
    }

    // ---- slopes come up, as many as the root asks for
    void add_offer(const Message& message, Port port) {
        ports[port].slope = message.first;
        ports[port].count = message.second;
        ports[port].exhausted = message.second == 0;
        if (--state.totals.waiting == 0) offer();
    }
    /// The smallest slope among the heads of the children's lists and this node's own 0.
    [[nodiscard]] Tokens smallest_slope() const {
        Tokens least = state.own > 0 ? 0 : std::numeric_limits<Tokens>::max();
        for (const PortState& port : ports)
            if (port.count > 0) least = std::min(least, port.slope);
        return least;
    }
    /// Takes up to `most` extras of a slope; returns how many there were.
    Tokens take_group(Tokens slope, Tokens most) {
        Tokens left = most;
        if (slope == 0) state.own_latest = std::min(state.own, left);
        state.own -= state.own_latest;
        left -= state.own_latest;
        for (PortState& port : ports) {
            if (port.count == 0 || port.slope != slope) continue;
            port.latest = std::min(port.count, left);
            port.count -= port.latest;
            left -= port.latest;
        }
        return most - left;
    }
    void offer() {
        const Tokens slope = smallest_slope();
        const bool below = state.position < state.surplus;  // the link above lowers the slope
        Tokens count = 0;
        if (state.totals.parent == no_port) {
            count = take_group(slope, state.surplus - state.position);
            state.position += count;
            if (state.position == state.surplus) return keep(state.surplus);
            return draw();
        }
        count = take_group(
            slope, below ? state.surplus - state.position : std::numeric_limits<Tokens>::max());
        state.position += count;
        context.send(state.totals.parent,
                     {count == 0 ? 0 : slope + (below ? -1 : 1), count, Kind::offer});
        state.at = At::decision;
    }
    /// Once the latest group has been accepted in full, asks for new heads of the lists that were
    /// used up.
    void draw() {
        state.own_taken += state.own_latest;
        state.own_latest = 0;
        state.at = At::offers;
        for (Port i = 0; i < ports.size(); ++i) {
            PortState& port = ports[i];
            const bool used_up = port.latest > 0 && port.count == 0;
            port.taken += port.latest;
            port.latest = 0;
            if (!used_up) continue;
            context.send(i, {0, 0, Kind::next});
            ++state.totals.waiting;
        }
        if (state.totals.waiting == 0) offer();
    }

    // ---- the choice goes down
    /// Keeps `extras` extra tokens in the subtree: all of earlier groups and some of the latest.
    void keep(Tokens extras) {
        Tokens of_latest = extras - state.own_taken;
        for (const PortState& port : ports)
            of_latest -= port.taken;
        of_latest -= std::min(of_latest, state.own_latest);
        for (Port i = 0; i < ports.size(); ++i) {
            PortState& port = ports[i];
            if (i == state.totals.parent) {
                port.flow = state.surplus - extras;
            } else {
                const Tokens here = std::min(of_latest, port.latest);
                of_latest -= here;
                context.send(i, {port.taken + here, 0, Kind::keep});
                port.flow = port.taken + here - port.surplus;
            }
            if (port.flow < 0)
                state.in -= port.flow;
            else if (port.flow > 0)
                add_leaving(i);
        }
        if (bundles)
            pour_bundles();
        else
            pour();
    }
    void add_leaving(Port i) {
        state.out += ports[i].flow;
        ports[i].following =
            state.last == no_port ? i : std::exchange(ports[state.last].following, i);
        state.last = i;
    }

    // ---- tokens flow
    void add_tokens(const Message& message, Port port) {
        ports[port].flow += message.first;
        state.in -= message.first;
    }
    void pour_bundles() {
        state.at = At::flow;
        if (state.in > 0) return;
        for (Port i = 0; i < ports.size(); ++i)
            if (ports[i].flow > 0) context.send(i, {ports[i].flow, 0, Kind::token});
        state.at = At::final;
    }
    /// Sends one token per message, in turn to all neighbours that still get some.
    void pour() {
        while (const auto token = context.poll_any(model::KindSet::of(Kind::token)))
            add_tokens(token->message, token->port);
        if (state.out > 0 && context.tokens() > 0)
            state.at = At::channel;
        else
            state.at = state.in > 0 ? At::flow : At::final;
    }
    [[nodiscard]] Port leaves_next() const { return ports[state.last].following; }
    void send_token() {
        const Port i = leaves_next();
        context.send(i, {1, 0, Kind::token});
        context.release(i);
        --state.out;
        if (--ports[i].flow > 0)
            state.last = i;
        else
            ports[state.last].following = ports[i].following;
        pour();
    }

    // ---- what the states wait for, and what follows
    [[nodiscard]] model::Ask awaited() const {
        using model::Ask;
        using model::KindSet;
        switch (state.at) {
            case At::gather:
                return Ask::message(model::any_port, KindSet::of(Kind::local));
            case At::last:
                return Ask::message(state.totals.parent, KindSet::of(Kind::local, Kind::global));
            case At::surplus:
                return Ask::message(model::any_port, KindSet::of(Kind::surplus));
            case At::offers:
                return Ask::message(model::any_port, KindSet::of(Kind::offer));
            case At::decision:
                return Ask::message(state.totals.parent, KindSet::of(Kind::next, Kind::keep));
            case At::channel:
                return Ask::acquire(leaves_next());
            case At::final:
                return Ask::nothing();
            default:
                return Ask::message(model::any_port, KindSet::of(Kind::token));
        }
    }
    /// The channel is this node's.
    void answered(bool /*granted*/) { send_token(); }
    void handle(const model::Received<Message>& received) {
        const auto& [message, port] = received;
        switch (message.kind) {
            case Kind::local:
                if (state.at == At::last) return add_last(message);
                add_local(message, port);
                return gather();
            case Kind::global:
                return add_last(message);
            case Kind::surplus:
                return add_surplus(message, port);
            case Kind::offer:
                return add_offer(message, port);
            case Kind::next:
                return draw();
            case Kind::keep:
                return keep(message.first);
            case Kind::token:
                add_tokens(message, port);
                return bundles ? pour_bundles() : pour();
        }
    }
};

inline MinimumExchangeTree::Node MinimumExchangeTree::node(model::NodeContext<Message> context,
                                                           State& state,
                                                           std::span<PortState> ports) const {
    return {context, state, ports, bundles_};
}

}  // namespace equipoise::programs
