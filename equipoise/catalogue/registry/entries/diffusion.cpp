#include "equipoise/protocols/diffusion.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries {

namespace {

using analysis::DiffusionMatrix;
using protocols::Diffusion;
using protocols::WeightedDiffusion;

enum class Weights : std::uint8_t { metropolis, uniform, matrix };

/// On regular networks Metropolis weights are the uniform ones.
Weights weights_of(const Task& task) {
    const std::string& word = task.parameters.word("weights");
    if (word == "uniform") return Weights::uniform;
    if (word == "matrix" || (word == "auto" && task.weights != nullptr)) return Weights::matrix;
    return Weights::metropolis;
}

WeightedLinks weighted_links(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    if (weights_of(task) == Weights::matrix)
        return catalogue::weighted_links(network, *task.weights);
    network::RoundWeights weights;
    for (const auto [tail, head] : network::all_links(network)) {
        const Port degree = weights_of(task) == Weights::uniform
                                ? network.degree_max()
                                : std::max(network.degree(tail), network.degree(head));
        weights.push_back({1, Tokens{degree} + 1});
    }
    return catalogue::weighted_links(network, weights);
}

const analysis::Convergence& convergence_of(const Task& task) {
    const Weights weights = weights_of(task);
    const network::AnyNetwork& network = task.facts.network();
    const bool natural =
        weights == Weights::metropolis ||
        (weights == Weights::uniform && network.degree_min() == network.degree_max());
    const std::string key = weights == Weights::matrix
                                ? "diffusion: " + network::to_text(*task.weights)
                            : weights == Weights::uniform ? "diffusion: uniform"
                                                          : "diffusion: metropolis";
    return task.facts.convergence(key, [&] {
        return diffusion_convergence(network, weighted_links(task).matrix(network.node_count()),
                                     natural);
    });
}

Tokens divisor_max(const Task& task) {
    if (weights_of(task) != Weights::matrix) return Tokens{task.facts.network().degree_max()} + 1;
    return weighted_links(task).divisor_max();
}

std::optional<double> deviation_bound(const Task& task) {
    const std::optional<double> psi = convergence_of(task).divergence_upper();
    if (!psi) return std::nullopt;
    return theory::diffusion_deviation(*psi, divisor_max(task));
}

/// With speeds, or if the local divergence is not known, a run goes on until it is frozen.
bool runs_until_frozen(const Task& task) {
    if (!task.speeds.empty()) return true;
    return weights_of(task) != Weights::matrix && !deviation_bound(task);
}

/// Whether some node keeps nothing: the weights of its links sum to exactly 1.
bool keeps_nothing(const std::vector<network::Weight>& row) {
    Int128 numerator = 0;
    Int128 denominator = 1;
    for (const network::Weight& weight : row) {
        const Int128 common = std::gcd(static_cast<std::uint64_t>(denominator),
                                       static_cast<std::uint64_t>(weight.denominator));
        const Int128 factor = weight.denominator / common;
        // The readers of matrices refuse such rows.
        if (denominator * factor > tokens_max) return false;
        numerator = numerator * factor + weight.numerator * (denominator / common);
        denominator *= factor;
    }
    return numerator == denominator;
}

/// A diffusion levels all loads if and only if its links connect the network and, if they are
/// bipartite, some node keeps a part of its load: else the two sides would swap loads for ever.
bool weights_level(const Task& task, const WeightedLinks& weighted) {
    const NodeId nodes = task.facts.network().node_count();
    const network::AnyNetwork graph(network::Network(nodes, weighted.links));
    if (!network::is_connected(graph)) return false;
    if (nodes < 2 || !network::bipartition(graph).bipartite()) return true;
    std::vector<std::vector<network::Weight>> rows(nodes);
    for (std::size_t link = 0; link < weighted.links.size(); ++link)
        for (const NodeId node : {weighted.links[link].tail, weighted.links[link].head})
            rows[node].push_back(weighted.weights[link]);
    return !std::all_of(rows.begin(), rows.end(), keeps_nothing);
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    expect_deviation_makes_sense(task);
    const std::string& word = task.parameters.word("weights");
    if (word == "matrix" && task.weights == nullptr)
        throw UnsuitableError("weights=matrix needs a matrix: expected --matrix FILE");
    if (word != "matrix" && word != "auto" && task.weights != nullptr)
        throw UnsuitableError("--matrix gives the weights: expected weights=matrix, found " + word);
    if (weights_of(task) == Weights::matrix)
        expect_levelling(weights_level(task, weighted_links(task)), "these weights");
}

model::Guarantee promise(const Task& task) {
    if (const std::optional<double> deviation = deviation_bound(task))
        return smoothing_promise(task, convergence_of(task), *deviation, 1);
    if (!runs_until_frozen(task)) return {};
    return {theory::frozen_discrepancy(divisor_max(task), task.facts.diameter().upper),
            {},
            "the state it ends in: frozen, neighbours differ by at most the largest degree"};
}

DefaultStop default_stop(const Task& task) {
    if (!runs_until_frozen(task)) return stop_quiet_or_smooth(task, convergence_of(task), 1, 1);
    return stop_when_quiet(1);
}

/// Metropolis weights work on any network.
struct Make {
    std::variant<Diffusion, WeightedDiffusion> operator()(const Task& task) const {
        if (weights_of(task) == Weights::metropolis) return Diffusion(0);
        if (weights_of(task) == Weights::uniform) return Diffusion(divisor_max(task));
        std::vector<WeightedDiffusion::Weight> weights;
        for (const auto& [numerator, denominator] : *task.weights)
            weights.push_back({numerator, denominator});
        return WeightedDiffusion(std::move(weights));
    }
    std::optional<Diffusion> operator()(const Parameters& parameters) const {
        const std::string& weights = parameters.word("weights");
        const bool metropolis = weights == "auto" || weights == "metropolis";
        if (!metropolis || parameters.word("idealised") == "yes") return std::nullopt;
        return Diffusion(0);
    }
};

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    if (!task.speeds.empty()) return play(options);
    note_convergence(convergence_of(task), notes);
    if (!task.with_deviation) return play(options);
    WeightedLinks weighted = weighted_links(task);
    DiffusionMatrix matrix = weighted.matrix(task.facts.network().node_count());
    return play_beside(task, options, {std::move(matrix), std::move(weighted.weights)},
                       deviation_bound(task), notes, play);
}

}  // namespace

Algorithm diffusion() {
    return {
        .name = "diffusion",
        .after = "deal-agreement-3",
        .title = "first-order diffusion: over every link the weighted difference, rounded down",
        .source = "Rabani, Sinclair, Wanka 1998, Sections 1 and 3; Cybenko 1989; Boillat 1990",
        .model = StepModel::multi_port,
        .needs = "a connected network",
        .parameters =
            {{.name = "weights",
              .type = ParameterType::word,
              .default_value = "auto",
              .help = "metropolis: 1 / (max(deg u, deg v) + 1), uniform: 1 / (largest degree + 1), "
                      "matrix: those of --matrix FILE, auto: the file's where one is given, else "
                      "metropolis (on regular networks the uniform 1 / (d + 1))",
              .words = {"auto", "metropolis", "uniform", "matrix"}},
             idealised_parameter()},
        .guarantee =
            "discrepancy at most floor(1 + 2 (q-1)/q Psi) after (2 / gap) ln(K N^2) "
            "steps, q the largest divisor; where Psi would take long to compute, (q-1) "
            "times the diameter when frozen (not for --matrix)",
        .stop = "no token moved in a step (frozen), or after the steps of Theorem 1",
        .goal_discrepancy = {},
        .anytime = true,
        .serves_speeds = true,
        .takes_weights = true,
        .measures_deviation = true,
        .load_scale = idealised_scale,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .default_stop = default_stop,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(Make{}, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries
