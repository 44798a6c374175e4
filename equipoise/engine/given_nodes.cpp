#include "equipoise/engine/given_nodes.hpp"

#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

using model::Ask;
using model::GivenMessage;

/// A node for the time of one call.
class GivenNodes::AtWork final : public model::GivenNode {
  public:
    AtWork(GivenNodes& all, model::NodeHost& host, NodeId v, Ports ports)
        : all_(all), host_(host), v_(v), ports_(ports), account_(all.accounts_[v]) {}

    [[nodiscard]] NodeId number() const override { return v_; }
    [[nodiscard]] Port degree() const override { return ports_.count; }
    [[nodiscard]] Tokens tokens() const override { return host_.tokens(v_) - account_.doubted; }
    [[nodiscard]] Tokens speed() const override { return host_.speed(v_); }
    [[nodiscard]] model::LinkEnd link_end(Port port) const override {
        expect_port(port);
        return host_.link_end(v_, port);
    }
    [[nodiscard]] std::uint64_t random_word() override {
        return host_.random(v_, account_.draws++).at(0);
    }

    void send(Port port, const GivenMessage& message) override {
        expect_port(port);
        expect_tokens("send", "the node", message.carried, tokens());
        host_.send(v_, port, {&message, message.carried, message.kind});
    }
    void take_over(Port port, Tokens tokens) override {
        expect_port(port);
        const NodeId giver = all_.channels_.neighbour(v_, port);
        const Port back = *network::port_to(all_.channels_, giver, v_);
        Account& account = all_.accounts_[giver];
        Tokens& taken = all_.taken_[all_.first_ports_[giver] + back];
        expect_tokens("take over", "its neighbour", tokens, host_.tokens(giver) - account.doubted);
        if (tokens == 0) return;
        if (taken != 0)
            throw all_.error(v_, "expected the neighbour to hand over " + std::to_string(taken) +
                                     " tokens first, found more to take over");
        taken = tokens;
        account.doubted += tokens;
        host_.book(v_, port, -tokens);
    }
    void hand_over(Port port, Tokens tokens) override {
        expect_port(port);
        Tokens& taken = all_.taken_[all_.first_ports_[v_] + port];
        if (tokens != taken)
            throw all_.error(v_, "expected to hand over " + std::to_string(taken) +
                                     " tokens, as many as the neighbour has taken over, found " +
                                     std::to_string(tokens));
        account_.doubted -= std::exchange(taken, 0);
        host_.book(v_, port, tokens);
    }
    void wake_after(model::Ticks ticks) override {
        if (ticks == 0) throw all_.error(v_, "expected 1 tick or more for a timer, found 0");
        account_.ask.within = ticks;
    }
    void end() override { account_.ask = Ask::nothing(); }

  private:
    void expect_port(Port port) const {
        if (port >= degree())
            throw all_.error(v_, "expected a port below " + std::to_string(degree()) + ", found " +
                                     std::to_string(port));
    }
    void expect_tokens(const char* what, const char* whose, Tokens tokens, Tokens most) const {
        if (tokens < 0 || tokens > most)
            throw all_.error(v_, std::string("expected to ") + what + " 0 to " +
                                     std::to_string(most) + " tokens, as " + whose +
                                     " has no more, found " + std::to_string(tokens));
    }

    GivenNodes& all_;
    model::NodeHost& host_;
    NodeId v_;
    Ports ports_;
    Account& account_;
};

GivenNodes::GivenNodes(const model::GivenProgram& program, const network::Network& channels,
                       NodeName node_name)
    : ProgramNodes({.message_bytes = sizeof(GivenMessage),
                    .counts_bits = true,
                    .supports_crashes = program.supports_crashes}),
      program_(program),
      channels_(channels),
      node_name_(std::move(node_name)) {}

InputError GivenNodes::error(NodeId v, const std::string& what) const {
    return InputError(program_.name + ": node " + (node_name_ ? node_name_(v) : std::to_string(v)) +
                      ": " + what);
}

void GivenNodes::lay_out(std::size_t nodes, std::size_t ports) {
    behaviour_ = program_.begin(static_cast<NodeId>(nodes));
    accounts_.assign(nodes, Account());
    taken_.assign(ports, 0);
    first_ports_.assign(nodes, 0);
    for (NodeId v = 1; v < nodes; ++v)
        first_ports_[v] = first_ports_[v - 1] + channels_.degree(v - 1);
}

bool GivenNodes::take_turn(model::NodeHost& host, NodeId v, Ports ports, model::Turn turn,
                           const Ask& awaited) {
    AtWork node(*this, host, v, ports);
    Ask& ask = accounts_[v].ask;
    ask = awaited;
    if (turn == model::Turn::start) {
        ask = Ask::message();
        behaviour_->start(node);
    }
    if (turn == model::Turn::proceed) end_wait(node, host, v);
    if (turn == model::Turn::wait) {  // after a crash
        ask = Ask::message();
        behaviour_->timer(node);
    }
    while (true) {
        if (ask.verb == Ask::Verb::nothing) return true;
        if (!host.begin(v, Ask(ask))) return false;
        end_wait(node, host, v);
    }
}

void GivenNodes::end_wait(AtWork& node, model::NodeHost& host, NodeId v) {
    GivenMessage message = {};
    model::Reception reception{&message};
    const bool came = host.end(v, reception);
    accounts_[v].ask = Ask::message();
    if (came)
        behaviour_->receive(node, reception.port, message);
    else
        behaviour_->timer(node);
}

model::MessageBytes GivenNodes::view(const void* message) const {
    const auto* const given = static_cast<const GivenMessage*>(message);
    GivenMessage copy = {};
    std::memcpy(&copy, given, sizeof(copy));
    return {message, copy.carried, copy.kind};
}

unsigned GivenNodes::message_bits(const void* message) const {
    GivenMessage copy = {};
    std::memcpy(&copy, message, sizeof(copy));
    return copy.bits();
}

void GivenNodes::restart(NodeId v, Ports /*ports*/) {
    behaviour_->restart(v);
}

// ---- never called, since the traits do not say so

void GivenNodes::corrupt(RandomStream& /*random*/, NodeId /*v*/, Ports /*ports*/) {
    EQUIPOISE_ASSERT(false);
}
model::MessageBytes GivenNodes::draw_message(RandomStream& /*random*/, void* /*room*/) const {
    EQUIPOISE_ASSERT(false);
    return {};
}
void GivenNodes::leave(NodeId /*v*/) {
    EQUIPOISE_ASSERT(false);
}
void GivenNodes::forget(NodeId /*v*/) {
    EQUIPOISE_ASSERT(false);
}
void GivenNodes::meet(std::uint32_t /*port*/) {
    EQUIPOISE_ASSERT(false);
}
void GivenNodes::part(std::uint32_t /*port*/) {
    EQUIPOISE_ASSERT(false);
}
Tokens GivenNodes::spare(Tokens /*tokens*/, NodeId /*v*/, Ports /*ports*/) const {
    EQUIPOISE_ASSERT(false);
    return 0;
}
void GivenNodes::arrive(NodeId /*v*/, Tokens /*tokens*/) {
    EQUIPOISE_ASSERT(false);
}
bool GivenNodes::settled(Tokens /*here*/, std::uint32_t /*port*/, Tokens /*there*/,
                         const std::byte* /*port_there*/) const {
    EQUIPOISE_ASSERT(false);
    return false;
}

}  // namespace equipoise::engine
