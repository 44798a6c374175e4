#pragma once
// Node programs across ranks: every rank runs the coroutines of its own nodes.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/ranks/item_stacks.hpp"
#include "equipoise/engine/ranks/rank_blocks.hpp"
#include "equipoise/engine/ranks/rank_post.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/simulation/event_queue.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/model/local/node_faults.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

// Problem: run a node program on nodes that live on several ranks, as the simulation would.
// Model: channels of any delay, first in, first out; nodes of a rank take turns.
// Source: Lamport 1978 for the clocks of nodes, by which the order of events is written down.
// Channels: a link's permit is at one of its ends. Who has it holds the channel at once; who has
//   not asks for it and gets it when the other end does not hold the channel: behind all that was
//   sent there before, so that these messages have been delivered. An end may take its channel
//   again before what it sent is delivered.
// Clocks: a tick is a turn in which something was handled, or 100 microseconds without anything.
// Events: a start, an arrival, the end of a timer, a channel granted or refused. What a node does
// is
//   a function of its own events in their order, which is why the simulation can play them.
// Cost: O(1) an event; 24 bytes beside every message.
template <model::NodeProgram Program>
class RankHost final : public model::NodeHost<typename Program::Message> {
  public:
    using Message = typename Program::Message;
    using State = typename Program::State;
    using PortState = typename Program::PortState;

    /// `loads`, and `items` where there are any, are those of the rank's own nodes
    /// (`RankBlocks`). Program, network and transport must outlive the host.
    RankHost(const Program& program, const network::Network& network, std::span<const Tokens> loads,
             Transport& transport, const RankOptions& options)
        : program_(program),
          options_(options),
          blocks_{network.node_count(), transport.ranks()},
          begin_(blocks_.first(transport.rank())),
          post_(transport, model::Settles<Program>),
          sides_(network, begin_, blocks_.first(transport.rank() + 1)),
          items_(options.item_bytes, loads.size(), sides_.side_count()) {
        EQUIPOISE_ASSERT(loads.size() == blocks_.first(transport.rank() + 1) - begin_);
        nodes_.resize(loads.size());
        states_.resize(loads.size());
        ports_.resize(sides_.side_count());
        books_.resize(sides_.side_count());
        channels_.resize(sides_.side_count());
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            nodes_[v].tokens = loads[v];
            for (Port port = 0; port < degree(v); ++port) {
                const std::uint32_t side = sides_.first(v) + port;
                const auto back = network::port_to(network, sides_[side].neighbour, begin_ + v);
                EQUIPOISE_ASSERT(back.has_value());
                channels_[side].port_there = *back;
                channels_[side].has_permit = link_end(v, port) == model::LinkEnd::tail;
            }
        }
    }

    [[nodiscard]] ItemStacks& items() { return items_; }
    [[nodiscard]] RankPost& post() { return post_; }

    /// Plays until the ranks part: all programs have ended or wait for messages of which there are
    /// none, or nothing can move any more, for programs that can tell; or some rank was interrupted
    /// or failed. Collective. Answers what went wrong on this rank, if anything did: then the ranks
    /// must agree on it before the report is read.
    [[nodiscard]] std::exception_ptr play() {
        std::exception_ptr error;
        try {
            start();
            while (!post_.parting())
                turn();
        } catch (...) {
            error = std::current_exception();
            if (!post_.parting()) post_.part(Parting::failed);
        }
        for (unsigned idle = 0; !post_.parted(); RankPost::pause(++idle))
            static_cast<void>(post_.turn([&](const auto& label, auto body) {
                if (label.content == RankPost::Content::audit) audit(label, body);
            }));
        return error;
    }

    /// What this rank knows at the end.
    [[nodiscard]] RankReport take_report() {
        RankReport report;
        report.figures = figures_;
        const bool complete = post_.reason() < Parting::interrupted;
        if (!complete) report.figures.links_at_odds = 0;
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            const Node& node = nodes_[v];
            Tokens load = node.tokens;
            for (Port port = 0; port < degree(v); ++port) {
                const Book& book = books_[side_of(v, port)];
                if (!complete) load += book.given;
                const Tokens theirs = complete ? book.waiting : -book.taken;
                if (theirs != 0)
                    report.corrections.push_back({sides_[side_of(v, port)].neighbour, theirs});
            }
            report.loads.push_back(load);
            report.figures.time = std::max(report.figures.time, node.clock);
            if (node.done) ++report.figures.nodes_done;
        }
        report.events = std::move(events_);
        return report;
    }

    // ---- the host's side of the contract; nodes are numbered from 0 on every rank
    [[nodiscard]] Port degree(NodeId node) const override { return sides_.degree(node); }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override {
        return begin_ + node < sides_[side_of(node, port)].neighbour ? model::LinkEnd::tail
                                                                     : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId node) const override { return nodes_[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId node) const override {
        return options_.speeds.empty() ? 1 : options_.speeds[begin_ + node];
    }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {options_.seed, Purpose::program, begin_ + node, draw};
    }

    void send(NodeId v, Port port, const Message& message) override {
        const Tokens carried = message.tokens();
        Node& node = nodes_[v];
        EQUIPOISE_ASSERT(carried >= 0 && carried <= node.tokens);
        const std::uint32_t side = side_of(v, port);
        ++figures_.messages;
        if constexpr (requires { message.bits(); })
            figures_.largest_message_bits =
                std::max<std::uint64_t>(figures_.largest_message_bits, message.bits());
        if (carried > 0) give(v, side, carried);
        put(side, RankPost::Content::message, node.clock, &message, sizeof(Message));
    }

    void book(NodeId v, Port port, Tokens leaving) override {
        EQUIPOISE_ASSERT(leaving <= nodes_[v].tokens);
        if (leaving > 0)
            give(v, side_of(v, port), leaving);
        else if (leaving < 0)
            take(v, side_of(v, port), -leaving);
    }

    void release(NodeId v, Port port) override {
        Channel& channel = channels_[side_of(v, port)];
        EQUIPOISE_ASSERT(channel.held);
        channel.held = false;
        if (channel.wanted) give_permit(v, side_of(v, port));
    }

    bool poll(NodeId v, Port port, model::KindSet kinds,
              model::Received<Message>& received) override {
        const std::uint32_t in = sides_.find(v, nodes_[v].ready, port, kinds);
        if (in == none) return false;
        receive(v, in, received);
        return true;
    }

    bool begin(NodeId v, const model::Ask& ask) override {
        Node& node = nodes_[v];
        node.ask = ask;
        node.time_over = false;
        node.found = none;
        ++node.timer;
        switch (ask.verb) {
            case model::Ask::Verb::receive:
                node.found = sides_.find(v, node.ready, ask.port, ask.kinds);
                if (node.found != none) return true;
                break;
            case model::Ask::Verb::reserve:
            case model::Ask::Verb::acquire:
                if (asks_for_channel(v, side_of(v, ask.port))) return true;
                break;
            case model::Ask::Verb::sleep:
                break;
        }
        node.suspended = true;
        if (ask.within != model::for_ever)
            timers_.push(now_ + ask.within, {now_ + ask.within, v, node.timer});
        return false;
    }

    bool end(NodeId v, model::Received<Message>& received) override {
        Node& node = nodes_[v];
        node.suspended = false;
        switch (node.ask.verb) {
            case model::Ask::Verb::receive:
                if (node.found == none) return false;
                receive(v, node.found, received);
                return true;
            case model::Ask::Verb::reserve:
                return node.granted;
            default:
                return true;
        }
    }

    [[nodiscard]] model::FrameSlab& frames(NodeId /*node*/) override { return slab_; }

  private:
    using Content = RankPost::Content;
    using Label = RankPost::Label;
    static constexpr std::uint32_t none = LinkSide::none;

    struct Node {
        model::Ask ask;
        model::NodeTask task;
        Tokens tokens = 0;
        std::uint64_t clock = 0;  ///< of its last event
        ReadyPorts ready;
        std::uint32_t found = none;  ///< the side whose message fulfils the present wait
        std::uint32_t timer = 0;     ///< number of the present wait: older timers are stale
        bool suspended = false;
        bool time_over = false;
        bool granted = false;  ///< the channel that was asked for last
        bool done = false;
    };
    /// This end of a link.
    struct Channel {
        Port port_there = 0;
        bool has_permit = false;
        bool held = false;    ///< by this end
        bool wanted = false;  ///< by the other, when it is held no more
    };
    /// Tokens that crossed a link, as this end booked them.
    struct Book {
        Tokens given = 0;
        Tokens taken = 0;
        Tokens waiting = 0;  ///< arrived in messages that the node has not received
    };
    struct Timer {
        model::Ticks due = 0;
        NodeId node = no_node;
        std::uint32_t number = 0;
    };
    /// What one end of a link tells the other so that it can judge whether the link is settled.
    struct Comparison {
        Tokens tokens = 0;
        PortState port = {};
    };
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::microseconds idle_tick{100};

    [[nodiscard]] std::uint32_t side_of(NodeId node, Port port) const {
        EQUIPOISE_HEAVY_ASSERT(port < degree(node));
        return sides_.first(node) + port;
    }

    // ---- the life of a rank
    void start() {
        for (NodeId v = 0; v < nodes_.size(); ++v)
            nodes_[v].task = program_(model::NodeContext<Message>(*this, v), states_[v],
                                      std::span(ports_.data() + sides_.first(v), degree(v)));
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            if (options_.keeps_order) events_.push_back({0, 0, begin_ + v, begin_ + v, 0, 0});
            resume(v);
        }
        last_tick_ = Clock::now();
    }

    void turn() {
        if (options_.interrupt.stop_requested()) return post_.part(Parting::interrupted);
        const bool handled =
            post_.turn([&](const Label& label, auto body) { handle(label, body); });
        if (post_.parting()) return;
        const bool acted = tick(handled) || handled;
        obey(post_.take_verdict());
        if (post_.parting()) return;
        count(acted);
        idle_turns_ = acted ? 0 : idle_turns_ + 1;
        if (!acted && post_.ranks() > 1) RankPost::pause(idle_turns_);
    }

    /// Lets the local clock go on and ends timers that are due; whether there were any.
    bool tick(bool handled) {
        drop_stale_timers();
        if (handled) {
            ++now_;
        } else if (!timers_.empty() && post_.ranks() == 1) {
            now_ = std::max(now_, timers_.front().due);
        } else if (!timers_.empty() && Clock::now() - last_tick_ >= idle_tick) {
            ++now_;
            last_tick_ = Clock::now();
        }
        if (handled) last_tick_ = Clock::now();
        bool ended = false;
        for (; !timers_.empty() && timers_.front().due <= now_; drop_stale_timers()) {
            const NodeId v = timers_.front().node;
            timers_.pop();
            ended = true;
            nodes_[v].time_over = true;
            note(v, nodes_[v].clock + 1, model::clock_event);
            resume(v);
        }
        return ended;
    }
    void drop_stale_timers() {
        while (!timers_.empty() && (timers_.front().number != nodes_[timers_.front().node].timer ||
                                    nodes_[timers_.front().node].done))
            timers_.pop();
    }

    // ---- rounds of counting
    /// Joins a round when there is nothing to do; programs that never fall silent, now and then.
    void count(bool acted) {
        if (!post_.may_join()) return;
        if constexpr (model::Settles<Program>) {
            if (acted && ++turns_counted_ % 8 != 0) return;
            if (comparing_ && compared_ < sides_.side_count()) return;
        } else if (acted || !timers_.empty()) {
            return;
        }
        RankCount mine;
        mine.open = timers_.empty() ? 0 : 1;
        mine.moved = moved_;
        mine.in_doubt = in_doubt_;
        mine.items = items_under_way_;
        mine.unsettled = std::exchange(unsettled_, 0);
        compared_ = 0;
        comparing_ = false;
        post_.join(mine);
    }
    void obey(RankPost::Verdict verdict) {
        switch (verdict) {
            case RankPost::Verdict::go_on:
                return;
            case RankPost::Verdict::compare:
                comparing_ = true;
                if constexpr (model::Settles<Program>)
                    for (NodeId v = 0; v < nodes_.size(); ++v)
                        for (Port port = 0; port < degree(v); ++port) {
                            const Comparison here{nodes_[v].tokens, ports_[side_of(v, port)]};
                            put(side_of(v, port), Content::comparison, 0, &here, sizeof(here));
                        }
                return;
            case RankPost::Verdict::quiet:
            case RankPost::Verdict::settled:
                for (std::uint32_t side = 0; side < sides_.side_count(); ++side)
                    put(side, Content::audit, 0, &books_[side].given, sizeof(Tokens));
                post_.part(verdict == RankPost::Verdict::quiet ? Parting::quiet : Parting::settled);
        }
    }

    // ---- what arrives
    void handle(const Label& label, std::span<const std::byte> body) {
        const NodeId v = label.to - begin_;
        const std::uint32_t side = side_of(v, label.port);
        switch (label.content) {
            case Content::message:
                return arrive(v, side, label.clock, read<Message>(body));
            case Content::acquisition:
            case Content::reservation:
                return answer(v, side, label.content);
            case Content::permit:
                channels_[side].has_permit = true;
                return be_answered(v, side, label.clock, true);
            case Content::busy:
                return be_answered(v, side, label.clock, false);
            case Content::items:
                --items_under_way_;
                return add_items(v, body);
            case Content::comparison:
                return compare(v, side, body);
            case Content::audit:
                return audit(label, body);
        }
    }
    template <class T>
    [[nodiscard]] static T read(std::span<const std::byte> body) {
        T value = {};
        EQUIPOISE_ASSERT(body.size() == sizeof(T));
        std::memcpy(&value, body.data(), sizeof(T));
        return value;
    }
    void arrive(NodeId v, std::uint32_t in, std::uint64_t sent, const Message& message) {
        Node& node = nodes_[v];
        node.clock = std::max(node.clock, sent) + 1;
        ++figures_.events;
        if (options_.keeps_order)
            events_.push_back({sent, node.clock, sides_[in].neighbour, begin_ + v,
                               static_cast<std::uint32_t>(message.kind), message.tokens()});
        books_[in].waiting += message.tokens();
        const bool first = sides_.arrive(node.ready, in, message);
        const model::Ask& ask = node.ask;
        if (!first || !node.suspended || ask.verb != model::Ask::Verb::receive ||
            !ask.kinds.contains(message.kind) ||
            (ask.port != model::any_port && in != side_of(v, ask.port)))
            return;
        node.found = in;
        resume(v);
    }
    void compare(NodeId v, std::uint32_t side, std::span<const std::byte> body) {
        if constexpr (model::Settles<Program>) {
            const auto there = read<Comparison>(body);
            ++compared_;
            if (!program_.settled(nodes_[v].tokens, ports_[side], there.tokens, there.port))
                ++unsettled_;
        }
    }
    void audit(const Label& label, std::span<const std::byte> body) {
        const std::uint32_t side = side_of(label.to - begin_, label.port);
        if (books_[side].taken + books_[side].waiting != read<Tokens>(body))
            ++figures_.links_at_odds;
    }

    // ---- tokens and items
    /// Tokens leave a node towards the other end of a link, and with them as many items.
    void give(NodeId v, std::uint32_t side, Tokens tokens) {
        nodes_[v].tokens -= tokens;
        books_[side].given += tokens;
        figures_.exchanges += static_cast<std::uint64_t>(tokens);
        ++moved_;
        in_doubt_ -= tokens;
        if (!items_.any()) return;
        items_.owe(v, side, static_cast<std::uint64_t>(tokens));
        send_items(v, side);
    }
    void take(NodeId v, std::uint32_t side, Tokens tokens) {
        nodes_[v].tokens += tokens;
        books_[side].taken += tokens;
        ++moved_;
        in_doubt_ += tokens;
    }
    void receive(NodeId v, std::uint32_t in, model::Received<Message>& received) {
        received = {sides_.take(nodes_[v].ready, in), in - sides_.first(v)};
        const Tokens carried = received.message.tokens();
        if (carried == 0) return;
        books_[in].waiting -= carried;
        take(v, in, carried);
    }
    void send_items(NodeId v, std::uint32_t side) {
        for (auto bytes = items_.pay(v, side); !bytes.empty(); bytes = items_.pay(v, side)) {
            ++moved_;
            ++items_under_way_;
            put(side, Content::items, 0, bytes.data(), bytes.size());
        }
    }
    void add_items(NodeId v, std::span<const std::byte> bytes) {
        items_.add(v, bytes);
        if (!items_.owes(v)) return;
        for (Port port = 0; port < degree(v); ++port)
            send_items(v, side_of(v, port));
    }

    // ---- channels
    /// Whether the channel is now held; otherwise the other end has been asked for it.
    bool asks_for_channel(NodeId v, std::uint32_t side) {
        Channel& channel = channels_[side];
        Node& node = nodes_[v];
        EQUIPOISE_ASSERT(!channel.held);
        if (!channel.has_permit) {
            put(side,
                node.ask.verb == model::Ask::Verb::reserve ? Content::reservation
                                                           : Content::acquisition,
                node.clock, nullptr, 0);
            return false;
        }
        channel.held = true;
        node.granted = true;
        note(v, std::max<std::uint64_t>(node.clock, 1), model::granted_event);
        return true;
    }
    /// The other end asks for the channel.
    void answer(NodeId v, std::uint32_t side, Content content) {
        Channel& channel = channels_[side];
        EQUIPOISE_ASSERT(channel.has_permit);
        if (!channel.held)
            give_permit(v, side);
        else if (content == Content::reservation)
            put(side, Content::busy, nodes_[v].clock, nullptr, 0);
        else
            channel.wanted = true;
    }
    void give_permit(NodeId v, std::uint32_t side) {
        channels_[side].has_permit = false;
        channels_[side].wanted = false;
        put(side, Content::permit, nodes_[v].clock, nullptr, 0);
    }
    void be_answered(NodeId v, std::uint32_t side, std::uint64_t sent, bool granted) {
        Node& node = nodes_[v];
        channels_[side].held = granted;
        node.granted = granted;
        note(v, std::max(node.clock, sent) + 1,
             granted ? model::granted_event : model::refused_event);
        resume(v);
    }

    // ---- nodes
    void put(std::uint32_t side, Content content, std::uint64_t clock, const void* body,
             std::size_t bytes) {
        const NodeId to = sides_[side].neighbour;
        post_.put(
            blocks_.owner(to),
            {to, channels_[side].port_there, clock, content, static_cast<std::uint32_t>(bytes)},
            body);
    }
    /// An event of a node that is no arrival of a message.
    void note(NodeId v, std::uint64_t time, std::uint32_t event) {
        nodes_[v].clock = time;
        ++figures_.events;
        if (options_.keeps_order) events_.push_back({time, time, begin_ + v, begin_ + v, event, 0});
    }
    void resume(NodeId v) {
        nodes_[v].task.resume();
        if (!nodes_[v].task.done()) return;
        nodes_[v].done = true;
        nodes_[v].suspended = false;
        nodes_[v].task.clear();
    }

    const Program& program_;
    RankOptions options_;
    RankBlocks blocks_;
    NodeId begin_;  ///< the number of this rank's first node
    RankPost post_;

    model::FrameSlab slab_;  // outlives the nodes' tasks
    std::vector<Node> nodes_;
    std::vector<State> states_;
    Mailboxes<Message> sides_;
    std::vector<PortState> ports_;
    std::vector<Channel> channels_;
    std::vector<Book> books_;
    ItemStacks items_;
    EventHeap<Timer> timers_;

    model::Ticks now_ = 0;
    Clock::time_point last_tick_;
    unsigned idle_turns_ = 0;
    std::uint64_t turns_counted_ = 0;

    std::int64_t moved_ = 0;
    std::int64_t in_doubt_ = 0;         ///< tokens taken less tokens given
    std::int64_t items_under_way_ = 0;  ///< contents of items sent less received
    std::int64_t unsettled_ = 0;
    std::uint64_t compared_ = 0;
    bool comparing_ = false;
    RankFigures figures_;
    std::vector<model::Delivery> events_;
};

}  // namespace equipoise::engine
