#include "equipoise/engine/parts/part_schedule.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

namespace {

bool touches(const Ends& ends, const Part& part) {
    const Partition& partition = part.partition();
    return partition.owner(ends.tail) == part.rank() || partition.owner(ends.head) == part.rank();
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
void visit_row(const model::LinkRow& row, const Part& part, const PartSchedule::Visit& visit) {
    const Partition& partition = part.partition();
    const auto at = [&](std::uint64_t i) {
        const auto step = static_cast<NodeId>(i * row.stride);
        return Ends{row.tail + step, row.head + step};
    };
    if (!partition.consecutive()) {
        for (std::uint64_t i = 0; i < row.count; ++i)
            if (touches(at(i), part)) visit(at(i), row.slot + i);
        return;
    }
    const NodeId first = partition.first(part.rank());
    const NodeId last = partition.first(part.rank() + 1);
    const auto from = [&](NodeId node, NodeId end) {
        return std::min<std::uint64_t>(row.count, index_from(node, end, row.stride));
    };
    std::uint64_t done = 0;
    for (const NodeId end : {std::max(row.tail, row.head), std::min(row.tail, row.head)})
        for (std::uint64_t i = std::max(done, from(first, end)); i < from(last, end); done = ++i)
            visit(at(i), row.slot + i);
}

void visit_list(std::span<const Ends> links, std::uint64_t slot, const Part& part,
                const PartSchedule::Visit& visit) {
    for (const Ends& ends : links) {
        if (touches(ends, part)) visit(ends, slot);
        ++slot;
    }
}

namespace {

// Lengthens the last row, or begins another.
void append(std::vector<PartRow>& rows, const PartLink& link) {
    if (!rows.empty()) {
        PartRow& row = rows.back();
        if (row.count == 1 && link.tail > row.tail) row.stride = link.tail - row.tail;
        const PartLink next = row.link(row.count);
        if (next.tail == link.tail && next.head == link.head && next.slot == link.slot &&
            next.state == link.state) {
            ++row.count;
            return;
        }
    }
    rows.push_back({{link.tail, link.head, 1, 1, link.slot}, link.state});
}

}  // namespace

StepPlan::StepPlan(const PartSchedule& schedule, Step step, Part& part, std::uint64_t state)
    : states_end(state) {
    std::vector<std::pair<NodeId, NodeId>> crossing;
    schedule.links(step, part, [&](const Ends& ends, std::uint64_t slot) {
        const NodeId tail = part.local(ends.tail);
        const NodeId head = part.local(ends.head);
        const bool is_cut = !part.owns(tail) || !part.owns(head);
        append(is_cut ? cut : inner, {tail, head, slot, states_end++});
        if (is_cut)
            crossing.emplace_back(part.owns(tail) ? tail : head, part.owns(tail) ? head : tail);
    });
    inner.shrink_to_fit();
    halo = HaloPlan(part, crossing);
}

}  // namespace equipoise::engine
