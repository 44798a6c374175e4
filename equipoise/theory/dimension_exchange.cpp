#include "equipoise/theory/dimension_exchange.hpp"

#include <algorithm>
#include <limits>

#include "equipoise/base/error.hpp"

namespace equipoise::theory {

namespace {

/// phases * chi * n.
std::uint64_t phases_in_steps(Int128 phases, std::uint64_t colours, std::uint64_t nodes) {
    const Int128 steps = checked_multiply(
        phases, checked_multiply(static_cast<Int128>(colours), static_cast<Int128>(nodes)));
    if (steps > std::numeric_limits<std::uint64_t>::max()) throw OverflowError("bound on steps");
    return static_cast<std::uint64_t>(steps);
}

Int128 phases_of_cycles(Tokens discrepancy) {
    return 2 * std::max<Int128>(0, Int128{discrepancy} - 1);
}

}  // namespace

Tokens threshold_2_discrepancy_bound(std::uint64_t diameter) {
    if (diameter > static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max()))
        throw OverflowError("diameter");
    return static_cast<Tokens>(diameter);
}

Tokens oriented_exchange_discrepancy_bound(std::uint64_t diameter) {
    return threshold_2_discrepancy_bound(diameter);
}

std::uint64_t threshold_1_plus_calm_steps(std::uint64_t nodes, std::uint64_t colours, bool tree) {
    constexpr UInt128 most = std::numeric_limits<std::uint64_t>::max();
    const UInt128 pairs = UInt128{nodes} * nodes / 4;
    const UInt128 rounds = tree ? UInt128{nodes} : std::max(UInt128{nodes}, pairs);
    if (colours > 0 && rounds > most / colours) return static_cast<std::uint64_t>(most);
    return static_cast<std::uint64_t>(rounds) * colours;
}

std::uint64_t discrepancy_1_steps_bound(Tokens discrepancy, std::uint64_t colours,
                                        std::uint64_t nodes) {
    return phases_in_steps(phases_of_cycles(discrepancy), colours, nodes);
}

std::uint64_t discrepancy_1_steps_bound_with_termination(Tokens discrepancy, std::uint64_t colours,
                                                         std::uint64_t nodes) {
    return phases_in_steps(phases_of_cycles(discrepancy) + 1, colours, nodes);
}

}  // namespace equipoise::theory
