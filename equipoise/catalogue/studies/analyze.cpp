#include "equipoise/catalogue/studies/analyze.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/catalogue/studies/observers.hpp"
#include "equipoise/load/line_timetable.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/network/structure/centre.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "equipoise/report/tables/table.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "equipoise/theory/token_distribution.hpp"

namespace equipoise::catalogue {

namespace {

using report::Analysis;

/// The memory of an analysis, in bytes: the network, and lists of its nodes and links; for an
/// implicit grid only lists of nodes.
UInt128 bytes_of_lists(const network::LikelySize& size) {
    constexpr unsigned bytes_a_node = 100;
    constexpr unsigned bytes_a_link = 90;
    return size.nodes * bytes_a_node + (size.stored ? size.links * bytes_a_link : 0);
}

/// The additional memory of eigenvalues: the vectors of an iteration, and the entries of P P^T and
/// of its factor.
UInt128 bytes_of_eigenvalues(const network::LikelySize& size) {
    constexpr unsigned bytes_a_node = 550;
    constexpr unsigned bytes_a_link = 250;
    return size.nodes * bytes_a_node + size.links * bytes_a_link;
}

void expect_lists_to_fit(const network::LikelySize& size) {
    const auto counted = [](UInt128 number, const char* things) {
        constexpr std::uint64_t most = ~std::uint64_t{0};
        return (number > most ? "more than 2^64"
                              : std::to_string(static_cast<std::uint64_t>(number))) +
               ' ' + things;
    };
    expect_memory(bytes_of_lists(size), "an analysis of " + counted(size.nodes, "nodes") + " and " +
                                            counted(size.links, "links"));
}

network::LikelySize size_of(const network::AnyNetwork& network) {
    return {network.node_count(), network.link_count(), network.grid() == nullptr};
}

/// k and h when the tree is complete and k-ary, k >= 2, h >= 1.
std::optional<std::pair<std::uint64_t, std::uint64_t>> complete_tree_shape(
    const network::AnyNetwork& tree, std::uint64_t diameter) {
    if (diameter < 2 || diameter % 2 != 0) return std::nullopt;
    const network::AbsoluteCentre centre = network::absolute_centre(tree);
    const std::uint64_t height = diameter / 2;
    const Port arity = tree.degree(centre.node);
    const std::vector<std::uint32_t> depth = network::distances_from(tree, centre.node);
    for (NodeId node = 0; node < tree.node_count(); ++node) {
        const Port wanted = depth[node] == 0 ? arity : depth[node] < height ? arity + 1 : 1;
        if (tree.degree(node) != wanted) return std::nullopt;
    }
    return std::pair<std::uint64_t, std::uint64_t>(arity, height);
}

void find_stable_discrepancy(const NetworkFacts& facts, Analysis& result) {
    // Word operations that a search may take: about a minute.
    constexpr double work_max = 6e10;
    const analysis::StableGaps gaps = analysis::stable_gaps(facts.stored());
    const double level =
        static_cast<double>(gaps.gaps.size()) * static_cast<double>(gaps.nodes) / 64;
    if (level > work_max) {
        result.left_out.push_back(fmt::format(
            "maximum stable discrepancy: {} distinct component sizes on {} nodes",
            report::grouped(std::uint64_t{gaps.gaps.size()}), report::grouped(gaps.nodes)));
        return;
    }
    result.stable_discrepancy = analysis::maximum_stable_discrepancy(gaps).tokens;
}

/// The edge expansion, from the diffusion's spectrum if that is known.
void find_expansion(const network::AnyNetwork& network, const analysis::DiffusionSpectrum* uniform,
                    Analysis& result) {
    try {
        result.expansion = uniform != nullptr ? analysis::edge_expansion(network, *uniform)
                                              : analysis::edge_expansion(network);
    } catch (const UnsuitableError& error) {
        result.left_out.push_back(std::string("edge expansion: ") + error.what());
    }
}

void find_diffusion(const network::AnyNetwork& network, const AnalyzeOptions& options,
                    Analysis& result) {
    if (!options.weights.empty()) {
        const WeightedLinks weighted =
            weighted_links(network, network::in_lowest_terms(options.weights, result.links));
        result.summary.diffusion_divisor = weighted.divisor_max();
        result.summary.diffusion_symmetric = weighted.symmetric();
        result.diffusion = diffusion_convergence(network, weighted, options.effort);
        if (result.links <= options.effort.links_max) find_expansion(network, nullptr, result);
        return;
    }
    const auto matrix = analysis::DiffusionMatrix::metropolis(network);
    const bool affordable = result.links <= options.effort.links_max;
    // On regular networks every link has the weight 1 / (d + 1), as the expansion requires.
    if (affordable && result.degree_min == result.degree_max &&
        !analysis::known_diffusion_eigenvalue(network)) {
        try {
            analysis::SpectrumOptions wanted;
            wanted.with_vector = true;
            const auto spectrum = analysis::diffusion_spectrum(matrix, wanted);
            result.diffusion =
                diffusion_convergence(network, matrix, true, options.effort, spectrum.modulus);
            find_expansion(network, &spectrum, result);
            return;
        } catch (const UnsuitableError&) {
            return;  // no convergence; noted with the other figures
        }
    }
    result.diffusion = diffusion_convergence(network, matrix, true, options.effort);
    const auto known = analysis::known_uniform_spectrum(network);
    if (known || affordable) find_expansion(network, known ? &*known : nullptr, result);
}

void find_convergence(const NetworkFacts& facts, const AnalyzeOptions& options, Analysis& result) {
    const network::AnyNetwork& network = facts.network();
    const network::LikelySize size = size_of(network);
    const UInt128 bytes = bytes_of_lists(size) + bytes_of_eigenvalues(size);
    const bool fits = bytes <= memory_bytes_max() || result.nodes <= analysis::dense_nodes_max;
    AnalyzeOptions affordable = options;
    if (!fits) affordable.effort.links_max = 0;
    const bool iterates = result.links <= affordable.effort.links_max;
    const std::string missing =
        iterates ? "the iteration did not converge"
        : fits   ? fmt::format("more than {} links", report::grouped(options.effort.links_max))
                 : fmt::format("about {} of memory would be needed", memory_text(bytes));
    if (!iterates && !analysis::known_diffusion_eigenvalue(network)) {
        result.left_out.push_back("eigenvalues and divergences: " + missing);
        return;
    }
    find_diffusion(network, affordable, result);
    const bool natural = options.matchings.empty();
    const network::MatchingSequence& matchings =
        natural ? facts.natural_matchings() : options.matchings;
    const analysis::CircuitMatrix circuit(network.node_count(), matchings);
    result.circuit = circuit_convergence(network, circuit, natural, affordable.effort);
    result.summary.circuit_matchings = matchings.size();
    // This is about the circuit that `run balancing-circuit` plays: its balancers cannot all point
    // up along an order of the nodes if an axis is a cycle.
    result.summary.almost_hamiltonian_cycle =
        network::has_almost_hamiltonian_cycle(network::Circuit{network.node_count(), matchings});
    const auto note = [&](const analysis::Convergence& found, const char* name) {
        if (!found.lambda) {
            result.left_out.push_back(fmt::format("eigenvalue gap of the {}: {}", name, missing));
        } else if (!found.divergence) {
            result.left_out.push_back(
                fmt::format("local divergence of the {}: too many steps at a gap of {:.3g}", name,
                            1 - found.lambda->value));
        }
    };
    note(result.diffusion, "diffusion");
    note(result.circuit, "circuit");
}

/// A mesh or a path numbered from end to end; not a torus, whose closing links carry tokens too.
std::optional<mesh::Box> mesh_of(const network::AnyNetwork& network) {
    const network::Grid* grid = network.grid();
    if (grid != nullptr && grid->shape() != network::Grid::Shape::mesh) return std::nullopt;
    return catalogue::find_box(network);
}

/// Theorem 1 of token distribution, and for meshes the fewest two-sided steps.
void find_static_bounds(const NetworkFacts& facts, const load::Loads& loads, Analysis& result) {
    // The bounds take a few maximum flows, the upper bound with empty nodes one for each node.
    constexpr std::uint64_t links_max = 20'000;
    constexpr std::uint64_t nodes_max = 300;
    theory::InstanceSummary& summary = result.summary;
    const std::optional<mesh::Box> box = mesh_of(facts.network());
    if (box)  // without axes of a single node, which do not count as dimensions
        for (const mesh::Axis& axis : box->axes())
            summary.mesh_sides.push_back(axis.side);
    const bool line = summary.mesh_sides.size() == 1;
    if (line) summary.fewest_steps = load::fewest_steps(loads);
    if (result.links > links_max) {
        result.left_out.push_back(fmt::format("fewest steps of a schedule: more than {} links",
                                              report::grouped(links_max)));
        return;
    }
    optimum::Problem problem;
    problem.network = &facts.stored();
    problem.loads = loads;
    problem.target = optimum::exact_up_to(loads, 0);
    try {
        summary.static_bound = optimum::static_bound(problem).steps;
        if (summary.mesh_sides.empty() || line || result.nodes > nodes_max) return;
        problem.target = optimum::floor_or_ceiling(loads);
        summary.fewest_steps = optimum::static_upper_bound(problem);
    } catch (const OverflowError& error) {
        result.left_out.push_back(std::string("fewest steps of a schedule: ") + error.what());
    }
}

void find_exchange_ratio(const network::AnyNetwork& network, Analysis& result) {
    try {
        result.exchange_ratio = analysis::best_exchange_ratio(network);
    } catch (const UnsuitableError& error) {
        result.left_out.push_back(std::string("best exchange ratio: ") + error.what());
    }
}

void summarize(const load::Loads& loads, Analysis& result) {
    theory::InstanceSummary& summary = result.summary;
    summary.nodes = result.nodes;
    summary.degree_max = result.degree_max;
    summary.colours = result.colours.value_or(0);
    summary.connected = result.connected;
    summary.tree = result.tree;
    if (result.diameter) summary.diameter = result.diameter->upper;
    summary.stable_discrepancy = result.stable_discrepancy;
    summary.tokens = load::total(loads);
    summary.discrepancy = load::discrepancy(loads);
    try {
        summary.scaled_potential = load::potential(loads);
    } catch (const OverflowError& error) {
        result.left_out.push_back(error.what());
    }
    for (const Tokens load : loads) {
        summary.load_max = std::max(summary.load_max, load);
        summary.empty_nodes += load == 0 ? 1 : 0;
    }
    // For theorems about a single round, the gap of several rounds together does not count.
    if (result.diffusion.rounds == 1) summary.diffusion_gap = result.diffusion.gap();
    summary.diffusion_divergence = result.diffusion.divergence_upper();
    summary.circuit_gap = result.circuit.gap();
    summary.circuit_divergence = result.circuit.divergence_upper();
}

/// Upper bounds stop growing, or are refused, beyond 64 bits: from there on they say nothing.
std::optional<double> bound_within_64_bits(const theory::Theorem& theorem,
                                           const theory::InstanceSummary& summary) {
    try {
        const double value = theory::bound(theorem, summary);
        if (theorem.sense == theory::Sense::at_most && value >= 0x1.0p64) return std::nullopt;
        return value;
    } catch (const OverflowError&) {
        return std::nullopt;
    }
}

/// On meshes: the cheaper of the two weakly adaptive algorithms, and the strongly adaptive one.
void recommend_for_meshes(Analysis& result) {
    const std::vector<std::uint64_t>& sides = result.summary.mesh_sides;
    if (sides.empty()) return;
    const bool weak = theory::weak_order(sides, result.summary.tokens, result.summary.load_max) <=
                      theory::faster_order(sides, result.summary.tokens, result.summary.load_max);
    const std::string shape =
        sides.size() == 1 ? "a line" : fmt::format("a mesh of {} dimensions", sides.size());
    result.recommendations.push_back(
        {weak ? "mesh-weak" : "mesh-faster",
         shape + ": discrepancy 1, one token per node and step, in steps that depend on the number "
                 "of tokens and the largest load"});
    result.recommendations.push_back(
        {"mesh-strong", shape + " with a one-bit bus: loads within 1 of floor and ceiling of the "
                                "mean, in steps close to the fewest for these very loads"});
}

void recommend(Analysis& result) {
    const auto add = [&](std::string name, std::string reason) {
        result.recommendations.push_back({std::move(name), std::move(reason)});
    };
    if (!result.connected || result.nodes < 2) return;
    const std::uint64_t diameter = result.diameter ? result.diameter->upper : result.nodes;
    const theory::InstanceSummary& summary = result.summary;
    if (result.tree) {
        add("discrepancy-1",
            fmt::format("a tree with {}: discrepancy 1, synchronously, one neighbour per step",
                        report::counted(std::uint64_t{summary.colours}, "colour")));
        add("perfect-tree-batched",
            fmt::format("a tree of diameter {}: perfect with {} messages and no common clock",
                        diameter, report::grouped(4 * result.nodes - 3)));
        add("minimum-exchange-tree", "a tree: perfect with the fewest token exchanges possible");
    } else {
        add("discrepancy-1", "discrepancy 1 over a spanning tree, whatever the network");
        add("minimum-exchange-tree",
            "perfect over a spanning tree, with the fewest token exchanges possible on "
            "that tree; no common clock");
    }
    recommend_for_meshes(result);
    add("threshold-2",
        fmt::format("discrepancy at most the diameter, {}, one neighbour per step; nodes "
                    "keep no state and need know nothing of the network",
                    diameter));
    add("deal-agreement-3",
        fmt::format("neighbours end within 1 of each other, hence discrepancy at most {}; loads "
                    "may change while it runs, and no round makes anything worse",
                    diameter));
    add("async-deal-agreement", "the same without a common clock");
    if (const auto& gap = summary.diffusion_gap; gap && *gap >= 0.05)
        add("diffusion",
            fmt::format("an eigenvalue gap of {:.3g}: smooth within {}", *gap,
                        report::counted(theory::idealised_smoothing_rounds(
                                            result.nodes, summary.discrepancy, *gap, 1),
                                        "round")));
}

}  // namespace

report::Analysis analyze(const NetworkFacts& facts, const load::Loads& loads,
                         const AnalyzeOptions& options) {
    const network::AnyNetwork& network = facts.network();
    expect_lists_to_fit(size_of(network));
    Analysis result;
    result.nodes = network.node_count();
    result.links = network.link_count();
    result.degree_min = network.degree_min();
    result.degree_max = network.degree_max();
    result.connected = facts.connected();
    result.tree = result.connected && result.nodes > 0 && facts.tree();
    result.bipartite = network::bipartition(network).bipartite();
    result.vertex_transitive_known = analysis::known_vertex_transitive(network);
    if (result.nodes > 0) result.colours = facts.colour_count();
    if (result.connected && result.nodes > 0) {
        result.diameter = network::diameter(network);
        if (result.tree) {
            find_stable_discrepancy(facts, result);
            if (const auto shape = complete_tree_shape(network, result.diameter->lower)) {
                result.summary.tree_arity = shape->first;
                result.summary.tree_height = shape->second;
            }
        }
        find_static_bounds(facts, loads, result);
        if (result.nodes > 1) find_convergence(facts, options, result);
    }
    if (const auto gap = options.observers_gap)
        result.observers = find_observers(facts, *gap > 0 ? gap : std::nullopt);
    if (options.exchange_ratio) find_exchange_ratio(network, result);
    summarize(loads, result);
    for (const theory::Theorem& theorem : theory::theorems()) {
        if (!theorem.holds(result.summary)) {
            result.refused.push_back(&theorem);
            continue;
        }
        if (const auto value = bound_within_64_bits(theorem, result.summary)) {
            result.bounds.push_back({&theorem, *value});
            continue;
        }
        result.refused.push_back(&theorem);
        result.left_out.push_back(fmt::format("{}: beyond 64 bits", theorem.quantity));
    }
    recommend(result);
    return result;
}

void expect_analysis_to_fit(const std::string& spec) {
    if (const auto size = network::likely_size(spec)) expect_lists_to_fit(*size);
}

void AnalyzeRequest::check() const {
    expect_file_there(matrix.text);
    expect_matchings_there(matchings);
}

report::Analysis analyze(const AnalyzeRequest& request, const network::AnyNetwork& network) {
    const load::Loads loads = loads_of(request.loads, network, request.seed);
    AnalyzeOptions options;
    options.effort.threads = request.threads;
    options.weights = weights_of(request.matrix, network);
    options.matchings = matchings_of(request.matchings, network);
    if (request.observers || request.gap > 0) options.observers_gap = request.gap;
    options.exchange_ratio = request.exchange_ratio;
    return analyze(NetworkFacts(network), loads, options);
}

}  // namespace equipoise::catalogue
