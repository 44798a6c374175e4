#pragma once
// The hot loops for rows of links on loads of any width, for rules that depend on nothing but the
// two loads.

#include <cstdint>
#include <type_traits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::engine {

/// A signed word that holds every difference of two loads of a width.
template <class Word>
using Difference = std::conditional_t<sizeof(Word) == 8, Tokens, std::int32_t>;

/// What links did, summed in words as wide as differences as long as a row cannot exceed them.
template <class Word>
struct PackedTotals {
    using Sum = std::conditional_t<sizeof(Word) == 2, std::uint32_t, std::uint64_t>;
    using Unsigned = std::make_unsigned_t<Difference<Word>>;
    Sum exchanges = 0;
    Unsigned steep = 0;
};

/// Plays links tail[i], head[i] for i = 0 .. count-1, none of which share a node. `count` is at
/// most `model::row_links_max`.
template <class R, class Word>
[[nodiscard]] StepTotals exchange_packed_row(const R& rule, Word* __restrict tail,
                                             Word* __restrict head, NodeId count) {
    using Int = Difference<Word>;
    using Unsigned = typename PackedTotals<Word>::Unsigned;
    using Sum = typename PackedTotals<Word>::Sum;
    Sum exchanges = 0;
    Unsigned steep = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : exchanges) reduction(| : steep)
#endif
    for (NodeId i = 0; i < count; ++i) {
        const auto x = static_cast<Int>(tail[i]);
        const auto y = static_cast<Int>(head[i]);
        const Int flow = rule.flow_between(x, y);
        tail[i] = static_cast<Word>(x - flow);
        head[i] = static_cast<Word>(y + flow);
        exchanges += static_cast<Sum>(flow < 0 ? -flow : flow);
        // |x - y| >= 2 exactly when x - y + 1, unsigned, is above 2.
        steep |= static_cast<Unsigned>(static_cast<Unsigned>(x - y) + 1U > 2U);
    }
    return {.exchanges = exchanges, .messages = 2 * std::uint64_t{count}, .steep = steep != 0};
}

/// Plays links between neighbours in memory: loads[2 i] is a tail and loads[2 i + 1] its head.
template <class R, class Word>
[[nodiscard]] StepTotals exchange_packed_pairs(const R& rule, Word* loads, NodeId count) {
    using Int = Difference<Word>;
    using Unsigned = typename PackedTotals<Word>::Unsigned;
    using Sum = typename PackedTotals<Word>::Sum;
    Sum exchanges = 0;
    Unsigned steep = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : exchanges) reduction(| : steep)
#endif
    for (NodeId i = 0; i < count; ++i) {
        const std::uint64_t at = 2 * std::uint64_t{i};
        const auto x = static_cast<Int>(loads[at]);
        const auto y = static_cast<Int>(loads[at + 1]);
        const Int flow = rule.flow_between(x, y);
        loads[at] = static_cast<Word>(x - flow);
        loads[at + 1] = static_cast<Word>(y + flow);
        exchanges += static_cast<Sum>(flow < 0 ? -flow : flow);
        steep |= static_cast<Unsigned>(static_cast<Unsigned>(x - y) + 1U > 2U);
    }
    return {.exchanges = exchanges, .messages = 2 * std::uint64_t{count}, .steep = steep != 0};
}

}  // namespace equipoise::engine
