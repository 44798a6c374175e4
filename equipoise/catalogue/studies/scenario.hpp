#pragma once
// A scenario: a grid of networks, loads, seeds, algorithms, values and options, described in a JSON
// file, with a question about each combination.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/registry/parameters.hpp"

namespace equipoise::network {
class AnyNetwork;
}  // namespace equipoise::network

namespace equipoise::catalogue {

struct Algorithm;

/// The verb of the command line whose results a sweep writes.
enum class Verb : std::uint8_t { run, plan, analyze, worst, reassign };
/// "run", "plan", "analyze", "worst", "reassign".
[[nodiscard]] std::string to_string(Verb verb);
/// Whether the verb plays algorithms, and whether from given loads.
[[nodiscard]] constexpr bool plays_algorithms(Verb verb) {
    return verb == Verb::run || verb == Verb::worst;
}
[[nodiscard]] constexpr bool needs_loads(Verb verb) {
    return verb == Verb::run || verb == Verb::plan;
}

/// Whether the verb is about a network; `reassign` is about a file of items.
[[nodiscard]] constexpr bool needs_network(Verb verb) {
    return verb != Verb::reassign;
}

/// What the caller gives under names of its own, by which a scenario names it.
struct Given {
    /// What `given_algorithm` returns (registry/given.hpp, registry/given_rule.hpp), beside the
    /// algorithms of the catalogue.
    std::map<std::string, std::shared_ptr<const Algorithm>> rules = {};
    /// Networks beside specs and files. They are taken as they are: `simplify` and
    /// `largest_component` do not concern them.
    std::map<std::string, std::shared_ptr<const network::AnyNetwork>> networks = {};
    /// Changes with the rules. A sweep that resumes keeps the rows of given rules only if they were
    /// made with the same version; if it is empty, it plays them again.
    std::string version = {};
};

struct ScenarioAlgorithm {
    std::string name;
    ParameterTexts parameters;
};

/// The description of a sweep: every network with all loads, seeds, algorithms and options, for all
/// values of the placeholders in these texts.
struct Scenario {
    std::string title;
    std::vector<std::string> networks;  ///< specs or files; of `reassign` the files of items
    std::vector<std::string> loads;     ///< specs or files
    std::vector<ScenarioAlgorithm> algorithms;  ///< of `run` and `worst` alone
    std::vector<std::uint64_t> sizes;  ///< the values of {n}, which has no column of its own
    std::vector<std::uint64_t> seeds;
    std::optional<std::uint64_t> steps_max;
    bool simplify = false;
    bool largest_component = false;

    Verb verb = Verb::run;
    /// The values of placeholders: numbers or words.
    std::map<std::string, std::vector<std::string>> values;
    /// By their long names on the command line; a flag is `true` or `false`.
    std::map<std::string, std::vector<std::string>> options;
    /// Paths into the object that the verb prints with --json; empty: the usual figures of a run.
    std::vector<std::string> columns;
    std::string name = "the scenario";  ///< stands for the file in messages
    Given given = {};
};

/// The algorithm that a scenario names: a given one, or one of the catalogue. Throws InputError
/// that suggests similar names.
[[nodiscard]] const Algorithm& find_algorithm(const Given& given, const std::string& name);

/// Reads a scenario:
///
///     {"title": "...", "networks": ["torus:{n}x{n}"], "sizes": [8, 16],
///      "loads": ["spike:tokens={k*n}"], "values": {"k": [1, 10]}, "seeds": [1, 2],
///      "algorithms": ["threshold-2", {"name": "discrepancy-1", "parameters": {...}}],
///      "max_steps": 100000, "simplify": false, "largest_component": false,
///      "verb": "run", "options": {"stop": ["stable:8", "quiet:8"]}, "columns": ["steps"]}
///
/// `networks` is required (if the verb is `reassign`, `items` in its place), `loads` if the verb is
/// `run` or `plan` (`worst` and `reassign` have none), `algorithms` if it is `run` or `worst`, and
/// `columns` unless it is `run`; `seeds` is [0] if absent, and may be
/// a text of ranges: "1..20" or "1..5,9". The name "all" stands for every algorithm of the
/// catalogue. A key "$schema" is left to editors. Names of algorithms and options, placeholders,
/// paths and the names of what is given are checked. Throws InputError naming the file, the key,
/// what was expected and what was found.
[[nodiscard]] Scenario read_scenario(const std::string& path, Given given = {});

/// The same from a text; `name` stands for the file in messages.
[[nodiscard]] Scenario parse_scenario(std::string_view text, const std::string& name,
                                      Given given = {});

}  // namespace equipoise::catalogue
