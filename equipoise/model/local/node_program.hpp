#pragma once
// The node program: what a node does when it starts and when something has happened. It touches
// the world only through its context.

#include <concepts>
#include <span>
#include <type_traits>

#include "equipoise/base/assert.hpp"
#include "equipoise/model/local/node_context.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// A node for the time of one event: what `NodeProgram::node` returns.
///   `start()`: the node begins.
///   `awaited()`: what it waits for now. A pure function of the node's state.
///   `handle(received)`: the message it waited for has come.
/// and, for nodes that wait for these,
///   `timer()`: the time is over; or tokens came from outside, or were consumed.
///   `answered(granted)`: true: the channel is this node's; false: it is busy.
template <class N, class Message>
concept NodeAtWork = requires(N& node, const N& fixed, const Received<Message>& received) {
    { node.start() } -> std::same_as<void>;
    { fixed.awaited() } -> std::same_as<Ask>;
    { node.handle(received) } -> std::same_as<void>;
};

/// A program that every node runs, for an asynchronous network.
///
/// Required: types `Message`, `State` and `PortState` (what a node remembers, and what it remembers
/// for each port; trivially copyable, value-initialised at the start), and
///   `node(NodeContext<Message>, State&, std::span<PortState>) const`: the node, made anew for
///       every event, so that nothing but its state outlives one.
/// The program object itself holds parameters only. A node can therefore be stopped, stored,
/// hashed, corrupted and restarted between any two events.
template <class P>
concept NodeProgram =
    NodeMessage<typename P::Message> && std::is_trivially_copyable_v<typename P::State> &&
    std::is_trivially_copyable_v<typename P::PortState> &&
    std::is_default_constructible_v<typename P::State> &&
    std::is_default_constructible_v<typename P::PortState> &&
    requires(const P& program, NodeContext<typename P::Message> context, typename P::State& state,
             std::span<typename P::PortState> ports) {
        { program.node(context, state, ports) } -> NodeAtWork<typename P::Message>;
    };

/// Why a host calls a node.
enum class Turn : std::uint8_t {
    start,    ///< the node begins
    proceed,  ///< its wait is over
    wait,     ///< it only waits again: its host no longer knows for what
};

/// Ends a node's wait and hands it what it waited for.
template <NodeMessage Message, class Node>
void hand_over_wait(Node& node, NodeHost& host, NodeId v, Ask::Verb verb) {
    Received<Message> received;
    Reception reception{&received.message};
    const bool granted = host.end(v, reception);
    switch (verb) {
        case Ask::Verb::receive:
            received.port = reception.port;
            if (granted) return node.handle(received);
            [[fallthrough]];
        case Ask::Verb::sleep:
            if constexpr (requires { node.timer(); }) return node.timer();
            break;
        case Ask::Verb::reserve:
        case Ask::Verb::acquire:
            if constexpr (requires { node.answered(granted); }) return node.answered(granted);
            break;
        case Ask::Verb::nothing:
            break;
    }
    // The program has no handler for what it waits for.
    EQUIPOISE_ASSERT(false);
}

/// Plays a node of a host until it must wait; every host runs every program through this.
/// `awaited`: what the node has waited for. Returns whether the node has ended.
template <NodeProgram P>
[[nodiscard]] bool play_node(const P& program, NodeHost& host, NodeId v, typename P::State& state,
                             std::span<typename P::PortState> ports, Turn turn,
                             const Ask& awaited) {
    using Message = typename P::Message;
    auto node = program.node(NodeContext<Message>(host, v), state, ports);
    if (turn == Turn::start) node.start();
    if (turn == Turn::proceed) hand_over_wait<Message>(node, host, v, awaited.verb);
    while (true) {
        const Ask ask = node.awaited();
        if (ask.verb == Ask::Verb::nothing) return true;
        if (!host.begin(v, ask)) return false;
        hand_over_wait<Message>(node, host, v, ask.verb);
    }
}

}  // namespace equipoise::model
