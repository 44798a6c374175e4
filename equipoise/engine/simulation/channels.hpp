#pragma once
// Messages on their way: when they arrive, and what adversaries and faulty channels do to them.

#include <cstdint>
#include <deque>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/message_slab.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// The arrival of a message.
struct Arrival {
    model::Ticks time = 0;
    NodeId node = no_node;              ///< to
    std::uint32_t in = LinkSide::none;  ///< the receiving side of the link
    std::uint32_t message = MessageSlab::none;
};

/// An arrival to come. `booked`: its time is the tick that a single-port receiver keeps for it.
struct Coming {
    Arrival arrival;
    bool booked = false;
};

/// All messages on the way, by their numbers in a slab. With unit delays and sound channels they
/// arrive in the order in which they are sent, and a ring is enough: cost O(1). Otherwise a heap:
/// cost O(log messages).
///
/// Messages that an adversary holds back arrive when no other message is on its way; no time passes
/// while all are held back. If programs never fall silent there always are others: messages that
/// are held back are then only late, and of the messages of one moment the newest arrives first.
///
/// With single ports messages leave a node in the order in which it sends them, one a tick, and
/// wait for their receiver in the order in which they come: no port idles while one waits for it.
class Channels {
  public:
    /// Options, messages and sides must outlive it. `never_silent`: there will always be messages.
    Channels(const SimulationOptions& options, const network::Network& network,
             MessageSlab& messages, Mailboxes& sides, bool never_silent);

    /// Whether messages then arrive in the order in which they are sent, a tick later.
    [[nodiscard]] static bool keeps_order(const SimulationOptions& options) {
        return options.delays == DelayModel::unit && !options.single_port &&
               !options.faults.any() && !options.churns && options.replays == nullptr &&
               options.adversary.kind == Adversary::Kind::none;
    }
    /// Whether messages arrive in this order here.
    [[nodiscard]] bool in_order() const { return in_order_; }
    [[nodiscard]] bool empty() const { return in_order_ ? ring_.empty() : heap_.empty(); }
    /// The arrivals to come, if they are in order.
    [[nodiscard]] const EventRing<Arrival>& ring() const { return ring_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::uint64_t duplicated() const { return duplicated_; }
    [[nodiscard]] std::uint64_t memory_bytes() const {
        return (last_arrival_.size() + send_free_.size() + receive_free_.size()) *
               sizeof(model::Ticks);
    }

    /// Sends a message; only for channels that are in order.
    void send_in_order(std::uint32_t out, const Arrival& arrival) {
        ++sides_[out].on_the_way;
        ring_.push(arrival);
        ++scheduled_;
    }
    /// Sends a message in any world. Throws UnsuitableError when it carries tokens into a faulty
    /// channel.
    void send(NodeId from, std::uint32_t out, const Arrival& arrival, model::Ticks now);
    /// Puts a message into a channel as if it had always been there.
    void plant(NodeId from, std::uint32_t out, const Arrival& arrival);
    /// Drops what is on the way to or from a node. Cost O(messages).
    void drop_all_of(NodeId node);

    /// The time of the next arrival, at least `now`. Requires that a message is on its way.
    [[nodiscard]] model::Ticks next_arrival(model::Ticks now) {
        return in_order_ ? ring_.front().time : next_of_heap(now);
    }
    /// Takes the next message off its way.
    [[nodiscard]] Arrival take(model::Ticks now) {
        if (!in_order_) return take_from_heap(now);
        const Arrival arrival = ring_.front();
        ring_.pop();
        return arrival;
    }

    /// Whether a message is on the way to a side; only if a recorded order is played.
    [[nodiscard]] bool holds(std::uint32_t in) const { return !stacked_[in].empty(); }
    /// Takes the first message on the way to a side off its way.
    [[nodiscard]] std::uint32_t take_held(std::uint32_t in);

    /// Visits every message on the way.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < ring_.size(); ++i)
            visit(ring_.peek(i).message);
        if (stacks())
            for (const auto& queue : stacked_)
                for (const std::uint32_t message : queue)
                    visit(message);
        else
            heap_.for_each([&](const Coming& coming) { visit(coming.arrival.message); });
    }

  private:
    [[nodiscard]] bool newest_first() const {
        return options_.adversary.kind == Adversary::Kind::newest_first;
    }

    /// Whether messages wait by channel until something else says which one is next.
    [[nodiscard]] bool stacks() const { return newest_first() || options_.replays != nullptr; }

    void hold(std::uint32_t out, const Arrival& arrival);
    void schedule(NodeId from, std::uint32_t out, Arrival arrival, model::Ticks now,
                  bool keeps_place);
    void keep_waiting();
    [[nodiscard]] model::Ticks next_of_heap(model::Ticks now);
    [[nodiscard]] Arrival take_from_heap(model::Ticks now);
    void send_over_faulty_channel(NodeId from, std::uint32_t out, const Arrival& arrival,
                                  model::Ticks now);
    void lose(std::uint32_t message);

    const SimulationOptions& options_;
    MessageSlab& messages_;
    Mailboxes& sides_;
    RandomStream delay_random_;
    RandomStream fault_random_;
    bool in_order_;
    bool never_silent_;
    std::uint32_t slow_side_;

    EventRing<Arrival> ring_;
    EventHeap<Coming> heap_;
    std::vector<std::deque<std::uint32_t>> stacked_;  ///< by receiving side, see `stacks`
    std::vector<model::Ticks> last_arrival_;          ///< by sending side, with skipped time
    std::vector<model::Ticks> send_free_;             ///< by node: from when its port is free
    std::vector<model::Ticks> receive_free_;          ///< likewise, with skipped time
    model::Ticks skipped_ = 0;                        ///< in which all messages were held back
    std::uint64_t scheduled_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t duplicated_ = 0;
};

}  // namespace equipoise::engine
