#pragma once
// The hot loop for rows of links under rules that remember nothing: reads two streams of loads and
// writes both back.

#include <cstdint>
#include <type_traits>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::engine {

/// Rules whose whole effect on a link is its flow, read from the two loads.
template <class R>
concept FlowOnly =
    model::EdgeRule<R> && model::ReadsOnlyLoadsAndStates<R> &&
    std::is_empty_v<typename R::NodeState> && std::is_empty_v<typename R::LinkState> &&
    !model::MergesStates<R> && !model::NotesLoads<R> && !model::CreatesTokens<R>;

/// Plays links tail[i * stride], head[i * stride] for i = 0 .. count-1, none of which share a node.
/// `stride` is a constant if the caller knows it at compile time, so that the loop is vectorised.
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

}  // namespace equipoise::engine
