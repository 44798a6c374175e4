#include "equipoise/engine/parts/part_schedule.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

namespace {

bool is_own(NodeId node, const Part& part) {
    return part.partition().owner(node) == part.rank();
}

// The first i with from + i * stride >= node.
std::uint64_t index_from(NodeId node, NodeId from, NodeId stride) {
    return node <= from ? 0 : (std::uint64_t{node} - from + stride - 1) / stride;
}

}  // namespace

template PartSchedule part_schedule(model::PeriodicSchedule& schedule);
template PartSchedule part_schedule(model::AllLinks& schedule);
template PartSchedule part_schedule(model::GridSchedule& schedule);
template PartSchedule part_schedule(model::RandomMatching& schedule);
template PartSchedule part_schedule(model::SteepestMatching& schedule);

// Where shares are consecutive, so are the links of a row whose tails or heads lie in one.
void append_row(const model::LinkRow& row, const Part& part, std::vector<ActiveLink>& active) {
    const Partition& partition = part.partition();
    std::uint64_t begin = 0;
    std::uint64_t end = row.count;
    if (partition.consecutive()) {
        const NodeId first = partition.first(part.rank());
        const NodeId last = partition.first(part.rank() + 1);
        begin = std::min(index_from(first, row.tail, row.stride),
                         index_from(first, row.head, row.stride));
        end = std::min(end, std::max(index_from(last, row.tail, row.stride),
                                     index_from(last, row.head, row.stride)));
    }
    for (std::uint64_t i = begin; i < end; ++i) {
        const auto step = static_cast<NodeId>(i * row.stride);
        const Ends ends = {row.tail + step, row.head + step};
        if (is_own(ends.tail, part) || is_own(ends.head, part))
            active.push_back({ends, row.slot + i});
    }
}

std::vector<ActiveLink> touching(std::span<const Ends> links, std::uint64_t slot,
                                 const Part& part) {
    std::vector<ActiveLink> active;
    for (const Ends& ends : links) {
        if (is_own(ends.tail, part) || is_own(ends.head, part)) active.push_back({ends, slot});
        ++slot;
    }
    return active;
}

StepPlan::StepPlan(const PartSchedule& schedule, Step step, Part& part, std::uint64_t state) {
    std::vector<std::pair<NodeId, NodeId>> crossing;
    for (const auto& [ends, slot] : schedule.links(step, part)) {
        const NodeId tail = part.local(ends.tail);
        const NodeId head = part.local(ends.head);
        const bool is_cut = !part.owns(tail) || !part.owns(head);
        (is_cut ? cut : inner).push_back({tail, head, slot, state++});
        if (is_cut)
            crossing.emplace_back(part.owns(tail) ? tail : head, part.owns(tail) ? head : tail);
    }
    halo = HaloPlan(part, crossing);
}

}  // namespace equipoise::engine
