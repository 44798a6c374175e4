#pragma once
// The record of a run: all that reports, verifiers, replays and people need, as plain data.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/delivery.hpp"
#include "equipoise/model/run/extremes.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/phase_end.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::model {

/// How much a record holds.
enum class RecordLevel : std::uint8_t {
    summary,  ///< network, parameters, first and last loads, costs
    sampled,  ///< also loads at some steps
    full,     ///< also every transfer: can be replayed and fully verified
};

/// "summary", "sampled" or "full". `record_level_from_word` throws InputError for another word.
[[nodiscard]] std::string to_string(RecordLevel level);
[[nodiscard]] RecordLevel record_level_from_word(std::string_view word);

/// What a theorem promises for this run.
struct Guarantee {
    std::optional<Tokens> discrepancy;   ///< final discrepancy at most
    std::optional<std::uint64_t> steps;  ///< steps at most
    std::string source;                  ///< theorem and paper; empty: no guarantee applies
    friend bool operator==(const Guarantee&, const Guarantee&) = default;
};

/// Loads at one moment. Metrics are kept, so that a curve needs no loads.
struct Sample {
    Step step = 0;
    Tokens discrepancy = 0;
    std::string potential;      ///< n * sum x^2 - T^2, decimal (may exceed 64 bits)
    std::vector<Tokens> loads;  ///< empty if only the metrics were kept
    friend bool operator==(const Sample&, const Sample&) = default;
};

/// How an algorithm coped with a changing world.
struct WorldFigures {
    Tokens discrepancy_50 = 0;   ///< median over the steps after the run's first tenth
    Tokens discrepancy_99 = 0;   ///< 99th percentile of the same
    Tokens discrepancy_max = 0;  ///< maximum of the same
    Tokens arrived = 0;
    Tokens consumed = 0;
    double moved_per_arrival = 0;  ///< exchanges per token that arrived; 0 if none did
    friend bool operator==(const WorldFigures&, const WorldFigures&) = default;
};

/// The largest distance between the tokens of a run and its idealised process, at any node and
/// time.
struct Deviation {
    double value = 0;  ///< six significant digits
    /// How far the truth may be from `value`; nothing in the oldest records.
    std::optional<double> error = 0;
    std::optional<Step> step;     ///< after which it was this large; nothing: in the limit
    std::optional<double> bound;  ///< Theorem 2 of Rabani, Sinclair, Wanka 1998, sharpened
    friend bool operator==(const Deviation&, const Deviation&) = default;
};

/// How an algorithm that chooses its own moves made them, and what its steps were for.
struct Moves {
    bool played = true;  ///< made and checked one by one; false: computed from timetables
    std::uint64_t distribution_steps = 0;
    std::uint64_t computation_steps = 0;
    friend bool operator==(const Moves&, const Moves&) = default;
};

/// What entries of the catalogue note about a run besides its loads and costs.
struct Notes {
    std::map<std::string, std::string> constants;  ///< computed once, for people: beta, ...
    std::optional<Deviation> deviation;            ///< if asked for
    std::optional<Moves> moves;
    bool on_spanning_tree = false;  ///< ran on a spanning tree; all figures are the network's
};

/// The best possible on the instance of a run that is comparable with it.
struct BestCosts {
    Tokens exchanges = 0;
    std::optional<Step> steps;  ///< nothing if the run does not move single tokens
    friend bool operator==(const BestCosts&, const BestCosts&) = default;
};

/// What unreliable links and nodes did.
struct FaultsMet {
    std::uint64_t lost = 0;     ///< messages
    std::uint64_t doubled = 0;  ///< messages that arrived twice
    std::uint64_t crashes = 0;
    friend bool operator==(const FaultsMet&, const FaultsMet&) = default;
};

/// The world in which an asynchronous algorithm ran, as the command line writes it, and costs that
/// only such runs have.
struct Asynchrony {
    std::string delays;                      ///< "unit", "random", ...; empty on ranks
    std::string adversary;                   ///< "starve:3", ...; empty: none
    std::string faults;                      ///< "loss=0.1", ...; empty: none
    std::uint64_t time = 0;                  ///< of the last event; in time units with unit delays
    std::uint64_t largest_message_bits = 0;  ///< as numbers are written down
    std::uint64_t memory_bits = 0;           ///< of the node that remembers most, in whole words
    /// The digest of the trace of events; nothing in the oldest records.
    std::optional<std::uint64_t> digest = 0;
    std::vector<std::string> kinds = {};  ///< of messages: their names by number
    /// The order of all events, in full records of small runs: can be replayed.
    std::vector<Delivery> deliveries = {};
    /// "1": a node sends at most one message a tick and receives at most one; "all" or empty: any.
    std::string ports = {};
    std::optional<FaultsMet> faults_met = {};  ///< if there were any
    std::uint64_t ranks = 0;                   ///< that ran the nodes; 0: they were simulated
    std::vector<PhaseEnd> phases = {};         ///< in order; of simulated programs with phases
    friend bool operator==(const Asynchrony&, const Asynchrony&) = default;
};

/// What was asked, on what, what happened and how it ended. Loads, tokens and discrepancies are in
/// units of 1 / `load_scale` tokens.
struct Record : Notes {
    static constexpr int schema_version = 2;

    // What was asked.
    std::string program_version;
    std::string algorithm;
    /// The rule was given by the caller, under the name in `algorithm`: it is not in the catalogue.
    bool given_rule = false;
    std::string model;  ///< "single-port", "multi-port", ...: what the steps allow
    std::map<std::string, std::string> parameters;
    std::optional<Asynchrony> asynchrony;  ///< of asynchronous algorithms
    bool one_token_a_link = false;         ///< at most one token crosses a link in a step
    network::MatchingSequence matchings;   ///< that were given; empty: the algorithm's own
    network::RoundWeights matrix;          ///< by link, if it was given
    network::GivenStructures given;
    std::uint64_t seed = 0;
    std::string stop;  ///< the stop rule as the command line writes it, "quiet:3"
    /// The part of it that the caller asked for; empty: the algorithm's own rule. The oldest
    /// records have none.
    std::optional<std::string> asked_stop = "";
    Step steps_max = ~Step{0};  ///< the cap on steps
    RecordLevel level = RecordLevel::summary;
    std::string arrivals;  ///< the spec of what arrived and was consumed; empty: nothing
    std::string churn;     ///< the spec of which nodes and links came and went; empty: none

    // On which network, from which loads.
    network::Labels labels;
    NodeId node_count = 0;
    std::uint64_t network_digest = 0;
    /// All links; left empty when `generated` and a spec of the generator recreates them.
    std::vector<Ends> links;
    LinkId link_count = 0;
    bool generated = false;
    std::vector<Tokens> initial_loads;
    std::vector<Tokens> speeds;          ///< empty: all 1
    std::uint64_t load_scale = 1;        ///< units per token; above 1 for fixed-point processes
    bool loads_may_be_negative = false;  ///< the algorithm may send what a node does not have

    // What happened.
    std::vector<Sample> samples;
    std::vector<Transfer> transfers;
    std::vector<Transfer> created;    ///< step, node in `to`, tokens made
    std::vector<Transfer> destroyed;  ///< step, node in `from`, tokens removed
    /// In full records of runs with churn: what came and went, in order. What a node that went
    /// handed over is among the transfers of its step. A step of `costs.steps`: after the last one.
    std::vector<NetworkSwitch> switches;

    // How it ended.
    std::vector<Tokens> final_loads;
    Costs costs;
    Tokens initial_discrepancy = 0;
    Tokens final_discrepancy = 0;
    /// The first step such that the discrepancy after it and after every later step is the final
    /// one; 0: it was so from the start. Nothing where it is not known, as in older records.
    std::optional<Step> level_since;
    Tokens local_imbalance = 0;  ///< largest difference across a link at the end
    Guarantee guarantee;
    bool reached = false;
    std::string stopped_because;
    std::optional<WorldFigures> world;  ///< of runs with arrivals or churn
    /// Of asynchronous runs that keep every move: what nodes held, without tokens under way, which
    /// all loads here count at the node that sent them. Not in files: moves do not tell it.
    std::optional<Extremes> held;
    std::optional<BestCosts> optimum;  ///< if the run was measured against it
    double seconds = 0;
};

}  // namespace equipoise::model
