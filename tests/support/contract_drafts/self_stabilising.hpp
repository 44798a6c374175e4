#pragma once
// Draft: deals over links that lose and double packets.

#include <algorithm>
#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::contract_drafts {

// Problem: 1-balanced loads although packets are lost, doubled and come out of order.
// Model: asynchronous; channels hold at most k packets in each direction; timers.
// Source: Dinitz, Dolev, Kumar 2020, Section 5, Algorithm 5, over a labelled deal link.
// Guarantee: from a clean start both ends book every deal exactly once, loads never below zero.
// Deviations: packets <m,b,l> with labels l in 0..k; the receiver delivers at k+1 distinct labels
//   of one m with a new b; acknowledgements carry the deal; one proposal at a time a node.
class SelfStabilising {
  public:
    static constexpr std::uint32_t capacity = 1;  ///< k
    static constexpr std::uint32_t all_labels = (1U << (capacity + 1)) - 1;

    enum class Kind : std::uint8_t { proposal, acknowledgement };
    struct Message {
        Tokens amount;          ///< proposed, or dealt
        Tokens tentative_load;  ///< of the proposer after the transfer; unused in acknowledgements
        Tokens load;            ///< of the sender, for the receiver's view
        std::uint32_t label;
        bool bit;
        Kind kind;
        /// None: the deal is booked by both ends, however often its packets travel.
        [[nodiscard]] Tokens tokens() const { return 0; }
    };

    /// A program with one suspension needs no name for it.
    struct State {
        Port proposing_to = 0;
        bool proposing = false;
        std::uint32_t label = 0;  ///< of the packets to send next
    };
    struct PortState {
        Tokens view = 0;  ///< the neighbour's load as last heard
        bool heard = false;
        // as a proposer
        Tokens amount = 0;
        Tokens tentative_load = 0;
        Tokens dealt = 0;                ///< as the acknowledgements under way say
        std::uint32_t acknowledged = 0;  ///< set of their labels
        bool bit = false;
        // as a receiver
        Tokens offered = 0;
        Tokens offered_load = 0;
        Tokens deal = 0;              ///< of the last delivered proposal
        std::uint32_t collected = 0;  ///< set of labels of the proposal under way
        bool last = true;
    };

    explicit SelfStabilising(model::Ticks period) : period_(period) {}

    model::NodeTask operator()(model::NodeContext<Message> context, State& state,
                               std::span<PortState> ports) const {
        while (true) {
            const auto received = co_await context.receive_any_within(period_);
            if (!received) {
                if (!state.proposing) propose(context, state, ports);
                repeat(context, state, ports);
            } else if (received->message.kind == Kind::proposal) {
                collect(context, ports[received->port], *received);
            } else {
                acknowledge(context, state, ports[received->port], *received);
            }
        }
    }

  private:
    using Context = model::NodeContext<Message>;

    static void propose(Context context, State& state, std::span<PortState> ports) {
        Port lowest = 0;
        for (Port port = 0; port < ports.size(); ++port)
            if (ports[port].heard && ports[port].view < ports[lowest].view) lowest = port;
        const Tokens load = context.tokens();
        if (ports.empty() || !ports[lowest].heard || ports[lowest].view > load - 2) return;
        ports[lowest].amount = (load - ports[lowest].view) / 2;
        ports[lowest].tentative_load = load - ports[lowest].amount;
        state.proposing = true;
        state.proposing_to = lowest;
    }
    /// Sends the packet of every port again, with the next label; a proposal of 0 tells the load.
    static void repeat(Context context, State& state, std::span<const PortState> ports) {
        state.label = (state.label + 1) % (capacity + 1);
        for (Port port = 0; port < ports.size(); ++port)
            context.send(port, {ports[port].amount, ports[port].tentative_load, context.tokens(),
                                state.label, ports[port].bit, Kind::proposal});
    }
    static void collect(Context context, PortState& port,
                        const model::Received<Message>& received) {
        const Message& packet = received.message;
        port.view = packet.load;
        port.heard = true;
        if (packet.bit != port.last) {
            if (packet.amount != port.offered || packet.tentative_load != port.offered_load)
                port.collected = 0;
            port.offered = packet.amount;
            port.offered_load = packet.tentative_load;
            port.collected |= 1U << packet.label;
            if (port.collected != all_labels) return;
            port.deal = std::clamp<Tokens>(port.offered_load - context.tokens(), 0, port.offered);
            context.take_over(received.port, port.deal);
            port.last = packet.bit;
            port.collected = 0;
        }
        context.send(received.port, {port.deal, 0, context.tokens(), packet.label, packet.bit,
                                     Kind::acknowledgement});
    }
    static void acknowledge(Context context, State& state, PortState& port,
                            const model::Received<Message>& received) {
        const Message& packet = received.message;
        port.view = packet.load;
        port.heard = true;
        if (packet.bit != port.bit) return;
        if (packet.amount != port.dealt) port.acknowledged = 0;
        port.dealt = packet.amount;
        port.acknowledged |= 1U << packet.label;
        if (port.acknowledged != all_labels) return;
        context.hand_over(received.port, packet.amount);
        port.acknowledged = 0;
        port.bit = !port.bit;
        if (state.proposing && state.proposing_to == received.port) state.proposing = false;
        port.amount = 0;
        port.tentative_load = 0;
    }

    model::Ticks period_;
};

}  // namespace equipoise::contract_drafts
