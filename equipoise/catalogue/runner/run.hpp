#pragma once
// Running an algorithm of the catalogue: the call behind `equipoise::run`.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/runner/asynchrony.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/model/run/stop.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/network/structure/node_orders.hpp"

namespace equipoise::engine {
class Fabric;
class Partition;
}  // namespace equipoise::engine

namespace equipoise::catalogue {

struct Algorithm;
class NetworkFacts;
struct Supervision;

/// The options of a run besides algorithm, network and loads.
struct RunOptions {
    std::uint64_t seed = 0;
    int threads = 1;  ///< 0: as many as the machine has
    ParameterTexts parameters;
    /// Ends the run too; if `steps_max` is given as well, the algorithm's own end does not.
    std::optional<model::StopRule> stop;
    std::optional<Step> steps_max;  ///< a tighter cap than the default
    /// Interrupt, progress, observers (runner/supervision.hpp); must outlive the run. Null: none.
    const Supervision* supervision = nullptr;
    model::RecordLevel record_level = model::RecordLevel::summary;
    std::size_t samples = 200;  ///< of loads that a sampled or full record keeps, about
    load::Loads speeds;         ///< empty: all 1
    /// What arrives and is consumed while the run goes on (`model::make_arrivals`), and which nodes
    /// and links come and go (`model::make_churn`); empty: nothing. With either the run ends only
    /// by `stop`, if one is given, or after `steps_max` steps (default `world_steps_default`),
    /// and no guarantee applies.
    std::string arrivals;
    std::string churn;
    /// Matchings and weights, for algorithms that take them; empty: the algorithm's own.
    network::MatchingSequence matchings;
    network::RoundWeights weights;
    /// Runs the idealised process beside the token process and notes the largest deviation.
    bool with_deviation = false;
    /// Whether `stop` counts in the units of a fixed-point process instead of tokens.
    bool stop_in_units = false;
    AsynchronyTexts asynchrony;  ///< of asynchronous algorithms
    /// Plays an asynchronous algorithm in this order of deliveries, which must outlive the run.
    const std::vector<model::Delivery>* deliveries = nullptr;
    /// How many ranks ran the nodes when `deliveries` were recorded; 0: they were simulated.
    std::uint64_t replayed_ranks = 0;
    /// The order in which engines hold the nodes in synchronous rounds (runner/reordering.hpp), so
    /// that loads that are read together lie together. The outcome is the same, except for seconds.
    network::NodeOrder reorder = network::NodeOrder::natural;
    /// Other processes that make the same call: synchronous rules are then played by all together,
    /// each on its part of the network; other algorithms on rank 0, while the others wait. The
    /// outcome is the same on every rank, and as in one process; records beyond the summary,
    /// progress and notes exist only on rank 0. Null: no others.
    engine::Fabric* fabric = nullptr;
    const engine::Partition* partition = nullptr;  ///< null: consecutive nodes, in their order
    /// Where the ranks of the fabric need the final loads. Elsewhere `record.final_loads` is empty,
    /// unless they are known there anyway; all other figures are the same on every rank.
    model::FinalLoads final_loads = model::FinalLoads::on_every_rank;
    /// Whether the nodes of asynchronous algorithms are on the ranks of the fabric, with real
    /// messages in whatever order they arrive, instead of being simulated on rank 0. If
    /// `asynchrony`, a stop rule, a cap on steps or an order of deliveries is given, the run is
    /// simulated in any case.
    bool nodes_on_ranks = false;
    /// Whether rank 0 plays synchronous rounds alone, while the others sleep, if playing together
    /// would not be faster (`few_for_ranks`) or is impossible (churn), and neither `partition` nor
    /// `reorder` is given.
    /// The outcome is the same.
    bool may_play_alone = false;

    /// Whether tokens, nodes or links come and go.
    [[nodiscard]] bool world_changes() const { return !arrivals.empty() || !churn.empty(); }
};

/// Whether there are too few nodes for the ranks: a step takes a rank less time than exchanging its
/// results with the others. The limit, 4,096 nodes per rank, is computed from 4 ns per node, not
/// measured.
[[nodiscard]] constexpr bool few_for_ranks(NodeId nodes, int ranks) {
    constexpr std::int64_t nodes_a_rank_least = 4096;
    return ranks > 1 && nodes < nodes_a_rank_least * ranks;
}

/// The largest speed of a node: products of loads and speeds stay far inside 128 bits.
inline constexpr Tokens speed_max = 1'000'000'000;

/// Steps of a run in a changing world unless the caller says otherwise.
inline constexpr Step world_steps_default = 1000;

/// The cost of an order of the nodes, and its gain where nodes are read.
struct ReorderCosts {
    network::NodeOrder order = network::NodeOrder::natural;
    double seconds = 0;      ///< to find the order and to list the parts of ranks in it
    double read_before = 0;  ///< nanoseconds to read a neighbour's load, by number; on a sample
    double read_after = 0;   ///< the same in this order
};

/// The outcome of a run: its record, and short names for what callers ask most.
///
/// Continuous processes run in fixed point: their loads and discrepancies are in units of
/// 1 / record.load_scale tokens.
struct Outcome {
    model::Record record = {};  ///< at the level asked for
    std::optional<ReorderCosts> reordered = {};

    // Defined in the library, so that callers need not compile the record's.
    Outcome();
    Outcome(const Outcome& other);
    Outcome(Outcome&& other) noexcept;
    Outcome& operator=(const Outcome& other);
    Outcome& operator=(Outcome&& other) noexcept;
    ~Outcome();

    /// The final loads.
    [[nodiscard]] const load::Loads& loads() const& { return record.final_loads; }
    [[nodiscard]] load::Loads loads() && { return std::move(record.final_loads); }
    [[nodiscard]] std::uint64_t steps() const { return record.costs.steps; }
    [[nodiscard]] std::uint64_t rounds() const { return record.costs.rounds; }
    /// Tokens times the links that they crossed.
    [[nodiscard]] std::uint64_t exchanges() const { return record.costs.exchanges; }
    [[nodiscard]] std::uint64_t messages() const { return record.costs.messages; }
    [[nodiscard]] Tokens initial_discrepancy() const { return record.initial_discrepancy; }
    [[nodiscard]] Tokens discrepancy() const { return record.final_discrepancy; }
    /// The first step after which the discrepancy stayed as it is at the end; 0: it was so from the
    /// start. Nothing where that is not known.
    [[nodiscard]] std::optional<Step> level_since() const { return record.level_since; }
    /// Largest difference across a link.
    [[nodiscard]] Tokens local_imbalance() const { return record.local_imbalance; }
    [[nodiscard]] model::Guarantee guarantee() const { return record.guarantee; }
    /// Whether the run came to the end that was asked for.
    [[nodiscard]] bool reached() const { return record.reached; }
    [[nodiscard]] std::string stopped_because() const { return record.stopped_because; }
    [[nodiscard]] double seconds() const { return record.seconds; }

    /// Writes the record. Throws InputError when the file cannot be written, or if this rank does
    /// not have the final loads.
    void write(const std::string& path) const;
};

/// Runs an algorithm on a network with the given loads. The same arguments give the same outcome,
/// except for seconds, at any number of threads and ranks (unless `nodes_on_ranks`). The
/// algorithm's page (docs/algorithms) states its guarantee and what a step costs.
///
/// Throws InputError for an unknown algorithm or parameter, loads or speeds that do not fit the
/// network, negative loads or none at all; UnsuitableError when the algorithm cannot run on the
/// network, cannot use the speeds, matchings, weights or deviation that were asked for, or is not
/// `anytime` although there are arrivals or churn; OverflowError for too many tokens.
[[nodiscard]] Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
                          const load::Loads& loads, const RunOptions& options);
[[nodiscard]] Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
                          const load::Loads& loads);

/// The same for an algorithm that the caller gives (registry/given_rule.hpp).
[[nodiscard]] Outcome run(const Algorithm& algorithm, const network::AnyNetwork& network,
                          const load::Loads& loads, const RunOptions& options = {});

/// The same with facts of the network that several runs share.
[[nodiscard]] Outcome run(const Algorithm& algorithm, const NetworkFacts& facts,
                          const load::Loads& loads, const RunOptions& options = {});

/// The outcome of repeating a record's run.
struct Replay {
    bool same = false;
    std::string detail;  ///< the first difference, or what was compared
    Outcome outcome;
};

/// Runs what a record describes (same network, loads, parameters, seed, stop rule and level) and
/// compares final loads, costs, transfers and the digest of the trace; in the recorded order of
/// deliveries if the record holds it. An interrupted run is repeated up to the step at which it was
/// interrupted. Of `options` only threads and supervision are used. Throws as `run` and
/// `instance_of`.
[[nodiscard]] Replay replay(const model::Record& record, const RunOptions& options = {});
/// The same for a rule that the caller gives (registry/given.hpp) and must give again. The call
/// above throws UnsuitableError for records of such runs.
[[nodiscard]] Replay replay(const model::Record& record, const Algorithm& algorithm,
                            const RunOptions& options = {});

}  // namespace equipoise::catalogue
