#include "equipoise/engine/parts/scatter.hpp"

#include <algorithm>

namespace equipoise::engine {

namespace {

struct Slotted {
    Ends ends;
    std::uint64_t slot = 0;
};

}  // namespace

PeriodicShare scatter_schedule(Fabric& fabric, const AnySchedule* whole,
                               const Partition& partition) {
    PeriodicShare share;
    on_first(fabric, [&] {
        share.set_begins.push_back(0);
        for (Step step = 0; step < whole->period; ++step) {
            std::uint64_t links = 0;
            links_of_whole(*whole, step).for_each([&](const Ends&, std::uint64_t, std::uint64_t) {
                ++links;
            });
            share.set_begins.push_back(share.set_begins.back() + links);
        }
    });
    broadcast_values(fabric, share.set_begins);
    const auto links_of = [&](int rank) {
        std::vector<Slotted> links;
        for (Step step = 0; step < whole->period; ++step)
            links_of_whole(*whole, step)
                .for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t /*state*/) {
                    if (partition.owner(ends.tail) == rank || partition.owner(ends.head) == rank)
                        links.push_back({ends, slot});
                });
        std::sort(links.begin(), links.end(),
                  [](const Slotted& a, const Slotted& b) { return a.slot < b.slot; });
        return links;
    };
    const std::vector<Slotted> mine = scatter_values<Slotted>(fabric, links_of);
    together(fabric, [&] {
        share.links.reserve(mine.size());
        share.slots.reserve(mine.size());
        for (const Slotted& link : mine) {
            share.links.push_back(link.ends);
            share.slots.push_back(link.slot);
        }
    });
    return share;
}

AnySchedule schedule_of(const PeriodicShare& share) {
    AnySchedule schedule;
    schedule.period = share.set_begins.size() - 1;
    schedule.slot_count = share.slots.empty() ? 0 : share.set_begins.back();
    schedule.disjoint = true;
    schedule.touching = [&share](Step step, const Part& /*part*/, const AnySchedule::Visit& visit) {
        const std::size_t sets = share.set_begins.size() - 1;
        if (sets == 0) return;
        const auto set = static_cast<std::size_t>(step % sets);
        const auto at = [&](std::uint64_t slot) {
            return static_cast<std::size_t>(
                std::lower_bound(share.slots.begin(), share.slots.end(), slot) -
                share.slots.begin());
        };
        const std::size_t end = at(share.set_begins[set + 1]);
        for (std::size_t i = at(share.set_begins[set]); i < end; ++i)
            visit(share.links[i], share.slots[i]);
    };
    return schedule;
}

}  // namespace equipoise::engine
