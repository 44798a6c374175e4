#pragma once
// First-order diffusion on a regular network with one divisor: the hot loop alone, on spans.
//
// Every node gathers its neighbours' loads: next(v) = x(v) + sum over neighbours u of trunc((x(u) -
// x(v)) / divisor). Both ends of a link compute the same flow, so tokens are conserved. The gather
// is limited by the latency of random reads; loads are therefore fetched ahead, from a narrow copy
// that fits nearer caches.

#include <cstddef>
#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::engine {

/// What a range of nodes did in one step; every link is counted at both its ends.
struct GatherTotals {
    std::uint64_t flows = 0;  ///< sum of |flow|
    bool steep = false;       ///< the ends of a link differ by two or more

    void operator+=(const GatherTotals& other) {
        flows += other.flows;
        steep = steep || other.steep;
    }
};

/// The plain definition, for nodes [begin, end): reads `loads`, writes `next`. `neighbours` holds
/// `degree` entries a node; divisor > 0.
GatherTotals gather_plain(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                          std::span<const Tokens> loads, std::span<Tokens> next,
                          std::uint64_t begin, std::uint64_t end);

/// The largest loads that fit the narrow and the medium variant.
inline constexpr Tokens narrow_load_max = 65535;
inline constexpr Tokens medium_load_max = 0x7fffffff;

/// The same with loads in 16 bits: reads `narrow`, writes `loads` and `narrow_next`. Requires loads
/// in 0 .. narrow_load_max and divisor > degree; no load then leaves the range of the loads of its
/// node and that node's neighbours.
GatherTotals gather_narrow(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                           std::span<const std::uint16_t> narrow,
                           std::span<std::uint16_t> narrow_next, std::span<Tokens> loads,
                           std::uint64_t begin, std::uint64_t end);

/// The same with loads in 32 bits, in 0 .. medium_load_max; divisor > degree.
GatherTotals gather_medium(std::span<const NodeId> neighbours, Port degree, Tokens divisor,
                           std::span<const std::uint32_t> narrow,
                           std::span<std::uint32_t> narrow_next, std::span<Tokens> loads,
                           std::uint64_t begin, std::uint64_t end);

}  // namespace equipoise::engine
