#pragma once
// Sends every rank its part of something that one rank holds whole.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/parts/partition.hpp"

namespace equipoise::engine {

/// Rank 0 calls `make(rank)` for every rank; each rank receives the values made for it. Collective.
/// Rank 0 holds the values of one rank at a time. If something goes wrong on one rank, all throw.
template <class T, class Make>
[[nodiscard]] std::vector<T> scatter_values(Fabric& fabric, const Make& make) {
    std::vector<T> mine;
    on_first(fabric, [&] { mine = make(0); });
    for (int to = 1; to < fabric.ranks(); ++to) {
        std::vector<T> values;
        std::uint64_t size = 0;
        on_first(fabric, [&] {
            values = make(to);
            size = values.size();
        });
        broadcast_value(fabric, size);
        together(fabric, [&] {
            if (fabric.rank() == to) values.resize(size);
        });
        pass<T>(fabric, 0, to, values, values);
        if (fabric.rank() == to) mine = std::move(values);
    }
    return mine;
}

/// One rank's links of a schedule that repeats. Memory: 16 bytes for each link that touches an own
/// node.
struct PeriodicPart {
    std::vector<Ends> links;                ///< in the order of their slots
    std::vector<std::uint64_t> slots;       ///< as in the schedule of the whole network
    std::vector<std::uint64_t> set_begins;  ///< the first slot of every set, and one after the last
    bool disjoint = true;                   ///< whether no two links of a set share a node
};

/// Sends every rank its part of a periodic schedule that rank 0 has for the whole network; the
/// others pass null. Collective.
[[nodiscard]] PeriodicPart scatter_schedule(Fabric& fabric, const AnySchedule* whole,
                                            const Partition& partition);

/// A schedule that plays a rank's links, which must outlive it.
[[nodiscard]] AnySchedule schedule_of(const PeriodicPart& part);

}  // namespace equipoise::engine
