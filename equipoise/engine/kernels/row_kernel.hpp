#pragma once
// The hot loop for rows of links of rules that remember nothing: two streams of loads in, the same
// two streams out.

#include <cstdint>
#include <type_traits>

#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/run/schedule.hpp"

namespace equipoise::engine {

/// Rules whose whole effect on a link is its flow, read from the two loads.
template <class R>
concept FlowOnly =
    model::EdgeRule<R> && model::ReadsOnlyLoadsAndStates<R> &&
    std::is_empty_v<typename R::NodeState> && std::is_empty_v<typename R::LinkState> &&
    !model::MergesStates<R> && !model::NotesLoads<R> && !model::CreatesTokens<R>;

/// Plays links tail[i * stride], head[i * stride], i = 0 .. count-1, none of which share a node.
/// `stride` is a constant where the caller knows it, so that the compiler can vectorise.
template <FlowOnly R, class Stride>
[[nodiscard]] StepTotals exchange_row(const R& rule, Tokens* __restrict tail,
                                      Tokens* __restrict head, Stride stride, NodeId count,
                                      std::uint64_t slot, Step step, std::uint64_t seed) {
    const typename R::NodeState nothing{};
    const typename R::LinkState no_link{};
    std::uint64_t exchanges = 0;
    std::uint64_t steep = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : exchanges) reduction(| : steep)
#endif
    for (NodeId i = 0; i < count; ++i) {
        const std::uint64_t at = std::uint64_t{i} * stride;
        const Tokens x = tail[at];
        const Tokens y = head[at];
        const Tokens flow =
            rule.evaluate({x, Port{0}, Tokens{1}, nothing}, {y, Port{0}, Tokens{1}, nothing},
                          no_link, {step, seed, slot + i})
                .flow;
        tail[at] = x - flow;
        head[at] = y + flow;
        exchanges += static_cast<std::uint64_t>(flow < 0 ? -flow : flow);
        // |x - y| >= 2 exactly when x - y + 1, unsigned, is above 2.
        steep |= static_cast<std::uint64_t>(static_cast<std::uint64_t>(x - y + 1) > 2);
    }
    return {.exchanges = exchanges, .messages = 2 * std::uint64_t{count}, .steep = steep != 0};
}

/// Plays one row of a schedule.
template <model::EdgeRule R, KnowsDegrees N>
[[nodiscard]] StepTotals exchange_row(const LinkStep<R, N>& at, const model::LinkRow& row) {
    if constexpr (FlowOnly<R>) {
        Tokens* const tail = at.loads.data() + row.tail;
        Tokens* const head = at.loads.data() + row.head;
        using One = std::integral_constant<std::uint64_t, 1>;
        using Two = std::integral_constant<std::uint64_t, 2>;
        if (row.stride == 1)
            return exchange_row(at.rule, tail, head, One{}, row.count, row.slot, at.step, at.seed);
        if (row.stride == 2)
            return exchange_row(at.rule, tail, head, Two{}, row.count, row.slot, at.step, at.seed);
        return exchange_row(at.rule, tail, head, std::uint64_t{row.stride}, row.count, row.slot,
                            at.step, at.seed);
    } else {
        StepTotals totals;
        for (NodeId i = 0; i < row.count; ++i)
            at.exchange(row.tail + i * row.stride, row.head + i * row.stride, row.slot + i, totals);
        return totals;
    }
}

}  // namespace equipoise::engine
