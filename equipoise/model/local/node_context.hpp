#pragma once
// The context: all that a node program sees of the world.

#include <coroutine>
#include <optional>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// A node's view of itself and of its channels, numbered by ports 0 .. degree()-1. Anonymous: a
/// program never learns a node's number. Copy it freely; it is two words.
///
/// Every awaitable must be awaited at once, in the coroutine that made it:
///   `const Message message = co_await context.receive(port);`
template <NodeMessage Message>
class NodeContext {
  public:
    NodeContext(NodeHost<Message>& host, NodeId node) : host_(&host), node_(node) {}

    // ---- the node itself
    [[nodiscard]] Port degree() const { return host_->degree(node_); }
    /// Which end of the link behind a port this node is: the one bit in which its ends differ.
    [[nodiscard]] LinkEnd link_end(Port port) const { return host_->link_end(node_, port); }
    /// Tokens this node holds now: neither those it sent nor those it has not yet received.
    [[nodiscard]] Tokens tokens() const { return host_->tokens(node_); }
    [[nodiscard]] Tokens speed() const { return host_->speed(node_); }
    /// Random words. Streams of different `draw` are independent; the program counts its draws in
    /// its state, so that a recreated frame goes on drawing where the old one was.
    [[nodiscard]] RandomStream random(Step draw) const { return host_->random(node_, draw); }

    // ---- sending
    /// Sends a message with its tokens; the channel holds any number of them. Never suspends.
    void send(Port port, const Message& message) const { host_->send(node_, port, message); }
    /// Gives back a reserved channel: it becomes free when what was sent on it has been delivered.
    void release(Port port) const { host_->release(node_, port); }
    /// Books tokens that arrive through a port, for programs whose packets may be lost or doubled
    /// and therefore carry no tokens themselves: from now on they are this node's.
    void take_over(Port port, Tokens tokens) const {
        if (tokens != 0) host_->book(node_, port, -tokens);
    }
    /// Books tokens, or none, that the other end took over since this was last called for the port:
    /// any difference between the two ends has been made or lost.
    void hand_over(Port port, Tokens tokens) const { host_->book(node_, port, tokens); }

    // ---- what is already there
    /// The first message waiting at a port, if it is of one of these kinds.
    [[nodiscard]] std::optional<Message> poll(Port port, KindSet kinds = KindSet::all()) const {
        Received<Message> received;
        if (!host_->poll(node_, port, kinds, received)) return std::nullopt;
        return received.message;
    }
    /// The first message waiting at any port, if one is of these kinds.
    [[nodiscard]] std::optional<Received<Message>> poll_any(KindSet kinds = KindSet::all()) const {
        Received<Message> received;
        if (!host_->poll(node_, any_port, kinds, received)) return std::nullopt;
        return received;
    }

  private:
    /// Common to all awaitables, which hold as little as possible, since each await takes space in
    /// the frame.
    class Wait {
      public:
        Wait(const NodeContext& context, const Ask& ask)
            : context_(&context), ready_(context.host_->begin(context.node_, ask)) {}
        [[nodiscard]] bool await_ready() const noexcept { return ready_; }
        void await_suspend(std::coroutine_handle<> /*frame*/) const noexcept {}

      protected:
        bool end(Received<Message>& received) const {
            return context_->host_->end(context_->node_, received);
        }
        const NodeContext* context_;

      private:
        bool ready_;
    };
    struct Receive : Wait {
        using Wait::Wait;
        [[nodiscard]] Message await_resume() const {
            Received<Message> received;
            this->end(received);
            return received.message;
        }
    };
    struct ReceiveAny : Wait {
        using Wait::Wait;
        [[nodiscard]] Received<Message> await_resume() const {
            Received<Message> received;
            this->end(received);
            return received;
        }
    };
    struct ReceiveWithin : Wait {
        using Wait::Wait;
        [[nodiscard]] std::optional<Received<Message>> await_resume() const {
            Received<Message> received;
            if (!this->end(received)) return std::nullopt;
            return received;
        }
    };
    struct Reserve : Wait {
        using Wait::Wait;
        [[nodiscard]] bool await_resume() const {
            Received<Message> none;
            return this->end(none);
        }
    };
    struct WaitFor : Wait {
        using Wait::Wait;
        [[nodiscard]] Waited<Message> await_resume() const {
            Waited<Message> waited;
            waited.granted = this->end(waited.received);
            return waited;
        }
    };
    struct Pause : Wait {
        using Wait::Wait;
        void await_resume() const {
            Received<Message> none;
            this->end(none);
        }
    };

  public:
    // ---- waiting
    /// Waits for a message through a port (the paper's `wait`) of one of these kinds.
    [[nodiscard]] Receive receive(Port port, KindSet kinds = KindSet::all()) const {
        return Receive(*this, {for_ever, port, kinds, Ask::Verb::receive});
    }
    /// Waits for a message through any port (the paper's `waitany`) of one of these kinds.
    [[nodiscard]] ReceiveAny receive_any(KindSet kinds = KindSet::all()) const {
        return ReceiveAny(*this, {for_ever, any_port, kinds, Ask::Verb::receive});
    }
    /// As `receive_any`, for at most `within` ticks; nothing when the time is over.
    [[nodiscard]] ReceiveWithin receive_any_within(Ticks within,
                                                   KindSet kinds = KindSet::all()) const {
        return ReceiveWithin(*this, {within, any_port, kinds, Ask::Verb::receive});
    }
    /// Tries to reserve a channel, in both directions, against its other end; false: it is busy.
    [[nodiscard]] Reserve reserve(Port port) const {
        return Reserve(*this, {for_ever, port, KindSet(), Ask::Verb::reserve});
    }
    /// Waits until a channel is free and reserves it.
    [[nodiscard]] Pause acquire(Port port) const {
        return Pause(*this, {for_ever, port, KindSet(), Ask::Verb::acquire});
    }
    /// Waits for some ticks.
    [[nodiscard]] Pause sleep(Ticks ticks) const {
        return Pause(*this, {ticks, any_port, KindSet(), Ask::Verb::sleep});
    }

    /// Waits for whatever the state of a node stands for: a single wait for all states keeps the
    /// frame small.
    [[nodiscard]] WaitFor wait(const Ask& ask) const { return WaitFor(*this, ask); }

    /// Where this node's frame stands. For the coroutine's machinery, not for programs.
    [[nodiscard]] FrameSlab& frames() const { return host_->frames(node_); }

  private:
    NodeHost<Message>* host_;
    NodeId node_;
};

}  // namespace equipoise::model
