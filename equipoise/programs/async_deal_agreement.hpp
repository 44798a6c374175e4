#pragma once
// Asynchronous deal-agreement: propose to all emptier neighbours, transfer what they accept.

#include <algorithm>
#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/programs/water.hpp"

namespace equipoise::programs {

// Problem: make the loads of neighbours differ by at most one, on any network.
// Model: asynchronous messages on first-in-first-out channels; anonymous nodes, no global
//   knowledge.
// Source: Dinitz, Dolev, Kumar 2020, Section 4, Algorithm 4.
// Guarantee: every deal lowers sum (x - average)^2 by at least 2 deal^2, so at most nK^2/8 deals;
//   owned loads never leave [min, max] of the start; quiet exactly when 1-balanced. Tokens may
//   arrive, and be consumed unless they are offered: then this holds from the last change on.
// Cost: an offer takes a proposal, an acknowledgement and, if dealt, a transfer; one load message
//   to every neighbour after a change; 2 words per port.
// Deviations: (1) one load variable and one event at a time: the printed handlers race;
//   (2) proposals fill water over the neighbours, as in Algorithm 3: RRProposal equalises
//   increments, not levels; (3) neighbours are told loads instead of being asked; (4) tokens travel
//   in a transfer after the acknowledgement, and only tokens that are physically there are offered.
class AsyncDealAgreement {
  public:
    enum class Kind : std::uint8_t { load, proposal, acknowledgement, transfer };

    struct Message {
        Tokens amount;  ///< proposed, dealt or transferred
        Tokens level;   ///< TentativeLoad of a proposal; else the sender's load
        Kind kind;

        [[nodiscard]] Tokens tokens() const { return kind == Kind::transfer ? amount : 0; }
        [[nodiscard]] unsigned bits() const {
            return 2 + model::number_bits(amount) + model::number_bits(level);
        }
    };

    struct State {
        Tokens load = 0;     ///< tokens owned: held, and promised by acknowledgements of this node
        Tokens offered = 0;  ///< tokens held for proposals under way, at most
        Port proposals = 0;  ///< that are not yet acknowledged
        bool started = false;
    };
    struct PortState {
        Tokens view = 0;  ///< the neighbour's load as last heard
        bool heard = false;
    };

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

    // ---- what it supports (see model/local/node_faults.hpp)
    [[nodiscard]] static Tokens spare(Tokens tokens, const State& state,
                                      std::span<const PortState> /*ports*/) {
        return tokens - state.offered;
    }
    static void arrive(State& state, Tokens tokens) {
        if (state.started) state.load += tokens;
    }
};

/// What a node does at an event.
struct AsyncDealAgreement::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<PortState> ports;

    void start() {
        state.started = true;
        state.load = context.tokens();
        tell_load(model::any_port);
    }
    void tell_load(Port except) const {
        for (Port port = 0; port < ports.size(); ++port)
            if (port != except) context.send(port, {0, state.load, Kind::load});
    }

    /// Lines 5-22: pours the tokens held, as water, over the neighbours that are lower by two.
    void propose() {
        if (state.proposals > 0) return;
        const std::span<const PortState> views = ports;
        const Tokens held = std::min(context.tokens(), state.load);
        if (!someone_is_lower(held, views)) return;
        const Water water = find_water(held, views);
        pour(water, views, [&](Port port, Tokens amount) {
            context.send(port, {amount, water.left(), Kind::proposal});
            state.offered += amount;
            ++state.proposals;
        });
    }

    /// Lines 23-30: takes the most that leaves the proposer at least as high as this node.
    void accept(const Message& proposal, Port port) {
        const Tokens deal =
            std::max<Tokens>(0, std::min(proposal.amount, proposal.level - state.load));
        state.load += deal;
        context.send(port, {deal, state.load, Kind::acknowledgement});
        if (deal > 0) tell_load(port);
    }
    /// Lines 31-33; the tokens follow.
    void transfer(const Message& acknowledgement, Port port) {
        --state.proposals;
        state.offered = state.proposals == 0 ? 0 : state.offered - acknowledgement.amount;
        if (acknowledgement.amount == 0) return;
        state.load -= acknowledgement.amount;
        context.send(port, {acknowledgement.amount, state.load, Kind::transfer});
        tell_load(port);
    }
    /// Tokens arrived from outside, or were consumed.
    void timer() {
        tell_load(model::any_port);
        propose();
    }
    /// Waits for ever: a network at rest is 1-balanced, but no node can know that all others rest.
    [[nodiscard]] static model::Ask awaited() { return model::Ask::message(); }
    void handle(const model::Received<Message>& received) {
        const Message& message = received.message;
        if (message.kind == Kind::proposal) {
            accept(message, received.port);
        } else {
            ports[received.port] = {message.level, true};
            if (message.kind == Kind::acknowledgement) transfer(message, received.port);
        }
        propose();
    }
};

inline AsyncDealAgreement::Node AsyncDealAgreement::node(model::NodeContext<Message> context,
                                                         State& state,
                                                         std::span<PortState> ports) const {
    return {context, state, ports};
}

}  // namespace equipoise::programs
