#include "equipoise/catalogue/registry/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

namespace {

using analysis::Convergence;
using analysis::Estimate;

constexpr double relative_error = 1e-6;

/// Classes of nodes, which are joined over time.
class Classes {
  public:
    explicit Classes(NodeId nodes) : parent_(nodes), count_(nodes) {
        std::iota(parent_.begin(), parent_.end(), NodeId{0});
    }
    [[nodiscard]] NodeId count() const { return count_; }
    /// Joins two classes; returns whether they were apart until now.
    bool join(NodeId one, NodeId other) {
        one = root(one);
        other = root(other);
        if (one == other) return false;
        parent_[one] = other;
        --count_;
        return true;
    }

  private:
    [[nodiscard]] NodeId root(NodeId node) {
        while (parent_[node] != node)
            node = parent_[node] = parent_[parent_[node]];
        return node;
    }

    std::vector<NodeId> parent_;
    NodeId count_;
};

/// For each node, whether it keeps part of its load: its weights do not sum to exactly 1.
std::vector<bool> keepers(NodeId nodes, const WeightedLinks& weighted) {
    struct Sum {
        Int128 numerator = 0;
        Int128 denominator = 1;
        bool exact = true;
    };
    std::vector<Sum> sums(nodes);
    const auto add = [&](NodeId node, const network::Weight& weight) {
        Sum& sum = sums[node];
        const Int128 common = std::gcd(static_cast<std::uint64_t>(sum.denominator),
                                       static_cast<std::uint64_t>(weight.denominator));
        const Int128 factor = weight.denominator / common;
        // The readers of matrices refuse such rows.
        sum.exact = sum.exact && sum.denominator * factor <= tokens_max;
        if (!sum.exact) return;
        sum.numerator = sum.numerator * factor + weight.numerator * (sum.denominator / common);
        sum.denominator *= factor;
    };
    for (std::size_t link = 0; link < weighted.links.size(); ++link) {
        add(weighted.links[link].tail, weighted.forth(link));
        add(weighted.links[link].head, weighted.back(link));
    }
    std::vector<bool> keep(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        keep[node] = !sums[node].exact || sums[node].numerator != sums[node].denominator;
    return keep;
}

/// The link visits needed to compute a sum over all time to the required precision.
double divergence_work(double sources, double links, double tail_factor, double decay) {
    if (decay <= 0) return sources * links;
    const double rounds = std::log(tail_factor / relative_error) / -std::log(decay);
    return sources * links * std::max(8.0, rounds);
}

std::optional<Estimate> eigenvalue_of(const analysis::CircuitMatrix& matrix, std::uint64_t links,
                                      const ConvergenceEffort& effort) {
    if (links > effort.links_max) return std::nullopt;
    try {
        return second_eigenvalue(matrix);
    } catch (const UnsuitableError&) {
        return std::nullopt;
    }
}

std::optional<Estimate> eigenvalue_of(const analysis::DiffusionMatrix& matrix, std::uint64_t rounds,
                                      const ConvergenceEffort& effort) {
    if (matrix.links().size() > effort.links_max / rounds) return std::nullopt;
    try {
        return second_eigenvalue(matrix, {}, rounds);
    } catch (const UnsuitableError&) {
        return std::nullopt;
    }
}

/// lambda_2(P P^T) of the natural circuit of a grid: the largest value of its axes.
std::optional<Estimate> natural_circuit_eigenvalue(const network::AnyNetwork& network, double share,
                                                   const ConvergenceEffort& effort) {
    const network::Grid* grid = network.grid();
    if (grid == nullptr) return std::nullopt;
    Estimate largest{0, 0, true};
    for (const NodeId side : grid->sides()) {
        if (side < 2) continue;
        const network::Grid axis({side}, grid->shape());
        std::optional<Estimate> found;
        if (share == 0.5) found = analysis::known_circuit_eigenvalue(axis);
        if (!found)
            found = eigenvalue_of(
                analysis::CircuitMatrix(side, network::natural_matchings(axis), share), side,
                effort);
        if (!found) return std::nullopt;
        const bool certified = largest.certified && found->certified;
        if (found->upper() > largest.upper()) largest = *found;
        largest.certified = certified;
    }
    return largest;
}

}  // namespace

analysis::DiffusionMatrix WeightedLinks::matrix(NodeId node_count) const {
    const auto value = [](const network::Weight& weight) {
        return static_cast<double>(weight.numerator) / static_cast<double>(weight.denominator);
    };
    std::vector<double> there;
    std::vector<double> back_again;
    for (std::size_t link = 0; link < links.size(); ++link) {
        there.push_back(value(forth(link)));
        back_again.push_back(value(back(link)));
    }
    return {node_count, links, std::move(there), std::move(back_again)};
}

Tokens WeightedLinks::divisor_max() const {
    Tokens largest = 1;
    for (std::size_t link = 0; link < links.size(); ++link)
        largest = std::max(largest, std::lcm(forth(link).denominator, back(link).denominator));
    return largest;
}

WeightedLinks weighted_links(const network::AnyNetwork& network,
                             const network::RoundWeights& weights) {
    const LinkId links = network.link_count();
    WeightedLinks weighted;
    network::RoundWeights back;
    for (LinkId link = 0; link < links; ++link) {
        const network::Weight& reverse = weights[weights.size() == links ? link : links + link];
        if (weights[link].numerator == 0 && reverse.numerator == 0) continue;
        weighted.links.push_back(network.ends(link));
        weighted.weights.push_back(weights[link]);
        if (weights.size() != links) back.push_back(reverse);
    }
    weighted.weights.insert(weighted.weights.end(), back.begin(), back.end());
    return weighted;
}

// Two nodes are joined by k rounds if some node receives load from both in k rounds; chains of
// joined nodes form classes. If two nodes are in one class after k rounds, the nodes that give to
// them are in one class after k + 1 rounds: every node receives something, so a chain of joined
// nodes has a chain of givers. It is therefore enough to follow, from round to round, the pairs of
// classes that were just joined.
std::optional<std::uint64_t> rounds_that_mix(NodeId nodes, const WeightedLinks& weighted) {
    Classes classes(nodes);
    std::vector<NodeId> giver(nodes, no_node);  // some node that gives to this one
    std::vector<std::pair<NodeId, NodeId>> joined;
    const auto join = [&](NodeId one, NodeId other) {
        if (classes.join(one, other)) joined.emplace_back(one, other);
    };
    const auto give = [&](NodeId from, NodeId to) {
        if (giver[to] == no_node) giver[to] = from;
        join(giver[to], from);
    };
    for (std::size_t link = 0; link < weighted.links.size(); ++link) {
        const auto [tail, head] = weighted.links[link];
        if (weighted.forth(link).numerator > 0) give(tail, head);
        if (weighted.back(link).numerator > 0) give(head, tail);
    }
    const std::vector<bool> keep = keepers(nodes, weighted);
    for (NodeId node = 0; node < nodes; ++node)
        if (keep[node]) give(node, node);
    std::uint64_t rounds = 1;
    for (; classes.count() > 1; ++rounds) {
        const std::vector<std::pair<NodeId, NodeId>> before = std::exchange(joined, {});
        if (before.empty()) return std::nullopt;
        for (const auto& [one, other] : before)
            join(giver[one], giver[other]);
    }
    return rounds;
}

analysis::Convergence diffusion_convergence(const network::AnyNetwork& network,
                                            const analysis::DiffusionMatrix& matrix, bool natural,
                                            const ConvergenceEffort& effort,
                                            std::optional<Estimate> lambda, std::uint64_t rounds) {
    Convergence result;
    result.lambda = lambda;
    if (natural) {
        if (!lambda) result.lambda = analysis::known_diffusion_eigenvalue(network);
        result.divergence = analysis::known_diffusion_divergence(network);
    }
    if (!result.lambda) {
        result.lambda = eigenvalue_of(matrix, rounds, effort);
        if (result.lambda) result.rounds = rounds;
    }
    if (!result.gap() || result.divergence) return result;
    const auto links = static_cast<double>(matrix.links().size());
    const auto together = static_cast<double>(result.rounds);
    const double decay =
        matrix.symmetric() ? result.lambda->upper() : std::sqrt(result.lambda->upper());
    const double work =
        divergence_work(matrix.node_count(), links,
                        std::sqrt(2.0 * matrix.degree_max() * links) * together / (1 - decay),
                        std::pow(decay, 1 / together));
    if (work > effort.link_visits) return result;
    analysis::DivergenceOptions options;
    options.rounds = result.rounds;
    options.relative_error = relative_error;
    options.threads = effort.threads;
    result.divergence = local_divergence(matrix.transposed(), *result.lambda, options);
    return result;
}

analysis::Convergence diffusion_convergence(const network::AnyNetwork& network,
                                            const WeightedLinks& weighted,
                                            const ConvergenceEffort& effort) {
    const NodeId nodes = network.node_count();
    return diffusion_convergence(network, weighted.matrix(nodes), false, effort, {},
                                 rounds_that_mix(nodes, weighted).value_or(1));
}

analysis::Convergence circuit_convergence(const network::AnyNetwork& network,
                                          const analysis::CircuitMatrix& matrix, bool natural,
                                          const ConvergenceEffort& effort) {
    Convergence result;
    if (natural && matrix.even()) {
        result.lambda = analysis::known_circuit_eigenvalue(network);
        result.divergence = analysis::known_circuit_divergence(network);
    }
    if (natural && !result.lambda)
        result.lambda = natural_circuit_eigenvalue(network, matrix.share(), effort);
    if (!result.lambda) result.lambda = eigenvalue_of(matrix, matrix.slot_count(), effort);
    if (!result.gap() || result.divergence) return result;
    const auto slots = static_cast<double>(matrix.slot_count());
    const double decay = std::sqrt(result.lambda->upper());
    const double work = divergence_work(
        matrix.node_count(), slots,
        std::sqrt(slots / (2 * matrix.share() * (1 - matrix.share()))) / (1 - decay), decay);
    if (work > effort.link_visits) return result;
    analysis::DivergenceOptions options;
    options.relative_error = relative_error;
    options.threads = effort.threads;
    result.divergence = local_divergence(matrix.reversed(), *result.lambda, options);
    return result;
}

}  // namespace equipoise::catalogue
