#pragma once
// Links that never fail, and all orders in which their packets and acknowledgements can arrive.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/deal_link.hpp"
#include "equipoise/programs/perfect_self_stabilising.hpp"

namespace equipoise::test {

/// A deal link over channels that never fail: what a labelled link is after its second
/// acknowledgement.
class ReliableLink {
  public:
    struct Stamp {
        [[nodiscard]] static unsigned bits() { return 0; }
    };
    struct Sender {
        programs::TreeOffer offer;
        Tokens deal = 0;
        bool open = false;
    };
    struct Receiver {
        Tokens deal = 0;
    };
    [[nodiscard]] static unsigned packets() { return 1; }
    static void begin(Sender& sender, const programs::TreeOffer& offer) {
        EQUIPOISE_ASSERT(!sender.open);
        sender = {offer, 0, true};
    }
    [[nodiscard]] static Stamp stamp(const Sender& /*sender*/, const RandomStream& /*random*/) {
        return {};
    }
    [[nodiscard]] static bool collect(Receiver& /*receiver*/, const Stamp& /*stamp*/,
                                      const programs::TreeOffer& /*offer*/) {
        return true;
    }
    [[nodiscard]] static bool answers(const Receiver& /*receiver*/, const Stamp& /*stamp*/) {
        return true;
    }
    [[nodiscard]] static programs::Progress acknowledge(Sender& sender, const Stamp& /*stamp*/,
                                                        Tokens deal) {
        EQUIPOISE_ASSERT(sender.open);
        sender.deal = deal;
        sender.open = false;
        return programs::Progress::done;
    }
};

struct LinkExploration {
    std::uint64_t configurations = 0;
    std::uint64_t ends = 0;
    bool acyclic = true;   ///< then every order ends
    bool complete = true;  ///< false when `configurations_max` was reached
};

/// Visits every configuration that nodes over reliable links can reach from a given one. A link has
/// room for one packet and one acknowledgement in each direction, which may overtake each other:
/// more are never under way. Timers fire, all at once, when nothing is under way and the nodes are
/// not settled.
class LinkExplorer final : public model::NodeHost {
  public:
    using Program = programs::PerfectSelfStabilising<ReliableLink>;
    using Message = Program::Message;

    struct Node {
        Program::State state;
        std::vector<Program::PortState> ports;
        std::vector<std::optional<Message>> packets;  ///< under way to this node, by port
        std::vector<std::optional<Message>> acknowledgements;
        Tokens tokens = 0;
    };
    using World = std::vector<Node>;

    /// `seed` gives the nodes their identities.
    LinkExplorer(const Program& program, const network::Network& network, std::uint64_t seed)
        : program_(program), network_(network), seed_(seed) {}

    /// Nodes that remember nothing.
    [[nodiscard]] World clean(std::span<const Tokens> loads) const {
        World world(network_.node_count());
        for (NodeId v = 0; v < world.size(); ++v) {
            const Port degree = network_.degree(v);
            world[v].ports.resize(degree);
            world[v].packets.resize(degree);
            world[v].acknowledgements.resize(degree);
            world[v].tokens = loads[v];
        }
        return world;
    }

    /// `on_configuration(world)` is called once for each configuration, `on_end(world)` for each
    /// in which everything is settled.
    template <class OnConfiguration, class OnEnd>
    LinkExploration explore(World start, OnConfiguration on_configuration, OnEnd on_end,
                            std::uint64_t configurations_max = 3'000'000) {
        struct Frame {
            World world;
            std::string key;
            std::vector<Choice> choices;
            std::size_t next = 0;
        };
        LinkExploration result;
        std::unordered_map<std::string, bool> open;  // true while on the stack
        std::vector<Frame> stack;
        const auto enter = [&](World world) {
            std::string key = key_of(world);
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
            stack.push_back({std::move(world), std::move(key), std::move(choices), 0});
        };
        world_ = std::move(start);
        take(Choice());
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
            enter(world_);
        }
        return result;
    }

    /// Plays a random order of arrivals until everything is settled.
    [[nodiscard]] World play(World start, RandomStream& random) {
        world_ = std::move(start);
        take(Choice());
        for (auto choices = choices_of(world_); !choices.empty(); choices = choices_of(world_))
            take(choices[static_cast<std::size_t>(random.below(choices.size()))]);
        return world_;
    }

    // ---- the host's side of the contract
    [[nodiscard]] Port degree(NodeId node) const override { return network_.degree(node); }
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override {
        return node < network_.neighbour(node, port) ? model::LinkEnd::tail : model::LinkEnd::head;
    }
    [[nodiscard]] Tokens tokens(NodeId node) const override { return world_[node].tokens; }
    [[nodiscard]] Tokens speed(NodeId /*node*/) const override { return 1; }
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override {
        return {seed_, Purpose::program, node, draw};
    }
    void send(NodeId v, Port port, const model::MessageBytes& bytes) override {
        const auto message = bytes.as<Message>();
        Node& there = world_[network_.neighbour(v, port)];
        const Port at = port_back(v, port);
        auto& place =
            message.kind == Program::Kind::packet ? there.packets[at] : there.acknowledgements[at];
        // A packet that is repeated before it has arrived says the same once more.
        place = message;
    }
    void book(NodeId v, Port /*port*/, Tokens leaving) override {
        EQUIPOISE_ASSERT(leaving <= world_[v].tokens);
        world_[v].tokens -= leaving;
    }
    void release(NodeId /*node*/, Port /*port*/) override {}
    bool poll(NodeId /*node*/, Port /*port*/, model::KindSet /*kinds*/,
              model::Reception& /*received*/) override {
        return false;
    }
    bool begin(NodeId /*node*/, const model::Ask& /*ask*/) override { return false; }
    bool end(NodeId /*node*/, model::Reception& /*received*/) override { return false; }

  private:
    struct Choice {
        NodeId node = no_node;  ///< that a message reaches; no_node: all timers fire
        Port port = 0;
        bool packet = false;
    };

    [[nodiscard]] Port port_back(NodeId v, Port port) const {
        const NodeId other = network_.neighbour(v, port);
        Port back = 0;
        while (network_.neighbour(other, back) != v)
            ++back;
        return back;
    }
    [[nodiscard]] bool settled(const World& world) const {
        for (NodeId v = 0; v < world.size(); ++v)
            for (Port port = 0; port < network_.degree(v); ++port) {
                const Node& there = world[network_.neighbour(v, port)];
                if (!Program::settled(world[v].tokens, world[v].ports[port], there.tokens,
                                      there.ports[port_back(v, port)]))
                    return false;
            }
        return true;
    }
    [[nodiscard]] std::vector<Choice> choices_of(const World& world) const {
        std::vector<Choice> open;
        for (NodeId v = 0; v < world.size(); ++v)
            for (Port port = 0; port < network_.degree(v); ++port) {
                if (world[v].packets[port]) open.push_back({v, port, true});
                if (world[v].acknowledgements[port]) open.push_back({v, port, false});
            }
        if (open.empty() && !settled(world)) open.push_back({});
        return open;
    }
    void take(const Choice& choice) {
        if (choice.node == no_node) {
            for (NodeId v = 0; v < world_.size(); ++v)
                event(v, [](auto& node) { node.timer(); });
            return;
        }
        Node& to = world_[choice.node];
        auto& place = choice.packet ? to.packets[choice.port] : to.acknowledgements[choice.port];
        const model::Received<Message> received{*place, choice.port};
        place.reset();
        event(choice.node, [&](auto& node) { node.handle(received); });
    }
    template <class Event>
    void event(NodeId v, Event happens) {
        Node& node = world_[v];
        auto at_work = program_.node({*this, v}, node.state, std::span(node.ports));
        happens(at_work);
        node.state = {};  // nothing but counters, which reliable links and tests do not look at
    }

    template <class Number>
    static void put(std::string& key, Number number) {
        for (std::size_t byte = 0; byte < sizeof(number); ++byte)
            key.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte)));
    }
    static void put_report(std::string& key, const programs::TreeReport& report) {
        put(key, report.root);
        put(key, report.tokens);
        put(key, report.share);
        put(key, report.distance);
        put(key, report.nodes);
        put(key, report.extras);
        put(key, (report.child ? 1 : 0) + (report.mark ? 2 : 0) + (report.echo ? 4 : 0) +
                     (report.assigned ? 8 : 0));
    }
    /// All that the future depends on.
    [[nodiscard]] std::string key_of(const World& world) const {
        std::string key;
        for (const Node& node : world) {
            put(key, node.tokens);
            for (const auto& port : node.ports) {
                put(key, port.sender.offer.amount);
                put_report(key, port.sender.offer.report);
                put_report(key, port.heard);
                put(key, port.beyond);
                put(key, (port.mark ? 1 : 0) + (port.counted ? 2 : 0) + (port.closed ? 4 : 0) +
                             (port.sender.open ? 8 : 0));
            }
            for (const auto& packet : node.packets) {
                put(key, packet ? 1 : 0);
                if (!packet) continue;
                put(key, packet->offer.amount);
                put_report(key, packet->offer.report);
            }
            for (const auto& acknowledgement : node.acknowledgements)
                put(key, acknowledgement ? acknowledgement->deal : Tokens{-1});
        }
        return key;
    }

    const Program& program_;
    const network::Network& network_;
    std::uint64_t seed_;
    World world_;
};

}  // namespace equipoise::test
