#include "equipoise/engine/parts/scatter.hpp"

#include <algorithm>

namespace equipoise::engine {

namespace {

struct Slotted {
    Ends ends;
    std::uint64_t slot = 0;
};

}  // namespace

PeriodicPart scatter_schedule(Fabric& fabric, const AnySchedule* whole,
                              const Partition& partition) {
    PeriodicPart part;
    on_first(fabric, [&] {
        part.disjoint = whole->disjoint;
        part.set_begins.push_back(0);
        for (Step step = 0; step < whole->period; ++step) {
            std::uint64_t links = 0;
            links_of_whole(*whole, step).for_each([&](const Ends&, std::uint64_t, std::uint64_t) {
                ++links;
            });
            part.set_begins.push_back(part.set_begins.back() + links);
        }
    });
    broadcast_value(fabric, part.disjoint);
    broadcast_values(fabric, part.set_begins);
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
        part.links.reserve(mine.size());
        part.slots.reserve(mine.size());
        for (const Slotted& link : mine) {
            part.links.push_back(link.ends);
            part.slots.push_back(link.slot);
        }
    });
    return part;
}

AnySchedule schedule_of(const PeriodicPart& part) {
    AnySchedule schedule;
    schedule.period = part.set_begins.size() - 1;
    schedule.slot_count = part.slots.empty() ? 0 : part.set_begins.back();
    schedule.disjoint = part.disjoint;
    schedule.touching = [&part](Step step, const Part& /*part*/, const AnySchedule::Visit& visit) {
        const std::size_t sets = part.set_begins.size() - 1;
        if (sets == 0) return;
        const auto set = static_cast<std::size_t>(step % sets);
        const auto at = [&](std::uint64_t slot) {
            return static_cast<std::size_t>(
                std::lower_bound(part.slots.begin(), part.slots.end(), slot) - part.slots.begin());
        };
        const std::size_t end = at(part.set_begins[set + 1]);
        for (std::size_t i = at(part.set_begins[set]); i < end; ++i)
            visit({part.links[i].tail, part.links[i].head, 1, 1, part.slots[i]});
    };
    return schedule;
}

}  // namespace equipoise::engine
