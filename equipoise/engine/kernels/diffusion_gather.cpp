#include "equipoise/engine/kernels/diffusion_gather.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace equipoise::engine {

namespace {

/// How many nodes ahead the loads of neighbours are fetched.
constexpr std::uint64_t fetch_ahead = 24;

/// The least real number above 1 / divisor. With it, trunc(difference * reciprocal) is the exact
/// quotient, rounded towards zero, while |difference| is below 2^22 in float and 2^51 in double:
/// the product exceeds the true quotient by a relative 2^-22 (2^-51) at most, and the product of a
/// multiple of the divisor never falls below its whole quotient.
template <class Real>
[[nodiscard]] Real reciprocal_above(Tokens divisor) {
    return std::nextafter(Real{1} / static_cast<Real>(divisor), Real{2});
}

/// `Degree`: an integral constant if the degree is known at compile time, so that the ports of a
/// node are computed side by side. The sum of a node's flows fits 32 bits, since divisor > degree.
template <class Real, class Word, class Degree>
GatherTotals gather(std::span<const NodeId> neighbours, Degree degree, Real reciprocal,
                    const Word* __restrict narrow, Word* __restrict narrow_next,
                    Tokens* __restrict loads, std::uint64_t begin, std::uint64_t end) {
    const NodeId* const arcs = neighbours.data();
    std::uint64_t flows = 0;
    std::uint32_t steep = 0;
    for (std::uint64_t node = begin; node < end; ++node) {
        const NodeId* const here = arcs + node * degree;
        const NodeId* const ahead = arcs + std::min(node + fetch_ahead, end - 1) * degree;
        const auto own = static_cast<std::int32_t>(narrow[node]);
        std::int32_t inflow = 0;
        std::uint32_t sizes = 0;
        for (std::uint64_t port = 0; port < degree; ++port)
            __builtin_prefetch(narrow + ahead[port]);
#if defined(_OPENMP)
#pragma omp simd reduction(+ : inflow, sizes) reduction(| : steep)
#endif
        for (std::uint64_t port = 0; port < degree; ++port) {
            const std::int32_t difference = static_cast<std::int32_t>(narrow[here[port]]) - own;
            const auto flow = static_cast<std::int32_t>(static_cast<Real>(difference) * reciprocal);
            inflow += flow;
            sizes += static_cast<std::uint32_t>(flow < 0 ? -flow : flow);
            // |difference| >= 2 exactly when difference + 1, unsigned, is above 2.
            steep |= static_cast<std::uint32_t>(static_cast<std::uint32_t>(difference) + 1U > 2U);
        }
        flows += sizes;
        narrow_next[node] = static_cast<Word>(own + inflow);
        loads[node] = own + inflow;
    }
    return {flows, steep != 0};
}

template <class Real, class Word>
GatherTotals gather_by_degree(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                              std::span<const Word> narrow, std::span<Word> narrow_next,
                              std::span<Tokens> loads, std::uint64_t begin, std::uint64_t end) {
    const auto play = [&](auto known) {
        return gather(neighbours, known, reciprocal_above<Real>(divisor), narrow.data(),
                      narrow_next.data(), loads.data(), begin, end);
    };
    if (degree == 4) return play(std::integral_constant<std::uint64_t, 4>{});
    if (degree == 8) return play(std::integral_constant<std::uint64_t, 8>{});
    return play(std::uint64_t{degree});
}

}  // namespace

GatherTotals gather_plain(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                          std::span<const Tokens> loads, std::span<Tokens> next,
                          std::uint64_t begin, std::uint64_t end) {
    GatherTotals totals;
    for (std::uint64_t node = begin; node < end; ++node) {
        Tokens inflow = 0;
        for (Port port = 0; port < degree; ++port) {
            const Tokens difference = loads[neighbours[node * degree + port]] - loads[node];
            const Tokens flow = difference / divisor;
            inflow += flow;
            totals.flows += static_cast<std::uint64_t>(flow < 0 ? -flow : flow);
            totals.steep = totals.steep || difference > 1 || difference < -1;
        }
        next[node] = loads[node] + inflow;
    }
    return totals;
}

GatherTotals gather_narrow(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                           std::span<const std::uint16_t> narrow,
                           std::span<std::uint16_t> narrow_next, std::span<Tokens> loads,
                           std::uint64_t begin, std::uint64_t end) {
    return gather_by_degree<float>(neighbours, degree, divisor, narrow, narrow_next, loads, begin,
                                   end);
}

GatherTotals gather_medium(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                           std::span<const std::uint32_t> narrow,
                           std::span<std::uint32_t> narrow_next, std::span<Tokens> loads,
                           std::uint64_t begin, std::uint64_t end) {
    return gather_by_degree<double>(neighbours, degree, divisor, narrow, narrow_next, loads, begin,
                                    end);
}

}  // namespace equipoise::engine
