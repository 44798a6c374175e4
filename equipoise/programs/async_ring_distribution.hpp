#pragma once
// Token distribution on a ring without a common clock.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::programs {

// Problem: level indivisible tokens on a ring to a discrepancy of at most 1.
// Model: asynchronous messages on first-in-first-out channels; the nodes are numbered round the
//   ring and know which neighbour is next, from the ends of their links.
// Source: Gehrke, Plaxton, Rajaraman 1999, asynchronous rings (rule reconstructed from the
//   abstract: a token to the clockwise neighbour if it has fewer).
// Guarantee: no node ever holds more than the largest or less than the smallest initial load; at
//   rest every load is floor or ceiling of the mean. Time: 8 OPT + 2n rounds (abstract; measured
//   here with unit delays).
// Cost: a token travels in one message and is answered by a report; 4 words a node.
// Deviations: nodes know floor(mean) and do not send from ceiling to floor, or single tokens would
//   go round for ever and the program never fall silent. The next node's load counts what is on the
//   way to it. A node sends at most one token at an event.
class AsyncRingDistribution {
  public:
    enum class Kind : std::uint8_t { report, token };

    struct Message {
        Tokens load;             ///< of a report: the sender's
        std::uint64_t received;  ///< of a report: all tokens that the sender has received
        Kind kind;

        [[nodiscard]] Tokens tokens() const { return kind == Kind::token ? 1 : 0; }
        [[nodiscard]] unsigned bits() const {
            if (kind == Kind::token) return 1;
            return 1 + model::number_bits(load) +
                   model::number_bits(static_cast<std::int64_t>(received));
        }
    };

    struct State {
        Tokens next_load = 0;        ///< the next node's, with the tokens on the way to it
        std::uint64_t sent = 0;      ///< tokens to the next node
        std::uint64_t received = 0;  ///< tokens
        Port next = 0;
        bool heard = false;  ///< whether the next node has reported
    };
    struct PortState {};

    /// `least`: floor of the mean, which every node knows.
    explicit AsyncRingDistribution(Tokens least) : least_(least) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

  private:
    Tokens least_;
};

/// What a node does at an event.
struct AsyncRingDistribution::Node {
    model::NodeContext<Message> context;
    State& state;
    Tokens least = 0;

    /// Along the ring each node is the tail of the link to the next node, except for the last one:
    /// the first and the last node are each the same end of both their links, and find their next
    /// node behind port 0.
    void start() {
        const bool turns = context.link_end(0) == context.link_end(1);
        state.next = !turns && context.link_end(1) == model::LinkEnd::tail ? 1 : 0;
        report();
    }
    void report() const {
        context.send(1 - state.next, {context.tokens(), state.received, Kind::report});
    }
    [[nodiscard]] static model::Ask awaited() { return model::Ask::message(); }
    void handle(const model::Received<Message>& received) {
        const Message& message = received.message;
        if (message.kind == Kind::token) {
            ++state.received;
        } else {
            state.heard = true;
            state.next_load = message.load + static_cast<Tokens>(state.sent - message.received);
        }
        const bool sends = gives();
        if (sends) {
            ++state.sent;
            ++state.next_load;
            context.send(state.next, {0, 0, Kind::token});
        }
        // A token that has arrived must be answered, even if the load is what it was before.
        if (sends || message.kind == Kind::token) report();
    }
    [[nodiscard]] bool gives() const {
        const Tokens load = context.tokens();
        return state.heard && load > state.next_load &&
               !(load == least + 1 && state.next_load == least);
    }
};

inline AsyncRingDistribution::Node AsyncRingDistribution::node(
    model::NodeContext<Message> context, State& state, std::span<PortState> /*ports*/) const {
    return {context, state, least_};
}

}  // namespace equipoise::programs
