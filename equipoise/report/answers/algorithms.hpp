#pragma once
// The catalogue for people, for programs and for the docs.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace equipoise::report {

/// One parameter of an algorithm.
struct ParameterSheet {
    std::string name;
    std::string type;  ///< "word", "whole", "real", "fraction"
    std::string default_value;
    std::string help;                                     ///< one line
    std::vector<std::string> words = {};                  ///< of a word
    std::optional<std::pair<double, double>> range = {};  ///< of a whole or real number
};

/// The facts about an algorithm that people read; every text is one line.
struct AlgorithmSheet {
    std::string name;
    std::string title;
    std::string source;
    std::string model;
    std::string needs;
    std::string guarantee;
    std::string stop;
    std::vector<ParameterSheet> parameters;
    bool anytime = false;
    bool arrivals = false;
    bool churn = false;
    std::string speeds = {};                     ///< how it serves speeds; empty: not at all
    std::vector<std::string> former_names = {};  ///< which are still taken
};

/// One line per algorithm: name, model, title.
[[nodiscard]] std::string algorithms_text(std::span<const AlgorithmSheet> sheets,
                                          std::size_t width = 0);
/// Everything about one algorithm, one fact per line.
[[nodiscard]] std::string algorithm_text(const AlgorithmSheet& sheet, std::size_t width = 0);
/// A list of objects: name, title, source, model, needs, parameters, guarantee, stop, anytime,
/// arrivals, churn, speeds, former_names.
[[nodiscard]] std::string algorithms_json(std::span<const AlgorithmSheet> sheets);
/// A table for the docs.
[[nodiscard]] std::string algorithms_markdown(std::span<const AlgorithmSheet> sheets);

}  // namespace equipoise::report
