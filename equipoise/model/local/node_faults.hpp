#pragma once
// What a node program must add to its contract to cope with faults that reach into nodes, and with
// neighbours and tokens that come and go. A program that lacks a member does not support what the
// member is for.

#include <concepts>
#include <span>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::model {

/// `restart(state, ports)`: clears what a crashed node has lost when it starts again. What it keeps
/// is in stable storage, as are the node's tokens; timers and messages that waited or arrived in
/// between are lost in any case.
template <class P>
concept SupportsCrashes = NodeProgram<P> && requires(const P& program, typename P::State& state,
                                                     std::span<typename P::PortState> ports) {
    { program.restart(state, ports) } -> std::same_as<void>;
};

/// `corrupt(random, state, ports)`: draws every variable at random, and
/// `arbitrary_message(random)`: a message such as a channel may hold at the start. Tokens are not
/// variables: a node's tokens are never drawn.
template <class P>
concept SupportsCorruption =
    NodeProgram<P> && requires(const P& program, RandomStream& random, typename P::State& state,
                               std::span<typename P::PortState> ports) {
        { program.corrupt(random, state, ports) } -> std::same_as<void>;
        { program.arbitrary_message(random) } -> std::same_as<typename P::Message>;
    };

/// `leave(state)`: asks a node to hand its tokens to neighbours, to ask all of them for permission
/// to leave, and to end; `meet(port)`: the link behind a port is new and clean; `part(port)`: there
/// is no longer a node behind the port. All are called between two waits.
template <class P>
concept SupportsChurn = NodeProgram<P> && requires(const P& program, typename P::State& state,
                                                   typename P::PortState& port) {
    { program.leave(state) } -> std::same_as<void>;
    { program.meet(port) } -> std::same_as<void>;
    { program.part(port) } -> std::same_as<void>;
};

/// `spare(tokens, state, ports)`: how many of the node's tokens may be consumed because they are
/// not promised to any neighbour; `arrive(state, tokens)`: this many have come from outside or, if
/// negative, have been consumed, and the node already holds the new number. Both are called between
/// two waits; a wait for a message without a time limit then ends with nothing.
template <class P>
concept SupportsArrivals =
    NodeProgram<P> && requires(const P& program, Tokens tokens, typename P::State& state,
                               std::span<const typename P::PortState> ports) {
        { program.spare(tokens, state, ports) } -> std::same_as<Tokens>;
        { program.arrive(state, tokens) } -> std::same_as<void>;
    };

/// `settled(tokens, port, tokens_there, port_there)`: whether no token will ever move over a link
/// again, provided that this holds for every link; judged from both ends of a link on which no
/// tokens are in doubt. For programs that never fall silent. If that depends on more than tokens,
/// it may be true of every link at some time, and of all at none; a program then also has
/// `changes(state)`: a number that is another one after whatever may change an answer.
template <class P>
concept Settles =
    NodeProgram<P> && requires(const P& program, Tokens tokens, const typename P::PortState& port) {
        { program.settled(tokens, port, tokens, port) } -> std::same_as<bool>;
    };

}  // namespace equipoise::model
