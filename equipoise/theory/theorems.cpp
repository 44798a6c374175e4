#include "equipoise/theory/theorems.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "equipoise/theory/dimension_exchange.hpp"
#include "equipoise/theory/papers.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"
#include "equipoise/theory/stateless_diffusion.hpp"
#include "equipoise/theory/token_distribution.hpp"
#include "equipoise/theory/tree_distribution.hpp"

namespace equipoise::theory {

namespace {

using Instance = InstanceSummary;

using namespace papers;

template <class Number>
double real(Number number) {
    return static_cast<double>(number);
}

bool is_tree(const Instance& i) {
    return i.tree && i.nodes > 0;
}
bool is_tree_of_three(const Instance& i) {
    return i.tree && i.nodes >= 3;
}
bool is_complete_tree(const Instance& i) {
    return i.tree_arity && i.tree_height && *i.tree_arity >= 1 && *i.tree_height >= 1;
}
bool is_connected(const Instance& i) {
    return i.connected;
}
bool has_diameter(const Instance& i) {
    return i.connected && i.diameter;
}
bool is_tree_with_diameter(const Instance& i) {
    return i.tree && i.diameter;
}
bool has_diffusion_gap(const Instance& i) {
    return i.connected && i.diffusion_gap;
}
bool has_circuit_gap(const Instance& i) {
    return i.connected && i.circuit_gap;
}
bool has_diffusion(const Instance& i) {
    return has_diffusion_gap(i) && i.diffusion_divergence;
}
bool has_circuit(const Instance& i) {
    return has_circuit_gap(i) && i.circuit_divergence;
}
bool has_circuit_matchings(const Instance& i) {
    return has_circuit_gap(i) && i.circuit_matchings;
}
double diffusion_divergence_by_gap(const Instance& i) {
    return local_divergence_bound(i.nodes, i.degree_max, *i.diffusion_gap, i.diffusion_symmetric);
}
double circuit_divergence_by_gap(const Instance& i) {
    return local_divergence_bound(i.nodes, *i.circuit_matchings, *i.circuit_gap, false);
}

bool is_loaded_mesh(const Instance& i) {
    return !i.mesh_sides.empty() && i.load_max > 0;
}
bool is_loaded_cube(const Instance& i) {
    return is_loaded_mesh(i) && std::all_of(i.mesh_sides.begin(), i.mesh_sides.end(),
                                            [&](auto side) { return side == i.mesh_sides[0]; });
}
bool has_static_bound(const Instance& i) {
    return i.connected && i.static_bound;
}

constexpr double smoothness = 1;

/// Rounds of Theorem 1 until the idealised process is 1-smooth.
double smoothing_rounds(const Instance& i, double gap) {
    return real(idealised_smoothing_rounds(i.nodes, i.discrepancy, gap, smoothness));
}
/// Theorem 2 for weights 1 / (max(deg u, deg v) + 1), or those whose largest divisor is given.
double deviation(const Instance& i) {
    const auto divisor = i.diffusion_divisor.value_or(static_cast<Tokens>(i.degree_max) + 1);
    return diffusion_deviation(*i.diffusion_divergence, divisor);
}

const std::array all_theorems = {
    Theorem{"Theorem 5", houle, "discrepancy that threshold-2 leaves (tokens)", "D",
            "a connected network", has_diameter,
            [](const Instance& i) { return real(threshold_2_discrepancy_bound(*i.diameter)); }},
    Theorem{"Theorem 12", houle,
            "discrepancy that threshold-1 may leave, and from some loads does (tokens)", "MSD",
            "a tree whose maximum stable discrepancy is known",
            [](const Instance& i) { return i.tree && i.stable_discrepancy; },
            [](const Instance& i) { return real(*i.stable_discrepancy); }},
    Theorem{"Lemma 13", houle, "maximum stable discrepancy (tokens)", "floor(n/2)", "a tree",
            is_tree, [](const Instance& i) { return real(stable_discrepancy_bound(i.nodes)); }},
    Theorem{
        "Theorem 16, sharpened", houle, "maximum stable discrepancy (tokens)",
        "min{floor(n/2), 1 + (d-2) L, floor((d+1) L / 2)}, L = ceil(log2 n) - 1",
        "a tree of at least three nodes", is_tree_of_three,
        [](const Instance& i) { return real(stable_discrepancy_bound(i.nodes, i.degree_max)); }},
    Theorem{"Lemma 17", houle, "maximum stable discrepancy (tokens)",
            "min{(k-1) h + 1, floor((k+2) (h+1) / 2)}", "a complete k-ary tree of height h",
            is_complete_tree,
            [](const Instance& i) {
                return real(
                    stable_discrepancy_bound_of_complete_tree(*i.tree_arity, *i.tree_height));
            }},
    Theorem{"Theorem 18", houle, "steps of discrepancy-1 to a discrepancy of 1",
            "2 max(0, K - 1) chi n", "a tree", is_tree,
            [](const Instance& i) {
                return real(discrepancy_1_steps_bound(i.discrepancy, i.colours, i.nodes));
            }},
    Theorem{"Theorem 18, with termination", houle, "steps of discrepancy-1 until all nodes stop",
            "2 max(0, K - 1) chi n + chi n", "a tree", is_tree,
            [](const Instance& i) {
                return real(
                    discrepancy_1_steps_bound_with_termination(i.discrepancy, i.colours, i.nodes));
            }},

    Theorem{"Section 5, repaired", margara, "time of perfect-tree (time units)", "3 D (T + d)",
            "a tree", is_tree_with_diameter,
            [](const Instance& i) {
                return real(tree_distribution_time(*i.diameter, i.tokens, i.degree_max));
            }},
    Theorem{"Section 5, space", margara, "memory of perfect-tree (bits at the largest node)",
            "(d + 2) (log T + log n) + 6 log d + 4", "a tree", is_tree,
            [](const Instance& i) {
                return real(tree_distribution_space_bits(i.degree_max, i.tokens, i.nodes));
            }},
    Theorem{"Section 5, exchanges, repaired", margara,
            "token exchanges of perfect-tree beyond the fewest", "2 H (T mod n), H <= D", "a tree",
            is_tree_with_diameter,
            [](const Instance& i) {
                return real(tree_distribution_excess(*i.diameter, i.tokens, i.nodes));
            }},
    Theorem{"Section 5, in bundles", margara, "messages of perfect-tree-batched", "4 n - 3",
            "a tree", is_tree,
            [](const Instance& i) { return real(tree_distribution_batched_messages(i.nodes)); }},

    Theorem{"Theorem 1(a)", meyer,
            "steps of any schedule until no node has more than the mean, rounded up",
            "max over X of ceil((tokens in X - m |X|) / match(X)), m the mean rounded up",
            "a connected network small enough for its cuts", has_static_bound,
            [](const Instance& i) { return real(*i.static_bound); }, Sense::at_least},
    Theorem{"Theorem 1(b), sharpened", meyer,
            "steps of the best schedule until no node has more than the mean, rounded up",
            "the bound of Theorem 1(a) + min(n - 2, empty nodes)",
            "a connected network small enough for its cuts", has_static_bound,
            [](const Instance& i) {
                return real(off_line_steps_bound(*i.static_bound, i.nodes, i.empty_nodes));
            }},
    Theorem{"Theorem 2(a), repaired", meyer,
            "steps of any algorithm on the hardest loads of N tokens, at most k on a node",
            "ceil((N - m a^d) / (d a^(d-1))), a = ceil((N/k)^(1/d)), m the mean rounded up",
            "a mesh whose sides are equal, with tokens", is_loaded_cube,
            [](const Instance& i) {
                return real(
                    weak_lower_bound(i.mesh_sides[0], i.mesh_sides.size(), i.tokens, i.load_max));
            },
            Sense::at_least},
    Theorem{"Theorem 2(b)", meyer, "steps of mesh-weak",
            "2^d (root + n), root = (N k^(d-1))^(1/d) on cubes", "a mesh with tokens",
            is_loaded_mesh,
            [](const Instance& i) { return weak_order(i.mesh_sides, i.tokens, i.load_max); },
            Sense::order},
    Theorem{"Theorem 2(b), repaired", meyer, "steps of mesh-faster",
            "d^2 (root + n), root = (N k^(d-1))^(1/d) on cubes", "a mesh with tokens",
            is_loaded_mesh,
            [](const Instance& i) { return faster_order(i.mesh_sides, i.tokens, i.load_max); },
            Sense::order},
    Theorem{"Theorem 3, repaired", meyer, "steps of mesh-strong",
            "d^3 log2 k T, T the fewest steps to floor or ceiling of the mean",
            "a mesh with tokens, a bound on its fewest steps",
            [](const Instance& i) { return is_loaded_mesh(i) && i.fewest_steps; },
            [](const Instance& i) {
                return strong_order(i.mesh_sides.size(), i.load_max, *i.fewest_steps);
            },
            Sense::order},

    Theorem{"Theorem 1", dinitz, "rounds of deal-agreement-1 to a discrepancy of 1",
            "(2nD + 1) ln(ceil(2nK^2))", "a connected network", has_diameter,
            [](const Instance& i) {
                return real(
                    deal_agreement_1_rounds(i.nodes, *i.diameter, real(i.discrepancy), 1.0));
            }},
    Theorem{"Theorem 2", dinitz, "rounds of deal-agreement-2 until 1-balanced",
            "(8nD + 1) ln(ceil(nK^2 / 2D^2)) + 2nD^2", "a connected network", has_diameter,
            [](const Instance& i) {
                return real(deal_agreement_2_rounds(i.nodes, *i.diameter, i.discrepancy));
            }},
    Theorem{"Theorem 3, sharpened", dinitz,
            "rounds of deal-agreement-2 and -3 in which tokens move", "floor(Phi / 2)",
            "a connected network and its initial loads",
            [](const Instance& i) { return i.connected && i.scaled_potential; },
            [](const Instance& i) {
                return real(deal_rounds_by_potential(*i.scaled_potential, i.nodes));
            }},
    Theorem{
        "Theorem 3", dinitz, "rounds of deal-agreement-3 until 1-balanced", "floor(n K^2 / 8)",
        "a connected network", is_connected,
        [](const Instance& i) { return real(deal_agreement_3_rounds(i.nodes, i.discrepancy)); }},
    Theorem{
        "Theorem 4", dinitz, "deals of async-deal-agreement until 1-balanced", "floor(n K^2 / 8)",
        "a connected network", is_connected,
        [](const Instance& i) { return real(deal_agreement_3_rounds(i.nodes, i.discrepancy)); }},
    Theorem{"Theorems 2 to 4", dinitz, "discrepancy of a 1-balanced network (tokens)", "D",
            "a connected network", has_diameter,
            [](const Instance& i) { return real(one_balanced_discrepancy(*i.diameter)); }},

    Theorem{"Theorem 1", rabani, "rounds until idealised diffusion is 1-smooth",
            "(2 / mu) ln(K n^2)", "a known eigenvalue gap", has_diffusion_gap,
            [](const Instance& i) { return smoothing_rounds(i, *i.diffusion_gap); }},
    Theorem{"Theorem 1", rabani, "rounds until the idealised circuit is 1-smooth",
            "(2 / mu) ln(K n^2)", "a known gap of P P^T", has_circuit_gap,
            [](const Instance& i) { return smoothing_rounds(i, *i.circuit_gap); }},
    Theorem{"Theorem 2, sharpened", rabani, "deviation of diffusion (tokens)",
            "(q-1) / q Psi(P), q the largest divisor of a weight: d + 1 unless weights are given",
            "a known local divergence", has_diffusion, deviation},
    Theorem{"Theorem 2, sharpened", rabani, "deviation of the balancing circuit (tokens)",
            "Psi(P^T) / 2 when a round is over", "a known local divergence", has_circuit,
            [](const Instance& i) { return circuit_deviation(*i.circuit_divergence); }},
    Theorem{"Corollary 3", rabani,
            "discrepancy of diffusion after the rounds of Theorem 1 (tokens)",
            "floor(1 + 2 deviation)", "a known local divergence", has_diffusion,
            [](const Instance& i) { return real(token_discrepancy(smoothness, deviation(i))); }},
    Theorem{
        "Corollary 3", rabani, "discrepancy of the circuit after the rounds of Theorem 1 (tokens)",
        "floor(1 + 2 deviation)", "a known local divergence", has_circuit,
        [](const Instance& i) {
            return real(token_discrepancy(smoothness, circuit_deviation(*i.circuit_divergence)));
        }},
    Theorem{"Theorem 4", rabani, "local divergence of diffusion",
            "d ceil(1.5 ln n / mu) + 1 / mu; twice that if P is not symmetric",
            "a known eigenvalue gap", has_diffusion_gap, diffusion_divergence_by_gap},
    Theorem{"Theorem 4", rabani, "local divergence of the circuit",
            "m ceil(3 ln n / mu) + 2 / mu, m the matchings of a round", "a known gap of P P^T",
            has_circuit_matchings, circuit_divergence_by_gap},
    Theorem{"Corollary 5", rabani,
            "discrepancy of diffusion after the rounds of Theorem 1, by the gap alone (tokens)",
            "floor(1 + 2 (d ceil(1.5 ln n / mu) + 1 / mu))", "a known eigenvalue gap",
            has_diffusion_gap,
            [](const Instance& i) {
                return real(token_discrepancy(smoothness, diffusion_divergence_by_gap(i)));
            }},
    Theorem{"Corollary 5", rabani,
            "discrepancy of the circuit after the rounds of Theorem 1, by the gap alone (tokens)",
            "floor(1 + m ceil(3 ln n / mu) + 2 / mu), m the matchings of a round",
            "a known gap of P P^T", has_circuit_matchings,
            [](const Instance& i) {
                return real(
                    token_discrepancy(smoothness, circuit_deviation(circuit_divergence_by_gap(i))));
            }},
    Theorem{"Theorem 9(b)", rabani, "rounds until the circuit counts", "2n (K - 1)",
            "an almost Hamiltonian cycle, all balancers up",
            [](const Instance& i) { return i.almost_hamiltonian_cycle; },
            [](const Instance& i) { return real(counting_rounds(i.nodes, i.discrepancy)); }},
    Theorem{"Corollary 10", rabani, "rounds until the circuit counts",
            "(2 / mu) ln(K n^2) + 2n floor(Psi(P^T))",
            "an almost Hamiltonian cycle, all balancers up, a known local divergence",
            [](const Instance& i) { return i.almost_hamiltonian_cycle && has_circuit(i); },
            [](const Instance& i) {
                return real(
                    counting_rounds_after_smoothing(i.nodes, i.discrepancy, *i.circuit_gap,
                                                    circuit_deviation(*i.circuit_divergence)));
            }},

    Theorem{"Theorem 1", stateless, "discrepancy that send-floor leaves (tokens)",
            "D - 1 for D >= 2d, by default 2d - 1", "a connected network with links",
            [](const Instance& i) { return i.connected && i.degree_max > 0; },
            [](const Instance& i) {
                return real(send_floor_discrepancy(2 * static_cast<Tokens>(i.degree_max)));
            }},
};

}  // namespace

std::span<const Theorem> theorems() {
    return all_theorems;
}

std::string cite_theorem(std::string_view paper, std::string_view name) {
    EQUIPOISE_ASSERT(std::any_of(all_theorems.begin(), all_theorems.end(), [&](const Theorem& row) {
        return row.source == paper && row.name == name;
    }));
    return cite(paper, name);
}

double bound(const Theorem& theorem, const InstanceSummary& instance) {
    if (!theorem.holds(instance))
        throw UnsuitableError(cite(theorem.source, theorem.name) + " needs " +
                              std::string(theorem.hypothesis));
    return theorem.value(instance);
}

}  // namespace equipoise::theory
