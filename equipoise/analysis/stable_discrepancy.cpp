#include "equipoise/analysis/stable_discrepancy.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "equipoise/analysis/rooted_tree.hpp"
#include "equipoise/analysis/stable_discrepancy_search.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/observer_tour.hpp"

// Problem: the largest discrepancy that THRESHOLD-1 can leave on a tree for ever.
// Source: Houle, Symvonis, Wood 2004, Section 4.3.
// Why: observers keep their distance on the tour for ever, and two of them meet at an active link
//   exactly when their gap is a component's size (Lemma 9). In a stable distribution they then
//   differ by at most one token; chains of such pairs bound all others (Theorem 11), and the bound
//   is attained (Theorem 12).
// Deviation: the search stops at a superset of {1, .., n-1}; SG_i contains 0 from i = 2 on.

namespace equipoise::analysis {
namespace {

/// Runs the next level; throws if no new gap can be reached any more.
void advance(GapSearch& search) {
    const std::uint64_t before = search.unreached();
    search.advance();
    if (search.unreached() == before)
        throw InputError("gaps: expected stable gaps of a tree, found gaps that never add up to " +
                         std::to_string(search.first_unreached()));
}

}  // namespace

StableGaps stable_gaps(const network::Network& tree) {
    const RootedTree rooted = root_tree(tree, 0);
    const NodeId n = tree.node_count();
    std::vector<bool> is_gap(n, false);
    for (NodeId node = 1; node < n; ++node) {
        is_gap[rooted.size[node]] = true;
        is_gap[n - rooted.size[node]] = true;
    }
    StableGaps result{.nodes = n, .gaps = {}};
    for (NodeId gap = 1; gap < n; ++gap) {
        if (is_gap[gap]) result.gaps.push_back(gap);
    }
    return result;
}

StableGaps stable_gaps_of_complete_tree(std::uint64_t arity, std::uint64_t height) {
    if (arity == 0) throw UnsuitableError("complete k-ary tree: expected k >= 1, found k = 0");
    constexpr std::uint64_t nodes_max = ~std::uint64_t{0} / 2;
    std::vector<std::uint64_t> gaps;
    std::uint64_t size = 1;  // |T_j|
    for (std::uint64_t j = 0; j < height; ++j) {
        gaps.push_back(size);
        if (size > (nodes_max - 1) / arity) throw OverflowError("complete k-ary tree");
        size = arity * size + 1;
    }
    for (std::size_t j = gaps.size(); j > 0; --j)
        gaps.push_back(size - gaps[j - 1]);
    std::sort(gaps.begin(), gaps.end());
    gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
    return {.nodes = size, .gaps = std::move(gaps)};
}

StableDiscrepancy maximum_stable_discrepancy(const StableGaps& gaps) {
    GapSearch search(gaps.nodes, gaps.gaps);
    StableDiscrepancy result;
    while (!search.complete()) {
        result.hardest_gap = search.first_unreached();
        advance(search);
    }
    result.tokens = search.level();
    return result;
}

std::vector<std::uint32_t> stabilities(const StableGaps& gaps) {
    GapSearch search(gaps.nodes, gaps.gaps);
    std::vector<std::uint32_t> stability(gaps.nodes, 0);
    std::vector<std::uint64_t> before = search.words();
    while (!search.complete()) {
        advance(search);
        for (std::size_t word = 0; word < before.size(); ++word) {
            std::uint64_t found = search.words()[word] & ~before[word];
            for (; found != 0; found &= found - 1) {
                const std::uint64_t gap =
                    word * 64 + static_cast<std::uint64_t>(std::countr_zero(found));
                stability[gap] = search.level();
                stability[gaps.nodes - gap] = search.level();
            }
        }
        before = search.words();
    }
    return stability;
}

load::Loads worst_stable_loads(const network::Network& tree,
                               const network::EdgeColouring& colouring, NodeId source,
                               Colour start) {
    if (source >= tree.node_count())
        throw InputError("worst stable loads: expected a source below " +
                         std::to_string(tree.node_count()) + ", found " + std::to_string(source));
    const auto stability = stabilities(stable_gaps(tree));
    const network::ObserverTour tour(tree, colouring, start);
    load::Loads loads(tree.node_count());
    for (NodeId node = 0; node < tree.node_count(); ++node)
        loads[node] = stability[tour.gap(source, node)];
    return loads;
}

bool is_stable(const network::Network& tree, const network::EdgeColouring& colouring,
               std::span<const Tokens> loads, Colour start) {
    if (loads.size() != tree.node_count())
        throw InputError("stability: expected a load for each of " +
                         std::to_string(tree.node_count()) + " nodes, found " +
                         std::to_string(loads.size()));
    const auto gaps = stable_gaps(tree);
    const network::ObserverTour tour(tree, colouring, start);
    const auto order = tour.cycle(0);
    for (std::size_t place = 0; place < order.size(); ++place) {
        for (const std::uint64_t gap : gaps.gaps) {
            // SG_1 is symmetric: each pair is seen once with a gap of at most n/2.
            if (2 * gap > gaps.nodes) break;
            const NodeId other = order[(place + gap) % order.size()];
            const Tokens difference = loads[order[place]] - loads[other];
            if (difference > 1 || difference < -1) return false;
        }
    }
    return true;
}

}  // namespace equipoise::analysis
