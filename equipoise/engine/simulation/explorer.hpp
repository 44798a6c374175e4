#pragma once
// All interleavings of a node program on a very small network.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Everything about a moment of a run: what nodes remember and wait for, and what channels hold.
template <model::NodeProgram Program>
struct Configuration {
    using Message = typename Program::Message;
    struct Node {
        typename Program::State state = {};
        std::vector<typename Program::PortState> ports;
        std::vector<std::vector<Message>> inbox;       ///< by port
        std::vector<std::vector<Message>> on_the_way;  ///< sent through a port, not yet arrived
        std::vector<std::uint8_t> reserved;            ///< by port: 1 held, 2 held and released
        std::vector<Port> ready;  ///< ports with waiting messages, oldest first
        Tokens tokens = 0;
        model::Ask ask;
        bool started = false;
        bool suspended = false;
        bool done = false;
    };
    std::vector<Node> nodes;
    Tokens booked = 0;     ///< booked as sent minus booked as received
    Tokens exchanges = 0;  ///< tokens times links crossed, on one way here

    [[nodiscard]] Tokens tokens() const {
        Tokens sum = booked;
        for (const Node& node : nodes) {
            sum += node.tokens;
            for (const auto* queues : {&node.inbox, &node.on_the_way})
                for (const auto& queue : *queues)
                    for (const Message& message : queue)
                        sum += message.tokens();
        }
        return sum;
    }
    [[nodiscard]] bool all_done() const {
        for (const Node& node : nodes)
            if (!node.done) return false;
        return true;
    }
};

struct Exploration {
    std::uint64_t configurations = 0;  ///< different ones reached
    std::uint64_t transitions = 0;
    std::uint64_t ends = 0;  ///< different configurations in which nothing can happen
    bool acyclic = true;     ///< then every schedule ends
    bool complete = true;    ///< false when `configurations_max` was reached
};

/// Visits every configuration that a program can reach from its start, whatever the order in which
/// nodes start and messages arrive (first in, first out in each direction of a link; a node whose
/// wait is fulfilled runs at once). No timers. Configurations are remembered by a 128-bit digest.
/// Cost O(transitions * size of a configuration).
template <model::NodeProgram Program>
class Explorer final : public model::NodeHost {
  public:
    using Message = typename Program::Message;
    using World = Configuration<Program>;

    Explorer(const Program& program, const network::Network& network, std::span<const Tokens> loads,
             std::span<const Tokens> speeds = {})
        : program_(program), network_(network), speeds_(speeds.begin(), speeds.end()) {
        EQUIPOISE_ASSERT(loads.size() == network.node_count());
        EQUIPOISE_ASSERT(speeds.empty() || speeds.size() == network.node_count());
        world_.nodes.resize(loads.size());
        for (NodeId v = 0; v < loads.size(); ++v) {
            auto& node = world_.nodes[v];
            node.tokens = loads[v];
            node.ports.resize(network.degree(v));
            node.inbox.resize(network.degree(v));
            node.on_the_way.resize(network.degree(v));
            node.reserved.resize(network.degree(v));
        }
    }

    /// Counts configurations that were reached by different numbers of exchanges as different, so
    /// that `exchanges` is the same for every path to a configuration. With programs that may move
    /// tokens in circles the search would then never end.
    void tell_exchanges_apart() { tells_exchanges_apart_ = true; }

    /// `on_configuration(world)` is called once for each configuration, `on_end(world)` for each in
    /// which nothing can happen.
    template <class OnConfiguration, class OnEnd>
    Exploration explore(OnConfiguration on_configuration, OnEnd on_end,
                        std::uint64_t configurations_max = 10'000'000) {
        struct Frame {
            World world;
            Key key;
            std::vector<Choice> choices;
            std::size_t next = 0;
        };
        Exploration result;
        std::unordered_map<Key, bool, KeyHash> open;  // true while on the stack
        std::vector<Frame> stack;
        const auto enter = [&](World world) {
            const Key key = key_of(world);
            const auto [at, is_new] = open.try_emplace(key, true);
            if (!is_new) {
                if (at->second) result.acyclic = false;
                return;
            }
            ++result.configurations;
            on_configuration(std::as_const(world));
            std::vector<Choice> choices = choices_of(world);
            if (choices.empty()) {
                ++result.ends;
                on_end(std::as_const(world));
            }
            stack.push_back({std::move(world), key, std::move(choices), 0});
        };
        enter(world_);
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next == top.choices.size()) {
                open[top.key] = false;
                stack.pop_back();
                continue;
            }
            if (result.configurations >= configurations_max) {
                result.complete = false;
                return result;
            }
            const Choice choice = top.choices[top.next++];
            world_ = top.world;
            take(choice);
            ++result.transitions;
            enter(world_);
        }
        return result;
    }

    // ---- the host's side of the contract
    [[nodiscard]] Port degree(NodeId node) const override { return network_.degree(node); }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override {
        return node < network_.neighbour(node, port) ? model::LinkEnd::tail : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId node) const override { return world_.nodes[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId node) const override {
        return speeds_.empty() ? 1 : speeds_[node];
    }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {0, Purpose::program, node, draw};
    }
    void send(NodeId v, Port port, const model::MessageBytes& message) override {
        auto& node = world_.nodes[v];
        EQUIPOISE_ASSERT(message.tokens >= 0 && message.tokens <= node.tokens);
        node.tokens -= message.tokens;
        world_.exchanges = checked_add(world_.exchanges, message.tokens);
        node.on_the_way[port].push_back(message.as<Message>());
    }
    void book(NodeId v, Port /*port*/, Tokens leaving) override {
        EQUIPOISE_ASSERT(leaving <= world_.nodes[v].tokens);
        world_.nodes[v].tokens -= leaving;
        world_.booked += leaving;
        if (leaving > 0) world_.exchanges = checked_add(world_.exchanges, leaving);
    }
    void release(NodeId v, Port port) override {
        EQUIPOISE_ASSERT(world_.nodes[v].reserved[port] == held);
        world_.nodes[v].reserved[port] = held_and_released;
        free_if_delivered(v, port);
    }
    bool poll(NodeId v, Port port, model::KindSet kinds, model::Reception& received) override {
        return take_message(v, port, kinds, received);
    }
    bool begin(NodeId v, const model::Ask& ask) override {
        auto& node = world_.nodes[v];
        EQUIPOISE_ASSERT(ask.within == model::for_ever);
        node.ask = ask;
        node.suspended = !fulfilled(v);
        return !node.suspended;
    }
    bool end(NodeId v, model::Reception& received) override {
        auto& node = world_.nodes[v];
        node.suspended = false;
        if (node.ask.verb == model::Ask::Verb::receive)
            return take_message(v, node.ask.port, node.ask.kinds, received);
        if (busy(v, node.ask.port)) return false;
        node.reserved[node.ask.port] = held;
        return true;
    }

  private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const { return key.first; }
    };
    /// A node starts, or the first message that it sent through a port arrives.
    struct Choice {
        NodeId node = 0;
        Port port = 0;
        bool starts = false;
    };
    static constexpr std::uint8_t held = 1;
    static constexpr std::uint8_t held_and_released = 2;

    [[nodiscard]] static std::vector<Choice> choices_of(const World& world) {
        std::vector<Choice> choices;
        for (NodeId v = 0; v < world.nodes.size(); ++v) {
            if (!world.nodes[v].started) choices.push_back({v, 0, true});
            for (Port port = 0; port < world.nodes[v].on_the_way.size(); ++port)
                if (!world.nodes[v].on_the_way[port].empty()) choices.push_back({v, port, false});
        }
        return choices;
    }

    void take(const Choice& choice) {
        auto& node = world_.nodes[choice.node];
        if (choice.starts) {
            node.started = true;
            run(choice.node, model::Turn::start);
        } else {
            const NodeId to = network_.neighbour(choice.node, choice.port);
            const Port port = back(choice.node, choice.port);
            auto& receiver = world_.nodes[to];
            if (receiver.inbox[port].empty()) receiver.ready.push_back(port);
            receiver.inbox[port].push_back(node.on_the_way[choice.port].front());
            node.on_the_way[choice.port].erase(node.on_the_way[choice.port].begin());
            free_if_delivered(choice.node, choice.port);
            woken_.push_back(to);
        }
        std::size_t next = 0;
        while (next < woken_.size()) {  // a node that runs may wake others
            const NodeId woken = woken_[next++];
            if (world_.nodes[woken].suspended && fulfilled(woken)) run(woken, model::Turn::proceed);
        }
        woken_.clear();
    }
    void run(NodeId v, model::Turn turn) {
        auto& node = world_.nodes[v];
        node.done =
            model::play_node(program_, *this, v, node.state, std::span(node.ports), turn, node.ask);
    }

    [[nodiscard]] Port back(NodeId node, Port port) const {
        const auto neighbours = network_.neighbours(network_.neighbour(node, port));
        Port there = 0;
        while (neighbours[there] != node)
            ++there;
        return there;
    }
    [[nodiscard]] bool busy(NodeId v, Port port) const {
        return world_.nodes[v].reserved[port] != 0 ||
               world_.nodes[network_.neighbour(v, port)].reserved[back(v, port)] != 0;
    }
    void free_if_delivered(NodeId v, Port port) {
        auto& node = world_.nodes[v];
        if (node.reserved[port] != held_and_released || !node.on_the_way[port].empty()) return;
        node.reserved[port] = 0;
        woken_.push_back(network_.neighbour(v, port));
        woken_.push_back(v);
    }
    [[nodiscard]] bool fits(NodeId v, Port port, const model::Ask& ask) const {
        const auto& queue = world_.nodes[v].inbox[port];
        return (ask.port == model::any_port || ask.port == port) && !queue.empty() &&
               ask.kinds.contains(queue.front().kind);
    }
    [[nodiscard]] bool fulfilled(NodeId v) const {
        const auto& node = world_.nodes[v];
        if (node.ask.verb == model::Ask::Verb::reserve) return true;
        if (node.ask.verb == model::Ask::Verb::acquire) return !busy(v, node.ask.port);
        for (const Port port : node.ready)
            if (fits(v, port, node.ask)) return true;
        return false;
    }
    bool take_message(NodeId v, Port port, model::KindSet kinds, model::Reception& received) {
        auto& node = world_.nodes[v];
        const model::Ask ask{model::for_ever, port, kinds, model::Ask::Verb::receive};
        for (std::size_t i = 0; i < node.ready.size(); ++i) {
            const Port at = node.ready[i];
            if (!fits(v, at, ask)) continue;
            const Message message = node.inbox[at].front();
            received.put(message, at);
            node.inbox[at].erase(node.inbox[at].begin());
            node.ready.erase(node.ready.begin() + static_cast<std::ptrdiff_t>(i));
            if (!node.inbox[at].empty()) node.ready.push_back(at);
            node.tokens += message.tokens();
            return true;
        }
        return false;
    }

    // ---- remembering configurations
    /// Appends an object's bytes. Bytes between members are cleared where the compiler can; where
    /// it cannot, equal configurations may be told apart, which costs time but loses none.
    template <class T>
    static void append(std::string& bytes, T value) {
        if constexpr (std::is_empty_v<T>) return;
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
        __builtin_clear_padding(&value);
#endif
#endif
        const std::size_t size = bytes.size();
        bytes.resize(size + sizeof(T));
        std::memcpy(bytes.data() + size, &value, sizeof(T));
    }
    template <class T>
    static void append_all(std::string& bytes, const std::vector<T>& values) {
        append(bytes, values.size());
        for (const T& value : values)
            append(bytes, value);
    }
    [[nodiscard]] Key key_of(const World& world) {
        bytes_.clear();
        for (const auto& node : world.nodes) {
            append(bytes_, node.state);
            append_all(bytes_, node.ports);
            for (const auto& queue : node.inbox)
                append_all(bytes_, queue);
            for (const auto& queue : node.on_the_way)
                append_all(bytes_, queue);
            append_all(bytes_, node.reserved);
            append_all(bytes_, node.ready);
            append(bytes_, node.tokens);
            const model::Ask ask = node.suspended ? node.ask : model::Ask();
            append(bytes_, ask.within);
            append(bytes_, ask.port);
            append(bytes_, ask.kinds);
            append(bytes_, ask.verb);
            append(bytes_,
                   static_cast<std::uint8_t>((node.started ? 1 : 0) + (node.suspended ? 2 : 0) +
                                             (node.done ? 4 : 0)));
        }
        append(bytes_, world.booked);
        if (tells_exchanges_apart_) append(bytes_, world.exchanges);
        Digest forward;
        Digest other;
        other.add(bytes_.size());
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        for (std::size_t at = 0; at < bytes_.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes_.data() + at, 8);
            forward.add(word);
            other.add(word * 0x9e3779b97f4a7c15ULL + at);
        }
        return {forward.value(), other.value()};
    }

    const Program& program_;
    const network::Network& network_;
    std::vector<Tokens> speeds_;
    bool tells_exchanges_apart_ = false;
    World world_;
    std::vector<NodeId> woken_;
    std::string bytes_;
};

}  // namespace equipoise::engine
