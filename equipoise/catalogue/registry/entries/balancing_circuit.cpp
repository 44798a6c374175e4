#include "equipoise/protocols/balancing_circuit.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries::balancing_circuit {

namespace {

using analysis::CircuitMatrix;
using protocols::BalancerState;

const network::MatchingSequence& matchings_of(const Task& task) {
    return task.matchings != nullptr ? *task.matchings : task.facts.natural_matchings();
}

Step round_length(const Task& task) {
    return std::max<Step>(1, matchings_of(task).size());
}

Fraction share_of(const Task& task) {
    return task.parameters.fraction("share");
}

bool shares_evenly(const Task& task) {
    const Fraction share = share_of(task);
    return 2 * share.numerator == share.denominator;
}

CircuitMatrix matrix_of(const Task& task) {
    const Fraction share = share_of(task);
    return {task.facts.network().node_count(), matchings_of(task),
            static_cast<double>(share.numerator) / static_cast<double>(share.denominator)};
}

std::string name_of(const Task& task) {
    const Fraction share = share_of(task);
    return "circuit " + std::to_string(share.numerator) + "/" + std::to_string(share.denominator) +
           (task.matchings == nullptr ? ": natural" : ": " + network::to_text(*task.matchings));
}

const analysis::Convergence& convergence_of(const Task& task) {
    return task.facts.convergence(name_of(task), [&] {
        return circuit_convergence(task.facts.network(), matrix_of(task),
                                   task.matchings == nullptr);
    });
}

bool keeps_balancers(const Task& task) {
    return task.parameters.word("balancers") == "kept";
}

BalancerState initial_of(const Task& task) {
    const std::string& word = task.parameters.word("initial");
    if (word == "random") return BalancerState::random;
    return word == "down" ? BalancerState::down : BalancerState::up;
}

/// Every pair meets in every state of its balancer within one round if balancers are reset, and
/// within two if they keep their states; with coins nothing is ever certain.
analysis::TokenRule rule_of(const Task& task) {
    const Fraction share = share_of(task);
    analysis::TokenRule rule;
    rule.share = {static_cast<Tokens>(share.numerator), static_cast<Tokens>(share.denominator)};
    if (initial_of(task) == BalancerState::random) return rule;
    rule.quiet_steps = keeps_balancers(task) ? 2 * round_length(task) : round_length(task);
    rule.memoryless = !keeps_balancers(task);
    return rule;
}

/// Theorem 2, when a round is over; the states of balancers do not matter.
std::optional<double> deviation_bound(const Task& task) {
    const std::optional<double> psi = convergence_of(task).divergence_upper();
    if (!psi) return std::nullopt;
    return theory::circuit_deviation(*psi, static_cast<Tokens>(share_of(task).denominator));
}

/// Theorem 2 with the bound on Psi of Theorem 4.
std::optional<double> deviation_by_gap(const Task& task) {
    const std::optional<double> gap = convergence_of(task).gap();
    if (!gap) return std::nullopt;
    const CircuitMatrix matrix = matrix_of(task);
    return theory::circuit_deviation(
        theory::local_divergence_bound(matrix.node_count(), matrix.matchings().size(), *gap, false,
                                       matrix.share()),
        static_cast<Tokens>(share_of(task).denominator));
}

/// Averaging pairs levels all loads if and only if the pairs connect the network: loads that it
/// does not change are equal within every pair.
bool matchings_connect(const Task& task) {
    std::vector<Ends> pairs;
    for (const auto& matching : matchings_of(task))
        for (const auto& [tail, head] : matching)
            pairs.push_back({std::min(tail, head), std::max(tail, head)});
    std::sort(pairs.begin(), pairs.end(), [](const Ends& a, const Ends& b) {
        return std::pair(a.tail, a.head) < std::pair(b.tail, b.head);
    });
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return network::is_connected(network::Network(task.facts.network().node_count(), pairs));
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    if (task.parameters.word("initial") == "given" && task.matchings == nullptr)
        throw UnsuitableError(
            "initial=given takes orientations from a file: it needs --matchings FILE");
    if (keeps_balancers(task) && !shares_evenly(task))
        throw UnsuitableError(
            "balancers=kept sends tokens up and down in turn, so a pair shares evenly: expected "
            "share=1/2");
    if (keeps_balancers(task) && task.parameters.word("initial") == "random")
        throw UnsuitableError(
            "balancers=kept determines the states of every round but the first: expected initial "
            "up, down or given");
    expect_levelling(task.matchings == nullptr || matchings_connect(task), "these matchings");
}

/// Whether waiting for Theorem 1's rounds takes no more than minutes; tokens may circulate all the
/// time.
bool rounds_affordable(const Task& task) {
    constexpr double pair_visits = 2e11;
    const std::optional<Step> rounds = smoothing_rounds(task, convergence_of(task));
    double pairs = 0;
    for (const auto& matching : matchings_of(task))
        pairs += static_cast<double>(links_visited(matching.size()));
    return rounds && static_cast<double>(*rounds) * pairs <= pair_visits;
}

model::Guarantee promise(const Task& task) {
    if (!rounds_affordable(task)) return {};
    const analysis::Convergence& convergence = convergence_of(task);
    if (const std::optional<double> deviation = deviation_bound(task))
        return smoothing_promise(task, convergence, *deviation, round_length(task));
    return promise_by_gap(task, convergence, deviation_by_gap(task), round_length(task));
}

/// Balancers that keep their state may have a quiet round before they move an odd token; two quiet
/// rounds in a row show balancers in both states. Tokens may circulate for ever: if Theorem 1's
/// rounds are not known or take too long, the run ends when nothing but odd tokens has moved for as
/// many rounds as there are nodes (at most 1,000).
DefaultStop default_stop(const Task& task) {
    const Step round = round_length(task);
    const Step quiet = keeps_balancers(task) ? 2 * round : round;
    DefaultStop stop = stop_when_quiet(quiet);
    if (rounds_affordable(task))
        stop = stop_quiet_or_smooth(task, convergence_of(task), quiet, round);
    if (stop.cap_means.empty()) {
        constexpr Step rounds_most = 1000;
        stop.rule.stable_steps = round * std::min<Step>(rounds_most, task.loads.size());
        stop.window_is_proof = false;
    }
    return stop;
}

std::variant<protocols::KeptBalancers, protocols::BalancingCircuit> make(const Task& task) {
    if (keeps_balancers(task)) return protocols::KeptBalancers(initial_of(task));
    const Fraction share = share_of(task);
    return protocols::BalancingCircuit(initial_of(task), static_cast<Tokens>(share.numerator),
                                       static_cast<Tokens>(share.denominator));
}

/// Whether every round is the same circuit, which shares evenly: then it can count.
bool can_count(const Task& task) {
    return shares_evenly(task) && !keeps_balancers(task) &&
           initial_of(task) != BalancerState::random;
}

/// The circuit as if all its balancers were up.
network::Circuit upright_circuit(const Task& task) {
    network::Circuit circuit{task.facts.network().node_count(), matchings_of(task)};
    if (initial_of(task) == BalancerState::down)
        for (auto& level : circuit.levels)
            for (Ends& pair : level)
                std::swap(pair.tail, pair.head);
    return circuit;
}

/// The order of the outputs: the one along which all balancers are up, else the numbers of the
/// nodes, as in counting networks.
std::vector<NodeId> output_order(const network::Circuit& circuit) {
    std::vector<NodeId> order = network::upright_order(circuit);
    if (!order.empty()) return order;
    order.resize(circuit.wire_count);
    std::iota(order.begin(), order.end(), NodeId{0});
    return order;
}

/// The rounds within which the circuit counts according to Theorem 9(b) and Corollary 10.
Step counting_rounds(const Task& task) {
    const NodeId nodes = task.facts.network().node_count();
    const Tokens discrepancy = load::discrepancy(task.loads);
    const Step direct = theory::counting_rounds(nodes, discrepancy);
    const std::optional<double> gap = convergence_of(task).gap();
    const std::optional<double> deviation = deviation_bound(task);
    if (!gap || !deviation) return direct;
    return std::min(direct,
                    theory::counting_rounds_after_smoothing(nodes, discrepancy, *gap, *deviation));
}

/// Whether loads differ by at most 1, the larger ones first in this order.
bool counted(const load::Loads& loads, const std::vector<NodeId>& order) {
    return load::discrepancy(loads) <= 1 &&
           std::is_sorted(order.begin(), order.end(),
                          [&](NodeId a, NodeId b) { return loads[a] > loads[b]; });
}

/// Notes by when the circuit is promised to count, whether the final loads are counted and, if
/// nothing moves any more, since when: loads that a round does not change never change again.
void note_counting(const Task& task, const engine::RoundOptions& options,
                   const engine::RoundOutcome& outcome, model::Notes& notes) {
    if (!can_count(task) || options.environment != nullptr) return;
    const network::Circuit circuit = upright_circuit(task);
    if (network::is_counting_network(circuit))
        notes.constants["counts_within_rounds"] = "1";
    else if (network::has_almost_hamiltonian_cycle(circuit))
        notes.constants["counts_within_rounds"] = std::to_string(counting_rounds(task));
    if (outcome.loads.size() != circuit.wire_count) return;  // of one rank's piece
    const bool is_counted = counted(outcome.loads, output_order(circuit));
    notes.constants["counted"] = is_counted ? "yes" : "no";
    const Step round = round_length(task);
    const Step quiet = options.stop.quiet_steps.value_or(0);
    if (!is_counted || outcome.stopped_because != model::StopReason::quiet || quiet < round) return;
    const Step moving = outcome.costs.steps - quiet;
    notes.constants["counted_after_rounds"] = std::to_string((moving + round - 1) / round);
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    notes.constants["round_length"] = std::to_string(matchings_of(task).size());
    note_convergence(convergence_of(task), notes);
    engine::RoundOutcome outcome =
        play_beside_circuit(task, options,
                            {matrix_of(task), name_of(task), task.matchings == nullptr,
                             static_cast<Tokens>(share_of(task).denominator), rule_of(task)},
                            notes, play);
    note_counting(task, options, outcome, notes);
    return outcome;
}

}  // namespace

Algorithm entry() {
    return {
        .name = "balancing-circuit",
        .after = "dimension-exchange",
        .title =
            "periodic balancing circuit: matched pairs share, the odd token goes where the "
            "balancer's state says",
        .source = theory::cite(theory::papers::rabani, "Section 2; Aspnes, Herlihy, Shavit 1991"),
        .model = StepModel::single_port,
        .needs =
            "a connected network whose matchings (the network's default or --matchings FILE) "
            "connect it",
        .parameters = {word_parameter("initial", {"up", "down", "random", "given"},
                                      "state of the balancers at the start of every round: up (the "
                                      "odd token to the tail), down, random (drawn afresh), given "
                                      "(up, with the orientations of --matchings)"),
                       word_parameter("balancers", {"reset", "kept"},
                                      "reset: back in their initial state at the start of every "
                                      "round (the paper's); kept: each goes on sending tokens up "
                                      "and down in turn over all rounds, as in counting networks"),
                       {.name = "share",
                        .type = ParameterType::fraction,
                        .default_value = "1/2",
                        .help = "the fraction p/q of a pair's difference that moves"}},
        .guarantee =
            "discrepancy at most floor(1 + 2 (q-1)/q Psi(P^T)) after (2 / gap) ln(K N^2) rounds, q "
            "the divisor of the share, 2 for even balancers; where Psi would take long to compute, "
            "by the gap alone; else none",
        .stop =
            "no token moved in a full round (balancers=kept: two), or after the rounds of Theorem "
            "1; where these rounds are not known or take too long, also when only odd tokens move",
        .takes_matchings = true,
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(make, matchings()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::balancing_circuit
