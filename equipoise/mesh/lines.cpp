#include "equipoise/mesh/lines.hpp"

#include <cstdint>

#include "equipoise/load/line_timetable.hpp"

namespace equipoise::mesh {

namespace {

/// Reports the moves of one line and counts what crosses its links.
void tell_line(Workspace& work, NodeId first, NodeId stride, Step now) {
    NodeId left = first;
    for (const load::LinkTimes& link : work.links) {
        const NodeId right = left + stride;
        const bool rightward = link.flow > 0;
        const auto amount = static_cast<std::uint64_t>(rightward ? link.flow : -link.flow);
        work.count_exchanges(amount);
        if (work.wants_moves())
            for (std::uint64_t i = 0; i < amount; ++i)
                work.move(now + link.first + i, rightward ? left : right, rightward ? right : left);
        left = right;
    }
}

}  // namespace

void balance_lines(Workspace& work, const Box& box, std::size_t axis, Layer& tokens, Clock& clock) {
    const auto [side, stride] = box.axis(axis);
    work.supply.resize(side);
    work.targets.resize(side);
    clock.scan_lines(box, axis, 4);
    Step longest = 0;
    box.for_each_line(axis, [&, side = side, stride = stride](NodeId first) {
        for (NodeId i = 0; i < side; ++i)
            work.supply[i] = tokens[first + i * stride];
        load::level_targets(work.supply, load::Extras::follow_supply, work.targets);
        const Step steps = load::make_timetable(work.supply, work.targets, work.links);
        longest = steps > longest ? steps : longest;
        if (steps == 0) return;
        tell_line(work, first, stride, clock.now());
        for (NodeId i = 0; i < side; ++i)
            tokens[first + i * stride] = work.targets[i];
    });
    clock.move_tokens(longest);
}

}  // namespace equipoise::mesh
