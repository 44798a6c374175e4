#pragma once
// The simulation of a program: its nodes, and the world that they live in.

#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/engine/simulation/node_simulation.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/model/local/node_program.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

namespace detail {

/// A base class, so that the nodes exist before the world in which they live.
template <model::NodeProgram Program>
struct OwnNodes {
    NodesOf<Program> own_nodes;
};

}  // namespace detail

/// A `NodeSimulation` with the nodes of a program; program and network must outlive it.
template <model::NodeProgram Program>
class Simulation final : detail::OwnNodes<Program>, public NodeSimulation {
  public:
    /// Throws as `NodeSimulation`.
    Simulation(const Program& program, const network::Network& network,
               std::span<const Tokens> loads, const SimulationOptions& options = {},
               std::span<const Tokens> speeds = {})
        : detail::OwnNodes<Program>{NodesOf<Program>(program)},
          NodeSimulation(this->own_nodes, network, loads, options, speeds) {}

    [[nodiscard]] const typename Program::State& state(NodeId v) const {
        return this->own_nodes.state(this->place(v));
    }
    [[nodiscard]] std::span<const typename Program::PortState> port_states(NodeId v) const {
        return this->own_nodes.port_states(ports(this->place(v)));
    }
};

}  // namespace equipoise::engine
