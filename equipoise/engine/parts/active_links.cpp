#include "equipoise/engine/parts/active_links.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace equipoise::engine {

namespace {

/// Whether an end of a link is in the part.
bool touches(const Part& part, const Ends& ends) {
    return part.has(ends.tail) || part.has(ends.head);
}

// The first i with from + i * stride >= node.
std::uint64_t index_from(NodeId node, NodeId from, NodeId stride) {
    return node <= from ? 0 : (std::uint64_t{node} - from + stride - 1) / stride;
}

}  // namespace

template AnySchedule any_schedule(model::PeriodicSchedule& schedule);
template AnySchedule any_schedule(model::AllLinks& schedule);
template AnySchedule any_schedule(model::GridSchedule& schedule);
template AnySchedule any_schedule(model::RandomMatching& schedule);
template AnySchedule any_schedule(model::RandomLink& schedule);
template AnySchedule any_schedule(model::RandomPair& schedule);
template AnySchedule any_schedule(model::SteepestMatching& schedule);

// If parts are consecutive, the links of a row whose tails lie in one part are consecutive too, and
// so are those whose heads lie in it. The ends of both stretches cut the row where the kind of its
// links changes.
void visit_row(const model::LinkRow& row, const Part& part, const AnySchedule::Visit& visit) {
    const auto links = [&](std::uint64_t begin, std::uint64_t end) {
        const auto step = static_cast<NodeId>(begin * row.stride);
        return model::LinkRow{row.tail + step, row.head + step, row.stride,
                              static_cast<NodeId>(end - begin), row.slot + begin};
    };
    if (!part.partition().consecutive()) {
        for (std::uint64_t i = 0; i < row.count; ++i)
            if (const model::LinkRow link = links(i, i + 1); touches(part, {link.tail, link.head}))
                visit(link);
        return;
    }
    const NodeId first = part.partition().first(part.rank());
    const NodeId last = part.partition().first(part.rank() + 1);
    const auto from = [&](NodeId node, NodeId end) {
        return std::min<std::uint64_t>(row.count, index_from(node, end, row.stride));
    };
    std::array<std::uint64_t, 5> cuts = {from(first, row.tail), from(last, row.tail),
                                         from(first, row.head), from(last, row.head), row.count};
    std::sort(cuts.begin(), cuts.end());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : cuts) {
        if (begin == end) continue;
        if (const model::LinkRow some = links(begin, end); touches(part, {some.tail, some.head}))
            visit(some);
        begin = end;
    }
}

void visit_list(std::span<const Ends> links, std::uint64_t slot, const Part& part,
                const AnySchedule::Visit& visit) {
    for (const Ends& ends : links) {
        if (touches(part, ends)) visit({ends.tail, ends.head, 1, 1, slot});
        ++slot;
    }
}

AnySchedule all_links_of(const Graph& graph) {
    AnySchedule schedule;
    schedule.period = 1;
    schedule.slot_count = graph.link_count();
    schedule.slots_are_links = true;
    schedule.disjoint = graph.link_count() <= 1;
    schedule.touching = [graph](Step /*step*/, const Part& part, const AnySchedule::Visit& visit) {
        graph.visit([&](const auto& network) {
            for (NodeId own = 0; own < part.own_count(); ++own) {
                const NodeId node = part.global(own);
                for (Port port = 0; port < network.degree(node); ++port) {
                    const NodeId other = network.neighbour(node, port);
                    if (node > other && part.has(other)) continue;
                    const auto [tail, head] = std::minmax(node, other);
                    visit({tail, head, 1, 1, network.link(node, port)});
                }
            }
        });
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

std::vector<std::pair<NodeId, NodeId>> links_to_others(Part& part) {
    std::vector<std::pair<NodeId, NodeId>> cut;
    const auto cross = [&](NodeId node, NodeId other) {
        const auto [own, far] = std::minmax({part.local(node), part.local(other)});
        if (part.owns(own) && !part.owns(far)) cut.emplace_back(own, far);
    };
    part.graph().visit([&](const auto& network) {
        if constexpr (std::is_same_v<std::decay_t<decltype(network)>, network::Grid>) {
            if (part.partition().consecutive()) {
                const model::GridSchedule all(network);
                for (Step step = 0; step < all.period(); ++step)
                    for (std::uint64_t index = 0; index < all.row_count(step); ++index)
                        visit_row(all.row(step, index), part, [&](const model::LinkRow& row) {
                            if (part.has(row.tail) && part.has(row.head)) return;
                            for (NodeId i = 0; i < row.count; ++i)
                                cross(row.tail + i * row.stride, row.head + i * row.stride);
                        });
                return;
            }
        }
        for (NodeId own = 0; own < part.own_count(); ++own) {
            const NodeId node = part.global(own);
            for (Port port = 0; port < network.degree(node); ++port)
                cross(node, network.neighbour(node, port));
        }
    });
    return cut;
}

// Extends the last row while links follow each other regularly, up to the length that can be
// divided among threads; grids need few rows.
void StepPlan::Side::append(const model::LinkRow& added, bool in_rows) {
    const std::uint64_t state = first_state + count;
    count += added.count;
    if (!in_rows) {
        ends.push_back({added.tail, added.head});
        slots.push_back(added.slot);
        return;
    }
    if (!rows.empty()) {
        ActiveRow& row = rows.back();
        const NodeId stride =
            row.count == 1 && added.tail > row.tail ? added.tail - row.tail : row.stride;
        if ((added.count == 1 || added.stride == stride) &&
            row.tail + row.count * stride == added.tail &&
            row.head + row.count * stride == added.head && row.slot + row.count == added.slot &&
            row.state + row.count == state && row.count + added.count <= model::row_links_max) {
            row.stride = stride;
            row.count += added.count;
            return;
        }
    }
    rows.push_back({added, state});
}

StepPlan::StepPlan(const AnySchedule& schedule, Step step, Part& part, std::uint64_t state) {
    std::vector<std::pair<NodeId, NodeId>> crossing;
    std::vector<model::LinkRow> cut;
    inner_.first_state = state;
    schedule.touching(step, part, [&](const model::LinkRow& row) {
        if (part.has(row.tail) && part.has(row.head))
            return inner_.append(
                {part.local(row.tail), part.local(row.head), row.stride, row.count, row.slot},
                schedule.in_rows);
        for (NodeId i = 0; i < row.count; ++i) {
            const Ends link = {part.local(row.tail + i * row.stride),
                               part.local(row.head + i * row.stride)};
            cut.push_back({link.tail, link.head, 1, 1, row.slot + i});
            crossing.emplace_back(std::minmax(link.tail, link.head));
        }
    });
    cut_.first_state = state + inner_.count;
    for (const model::LinkRow& link : cut)
        cut_.append(link, schedule.in_rows);
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
