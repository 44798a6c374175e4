#pragma once
// The nodes of a program that the caller gave at run time, as hosts see them.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/model/local/given_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Checks everything that a given program asks of its host, so that it can neither make nor lose
/// tokens: impossible requests throw InputError. `channels` is the network that it runs on; both
/// must outlive it. Memory: 40 bytes per node, 8 bytes per port, besides what the program takes;
/// its own states are not counted in `memory_bits`.
class GivenNodes final : public ProgramNodes {
  public:
    using NodeName = std::function<std::string(NodeId)>;

    GivenNodes(const model::GivenProgram& program, const network::Network& channels,
               NodeName node_name);

    void lay_out(std::size_t nodes, std::size_t ports) override;
    [[nodiscard]] const std::byte* state_memory() const override { return nullptr; }
    [[nodiscard]] const std::byte* port_memory() const override { return nullptr; }
    [[nodiscard]] bool take_turn(model::NodeHost& host, NodeId v, Ports ports, model::Turn turn,
                                 const model::Ask& awaited) override;
    [[nodiscard]] model::MessageBytes view(const void* message) const override;
    [[nodiscard]] unsigned message_bits(const void* message) const override;

    void restart(NodeId v, Ports ports) override;
    // Not supported by any given program.
    void corrupt(RandomStream& random, NodeId v, Ports ports) override;
    [[nodiscard]] model::MessageBytes draw_message(RandomStream& random, void* room) const override;
    void leave(NodeId v) override;
    void forget(NodeId v) override;
    void meet(std::uint32_t port) override;
    void part(std::uint32_t port) override;
    [[nodiscard]] Tokens spare(Tokens tokens, NodeId v, Ports ports) const override;
    void arrive(NodeId v, Tokens tokens) override;
    [[nodiscard]] bool settled(Tokens here, std::uint32_t port, Tokens there,
                               const std::byte* port_there) const override;

  private:
    class AtWork;
    struct Account {
        model::Ask ask;
        Step draws = 0;      ///< of random words
        Tokens doubted = 0;  ///< taken over by neighbours, and not yet handed over
    };

    void end_wait(AtWork& node, model::NodeHost& host, NodeId v);
    [[nodiscard]] InputError error(NodeId v, const std::string& what) const;

    const model::GivenProgram& program_;
    const network::Network& channels_;
    NodeName node_name_;
    std::unique_ptr<model::GivenBehaviour> behaviour_;
    std::vector<Account> accounts_;
    std::vector<Tokens> taken_;               ///< by port of the end that has to hand over
    std::vector<std::uint32_t> first_ports_;  ///< by node
};

}  // namespace equipoise::engine
