#include "equipoise/engine/parts/active_links.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

namespace {

/// Whether a link has an end on a given rank.
class Touches {
  public:
    explicit Touches(const Part& part)
        : partition_(part.partition()),
          rank_(part.rank()),
          first_(partition_.consecutive() ? partition_.first(rank_) : 0),
          count_(part.own_count()) {}
    [[nodiscard]] bool operator()(const Ends& ends) const {
        return owns(ends.tail) || owns(ends.head);
    }

  private:
    [[nodiscard]] bool owns(NodeId node) const {
        return partition_.consecutive() ? node - first_ < count_ : partition_.owner(node) == rank_;
    }

    const Partition& partition_;
    int rank_;
    NodeId first_;
    NodeId count_;
};

// The first i with from + i * stride >= node.
std::uint64_t index_from(NodeId node, NodeId from, NodeId stride) {
    return node <= from ? 0 : (std::uint64_t{node} - from + stride - 1) / stride;
}

}  // namespace

template AnySchedule any_schedule(model::PeriodicSchedule& schedule);
template AnySchedule any_schedule(model::AllLinks& schedule);
template AnySchedule any_schedule(model::GridSchedule& schedule);
template AnySchedule any_schedule(model::RandomMatching& schedule);
template AnySchedule any_schedule(model::SteepestMatching& schedule);

// With consecutive parts, the links of a row whose tails or heads lie in one are consecutive too.
void visit_row(const model::LinkRow& row, const Part& part, const AnySchedule::Visit& visit) {
    const Partition& partition = part.partition();
    const auto at = [&](std::uint64_t i) {
        const auto step = static_cast<NodeId>(i * row.stride);
        return Ends{row.tail + step, row.head + step};
    };
    if (!partition.consecutive()) {
        const Touches touches(part);
        for (std::uint64_t i = 0; i < row.count; ++i)
            if (touches(at(i))) visit(at(i), row.slot + i);
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
                const AnySchedule::Visit& visit) {
    const Touches touches(part);
    for (const Ends& ends : links) {
        if (touches(ends)) visit(ends, slot);
        ++slot;
    }
}

AnySchedule all_links_of(const Piece& piece) {
    AnySchedule schedule;
    schedule.period = 1;
    schedule.slot_count = piece.link_count();
    schedule.slots_are_links = true;
    schedule.disjoint = piece.link_count() <= 1;
    schedule.touching = [&piece](Step /*step*/, const Part& part, const AnySchedule::Visit& visit) {
        for (NodeId own = 0; own < part.own_count(); ++own) {
            const NodeId node = part.global(own);
            for (Port port = 0; port < piece.degree(node); ++port) {
                const NodeId other = piece.neighbour(node, port);
                if (node < other)
                    visit({node, other}, piece.link(node, port));
                else if (part.partition().owner(other) != part.rank())
                    visit({other, node}, piece.link(node, port));
            }
        }
    };
    return schedule;
}

ActiveLinks links_of_whole(const AnySchedule& schedule, Step step) {
    ActiveLinks links;
    links.step = step;
    if (schedule.in_rows) {
        links.schedule = &schedule;
        return links;
    }
    links.ends = schedule.list(step);
    links.first_slot = schedule.first_slot(step);
    links.states_by_slot = schedule.period > 0;
    return links;
}

// Extends the last row while links follow each other regularly; grids need few rows.
void StepPlan::Side::append(const Ends& link, std::uint64_t slot, bool in_rows) {
    const std::uint64_t state = first_state + count++;
    if (!in_rows) {
        ends.push_back(link);
        slots.push_back(slot);
        return;
    }
    if (!rows.empty()) {
        ActiveRow& row = rows.back();
        if (row.count == 1 && link.tail > row.tail) row.stride = link.tail - row.tail;
        if (row.tail + row.count * row.stride == link.tail &&
            row.head + row.count * row.stride == link.head && row.slot + row.count == slot &&
            row.state + row.count == state) {
            ++row.count;
            return;
        }
    }
    rows.push_back({{link.tail, link.head, 1, 1, slot}, state});
}

StepPlan::StepPlan(const AnySchedule& schedule, Step step, Part& part, std::uint64_t state) {
    std::vector<std::pair<NodeId, NodeId>> crossing;
    struct Crossing {
        Ends ends;
        std::uint64_t slot = 0;
    };
    std::vector<Crossing> cut;
    inner_.first_state = state;
    schedule.touching(step, part, [&](const Ends& ends, std::uint64_t slot) {
        const NodeId tail = part.local(ends.tail);
        const NodeId head = part.local(ends.head);
        if (part.owns(tail) && part.owns(head)) {
            inner_.append({tail, head}, slot, schedule.in_rows);
        } else {
            cut.push_back({{tail, head}, slot});
            crossing.emplace_back(part.owns(tail) ? tail : head, part.owns(tail) ? head : tail);
        }
    });
    cut_.first_state = state + inner_.count;
    for (const Crossing& link : cut)
        cut_.append(link.ends, link.slot, schedule.in_rows);
    states_end_ = cut_.first_state + cut_.count;
    inner_.rows.shrink_to_fit();
    inner_.ends.shrink_to_fit();
    inner_.slots.shrink_to_fit();
    halo_ = HaloPlan(part, crossing);
}

ActiveLinks StepPlan::links_in(const Side& side) {
    ActiveLinks links;
    links.ends = side.ends;
    links.slots = side.slots;
    links.first_state = side.first_state;
    links.stored_rows = side.rows;
    return links;
}

}  // namespace equipoise::engine
