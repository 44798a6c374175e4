#pragma once
// The loads that cost an algorithm most, as people and programs read them.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::report {

/// The cost of one set of loads.
struct LoadsCost {
    load::Loads loads;
    std::uint64_t cost = 0;
    std::uint64_t beside = 0;  ///< that of the other algorithm, if there is one
};

/// The result of a search over loads. Among equal ones the first that was played stands for all.
struct Worst {
    std::string network;
    NodeId nodes = 0;
    LinkId links = 0;
    std::string algorithm;
    std::string beside;         ///< the other algorithm; empty: none
    std::string quantity;       ///< what is counted: "steps", "rounds", ...
    Tokens most_tokens = 0;     ///< on a node
    bool all = false;           ///< all loads were played, not only some
    std::uint64_t played = 0;   ///< sets of loads
    std::uint64_t unended = 0;  ///< runs among them that did not reach their end
    /// The most costly loads; with another algorithm, those with the largest ratio of cost to its
    /// cost.
    std::optional<LoadsCost> worst;
    // With another algorithm.
    std::optional<LoadsCost> best;  ///< the smallest ratio
    std::uint64_t dearer = 0;       ///< sets of loads that cost more than beside
    std::uint64_t equal = 0;
    std::uint64_t cheaper = 0;
};

/// cost / beside; 1 if both are 0, nothing if only the latter is.
[[nodiscard]] std::optional<double> ratio_of(const LoadsCost& at);

[[nodiscard]] std::string worst_text(const Worst& found);
[[nodiscard]] std::string worst_json(const Worst& found);

}  // namespace equipoise::report
