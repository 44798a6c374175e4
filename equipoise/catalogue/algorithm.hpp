#pragma once
// The entry of one algorithm in the catalogue.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/network_facts.hpp"
#include "equipoise/catalogue/parameters.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::catalogue {

/// What one step may do. Steps of different models are not comparable.
enum class Model : std::uint8_t {
    single_port,   ///< a node exchanges with at most one neighbour a step
    multi_port,    ///< a node exchanges with all neighbours in one step
    asynchronous,  ///< no common clock
};

/// "single-port", "multi-port", "asynchronous".
[[nodiscard]] std::string to_string(Model model);

/// What an algorithm is asked to run on.
struct Task {
    const NetworkFacts& facts;
    const load::Loads& loads;
    const Parameters& parameters;
};

/// When a run of an algorithm ends if nobody says otherwise.
struct DefaultStop {
    model::StopRule rule;
    /// The reason to report when the rule's window is shorter than what would prove stability.
    bool window_is_proof = true;
};

/// Everything about an algorithm that help, docs, checks and runs need.
struct Algorithm {
    std::string name;    ///< stable: scripts use it
    std::string title;   ///< one line
    std::string source;  ///< paper and place
    Model model = Model::single_port;
    std::string needs;  ///< of the network; one line
    std::vector<Parameter> parameters;
    std::string guarantee;  ///< one line
    std::string stop;       ///< the default stop rule; one line
    /// The discrepancy the algorithm is meant to reach; a run that ends above it did not reach its
    /// end, whatever the rule said.
    std::optional<Tokens> goal_discrepancy;
    bool loads_may_be_negative = false;
    /// Whether every round stands by itself, so that it may run while tokens, nodes and links come
    /// and go. Not so for algorithms with phases, with schedules of their own making or with node
    /// states that sum up what has been.
    bool anytime = false;

    /// Throws UnsuitableError when the algorithm cannot serve the network.
    void (*expect_suitable)(const Task&) = nullptr;
    /// What theory promises for this very task; empty source where nothing.
    model::Guarantee (*promise)(const Task&) = nullptr;
    DefaultStop (*default_stop)(const Task&) = nullptr;
    /// Runs it. May note constants that it computed.
    engine::RoundOutcome (*play)(const Task&, const engine::RoundOptions&,
                                 std::map<std::string, std::string>& constants) = nullptr;
};

/// All algorithms, in the order help shows them.
[[nodiscard]] const std::vector<Algorithm>& algorithms();

/// The algorithm of a name. Throws InputError that suggests near names.
[[nodiscard]] const Algorithm& find_algorithm(std::string_view name);

}  // namespace equipoise::catalogue
