#pragma once
// The tools of the proofs about THRESHOLD-1: the tours of observers and, on trees, a gap between
// two of them as a sum of stable gaps.

#include <cstdint>
#include <optional>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/report/answers/analysis.hpp"

namespace equipoise::catalogue {

/// The tours, the stability window, for up to analysis::MeetingGraph::nodes_max nodes the largest
/// discrepancy that stays and, for a tree, the stable gaps and the facts about one gap.
/// `gap`: 1 to n - 1, for trees; nothing: the hardest. Throws InputError for another gap,
/// UnsuitableError for a gap if the network is not a tree, OverflowError for a window beyond 64
/// bits. Cost as analysis::MeetingGraph::diameter and, on trees, analysis::stabilities.
[[nodiscard]] report::ObserverFigures find_observers(const NetworkFacts& facts,
                                                     std::optional<std::uint64_t> gap = {});

}  // namespace equipoise::catalogue
