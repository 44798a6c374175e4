#pragma once
// A scenario: a grid of networks, sizes, loads, algorithms and seeds, as a JSON file describes it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/registry/parameters.hpp"

namespace equipoise::catalogue {

struct ScenarioAlgorithm {
    std::string name;
    ParameterTexts parameters;
};

/// What a sweep runs: every network (at every size) with all loads, seeds and algorithms.
struct Scenario {
    std::string title;
    std::vector<std::string> networks;  ///< specs or files; {n} stands for a size
    std::vector<std::string> loads;     ///< specs or files; {n} likewise
    std::vector<ScenarioAlgorithm> algorithms;
    std::vector<std::uint64_t> sizes;  ///< empty: specs are taken as they are
    std::vector<std::uint64_t> seeds;
    std::optional<std::uint64_t> steps_max;
    bool simplify = false;
    bool largest_component = false;
};

/// Reads a scenario:
///
///     {"title": "...", "networks": ["torus:{n}x{n}"], "sizes": [8, 16],
///      "loads": ["spike:tokens=1000"], "seeds": [1, 2],
///      "algorithms": ["threshold-2", {"name": "discrepancy-1", "parameters": {...}}],
///      "max_steps": 100000, "simplify": false, "largest_component": false}
///
/// `networks`, `loads` and `algorithms` are required; `seeds` is [0] if absent. The name "all"
/// stands for every algorithm of the catalogue. A key "$schema" is left to editors. Names of
/// algorithms are checked. Throws InputError naming the file, the key, what was expected and what
/// was found.
[[nodiscard]] Scenario read_scenario(const std::string& path);

/// The same from a text; `name` stands for the file in messages.
[[nodiscard]] Scenario parse_scenario(std::string_view text, const std::string& name);

}  // namespace equipoise::catalogue
