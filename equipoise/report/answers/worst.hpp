#pragma once
// The loads that cost an algorithm most, as people and programs read them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::report {

/// The cost of one set of loads.
struct LoadsCost {
    load::Loads loads;  ///< by number of node
    /// Exact. If the cost is a ratio to the best possible, `cost` over `optimum` is not reduced.
    load::Fraction cost;
    load::Fraction beside;  ///< that of the other algorithm, if there is one
    /// In a search over numberings: the number of every node of the network.
    std::vector<NodeId> numbering = {};
    /// The loads as `--loads` takes them; empty if a name does not fit into a spec.
    std::string loads_spec = {};
    /// In a search over numberings: the network under these numbers, as `--network` takes it.
    std::string network_spec = {};
};

/// The result of a search over loads. Among equal ones the first that was played stands for all.
struct Worst {
    std::string network;
    NodeId nodes = 0;
    LinkId links = 0;
    std::string algorithm;
    std::string beside;          ///< the other algorithm; empty: none
    std::string quantity;        ///< what is counted: "steps", "largest-load", "steps/optimum", ...
    Tokens most_tokens = 0;      ///< on a node
    bool any_numbering = false;  ///< loads were played under other numbers of the nodes, too
    bool all = false;            ///< all loads (and numberings) were played, not only some
    std::uint64_t numberings = 0;  ///< if all were played: how many that differ in their links
    std::uint64_t unsuitable = 0;  ///< numberings among them that the algorithm cannot run on
    std::uint64_t played = 0;      ///< sets of loads, counted once for each numbering
    std::uint64_t left_out = 0;    ///< sets of loads among them that have no ratio to the optimum
    std::uint64_t unended = 0;     ///< runs among them that did not reach their end
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
