#pragma once
// What stands behind the context of a node program: the simulation, or a rank of an MPI program.

#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// A node's own time, in units of the host (the delay of a message in the simulation's unit model).
using Ticks = std::uint64_t;

inline constexpr Port any_port = ~Port{0};
inline constexpr Ticks for_ever = ~Ticks{0};

/// What a node waits for, as its state says.
struct Ask {
    enum class Verb : std::uint8_t {
        receive,  ///< a message through `port` (or any) of one of `kinds`, at most `within` ticks
        reserve,  ///< the answer whether the channel behind `port` is now this node's
        acquire,  ///< that the channel behind `port` is this node's
        sleep,    ///< that `within` ticks have passed
        nothing,  ///< the node has ended
    };
    Ticks within = for_ever;
    Port port = any_port;
    KindSet kinds;
    Verb verb = Verb::receive;
    friend bool operator==(const Ask&, const Ask&) = default;

    /// Waits for a message of one of these kinds, through a port (the paper's `wait`) or any port
    /// (`waitany`).
    [[nodiscard]] static Ask message(Port port = any_port, KindSet kinds = KindSet::all(),
                                     Ticks within = for_ever) {
        return {within, port, kinds, Verb::receive};
    }
    /// Waits for the answer whether a channel could be reserved, in both directions, against its
    /// other end.
    [[nodiscard]] static Ask reserve(Port port) {
        return {for_ever, port, KindSet(), Verb::reserve};
    }
    /// Waits until a channel is free and reserved.
    [[nodiscard]] static Ask acquire(Port port) {
        return {for_ever, port, KindSet(), Verb::acquire};
    }
    [[nodiscard]] static Ask sleep(Ticks ticks) {
        return {ticks, any_port, KindSet(), Verb::sleep};
    }
    /// The node has ended and waits for nothing.
    [[nodiscard]] static Ask nothing() { return {for_ever, any_port, KindSet(), Verb::nothing}; }
};

/// The world of node programs, as their contexts use it. Only the host knows the numbers of nodes;
/// it knows messages as bytes, so that one host serves all programs.
///
/// Channels are first in, first out, in each direction of a link. A wait or poll looks only at the
/// *first* waiting message of each channel: a message of another kind than those asked for stays,
/// and holds back the messages behind it. Among several channels, the one whose message has waited
/// longest comes first.
class NodeHost {
  public:
    virtual ~NodeHost() = default;
    NodeHost() = default;
    NodeHost(const NodeHost&) = delete;
    NodeHost& operator=(const NodeHost&) = delete;

    [[nodiscard]] virtual Port degree(NodeId node) const = 0;
    [[nodiscard]] virtual LinkEnd link_end(NodeId node, Port port) const = 0;
    [[nodiscard]] virtual Tokens tokens(NodeId node) const = 0;
    [[nodiscard]] virtual Tokens speed(NodeId node) const = 0;
    [[nodiscard]] virtual RandomStream random(NodeId node, Step draw) const = 0;

    virtual void send(NodeId node, Port port, const MessageBytes& message) = 0;
    virtual void release(NodeId node, Port port) = 0;
    /// Takes a waiting message through `port` (or `any_port`); returns false if there is none.
    virtual bool poll(NodeId node, Port port, KindSet kinds, Reception& received) = 0;
    /// Books tokens that leave (0 or positive) or reach this node through `port`, apart from any
    /// message.
    virtual void book(NodeId node, Port port, Tokens leaving) = 0;

    /// Begins a wait. True: it is already over, and `end` may follow at once; false: the node
    /// waits.
    virtual bool begin(NodeId node, const Ask& ask) = 0;
    /// Ends the wait. For a message: true and the message, or false if the time is over; for a
    /// reservation: whether the channel was granted; otherwise true.
    virtual bool end(NodeId node, Reception& received) = 0;
};

}  // namespace equipoise::model
