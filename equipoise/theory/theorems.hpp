#pragma once
// Every theorem of the papers as one row: its name, source, hypothesis and bound, as a function of
// what is known about an instance.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// What bounds may need to know about an instance. Unknown numbers stay empty; a bound that needs
/// one of them is refused.
struct InstanceSummary {
    std::uint64_t nodes = 0;
    std::uint64_t degree_max = 0;
    std::uint64_t colours = 0;  ///< of the edge colouring that dimension exchange uses
    bool connected = false;
    bool tree = false;
    /// An upper bound if the diameter is not known exactly.
    std::optional<std::uint64_t> diameter;
    /// k and h of a complete k-ary tree.
    std::optional<std::uint64_t> tree_arity;
    std::optional<std::uint64_t> tree_height;
    /// Maximum stable discrepancy of a tree, tokens.
    std::optional<std::uint64_t> stable_discrepancy;

    Tokens tokens = 0;       ///< T
    Tokens discrepancy = 0;  ///< K, of the initial loads
    /// n sum x^2 - T^2 of the initial loads.
    std::optional<Int128> scaled_potential;

    Tokens load_max = 0;            ///< k, of the initial loads
    std::uint64_t empty_nodes = 0;  ///< nodes without tokens
    /// The sides of a mesh, not of a torus; empty: not a mesh.
    std::vector<std::uint64_t> mesh_sides;
    /// B, the largest ceil((I(X) - ceil(N/p) |X|) / match(X)) over sets X of nodes.
    std::optional<std::uint64_t> static_bound;
    /// An upper bound on the fewest steps to floor or ceiling of the mean.
    std::optional<std::uint64_t> fewest_steps;

    /// q, the largest divisor of a weight of the diffusion; empty: d + 1.
    std::optional<Tokens> diffusion_divisor;
    bool diffusion_symmetric = true;
    std::optional<double> diffusion_gap;             ///< a lower bound on mu of the diffusion
    std::optional<double> diffusion_divergence;      ///< an upper bound on Psi(P)
    std::optional<std::uint64_t> circuit_matchings;  ///< of a round of the natural circuit
    std::optional<double> circuit_gap;               ///< of P P^T of the natural circuit
    std::optional<double> circuit_divergence;        ///< an upper bound on Psi(P^T)
    /// Whether, in the natural circuit with its own orientations (Theorem 9), all balancers are up
    /// for the order 0 .. n-1 of the nodes, and consecutive nodes, first and last too, are matched.
    bool almost_hamiltonian_cycle = false;
};

/// How a number bounds its quantity.
enum class Sense : std::uint8_t {
    at_most,
    at_least,
    order,  ///< at most, up to a constant that the theorem does not give
};

/// One bound of one theorem.
struct Theorem {
    std::string_view name;      ///< "Theorem 5"
    std::string_view source;    ///< "Houle, Symvonis, Wood 2004"
    std::string_view quantity;  ///< "discrepancy left by threshold-2 (tokens)"
    std::string_view formula;
    std::string_view hypothesis;
    bool (*holds)(const InstanceSummary&);    ///< whether the hypothesis is met and known
    double (*value)(const InstanceSummary&);  ///< only if the hypothesis holds
    Sense sense = Sense::at_most;
};

/// All of them, paper by paper.
[[nodiscard]] std::span<const Theorem> theorems();

/// The bound of a theorem on an instance. Throws UnsuitableError when its hypothesis fails or a
/// number that it needs is not known.
[[nodiscard]] double bound(const Theorem& theorem, const InstanceSummary& instance);

}  // namespace equipoise::theory
