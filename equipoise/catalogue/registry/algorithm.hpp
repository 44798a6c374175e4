#pragma once
// The entry of one algorithm in the catalogue.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/model/run/stop.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/theory/papers.hpp"

namespace equipoise::catalogue {

/// What a node may exchange in one step. Steps of different models are not comparable.
enum class StepModel : std::uint8_t {
    single_port,   ///< a node exchanges with at most one neighbour in a step
    single_token,  ///< a node sends at most one token and receives at most one in a step
    multi_port,    ///< a node exchanges with all its neighbours in a step
    asynchronous,  ///< no common clock
};

/// "single-port", "single-token", "multi-port", "asynchronous".
[[nodiscard]] std::string to_string(StepModel model);

/// The instance on which an algorithm is to run.
struct Task {
    const NetworkFacts& facts;
    const load::Loads& loads;
    const Parameters& parameters;
    /// Load units per token: above 1 for continuous processes, which run in fixed point.
    std::uint64_t load_scale = 1;
    /// Empty: all 1.
    std::span<const Tokens> speeds = {};
    /// Matchings that the caller gives, for algorithms that take them; null: none.
    const network::MatchingSequence* matchings = nullptr;
    const network::RoundWeights* weights = nullptr;
    /// Whether to compare with the idealised process, for algorithms that have one.
    bool with_deviation = false;
};

/// Plays a task's rule with the given options.
using Play = std::function<engine::RoundOutcome(const engine::RoundOptions&)>;

class Rounds;

[[nodiscard]] inline const network::Network& all_channels(const NetworkFacts& facts) {
    return facts.stored();
}

/// How an asynchronous algorithm runs, and in which worlds.
struct ProgramPlay {
    /// The network whose channels it uses: all links, or a spanning tree.
    const network::Network& (*channels)(const NetworkFacts&) = all_channels;
    std::function<engine::RoundOutcome(const Task&, const engine::RoundOptions&,
                                       const engine::SimulationOptions&, engine::ProgramCosts&)>
        play = nullptr;
    /// Kinds of message by name, in the order of their numbers.
    std::vector<std::string> kinds = {};
    /// Kinds of message that answer others; `hold-acks` holds these back.
    model::KindSet acknowledgements = {};
    /// Throws UnsuitableError unless the program supports the planned faults; null: it supports
    /// none.
    void (*expect_supported)(const Task&, const engine::FaultPlan&) = nullptr;
    bool supports_churn = false;     ///< nodes that leave and join
    bool supports_arrivals = false;  ///< tokens that arrive and are consumed
    /// Whether the promised number of steps also holds with single ports.
    bool steps_hold_single_port = false;
};

/// When a run of an algorithm ends by default.
struct DefaultStop {
    model::StopRule rule = {};
    /// Whether the rule's window of stable steps proves stability; otherwise a run that it ends is
    /// reported as "no-progress".
    bool window_is_proof = true;
    /// The reason to report if the cap on steps is the number of steps after which the theorem
    /// applies: "smoothing-rounds".
    std::string cap_means = {};
};

// What is true of an algorithm whose entry does not say otherwise:
/// It needs a connected network. On any other, throws UnsuitableError, which says what to do.
void expect_connected(const Task& task);
/// Theory promises nothing for certain.
[[nodiscard]] model::Guarantee promise_nothing(const Task& task);
/// A run ends when all nodes have decided to end or, for a node program, when nothing is on the
/// way.
[[nodiscard]] DefaultStop stop_by_itself(const Task& task);

/// Everything that help, docs, checks and runs need to know about an algorithm.
struct Algorithm {
    std::string name;  ///< stable: scripts use it
    /// Names that it once had; they stay usable.
    std::vector<std::string> former_names = {};
    std::string after = {};  ///< the algorithm before it in help; empty: none
    std::string title;       ///< one line
    std::string source;      ///< paper and place (theory/papers.hpp)
    StepModel model = StepModel::single_port;
    std::string needs = "a connected network";  ///< what it needs of the network; one line
    std::vector<Parameter> parameters = {};
    std::string guarantee;  ///< one line
    std::string stop = {};  ///< the default stop rule; one line
    /// The discrepancy that the algorithm is meant to reach. A run that ends above it counts as
    /// unfinished, whichever rule ended it.
    std::optional<Tokens> goal_discrepancy = {};
    bool loads_may_be_negative = false;
    /// Whether a step moves at most one token over a link.
    bool one_token_a_link = false;
    /// Whether rounds are independent, so that loads are usable after any round, and tokens, nodes
    /// and links may come and go between two rounds. False for algorithms with phases, with
    /// schedules that they make themselves or with node states that depend on the past. For node
    /// programs `program` says what may come and go.
    bool anytime = false;
    /// Whether a run that leaves neighbours further apart than 1 counts as unfinished.
    bool goal_one_balanced = false;
    bool is_given = false;            ///< given by the caller: not in the catalogue
    bool serves_speeds = false;       ///< levels towards loads proportional to speeds
    bool takes_matchings = false;     ///< `--matchings`
    bool takes_colouring = false;     ///< `--colouring`: single-port steps along a colouring
    bool takes_tree = false;          ///< `--tree`: runs on a spanning tree of other networks
    bool takes_weights = false;       ///< `--matrix`
    bool measures_deviation = false;  ///< `--deviation`

    /// Units per token for continuous processes; null: 1. Loads of the task are in tokens.
    std::uint64_t (*load_scale)(const Task&) = nullptr;
    /// Throws UnsuitableError when the algorithm cannot run on the network.
    void (*expect_suitable)(const Task&) = expect_connected;
    /// What theory promises for this task; an empty source if nothing.
    model::Guarantee (*promise)(const Task&) = promise_nothing;
    DefaultStop (*default_stop)(const Task&) = stop_by_itself;
    /// The default stop rule of a run in which no rank knows more of the network than its own rows;
    /// a round has `period` steps. Null: the stop rule depends on the whole network.
    DefaultStop (*stop_by_rows)(NodeId nodes, Step period) = nullptr;

    // How it runs: exactly one of `rounds`, `program` and `moves` is set.
    /// Rule and links of synchronous rounds.
    std::shared_ptr<const Rounds> rounds = {};
    /// Plays a run of `rounds`, observes it and notes what it finds. Null: the rounds are simply
    /// played.
    engine::RoundOutcome (*around)(const Task&, const engine::RoundOptions&, model::Notes&,
                                   const Play&) = nullptr;
    /// A node program.
    std::optional<ProgramPlay> program = {};
    /// A move program, which may note results of its own.
    engine::RoundOutcome (*moves)(const Task&, const engine::RoundOptions&,
                                  model::Notes&) = nullptr;

    /// Whether it is a rule that engines play in synchronous rounds, on several ranks too.
    [[nodiscard]] bool plays_rounds() const { return rounds != nullptr; }
    /// Whether tokens may arrive and be consumed during a run; whether nodes may come and go (for
    /// rules of rounds also links).
    [[nodiscard]] bool supports_arrivals() const {
        return program ? program->supports_arrivals : anytime;
    }
    [[nodiscard]] bool supports_churn() const {
        return program ? program->supports_churn : anytime;
    }
};

/// Whether no step moves more than one token into and one out of any node: the model in which the
/// off-line optimum counts its steps.
[[nodiscard]] bool moves_single_tokens(const Algorithm& algorithm);

/// All algorithms, in the order help shows them.
[[nodiscard]] const std::vector<Algorithm>& algorithms();

/// The algorithm that has, or had, this name. Throws InputError that suggests similar names.
[[nodiscard]] const Algorithm& find_algorithm(std::string_view name);

}  // namespace equipoise::catalogue
