#pragma once
// A plain host of node programs: queues, a list of what may happen next, and a caller who chooses.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// Defines what a faster host must do. There is one rule: any message on the way may be the next to
/// arrive (first in, first out in each direction of a link), and a node whose wait is over runs at
/// once. A sleeping node may wake at any time.
template <model::NodeProgram Program>
class ReferenceHost final : public model::NodeHost {
  public:
    using Message = typename Program::Message;
    using State = typename Program::State;
    using PortState = typename Program::PortState;

    ReferenceHost(const Program& program, const network::Network& network,
                  std::span<const Tokens> loads)
        : program_(program), network_(network) {
        nodes_.resize(network.node_count());
        channels_.resize(network.link_count());
        for (NodeId v = 0; v < network.node_count(); ++v) {
            nodes_[v].tokens = loads[v];
            nodes_[v].ports.resize(network.degree(v));
            nodes_[v].inbox.resize(network.degree(v));
            nodes_[v].since.resize(network.degree(v));
        }
        for (NodeId v = 0; v < network.node_count(); ++v)
            run(v);
    }

    /// What may happen next: a message arrives on a directed link, or a wait's time is over.
    struct Choice {
        std::optional<LinkId> arc;  ///< 2 * link + (1 when from head to tail)
        NodeId timer = 0;
    };
    [[nodiscard]] std::vector<Choice> choices() const {
        std::vector<Choice> open;
        for (LinkId arc = 0; arc < 2 * channels_.size(); ++arc)
            if (!way(arc).empty()) open.push_back({arc, 0});
        for (NodeId v = 0; v < nodes_.size(); ++v)
            if (nodes_[v].suspended && nodes_[v].ask.within != model::for_ever)
                open.push_back({std::nullopt, v});
        return open;
    }
    void take(const Choice& choice) {
        if (!choice.arc) {
            nodes_[choice.timer].time_over = true;
            run(choice.timer);
            return;
        }
        const LinkId arc = *choice.arc;
        const Ends ends = network_.ends(arc / 2);
        const NodeId to = arc % 2 == 0 ? ends.head : ends.tail;
        const NodeId from = arc % 2 == 0 ? ends.tail : ends.head;
        const Port port = port_to(to, from);
        if (nodes_[to].inbox[port].empty()) nodes_[to].since[port] = ++clock_;
        nodes_[to].inbox[port].push_back(way(arc).front());
        way(arc).pop_front();
        ++delivered_;
        settle(arc / 2);
        run(to);
    }
    [[nodiscard]] LinkId arc_count() const { return 2 * channels_.size(); }
    [[nodiscard]] std::size_t on_the_way(LinkId arc) const { return way(arc).size(); }
    /// Loses or duplicates the message that would be the next to arrive.
    void lose(LinkId arc) { way(arc).pop_front(); }
    void duplicate(LinkId arc) { way(arc).push_back(way(arc).front()); }

    /// Chooses at random until nothing can happen; false if `choices_max` choices were not enough.
    bool run_randomly(std::uint64_t seed, std::uint64_t choices_max) {
        RandomStream random(seed, Purpose::delay);
        for (std::uint64_t made = 0; made < choices_max; ++made) {
            const auto open = choices();
            if (open.empty()) return true;
            take(open[static_cast<std::size_t>(random.below(open.size()))]);
        }
        return choices().empty();
    }

    [[nodiscard]] std::vector<Tokens> loads() const {
        std::vector<Tokens> all;
        all.reserve(nodes_.size());
        for (const Node& node : nodes_)
            all.push_back(node.tokens);
        return all;
    }
    [[nodiscard]] Tokens held_and_on_the_way() const {
        Tokens sum = booked_;
        for (const Node& node : nodes_) {
            sum += node.tokens;
            for (const auto& queue : node.inbox)
                for (const Message& message : queue)
                    sum += message.tokens();
        }
        for (LinkId arc = 0; arc < 2 * channels_.size(); ++arc)
            for (const Message& message : way(arc))
                sum += message.tokens();
        return sum;
    }
    [[nodiscard]] bool all_done() const {
        for (const Node& node : nodes_)
            if (!node.done) return false;
        return true;
    }
    [[nodiscard]] const State& state(NodeId node) const { return nodes_[node].state; }
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

    // ---- the host's side of the contract
    [[nodiscard]] Port degree(NodeId node) const override { return network_.degree(node); }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override {
        return node < network_.neighbour(node, port) ? model::LinkEnd::tail : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId node) const override { return nodes_[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId /*node*/) const override { return 1; }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {1, Purpose::program, node, draw};
    }
    void send(NodeId node, Port port, const model::MessageBytes& message) override {
        EQUIPOISE_ASSERT(message.tokens >= 0 && message.tokens <= nodes_[node].tokens);
        nodes_[node].tokens -= message.tokens;
        way(arc_of(node, port)).push_back(message.as<Message>());
    }
    void book(NodeId node, Port /*port*/, Tokens leaving) override {
        EQUIPOISE_ASSERT(leaving <= nodes_[node].tokens);
        nodes_[node].tokens -= leaving;
        booked_ += leaving;
    }
    void release(NodeId node, Port port) override {
        Channel& channel = channels_[network_.link(node, port)];
        EQUIPOISE_ASSERT(channel.holder == node);
        channel.released = true;
        settle(network_.link(node, port));
    }
    bool poll(NodeId node, Port port, model::KindSet kinds, model::Reception& received) override {
        const auto found = find(node, port, kinds);
        if (!found) return false;
        pop(node, *found, received);
        return true;
    }
    bool begin(NodeId v, const model::Ask& ask) override {
        Node& node = nodes_[v];
        node.ask = ask;
        node.time_over = false;
        node.suspended = !fulfilled(v);
        return !node.suspended;
    }
    bool end(NodeId v, model::Reception& received) override {
        Node& node = nodes_[v];
        node.suspended = false;
        Channel* const channel = node.ask.port == model::any_port
                                     ? nullptr
                                     : &channels_[network_.link(v, node.ask.port)];
        switch (node.ask.verb) {
            case model::Ask::Verb::receive: {
                const auto found = find(v, node.ask.port, node.ask.kinds);
                if (!found) return false;
                pop(v, *found, received);
                return true;
            }
            case model::Ask::Verb::reserve:
                if (channel->holder) return false;
                [[fallthrough]];
            case model::Ask::Verb::acquire:
                channel->holder = v;
                channel->released = false;
                return true;
            case model::Ask::Verb::sleep:
            case model::Ask::Verb::nothing:
                return true;
        }
        return true;
    }

  private:
    struct Node {
        State state = {};
        std::vector<PortState> ports;
        std::vector<std::deque<Message>> inbox;  ///< by port
        std::vector<std::uint64_t> since;        ///< when its first message came to be the first
        Tokens tokens = 0;
        model::Ask ask;
        bool suspended = false;
        bool time_over = false;
        bool running = false;
        bool done = false;
    };
    struct Channel {
        std::deque<Message> ways[2];  // NOLINT(modernize-avoid-c-arrays)
        std::optional<NodeId> holder;
        bool released = false;
    };

    [[nodiscard]] std::deque<Message>& way(LinkId arc) { return channels_[arc / 2].ways[arc % 2]; }
    [[nodiscard]] const std::deque<Message>& way(LinkId arc) const {
        return channels_[arc / 2].ways[arc % 2];
    }
    [[nodiscard]] LinkId arc_of(NodeId node, Port port) const {
        return 2 * network_.link(node, port) + (node < network_.neighbour(node, port) ? 0 : 1);
    }
    [[nodiscard]] Port port_to(NodeId node, NodeId other) const {
        Port port = 0;
        while (network_.neighbour(node, port) != other)
            ++port;
        return port;
    }
    [[nodiscard]] std::optional<Port> find(NodeId v, Port port, model::KindSet kinds) const {
        std::optional<Port> first;
        for (Port p = 0; p < network_.degree(v); ++p) {
            const auto& queue = nodes_[v].inbox[p];
            if ((port != model::any_port && p != port) || queue.empty()) continue;
            if (!kinds.contains(queue.front().kind)) continue;
            if (!first || nodes_[v].since[p] < nodes_[v].since[*first]) first = p;
        }
        return first;
    }
    void pop(NodeId v, Port port, model::Reception& received) {
        const Message message = nodes_[v].inbox[port].front();
        nodes_[v].inbox[port].pop_front();
        nodes_[v].since[port] = ++clock_;
        nodes_[v].tokens += message.tokens();
        received.put(message, port);
    }
    [[nodiscard]] bool fulfilled(NodeId v) const {
        const Node& node = nodes_[v];
        switch (node.ask.verb) {
            case model::Ask::Verb::receive:
                return node.time_over || find(v, node.ask.port, node.ask.kinds).has_value();
            case model::Ask::Verb::reserve:
                return true;
            case model::Ask::Verb::acquire:
                return !channels_[network_.link(v, node.ask.port)].holder;
            case model::Ask::Verb::sleep:
                return node.time_over;
            case model::Ask::Verb::nothing:
                return false;
        }
        return false;
    }
    /// A released channel whose messages have arrived is free; the other end may have waited.
    void settle(LinkId link) {
        Channel& channel = channels_[link];
        if (!channel.holder || !channel.released) return;
        const Ends ends = network_.ends(link);
        const NodeId last = *channel.holder;
        if (!channel.ways[last == ends.tail ? 0 : 1].empty()) return;
        channel.holder.reset();
        const NodeId other = last == ends.tail ? ends.head : ends.tail;
        for (const NodeId v : {other, last})
            if (nodes_[v].suspended && nodes_[v].ask.verb == model::Ask::Verb::acquire &&
                fulfilled(v))
                run(v);
    }
    void run(NodeId v) {
        Node& node = nodes_[v];
        if (node.running || node.done || (node.suspended && !fulfilled(v))) return;
        node.running = true;
        const model::Turn turn = node.suspended ? model::Turn::proceed : model::Turn::start;
        node.done =
            model::play_node(program_, *this, v, node.state, std::span(node.ports), turn, node.ask);
        node.running = false;
    }

    const Program& program_;
    const network::Network& network_;
    std::vector<Node> nodes_;
    std::vector<Channel> channels_;
    Tokens booked_ = 0;
    std::uint64_t clock_ = 0;
    std::uint64_t delivered_ = 0;
};

}  // namespace equipoise::test
