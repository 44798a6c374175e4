#pragma once
// Water in announcements: the proposals and the draining of DealAgreement3, computed without
// branches for one node or for four at once.
//
// DealAgreement3 defines them; its unit test checks that both compute the same.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/lanes.hpp"

namespace equipoise::protocols {

/// Sorts eight counts by Batcher's odd-even merges.
template <class Count>
void sort_ascending(std::array<Count, 8>& counts) {
    constexpr std::array<std::array<std::size_t, 2>, 19> exchanges = {{{0, 1},
                                                                       {2, 3},
                                                                       {4, 5},
                                                                       {6, 7},
                                                                       {0, 2},
                                                                       {1, 3},
                                                                       {4, 6},
                                                                       {5, 7},
                                                                       {1, 2},
                                                                       {5, 6},
                                                                       {0, 4},
                                                                       {1, 5},
                                                                       {2, 6},
                                                                       {3, 7},
                                                                       {2, 4},
                                                                       {3, 5},
                                                                       {1, 2},
                                                                       {3, 4},
                                                                       {5, 6}}};
    model::for_each_port(exchanges, [&](std::size_t i) {
        const auto [a, b] = exchanges[i];
        const Count difference = counts[a] - counts[b];
        const Count excess = model::only_if(difference > Count{0}, difference);
        counts[a] -= excess;
        counts[b] += excess;
    });
}
inline void sort_ascending(std::span<Tokens>& counts) {
    std::sort(counts.begin(), counts.end());
}

/// The tentative load that water leaves (model/local/water.hpp), and the ports of neighbours that
/// are filled up to it; other neighbours with less are filled up to one below it. Take the mean of
/// the node's own load and of the loads that come before a neighbour's in ascending order: the
/// neighbour is given something exactly if this mean is not below its load.
template <model::Count Count, class Row>
[[nodiscard]] model::Announcement<Count> announce_pour(Count load, Row& neighbour_loads) {
    // Loads with their ports in the low bits: as a number for one node, as a bit for four at once.
    constexpr bool many = model::nodes_of<Count> > 1;
    constexpr int port_bits = many ? 8 : 6;
    static_assert((many ? model::announced_ports_max_in_lanes
                        : std::bit_width(model::announced_ports_max - 1)) == port_bits);
    const auto whole = [](std::size_t number) { return Count(static_cast<int>(number)); };
    model::for_each_port(neighbour_loads, [&](std::size_t port) {
        neighbour_loads[port] =
            (neighbour_loads[port] << port_bits) + whole(many ? std::size_t{1} << port : port);
    });
    Row& ascending = neighbour_loads;
    sort_ascending(ascending);

    Count before = load;
    Count sum = load;
    Count parts = 1;
    model::for_each_port(ascending, [&](std::size_t i) {
        const Count less = ascending[i] >> port_bits;
        const auto filled = before >= less * whole(i + 1);
        before += less;
        sum += model::only_if(filled, less);
        parts += model::only_if(filled, Count{1});
    });
    const Count level = model::divide(sum, parts);
    const Count remainder = sum - level * parts;
    Count ports = model::only_if(remainder == Count{0}, Count{-1});
    model::for_each_port(ascending, [&](std::size_t i) {
        Count bit = ascending[i] & whole((1U << port_bits) - 1);
        if constexpr (!many) bit = Count{1} << bit;
        ports |= model::only_if(remainder > whole(i + 1), bit);
    });
    return {level + model::only_if(remainder > Count{0}, Count{1}), ports};
}

/// Drains what was announced. `full`: -1 where the offer fills the taker up to the tentative load,
/// else 0. The level down to which proposers are drained is m* of DealAgreement3::drain. No offer
/// is used up above m*, since an offer taken whole fills its taker to the tentative load or to one
/// token below it. So m* is the mean, rounded up, of the node's own load and of all residuals from
/// m* on; it is found from below.
template <model::Count Count, class Row>
void drain_announced(Count load, const Row& tentative_loads, const Row& full, Row& taken) {
    Row& residuals = taken;  // -1: no offer
    Count parts = 1;
    Count sum = load;
    model::for_each_port(taken, [&](std::size_t port) {
        const auto is_offer = tentative_loads[port] > load;
        const Count amount = tentative_loads[port] - load - Count{1} - full[port];
        const Count residual = model::only_if(is_offer, tentative_loads[port] + amount);
        const Count one = model::only_if(is_offer, Count{1});
        parts += one;
        sum += residual;
        residuals[port] = residual + one - Count{1};
    });
    Count level = model::divide(sum + parts - Count{1}, parts);
    for (bool settled = false; !settled;) {
        const Count before = parts;
        parts = 1;
        sum = load;
        model::for_each_port(residuals, [&](std::size_t port) {
            const auto drains = residuals[port] >= level;
            parts += model::only_if(drains, Count{1});
            sum += model::only_if(drains, residuals[port]);
        });
        settled = !model::any(before > parts);
        level = model::divide(sum + parts - Count{1}, parts);
    }
    Count extra = level * parts - sum - Count{1};
    model::for_each_port(residuals, [&](std::size_t port) {
        const Count over = residuals[port] - level;
        const Count more = model::only_if(tentative_loads[port] < level,
                                          model::only_if(extra > Count{0}, Count{1}));
        const Count one_more = model::only_if(over >= Count{0}, more);
        extra -= one_more;
        taken[port] = model::only_if(over > Count{0}, over) + one_more;
    });
}

}  // namespace equipoise::protocols
