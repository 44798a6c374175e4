#include "equipoise/engine/simulation/channels.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/simulation/adversary.hpp"
#include "equipoise/engine/simulation/delays.hpp"

namespace equipoise::engine {

Channels::Channels(const SimulationOptions& options, const network::Network& network,
                   MessageSlab& messages, Mailboxes& sides, bool never_silent)
    : options_(options),
      messages_(messages),
      sides_(sides),
      delay_random_(options.seed, Purpose::delay),
      fault_random_(options.seed, Purpose::fault),
      in_order_(keeps_order(options)),
      never_silent_(never_silent),
      slow_side_(slow_side(options.adversary, network, sides)) {
    if (!in_order_) last_arrival_.resize(sides.side_count());
    if (stacks()) stacked_.resize(sides.side_count());
    if (options.single_port) {
        send_free_.resize(network.node_count());
        receive_free_.resize(network.node_count());
    }
}

// ---- sending

void Channels::send(NodeId from, std::uint32_t out, const Arrival& arrival, model::Ticks now) {
    if (options_.replays != nullptr)
        hold(out, arrival);
    else if (options_.faults.any())
        send_over_faulty_channel(from, out, arrival, now);
    else
        schedule(from, out, arrival, now, true);
}

void Channels::plant(NodeId from, std::uint32_t out, const Arrival& arrival) {
    schedule(from, out, arrival, 0, true);
}

void Channels::hold(std::uint32_t out, const Arrival& arrival) {
    ++sides_[out].on_the_way;
    stacked_[arrival.in].push_back(arrival.message);
}

void Channels::schedule(NodeId from, std::uint32_t out, Arrival arrival, model::Ticks now,
                        bool keeps_place) {
    model::Ticks starts = now;
    if (options_.single_port) {
        starts = std::max(starts, send_free_[from]);
        send_free_[from] = starts + 1;
    }
    // Times are kept as if no time had been skipped, so that channels keep their order.
    model::Ticks time =
        skipped_ + starts +
        hinder(options_.adversary, draw_delay(options_, delay_random_, scheduled_), from,
               arrival.node, out == slow_side_, messages_.kind(arrival.message),
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

void Channels::send_over_faulty_channel(NodeId from, std::uint32_t out, const Arrival& arrival,
                                        model::Ticks now) {
    const FaultPlan& faults = options_.faults;
    if (messages_.tokens(arrival.message) != 0)
        throw UnsuitableError(
            "simulation: a program whose messages carry tokens needs channels without faults");
    const bool sound = now >= faults.until;
    if (!sound && fault_random_.unit() < faults.loss) {
        lose(arrival.message);
        return;
    }
    const bool keeps_place = sound || !(fault_random_.unit() < faults.reorder);
    const bool twice = !sound && fault_random_.unit() < faults.duplicate;
    Arrival second = arrival;
    if (twice) {
        ++duplicated_;
        second.message = messages_.copy(arrival.message);
    }
    const auto put = [&](const Arrival& copy, bool keeps) {
        if (faults.capacity > 0 && sides_[out].on_the_way >= faults.capacity)
            lose(copy.message);
        else
            schedule(from, out, copy, now, keeps);
    };
    put(arrival, keeps_place);
    if (twice) put(second, false);
}

void Channels::lose(std::uint32_t message) {
    messages_.drop(message);
    ++lost_;
}

void Channels::drop_all_of(NodeId node) {
    EQUIPOISE_ASSERT(!in_order_);
    heap_.erase_if([&](const Coming& coming) {
        const Arrival& arrival = coming.arrival;
        const LinkSide& in = sides_[arrival.in];
        if (arrival.node != node && in.neighbour != node) return false;
        --sides_[in.reverse].on_the_way;
        messages_.drop(newest_first() ? take_held(arrival.in) : arrival.message);
        return true;
    });
}

// ---- arriving

model::Ticks Channels::next_of_heap(model::Ticks now) {
    if (newest_first()) return never_silent_ ? now : now + 1;
    if (options_.single_port) keep_waiting();
    const model::Ticks time = heap_.front().arrival.time - skipped_;
    const bool all_held = options_.adversary.kind == Adversary::Kind::hold_kinds &&
                          !never_silent_ && time > now + held_back / 2;
    return all_held ? now + 1 : time;
}

Arrival Channels::take_from_heap(model::Ticks now) {
    const model::Ticks time = next_of_heap(now);
    const bool booked = heap_.front().booked;
    Arrival arrival = heap_.front().arrival;
    if (options_.single_port && !booked) receive_free_[arrival.node] = arrival.time + 1;
    if (!newest_first()) skipped_ = arrival.time - time;
    arrival.time = time;
    heap_.pop();
    if (newest_first()) arrival.message = take_held(arrival.in);
    return arrival;
}

std::uint32_t Channels::take_held(std::uint32_t in) {
    const std::uint32_t message = stacked_[in].front();
    stacked_[in].pop_front();
    return message;
}

// Messages that arrive at a node in a tick in which it receives another wait for its next free
// tick.
void Channels::keep_waiting() {
    while (!heap_.front().booked &&
           heap_.front().arrival.time < receive_free_[heap_.front().arrival.node]) {
        Coming coming = heap_.front();
        coming.arrival.time = receive_free_[coming.arrival.node]++;
        coming.booked = true;
        heap_.pop();
        heap_.push(coming.arrival.time, coming);
    }
}

}  // namespace equipoise::engine
