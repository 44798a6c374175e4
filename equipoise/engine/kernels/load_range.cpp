#include "equipoise/engine/kernels/load_range.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace equipoise::engine {

namespace {

/// Loads that are looked at in one go; they fit the nearest cache.
constexpr NodeId block = 1U << 12U;

template <class Word>
struct WordRange {
    Word least;
    Word most;
};

/// The range of `count` loads, at least one. Words of 64 bits are compared in four streams, since
/// processors of the least kind cannot compare them side by side.
template <class Word>
WordRange<Word> range_of(const Word* loads, NodeId count) {
    Word least = loads[0];
    Word most = loads[0];
    NodeId begin = 0;
    if constexpr (sizeof(Word) == sizeof(Tokens)) {
        constexpr NodeId streams = 4;
        std::array<Word, streams> low;
        std::array<Word, streams> high;
        low.fill(loads[0]);
        high.fill(loads[0]);
        for (; count - begin >= streams; begin += streams)
            for (NodeId k = 0; k < streams; ++k) {
                low[k] = std::min(low[k], loads[begin + k]);
                high[k] = std::max(high[k], loads[begin + k]);
            }
        least = *std::min_element(low.begin(), low.end());
        most = *std::max_element(high.begin(), high.end());
    }
#if defined(_OPENMP)
#pragma omp simd reduction(min : least) reduction(max : most)
#endif
    for (NodeId i = begin; i < count; ++i) {
        least = std::min(least, loads[i]);
        most = std::max(most, loads[i]);
    }
    return {least, most};
}

/// What was seen of the loads of some blocks.
struct Seen {
    bool any = false;
    std::uint64_t loads = 0;  ///< how many
    LoadRange range;
    NodeId lowest = 0;   ///< the block, then the node
    NodeId highest = 0;  ///< likewise

    // Of equal loads the one with the least number is kept, so that threads may add in any order.
    void operator+=(const Seen& other) {
        if (!other.any) return;
        if (!any || other.range.least < range.least ||
            (other.range.least == range.least && other.lowest < lowest)) {
            lowest = other.lowest;
            range.least = other.range.least;
        }
        if (!any || other.range.most > range.most ||
            (other.range.most == range.most && other.highest < highest)) {
            highest = other.highest;
            range.most = other.range.most;
        }
        any = true;
        loads += other.loads;
    }
};

template <class Word>
Seen see(const Word* loads, NodeId at, NodeId count) {
    const NodeId size = std::min(block, count - at);
    const auto [least, most] = range_of(loads + at, size);
    return {true, size, {static_cast<Tokens>(least), static_cast<Tokens>(most)}, at, at};
}

/// Looks at blocks, from that of node `from` on, until `enough(what was seen)` on some thread.
template <class Word, class Enough>
Seen see_blocks(const Workers& workers, const Word* loads, NodeId count, NodeId from,
                const Enough& enough) {
    const NodeId blocks = count / block + (count % block == 0 ? 0 : 1);
    std::atomic<bool> done = false;
    return sum_over_blocks<Seen>(
        workers, blocks, count, [&](std::uint64_t begin, std::uint64_t end) {
            Seen seen;
            for (std::uint64_t i = begin; i < end && !done.load(std::memory_order_relaxed); ++i) {
                const auto number = static_cast<NodeId>((from / block + i) % blocks);
                seen += see(loads, number * block, count);
                if (enough(seen.range)) done.store(true, std::memory_order_relaxed);
            }
            return seen;
        });
}

template <class Word>
NodeId node_with(const Word* loads, NodeId begin, Tokens load) {
    while (static_cast<Tokens>(loads[begin]) != load)
        ++begin;
    return begin;
}

}  // namespace

LoadRange ExtremeNodes::look(const Workers& workers, const PackedLoads& loads, NodeId count) {
    loads.visit([&](const auto* words) {
        const Seen seen =
            see_blocks(workers, words, count, 0, [](const LoadRange&) { return false; });
        lowest_ = node_with(words, seen.lowest, seen.range.least);
        highest_ = node_with(words, seen.highest, seen.range.most);
        held_ = seen.range;
    });
    return held_;
}

std::uint64_t ExtremeNodes::follow(const Workers& workers, const PackedLoads& loads, NodeId count,
                                   const LoadRange& range) {
    const LoadRange now = at(loads);
    const bool lost_least = held_.least == range.least && now.least != range.least;
    const bool lost_most = held_.most == range.most && now.most != range.most;
    held_ = now;
    if (!lost_least && !lost_most) return 0;
    std::uint64_t looked = 0;
    loads.visit([&](const auto* words) {
        const Seen seen = see_blocks(workers, words, count, lost_most ? highest_ : lowest_,
                                     [&](const LoadRange& found) {
                                         return (!lost_least || found.least == range.least) &&
                                                (!lost_most || found.most == range.most);
                                     });
        looked = seen.loads;
        if (lost_least || seen.range.least < now.least)
            lowest_ = node_with(words, seen.lowest, seen.range.least);
        if (lost_most || seen.range.most > now.most)
            highest_ = node_with(words, seen.highest, seen.range.most);
    });
    held_ = at(loads);
    return looked;
}

}  // namespace equipoise::engine
