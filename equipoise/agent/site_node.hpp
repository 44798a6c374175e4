#pragma once
// Hosts the node program of one site.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/agent/link_messages.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/model/local/link_end.hpp"
#include "equipoise/model/local/node_host.hpp"

namespace equipoise::agent {

/// The program as every site runs it. `batch`: a node offers at most so many tokens at a time. It
/// takes no deal that leaves it with more than 2^40: forged loads must not exceed 64 bits.
[[nodiscard]] inline Program site_program(unsigned capacity, model::Ticks period, Tokens batch) {
    return Program(programs::LabelledLink(capacity), period, Tokens{1} << 40U, batch);
}

/// What the program of a site does to the world.
class SiteWorld {
  public:
    virtual ~SiteWorld() = default;
    SiteWorld() = default;
    SiteWorld(const SiteWorld&) = delete;
    SiteWorld& operator=(const SiteWorld&) = delete;

    /// The tokens that the site holds now.
    [[nodiscard]] virtual Tokens tokens() const = 0;
    /// Sends a message, which may be lost.
    virtual void send(Port port, const Message& message) = 0;
    virtual void hand_over(Port port, Tokens tokens) = 0;
    virtual void take_over(Port port, Tokens tokens) = 0;
};

/// The node of a site, which takes a turn when a message comes or its time is over. Messages are
/// handed to the program at once, so none ever waits.
class SiteNode final : public model::NodeHost {
  public:
    /// `ends`: of the links behind its ports. The program and the world must outlive it.
    SiteNode(const Program& program, std::vector<model::LinkEnd> ends, std::uint64_t seed,
             SiteWorld& world);

    /// Puts the program into an arbitrary state, from which it recovers.
    void corrupt(RandomStream& random);
    void start();
    void receive(Port port, const Message& message);
    void end_time();
    /// Forgets what the program knows of a link whose other end has fallen silent.
    void part(Port port);
    /// Takes back what is offered through a port; no message may have said so.
    void withdraw(Port port);
    /// Asks the program to hand all its tokens over and to leave.
    void leave();

    /// How many ticks after its last turn its time is over.
    [[nodiscard]] model::Ticks patience() const { return ask_.within; }
    /// How many tokens are offered to all neighbours, and to the one behind a port.
    [[nodiscard]] Tokens offered() const;
    [[nodiscard]] Tokens offered(Port port) const;
    /// Whether it has left.
    [[nodiscard]] bool ended() const { return ended_; }

    // ---- the host's side of the contract; the only node is node 0
    [[nodiscard]] Port degree(NodeId node) const override;
    [[nodiscard]] model::LinkEnd link_end(NodeId node, Port port) const override;
    [[nodiscard]] Tokens tokens(NodeId node) const override;
    [[nodiscard]] Tokens speed(NodeId node) const override;
    [[nodiscard]] RandomStream random(NodeId node, Step draw) const override;
    void send(NodeId node, Port port, const model::MessageBytes& message) override;
    void release(NodeId node, Port port) override;
    bool poll(NodeId node, Port port, model::KindSet kinds, model::Reception& received) override;
    void book(NodeId node, Port port, Tokens leaving) override;
    bool begin(NodeId node, const model::Ask& ask) override;
    bool end(NodeId node, model::Reception& received) override;

  private:
    [[nodiscard]] engine::ProgramNodes::Ports ports() const {
        return {0, static_cast<Port>(ends_.size())};
    }
    void take_turn(model::Turn turn);

    const Program& program_;
    engine::NodesOf<Program> nodes_;
    std::vector<model::LinkEnd> ends_;
    std::uint64_t seed_;
    SiteWorld& world_;
    model::Ask ask_;
    std::optional<model::Received<Message>> received_;
    bool ended_ = false;
};

}  // namespace equipoise::agent
