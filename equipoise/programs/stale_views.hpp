#pragma once
// Balancing on views: nodes act by their own clocks on what neighbours last reported.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::programs {

/// What a node knows of the neighbour behind a port.
struct StaleView {
    Tokens view = 0;      ///< the neighbour's load as last reported, plus gifts still on their way
    Tokens gift = 0;      ///< tokens that are to leave through the port now
    Tokens given = 0;     ///< all tokens that have left through the port
    Tokens received = 0;  ///< all tokens that have arrived
    bool heard = false;   ///< whether the neighbour has reported at all
    bool waits = false;   ///< whether it sent tokens and is owed a report
};

/// How many tokens a node with `held` tokens gives: sets `gift` of every port, in total at most
/// `held`. Depends only on what the node holds and on its views.
template <class R>
concept GivingRule = requires(const R& rule, Tokens held, std::span<StaleView> ports) {
    { rule.give(held, ports) } -> std::same_as<void>;
};

// Problem: level loads on any network without a common clock.
// Model: partially asynchronous (Bertsekas, Tsitsiklis 1989, Section 7.4): a node acts within
//   `window` ticks after news, on views as old as their messages; tokens take time to travel.
//   First-in-first-out channels; anonymous nodes.
// Guarantee: if the rule keeps a giver above its views of all the neighbours it gives to, no node
//   ever holds less than the smallest initial load; if the rule gives whenever its network is not
//   yet level, the network comes to rest, level, under every schedule that delivers every message.
// Cost: a report to every neighbour after a change; gifts travel in reports; 5 words per port.
// How: a node knows which of its own gifts a report does not include yet, and adds them; otherwise
//   it would give a second time while the first gift is on its way. Every gift is answered by a
//   report, even if the load is what it was before; otherwise the giver would wait for ever. A node
//   acts only on news.
template <GivingRule Rule>
class StaleViews {
  public:
    enum class Kind : std::uint8_t { report };

    struct Message {
        Tokens load;      ///< the sender's, without the gift
        Tokens gift;      ///< tokens that travel in this message
        Tokens received;  ///< all tokens that the sender has received over this link
        Kind kind;

        [[nodiscard]] Tokens tokens() const { return gift; }
        [[nodiscard]] unsigned bits() const {
            return model::number_bits(load) + model::number_bits(gift) +
                   model::number_bits(received);
        }
    };

    enum class At : std::uint8_t {
        start,
        listen,  ///< for news
        pause,   ///< before acting on it
    };

    struct State {
        Tokens reported = 0;  ///< the load that all neighbours were last told
        Step draws = 0;
        At at = At::start;
    };
    using PortState = StaleView;

    /// `window`: the most ticks between news and acting on it; 0: at once.
    explicit StaleViews(const Rule& rule, model::Ticks window) : rule_(rule), window_(window) {}

    struct Node;
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<StaleView> ports) const {
        return {context, state, ports, rule_, window_};
    }

  private:
    Rule rule_;
    model::Ticks window_;
};

/// What a node does at an event.
template <GivingRule Rule>
struct StaleViews<Rule>::Node {
    model::NodeContext<Message> context;
    State& state;
    std::span<StaleView> ports;
    const Rule& rule;
    model::Ticks window = 0;

    void start() {
        state.reported = context.tokens();
        for (Port port = 0; port < ports.size(); ++port)
            context.send(port, {state.reported, 0, 0, Kind::report});
        state.at = At::listen;
    }
    void note(const Message& report, Port port) {
        StaleView& from = ports[port];
        from.view = report.load + from.given - report.received;
        from.heard = true;
        from.received += report.gift;
        if (report.gift > 0) from.waits = true;
    }
    [[nodiscard]] model::Ask awaited() const {
        return state.at == At::pause ? model::Ask::sleep(pause()) : model::Ask::message();
    }
    void handle(const model::Received<Message>& received) {
        note(received.message, received.port);
        if (window == 0)
            act();
        else
            state.at = At::pause;
    }
    /// The pause by the node's own clock: 1 to `window` ticks.
    [[nodiscard]] model::Ticks pause() const {
        return 1 + context.random(state.draws).at(0) % window;
    }
    /// The pause is over.
    void timer() {
        ++state.draws;
        while (const auto received = context.poll_any())
            note(received->message, received->port);
        act();
        state.at = At::listen;
    }
    void act() {
        rule.give(context.tokens(), ports);
        Tokens given = 0;
        for (const StaleView& port : ports)
            given += port.gift;
        const Tokens load = context.tokens() - given;
        for (Port i = 0; i < ports.size(); ++i) {
            StaleView& port = ports[i];
            if (load != state.reported || port.gift > 0 || port.waits)
                context.send(i, {load, port.gift, port.received, Kind::report});
            port.given += port.gift;
            port.view += port.gift;
            port.gift = 0;
            port.waits = false;
        }
        state.reported = load;
    }
};

}  // namespace equipoise::programs
