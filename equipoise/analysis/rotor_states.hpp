#pragma once
// All states that a rotor-router comes back to, on tiny networks.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::analysis {

/// Where the ports of every node lead, in the order of its rotor; an own place leads to the node
/// itself.
using RotorPorts = std::vector<std::vector<NodeId>>;

/// The ports of rotor-router (its plain variant) on a regular network of degree d: the links in
/// their order, then d own places. Throws UnsuitableError on other networks. Cost O(nodes + links).
[[nodiscard]] RotorPorts rotor_ports(const network::Network& network);

/// The states to which a rotor-router comes back.
struct RecurrentRotorStates {
    /// Their number, where states that differ by D tokens at every node are one.
    std::uint64_t count = 0;
    Tokens discrepancy = 0;  ///< the largest of them, tokens
    // One of that discrepancy:
    load::Loads loads;
    std::vector<std::uint32_t> rotors;  ///< the port that gets the next token
};

/// Exactly: all loads and all rotors. D is the number of ports, the same at every node; as many
/// must lead to every node.
///
/// A node's rotor is counted on without end: c_v tokens have been dealt when the next is dealt to
/// port c_v mod D. Then c(t+1) = K + g(c(t)), where K never changes and g_v(c) counts the tokens
/// dealt to ports that lead to v. K matters only modulo D and the network's Laplacian, and on
/// states that recur differences of c are bounded (docs/results/stateless-diffusion.md): both are
/// finite, and are tried. Loads are those of the state with the least tokens that are not negative.
///
/// Throws UnsuitableError for ports of another kind, more than 8 nodes or, as they would take too
/// long, more than 2^33 values of c. Cost O(n^2) for each value of c.
[[nodiscard]] RecurrentRotorStates recurrent_rotor_states(const RotorPorts& ports);

}  // namespace equipoise::analysis
