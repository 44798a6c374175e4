#include "equipoise/agent/site_node.hpp"

#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::agent {

SiteNode::SiteNode(const Program& program, std::vector<model::LinkEnd> ends, std::uint64_t seed,
                   SiteWorld& world)
    : program_(program), nodes_(program), ends_(std::move(ends)), seed_(seed), world_(world) {
    nodes_.lay_out(1, ends_.size());
}

void SiteNode::corrupt(RandomStream& random) {
    nodes_.corrupt(random, 0, ports());
}

void SiteNode::start() {
    take_turn(model::Turn::start);
}

void SiteNode::receive(Port port, const Message& message) {
    if (ended_) return;
    received_ = model::Received<Message>{message, port};
    take_turn(model::Turn::proceed);
}

void SiteNode::end_time() {
    if (ended_) return;
    take_turn(model::Turn::proceed);
}

void SiteNode::part(Port port) {
    nodes_.part(port);
}

void SiteNode::withdraw(Port port) {
    program_.withdraw(nodes_.port_states({port, 1}).front());
}

void SiteNode::leave() {
    nodes_.leave(0);
}

Tokens SiteNode::offered() const {
    return tokens_max - nodes_.spare(tokens_max, 0, ports());
}

Tokens SiteNode::offered(Port port) const {
    return tokens_max - nodes_.spare(tokens_max, 0, {port, 1});
}

void SiteNode::take_turn(model::Turn turn) {
    ended_ = nodes_.take_turn(*this, 0, ports(), turn, ask_);
}

Port SiteNode::degree(NodeId /*node*/) const {
    return static_cast<Port>(ends_.size());
}

model::LinkEnd SiteNode::link_end(NodeId /*node*/, Port port) const {
    return ends_[port];
}

Tokens SiteNode::tokens(NodeId /*node*/) const {
    return world_.tokens();
}

Tokens SiteNode::speed(NodeId /*node*/) const {
    return 1;
}

RandomStream SiteNode::random(NodeId node, Step draw) const {
    return {seed_, Purpose::program, node, draw};
}

void SiteNode::send(NodeId /*node*/, Port port, const model::MessageBytes& message) {
    EQUIPOISE_ASSERT(message.tokens == 0);  // jobs travel apart from messages
    world_.send(port, message.as<Message>());
}

void SiteNode::release(NodeId /*node*/, Port /*port*/) {
    EQUIPOISE_ASSERT(false);  // no channel is ever reserved
}

bool SiteNode::poll(NodeId /*node*/, Port /*port*/, model::KindSet /*kinds*/,
                    model::Reception& /*received*/) {
    return false;
}

void SiteNode::book(NodeId /*node*/, Port port, Tokens leaving) {
    if (leaving >= 0)
        world_.hand_over(port, leaving);
    else
        world_.take_over(port, -leaving);
}

bool SiteNode::begin(NodeId /*node*/, const model::Ask& ask) {
    EQUIPOISE_ASSERT(ask.verb == model::Ask::Verb::receive && ask.port == model::any_port);
    ask_ = ask;
    return received_.has_value();
}

bool SiteNode::end(NodeId /*node*/, model::Reception& received) {
    if (!received_) return false;
    received.put(received_->message, received_->port);
    received_.reset();
    return true;
}

}  // namespace equipoise::agent
