#pragma once
// Asynchronous coin averaging: nodes wake at random and share evenly with one neighbour at a time.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::programs {

// Problem: level tokens to a constant discrepancy, on any network, without a common clock.
// Model: asynchronous messages on first-in-first-out channels; anonymous nodes; one exchange at a
//   time and node.
// Source: the asynchronous links of Berenbrink and others 2025 (rule reconstructed from the
//   abstract); the messages are ours.
// Guarantee: conserves tokens, never negative; no load leaves the range of the initial ones; every
//   exchange ends under every schedule. On average each step is an averaging over a random link;
//   such a process reaches discrepancy 3 with high probability in the spectral time (Berenbrink and
//   others).
// Cost: a request takes 2 or 3 messages; 4 words per node.
// How: a node that has asked, or waits for tokens, answers requests with `busy` at once, so its
//   load stands still and nodes never wait for each other in a ring. Pauses are geometric: after
//   any message a node may draw its pause anew without changing when it asks.
class AsyncCoinAveraging {
  public:
    enum class Kind : std::uint8_t {
        request,   ///< the load of a node that asks to average
        busy,      ///< no
        gift,      ///< the answer, with the tokens that the asking node gets
        call,      ///< the answer: the asking node is to send this many tokens
        transfer,  ///< these tokens
    };

    struct Message {
        Tokens amount;
        Kind kind;

        [[nodiscard]] Tokens tokens() const {
            return kind == Kind::gift || kind == Kind::transfer ? amount : 0;
        }
        [[nodiscard]] unsigned bits() const { return 3 + model::number_bits(amount); }
    };

    enum class At : std::uint8_t {
        rest,  ///< may be asked
        asks,  ///< for the answer to its request
        owed,  ///< for tokens that it has called for
    };

    struct State {
        std::uint64_t requests = 0;  ///< still to be made
        Step draws = 0;
        model::Ticks pause = 0;
        At at = At::rest;
    };
    /// Nothing, in a byte that hosts can copy.
    struct PortState {
        std::uint8_t nothing = 0;
    };

    /// Every node makes `requests` times its degree requests, each over a random link. Between two
    /// of them it rests for a geometrically distributed time of `pause` / degree ticks on average,
    /// at least 1; not at all if `pause` is 0.
    AsyncCoinAveraging(std::uint64_t requests, model::Ticks pause)
        : requests_(requests), pause_(pause) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const;

  private:
    std::uint64_t requests_;
    model::Ticks pause_;
};

/// What a node does at an event.
struct AsyncCoinAveraging::Node {
    model::NodeContext<Message> context;
    State& state;
    std::uint64_t requests_a_link = 0;
    model::Ticks pause_a_link = 0;

    void start() {
        state.requests = requests_a_link * context.degree();
        rest();
    }
    [[nodiscard]] RandomStream draw() const { return context.random(state.draws++); }

    void rest() {
        state.at = At::rest;
        if (state.requests == 0) return;
        if (pause_a_link == 0) return ask();
        RandomStream random = draw();
        state.pause = 1;
        while (random.below(pause_a_link) >= context.degree())
            ++state.pause;
    }
    void ask() {
        --state.requests;
        state.at = At::asks;
        context.send(static_cast<Port>(draw().below(context.degree())),
                     {context.tokens(), Kind::request});
    }
    /// Averages with a node that has asked and stands still until it is answered.
    void answer(Tokens load, Port port) {
        const Tokens mine = context.tokens();
        const Tokens sum = checked_add(mine, load);
        const Tokens left = sum / 2 + (sum % 2 != 0 && draw().coin() ? 1 : 0);
        if (left <= mine) {
            context.send(port, {mine - left, Kind::gift});
            return rest();
        }
        context.send(port, {left - mine, Kind::call});
        state.at = At::owed;
    }

    [[nodiscard]] model::Ask awaited() const {
        if (state.at != At::rest || state.requests == 0) return model::Ask::message();
        return model::Ask::message(model::any_port, model::KindSet::all(), state.pause);
    }
    void timer() { ask(); }
    void handle(const model::Received<Message>& received) {
        const Message& message = received.message;
        if (message.kind == Kind::request) {
            if (state.at == At::rest) return answer(message.amount, received.port);
            return context.send(received.port, {0, Kind::busy});
        }
        if (message.kind == Kind::call)
            context.send(received.port, {message.amount, Kind::transfer});
        rest();
    }
};

inline AsyncCoinAveraging::Node AsyncCoinAveraging::node(model::NodeContext<Message> context,
                                                         State& state,
                                                         std::span<PortState> /*ports*/) const {
    return {context, state, requests_, pause_};
}

}  // namespace equipoise::programs
