#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/move_order.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"

namespace equipoise::reassign {

namespace {

/// By move: the machine that gives. The lists put each copy before or after every move of what it
/// is made from, unless they start together.
std::vector<MachineId> givers_of(const Problem& problem, std::span<const Move> moves,
                                 const MoveOrder& order) {
    const CopySources sources(problem);
    std::vector<std::vector<std::uint32_t>> of_item(problem.item_count());
    for (const std::uint32_t at : order.sorted())
        of_item[moves[at].item].push_back(at);
    std::vector<MachineId> givers(moves.size());
    for (std::size_t at = 0; at < moves.size(); ++at) {
        const ItemId source = sources.of(moves[at].item, moves[at].from);
        givers[at] = moves[at].from;
        if (source == moves[at].item) continue;
        givers[at] = problem.places[source];
        for (const std::uint32_t other : of_item[source])
            if (order.is_before(other, at)) givers[at] = moves[other].to;
    }
    return givers;
}

}  // namespace

void set_times(const Problem& problem, std::span<const Move> moves, PartialOrder& order) {
    order.starts.clear();
    order.ends.clear();
    if (!knows_seconds(problem)) return;
    const MoveOrder before(order.waits_for);
    EQUIPOISE_ASSERT(before.is_possible());
    const std::vector<MachineId> givers = givers_of(problem, moves, before);
    const MachineEnds ends(problem);
    std::vector<std::vector<std::uint32_t>> at_end(ends.count());
    for (const std::uint32_t at : before.sorted()) {
        if (givers[at] != problem.outside) at_end[ends.giving(givers[at])].push_back(at);
        at_end[ends.taking(moves[at].to)].push_back(at);
    }
    const auto amount = [&](std::uint32_t at) {
        return problem.amount(moves[at].item, problem.copied);
    };
    std::vector<double> seconds(moves.size(), 0);
    for (std::size_t end = 0; end < at_end.size(); ++end) {
        for (const std::uint32_t at : at_end[end]) {
            if (amount(at) == 0) continue;
            Tokens together = 0;
            for (const std::uint32_t other : at_end[end])
                if (!before.are_ordered(at, other)) together += amount(other);
            seconds[at] = std::max(seconds[at], ends.seconds(end, together));
        }
    }
    order.starts.assign(moves.size(), 0);
    order.ends.assign(moves.size(), 0);
    for (const std::uint32_t at : before.sorted()) {
        for (const std::uint32_t first : order.waits_for[at])
            order.starts[at] = std::max(order.starts[at], order.ends[first]);
        order.ends[at] = order.starts[at] + seconds[at];
    }
}

}  // namespace equipoise::reassign
