#pragma once
// Messages on their way: when they arrive, and what adversaries and faulty channels do to them.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/adversary.hpp"
#include "equipoise/engine/simulation/delays.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/model/local/node_message.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// The arrival of a message.
template <model::NodeMessage Message>
struct Arrival {
    model::Ticks time = 0;
    NodeId node = no_node;              ///< to
    std::uint32_t in = LinkSide::none;  ///< the receiving side of the link
    Message message = {};
};

/// An arrival to come. `booked`: its time is the tick that a single-port receiver keeps for it.
template <model::NodeMessage Message>
struct Coming {
    Arrival<Message> arrival;
    bool booked = false;
};

/// All messages on the way. With unit delays and sound channels they arrive in the order in which
/// they are sent, and a ring is enough; otherwise a heap. Cost O(1), resp. O(log messages).
///
/// Messages that an adversary holds back arrive when no other is on its way; no time passes while
/// all wait for each other. Where programs never fall silent there are always others: such messages
/// are then late, and of the messages of one moment the newest arrives first.
///
/// With single ports messages leave a node in the order in which it sends them, one a tick, and
/// wait for their receiver in the order in which they come: no port idles while one waits for it.
template <model::NodeMessage Message>
class Transit {
  public:
    /// `sides` must outlive it. `never_silent`: there will always be messages.
    Transit(const SimulationOptions& options, const network::Network& network,
            Mailboxes<Message>& sides, bool never_silent = false)
        : options_(options),
          sides_(sides),
          delay_random_(options.seed, Purpose::delay),
          fault_random_(options.seed, Purpose::fault),
          in_order_(options.delays == DelayModel::unit && !options.single_port &&
                    !options.faults.any() && !options.churns && options.replays == nullptr &&
                    options.adversary.kind == Adversary::Kind::none),
          never_silent_(never_silent),
          slow_side_(slow_side(options.adversary, network, sides)) {
        if (!in_order_) last_arrival_.resize(sides.side_count());
        if (stacks()) stacked_.resize(sides.side_count());
        if (options.single_port) {
            send_free_.resize(network.node_count());
            receive_free_.resize(network.node_count());
        }
    }

    /// Whether messages arrive in the order in which they are sent, a tick later.
    [[nodiscard]] bool in_order() const { return in_order_; }
    [[nodiscard]] bool empty() const { return in_order_ ? ring_.empty() : heap_.empty(); }
    /// The arrivals to come, where they are in order.
    [[nodiscard]] const EventRing<Arrival<Message>>& ring() const { return ring_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::uint64_t duplicated() const { return duplicated_; }
    [[nodiscard]] std::uint64_t memory_bytes() const {
        return (last_arrival_.size() + send_free_.size() + receive_free_.size()) *
               sizeof(model::Ticks);
    }

    /// Sends a message where messages are in order.
    void send_in_order(std::uint32_t out, const Arrival<Message>& arrival) {
        ++sides_[out].on_the_way;
        ring_.push(arrival);
        ++scheduled_;
    }
    /// Sends a message in any world. Throws UnsuitableError when it carries tokens into a faulty
    /// channel.
    void send(NodeId from, std::uint32_t out, const Arrival<Message>& arrival, model::Ticks now) {
        if (options_.replays != nullptr)
            hold(out, arrival);
        else if (options_.faults.any())
            send_over_faulty_channel(from, out, arrival, now);
        else
            schedule(from, out, arrival, now, true);
    }
    /// Puts a message into a channel as if it had always been there.
    void plant(NodeId from, std::uint32_t out, const Arrival<Message>& arrival) {
        schedule(from, out, arrival, 0, true);
    }
    /// Drops what is on the way to or from a node. Cost O(messages).
    void drop_all_of(NodeId node) {
        EQUIPOISE_ASSERT(!in_order_);
        heap_.erase_if([&](const Coming<Message>& coming) {
            const Arrival<Message>& arrival = coming.arrival;
            const LinkSide& in = sides_[arrival.in];
            if (arrival.node != node && in.neighbour != node) return false;
            --sides_[in.reverse].on_the_way;
            if (newest_first()) stacked_[arrival.in].pop_front();
            return true;
        });
    }

    /// When the next message arrives, at least `now`; there is one.
    [[nodiscard]] model::Ticks next_arrival(model::Ticks now) {
        if (in_order_) return ring_.front().time;
        if (newest_first()) return never_silent_ ? now : now + 1;
        if (options_.single_port) keep_waiting();
        const model::Ticks time = heap_.front().arrival.time - skipped_;
        const bool all_held = options_.adversary.kind == Adversary::Kind::hold_kinds &&
                              !never_silent_ && time > now + held_back / 2;
        return all_held ? now + 1 : time;
    }
    /// Takes the next message off its way.
    [[nodiscard]] Arrival<Message> take(model::Ticks now) {
        if (in_order_) {
            const Arrival<Message> arrival = ring_.front();
            ring_.pop();
            return arrival;
        }
        const model::Ticks time = next_arrival(now);
        const bool booked = heap_.front().booked;
        Arrival<Message> arrival = heap_.front().arrival;
        if (options_.single_port && !booked) receive_free_[arrival.node] = arrival.time + 1;
        if (!newest_first()) skipped_ = arrival.time - time;
        arrival.time = time;
        heap_.pop();
        if (newest_first()) {
            arrival.message = stacked_[arrival.in].front();
            stacked_[arrival.in].pop_front();
        }
        return arrival;
    }

    /// Whether a message is on the way to a side, where a recorded order is played.
    [[nodiscard]] bool holds(std::uint32_t in) const { return !stacked_[in].empty(); }
    /// Takes the first message on the way to a side off its way.
    [[nodiscard]] Message take_held(std::uint32_t in) {
        const Message message = stacked_[in].front();
        stacked_[in].pop_front();
        return message;
    }

    /// Visits every message on the way.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < ring_.size(); ++i)
            visit(ring_.peek(i).message);
        if (stacks())
            for (const auto& queue : stacked_)
                for (const Message& message : queue)
                    visit(message);
        else
            heap_.for_each([&](const Coming<Message>& coming) { visit(coming.arrival.message); });
    }

  private:
    [[nodiscard]] bool newest_first() const {
        return options_.adversary.kind == Adversary::Kind::newest_first;
    }

    /// Whether messages wait by channel until something else says which one is next.
    [[nodiscard]] bool stacks() const { return newest_first() || options_.replays != nullptr; }

    void hold(std::uint32_t out, const Arrival<Message>& arrival) {
        ++sides_[out].on_the_way;
        stacked_[arrival.in].push_back(arrival.message);
    }
    void schedule(NodeId from, std::uint32_t out, Arrival<Message> arrival, model::Ticks now,
                  bool keeps_place) {
        model::Ticks starts = now;
        if (options_.single_port) {
            starts = std::max(starts, send_free_[from]);
            send_free_[from] = starts + 1;
        }
        // Kept as if no time had been skipped, so that channels keep their order.
        model::Ticks time =
            skipped_ + starts +
            hinder(options_.adversary, draw_delay(options_, delay_random_, scheduled_), from,
                   arrival.node, out == slow_side_, arrival.message.kind,
                   never_silent_ ? held_back_amid_others : held_back);
        if (keeps_place) {
            time = std::max(time, last_arrival_[out]);
            last_arrival_[out] = time;
        } else {
            time += 1 + fault_random_.below(8);  // later ones may overtake it
        }
        ++sides_[out].on_the_way;
        arrival.time = time;
        if (newest_first()) {
            stacked_[arrival.in].push_back(arrival.message);
            heap_.push(~scheduled_, {arrival});
        } else {
            heap_.push(time, {arrival});
        }
        ++scheduled_;
    }
    /// What has come to a node that takes another message in that tick waits for the next free one.
    void keep_waiting() {
        while (!heap_.front().booked &&
               heap_.front().arrival.time < receive_free_[heap_.front().arrival.node]) {
            Coming<Message> coming = heap_.front();
            coming.arrival.time = receive_free_[coming.arrival.node]++;
            coming.booked = true;
            heap_.pop();
            heap_.push(coming.arrival.time, coming);
        }
    }

    void send_over_faulty_channel(NodeId from, std::uint32_t out, const Arrival<Message>& arrival,
                                  model::Ticks now) {
        const FaultPlan& faults = options_.faults;
        if (arrival.message.tokens() != 0)
            throw UnsuitableError(
                "simulation: a program whose messages carry tokens needs channels without faults");
        const bool sound = now >= faults.until;
        if (!sound && fault_random_.unit() < faults.loss) {
            ++lost_;
            return;
        }
        const bool keeps_place = sound || !(fault_random_.unit() < faults.reorder);
        const bool twice = !sound && fault_random_.unit() < faults.duplicate;
        if (twice) ++duplicated_;
        for (int copy = 0; copy < (twice ? 2 : 1); ++copy) {
            if (faults.capacity > 0 && sides_[out].on_the_way >= faults.capacity)
                ++lost_;
            else
                schedule(from, out, arrival, now, keeps_place && copy == 0);
        }
    }

    const SimulationOptions& options_;
    Mailboxes<Message>& sides_;
    RandomStream delay_random_;
    RandomStream fault_random_;
    bool in_order_;
    bool never_silent_;
    std::uint32_t slow_side_;

    EventRing<Arrival<Message>> ring_;
    EventHeap<Coming<Message>> heap_;
    std::vector<std::deque<Message>> stacked_;  ///< messages by receiving side, see `stacks`
    std::vector<model::Ticks> last_arrival_;    ///< by sending side, with skipped time
    std::vector<model::Ticks> send_free_;       ///< by node: from when its port is free
    std::vector<model::Ticks> receive_free_;    ///< likewise, with skipped time
    model::Ticks skipped_ = 0;                  ///< in which all messages were held back
    std::uint64_t scheduled_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t duplicated_ = 0;
};

}  // namespace equipoise::engine
