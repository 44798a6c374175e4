#pragma once
// The context: all that a node program sees of the world.

#include <optional>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// A node's view of itself and of its channels, numbered by ports 0 .. degree()-1. Anonymous: a
/// program never learns a node's number. Copy it freely; it is two words.
template <NodeMessage Message>
class NodeContext {
  public:
    NodeContext(NodeHost& host, NodeId node) : host_(&host), node_(node) {}

    // ---- the node itself
    [[nodiscard]] Port degree() const { return host_->degree(node_); }
    /// Which end of the link behind a port this node is: the one bit in which its ends differ.
    [[nodiscard]] LinkEnd link_end(Port port) const { return host_->link_end(node_, port); }
    /// The tokens this node holds now: neither those it has sent nor those it has not yet received.
    [[nodiscard]] Tokens tokens() const { return host_->tokens(node_); }
    [[nodiscard]] Tokens speed() const { return host_->speed(node_); }
    /// Random words. Streams of different `draw` are independent; the program counts its draws in
    /// its state.
    [[nodiscard]] RandomStream random(Step draw) const { return host_->random(node_, draw); }

    // ---- sending
    /// Sends a message with its tokens; the channel holds any number of them.
    void send(Port port, const Message& message) const {
        host_->send(node_, port, MessageBytes::of(message));
    }
    /// Releases a reserved channel, which becomes free when everything that was sent on it has been
    /// delivered.
    void release(Port port) const { host_->release(node_, port); }
    /// Books tokens that arrive through a port, for programs whose packets may be lost or
    /// duplicated and therefore carry no tokens themselves: from now on they are this node's.
    void take_over(Port port, Tokens tokens) const {
        if (tokens != 0) host_->book(node_, port, -tokens);
    }
    /// Books tokens (possibly none) that the other end has taken over since this was last called
    /// for the port. Any difference between the two ends counts as made or lost.
    void hand_over(Port port, Tokens tokens) const { host_->book(node_, port, tokens); }

    // ---- what is already there
    /// The first message waiting at a port, if it is of one of these kinds.
    [[nodiscard]] std::optional<Message> poll(Port port, KindSet kinds = KindSet::all()) const {
        const std::optional<Received<Message>> received = take(port, kinds);
        if (!received) return std::nullopt;
        return received->message;
    }
    /// The first message waiting at any port, if one is of these kinds.
    [[nodiscard]] std::optional<Received<Message>> poll_any(KindSet kinds = KindSet::all()) const {
        return take(any_port, kinds);
    }

  private:
    [[nodiscard]] std::optional<Received<Message>> take(Port port, KindSet kinds) const {
        Received<Message> received;
        Reception reception{&received.message};
        if (!host_->poll(node_, port, kinds, reception)) return std::nullopt;
        received.port = reception.port;
        return received;
    }

    NodeHost* host_;
    NodeId node_;
};

}  // namespace equipoise::model
