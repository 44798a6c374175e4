#pragma once
// Elementary balancing circuits: levels of balancers on wires 0 .. N-1. The tail of a pair is the
// wire that gets the odd token while the balancer is up.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// A circuit's levels; every level is a matching, not necessarily perfect.
struct Circuit {
    NodeId wire_count = 0;
    std::vector<std::vector<Ends>> levels;

    /// The network whose links are the circuit's balancers.
    [[nodiscard]] Network network() const;
};

/// The cycle 0, 1, .., N-1 as a circuit of standard balancers: [i:i+1] for all i and [0:N-1], in
/// two levels for even N, three for odd N >= 3 (Rabani, Sinclair, Wanka 1998, Section 2 and Theorem
/// 9). Throws InputError for fewer than two wires.
[[nodiscard]] Circuit hamiltonian_cycle_circuit(NodeId wire_count);

/// The order of the wires along which all balancers are up, if successive wires share balancers;
/// there is at most one. Empty if there is none. Cost O(wires + balancers).
[[nodiscard]] std::vector<NodeId> upright_order(const Circuit& circuit);

/// The same order if the first and the last wire share a balancer too: the almost Hamiltonian cycle
/// that Theorem 9(b) needs, along which the circuit counts.
[[nodiscard]] std::vector<NodeId> counting_order(const Circuit& circuit);

/// Whether there is a `counting_order`.
[[nodiscard]] bool has_almost_hamiltonian_cycle(const Circuit& circuit);

/// The bitonic counting network of Aspnes, Herlihy, Shavit 1991, of depth log w (log w + 1) / 2, on
/// wires numbered in the order in which it counts. Throws InputError unless w is a power of two.
[[nodiscard]] Circuit bitonic_counting_network(NodeId wire_count);

/// The periodic counting network of Aspnes, Herlihy, Shavit 1991: `blocks` copies of Block[w], each
/// of depth log w; log w copies count. Throws InputError unless w is a power of two.
[[nodiscard]] Circuit periodic_counting_network(NodeId wire_count, unsigned blocks);

/// Whether these are the levels of the bitonic counting network or of the periodic one with log w
/// blocks: then one round counts any input, by the numbers of the wires.
[[nodiscard]] bool is_counting_network(const Circuit& circuit);

/// Boustrophedon numbers of a grid's nodes: consecutive numbers are neighbours.
[[nodiscard]] std::vector<NodeId> snake_numbers(const Grid& grid);

/// Turns every pair so that its tail has the lower number: all balancers up for that numbering.
void orient_by(std::vector<std::vector<Ends>>& levels, std::span<const NodeId> numbers);

/// The names of matchings that `named_matchings` knows.
[[nodiscard]] const std::vector<std::string>& matchings_names();

/// The natural matchings, where the odd token of each pair goes to the lower number (`standard`),
/// to the lower snake number on a mesh or torus (`snake`), or to the end farther from the network's
/// `far_end` (`uphill`), so that loads equal to these distances do not change. `bitonic`,
/// `periodic`: the levels of the counting network whose wires 0 .. n-1 are the nodes; `periodic`
/// has the log n blocks that counting takes. Throws UnsuitableError if the word needs a grid, a
/// power of two of nodes or a link that the network does not have.
[[nodiscard]] std::vector<std::vector<Ends>> named_matchings(std::string_view word,
                                                             const AnyNetwork& network);

/// The same levels with every node replaced by its number.
[[nodiscard]] Circuit renumber(const Circuit& circuit, std::span<const NodeId> numbers);

}  // namespace equipoise::network
