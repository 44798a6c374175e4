#pragma once
// Runs node programs across ranks; every rank runs its own nodes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/ranks/rank_nodes.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/simulation/mailboxes.hpp"
#include "equipoise/model/local/node_faults.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Hosts a rank's nodes (see `RankNodes`): their states, and the messages that wait for them.
template <model::NodeProgram Program>
class RankHost final : public model::NodeHost<typename Program::Message>, public RankNodes {
  public:
    using Message = typename Program::Message;
    using State = typename Program::State;
    using PortState = typename Program::PortState;

    /// `loads`: those of the rank's own nodes (`Partition::contiguous`). Program and fabric must
    /// outlive the host.
    RankHost(const Program& program, const network::Network& network, std::span<const Tokens> loads,
             Fabric& fabric, const RankOptions& options)
        : RankNodes(network, loads, fabric, options, model::Settles<Program>),
          program_(program),
          states_(loads.size()),
          boxes_(network, first_node(), first_node() + static_cast<NodeId>(loads.size())),
          ports_(boxes_.side_count()) {}

    // ---- the host's side of the contract; every rank numbers its nodes from 0
    [[nodiscard]] Port degree(NodeId v) const override { return degree_of(v); }
    [[nodiscard]] model::LinkEnd link_end(NodeId v, Port port) const override {
        return end_of_link(v, port);
    }
    [[nodiscard]] Tokens tokens(NodeId v) const override { return node(v).tokens; }
    [[nodiscard]] Tokens speed(NodeId v) const override { return speed_of(v); }
    [[nodiscard]] RandomStream random(NodeId v, Step draw) const override {
        return random_of(v, draw);
    }
    void send(NodeId v, Port port, const Message& message) override {
        if constexpr (requires { message.bits(); })
            figures().largest_message_bits =
                std::max<std::uint64_t>(figures().largest_message_bits, message.bits());
        RankNodes::send(v, side_of(v, port), message.tokens(),
                        std::as_bytes(std::span(&message, 1)));
    }
    void book(NodeId v, Port port, Tokens leaving) override {
        book_leaving(v, side_of(v, port), leaving);
    }
    void release(NodeId v, Port port) override { release_channel(v, side_of(v, port)); }
    bool poll(NodeId v, Port port, model::KindSet kinds,
              model::Received<Message>& received) override {
        const std::uint32_t in = boxes_.find(v, node(v).ready, port, kinds);
        if (in == none) return false;
        receive(v, in, received);
        return true;
    }
    bool begin(NodeId v, const model::Ask& ask) override {
        node(v).ask = ask;
        node(v).found = ask.verb == model::Ask::Verb::receive
                            ? boxes_.find(v, node(v).ready, ask.port, ask.kinds)
                            : none;
        return begin_wait(v);
    }
    bool end(NodeId v, model::Received<Message>& received) override {
        const Node& here = node(v);
        node(v).suspended = false;
        if (here.ask.verb == model::Ask::Verb::reserve) return here.granted;
        if (here.ask.verb != model::Ask::Verb::receive) return true;
        if (here.found == none) return false;
        receive(v, here.found, received);
        return true;
    }

  private:
    [[nodiscard]] bool take_turn(NodeId v, model::Turn turn) override {
        return model::play_node(program_, *this, v, states_[v],
                                std::span(ports_.data() + side_of_first(v), degree_of(v)), turn,
                                node(v).ask);
    }
    void arrive(NodeId v, std::uint32_t in, std::uint64_t sent,
                std::span<const std::byte> body) override {
        Message message = {};
        EQUIPOISE_ASSERT(body.size() == sizeof(Message));
        std::memcpy(&message, body.data(), sizeof(Message));
        note_arrival(v, in, sent, static_cast<std::uint32_t>(message.kind), message.tokens());
        Node& here = node(v);
        const model::Ask& ask = here.ask;
        // A waiting node waits for this message, or still for another one.
        if (!boxes_.arrive(here.ready, in, message) || !here.suspended ||
            ask.verb != model::Ask::Verb::receive || !ask.kinds.contains(message.kind) ||
            (ask.port != model::any_port && in != side_of(v, ask.port)))
            return;
        here.found = in;
        resume(v);
    }
    void receive(NodeId v, std::uint32_t in, model::Received<Message>& received) {
        received = {boxes_.take(node(v).ready, in), in - side_of_first(v)};
        const Tokens carried = received.message.tokens();
        if (carried == 0) return;
        side(in).waiting -= carried;
        take(v, in, carried);
    }
    [[nodiscard]] std::span<const std::byte> port_state(std::uint32_t at) const override {
        return std::as_bytes(std::span(&ports_[at], 1));
    }
    [[nodiscard]] bool settled(NodeId v, std::uint32_t at, Tokens there,
                               std::span<const std::byte> port_there) const override {
        if constexpr (model::Settles<Program>) {
            PortState port = {};
            EQUIPOISE_ASSERT(port_there.size() == sizeof(PortState));
            std::memcpy(&port, port_there.data(), sizeof(PortState));
            return program_.settled(node(v).tokens, ports_[at], there, port);
        } else {
            return false;
        }
    }
    [[nodiscard]] std::uint32_t side_of_first(NodeId v) const { return boxes_.first(v); }

    const Program& program_;
    std::vector<State> states_;
    Mailboxes<Message> boxes_;
    std::vector<PortState> ports_;
};

}  // namespace equipoise::engine
