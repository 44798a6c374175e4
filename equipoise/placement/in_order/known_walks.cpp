#include "equipoise/placement/in_order/known_walks.hpp"

#include <algorithm>

namespace equipoise::placement {

std::size_t KnownWalks::furthest(const PartLimits& limits, std::size_t part,
                                 std::size_t from) const {
    std::size_t to = from;
    for (std::size_t beyond = last_place() + 1; to + 1 < beyond;) {
        const std::size_t middle = to + (beyond - to) / 2;
        (part_may_hold(*places_, limits, part, from, middle) ? to : beyond) = middle;
    }
    return to;
}

std::size_t KnownWalks::earliest(const PartLimits& limits, std::size_t part, std::size_t to) const {
    std::size_t from = to;
    for (std::size_t below = 0; below < from;) {
        const std::size_t middle = below + (from - below) / 2;
        if (part_may_hold(*places_, limits, part, middle, to))
            from = middle;
        else
            below = middle + 1;
    }
    return from;
}

// A part that does not reach the next known place ends before it: at this one, if no item has its
// end between the two.
void KnownWalks::forwards(std::span<const KnownCut> stops, std::vector<KnownCut>& cuts) const {
    const std::size_t parts = cuts.size() - 1;
    cuts.front() = {0, 0};
    for (std::size_t part = 0; part < parts; ++part) {
        KnownCut& end = cuts[part + 1];
        end.first = furthest(least_, part, cuts[part].first);
        end.last = furthest(most_, part, cuts[part].last);
        if (end.last < last_place() && !are_neighbours(end.last)) ++end.last;
        if (stops.empty()) continue;
        end.first = std::min(end.first, stops[part + 1].first);
        end.last = std::min(end.last, stops[part + 1].last);
    }
}

void KnownWalks::backwards(std::span<const KnownCut> stops, std::vector<KnownCut>& cuts) const {
    cuts.back() = {last_place(), last_place()};
    for (std::size_t part = cuts.size() - 1; part-- > 0;) {
        KnownCut& start = cuts[part];
        start.last = earliest(least_, part, cuts[part + 1].last);
        start.first = earliest(most_, part, cuts[part + 1].first);
        if (start.first > 0 && !are_neighbours(start.first - 1)) --start.first;
        if (stops.empty()) continue;
        start.first = std::max(start.first, stops[part].first);
        start.last = std::max(start.last, stops[part].last);
    }
}

}  // namespace equipoise::placement
