#include "equipoise/engine/parts/scatter.hpp"

#include <algorithm>

namespace equipoise::engine {

namespace {

struct Slotted {
    Ends ends;
    std::uint64_t slot = 0;
};

}  // namespace

ColouredShare scatter_colours(Fabric& fabric, const network::AnyNetwork* whole,
                              const network::EdgeColouring* colouring, const Partition& partition) {
    ColouredShare share;
    std::vector<std::uint64_t> slot_of;  // by link
    on_first(fabric, [&] {
        std::vector<std::uint64_t> sizes(std::size_t{colouring->colour_count} + 1, 0);
        for (const Colour colour : colouring->by_link)
            ++sizes[std::size_t{colour} + 1];
        for (std::size_t colour = 1; colour < sizes.size(); ++colour)
            sizes[colour] += sizes[colour - 1];
        share.class_begins = sizes;
        slot_of.reserve(colouring->by_link.size());
        for (const Colour colour : colouring->by_link)
            slot_of.push_back(sizes[colour]++);
    });
    broadcast_values(fabric, share.class_begins);
    const auto links_of = [&](int rank) {
        std::vector<Slotted> links;
        for (LinkId link = 0; link < slot_of.size(); ++link) {
            const Ends ends = whole->ends(link);
            if (partition.owner(ends.tail) == rank || partition.owner(ends.head) == rank)
                links.push_back({ends, slot_of[link]});
        }
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

AnySchedule colours_of(const ColouredShare& share) {
    AnySchedule schedule;
    schedule.period = share.class_begins.size() - 1;
    schedule.slot_count = share.slots.empty() ? 0 : share.class_begins.back();
    schedule.disjoint = true;
    schedule.touching = [&share](Step step, const Part& /*part*/, const AnySchedule::Visit& visit) {
        const std::size_t colours = share.class_begins.size() - 1;
        if (colours == 0) return;
        const auto colour = static_cast<std::size_t>(step % colours);
        const auto at = [&](std::uint64_t slot) {
            return static_cast<std::size_t>(
                std::lower_bound(share.slots.begin(), share.slots.end(), slot) -
                share.slots.begin());
        };
        const std::size_t end = at(share.class_begins[colour + 1]);
        for (std::size_t i = at(share.class_begins[colour]); i < end; ++i)
            visit(share.links[i], share.slots[i]);
    };
    return schedule;
}

}  // namespace equipoise::engine
