#pragma once
// What the proofs about THRESHOLD-1 use: the tours of observers, and on trees a gap between two of
// them as a sum of stable gaps.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/analysis/construct_subgraph.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"

namespace equipoise::catalogue {

/// A gap of a tree, and why observers that far apart differ by no more tokens once all is stable.
struct GapFigures {
    std::uint64_t gap = 0;              ///< rounds from one observer to the other
    std::uint64_t stability = 0;        ///< the most tokens by which they may differ
    std::vector<std::string> subgraph;  ///< names of `gap` connected nodes, by CONSTRUCT SUBGRAPH
    std::uint32_t iterations = 0;       ///< of CONSTRUCT SUBGRAPH
    analysis::GapDecomposition sums;    ///< the gap as sums of stable gaps
};

/// Houle, Symvonis, Wood 2004, Sections 4.1 to 4.4.
struct ObserverFigures {
    Step round = 0;                               ///< steps: chi
    std::vector<std::vector<std::string>> tours;  ///< names in the c-ordering of every cycle, c = 0
    Step stability_window = 0;                    ///< steps
    std::vector<std::uint64_t> stable_gaps;       ///< SG_1 of a tree
    std::optional<GapFigures> gap;                ///< of a tree of three nodes or more
};

/// `gap`: 1 to n - 1, for trees; nothing: the hardest. Throws InputError for another gap,
/// UnsuitableError for a gap if the network is not a tree, OverflowError for a window beyond 64
/// bits. Cost as analysis::stabilities on trees, O(nodes log nodes + links) elsewhere.
[[nodiscard]] ObserverFigures find_observers(const NetworkFacts& facts,
                                             std::optional<std::uint64_t> gap = {});

}  // namespace equipoise::catalogue
