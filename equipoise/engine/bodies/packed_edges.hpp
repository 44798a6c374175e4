#pragma once
// Links that share no node, played in place on loads of two, four or eight bytes.

#include <cstdint>
#include <type_traits>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/kernels/packed_row.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"

namespace equipoise::engine {

/// Serves the parts of ranks whose loads nobody asks for before the end, with rules whose whole
/// effect is a flow between the two loads, over rows of links that share no node, with loads of 0
/// or more. Memory: none.
template <model::EdgeRule R>
class PackedEdges final : public EdgeBody<R> {
  public:
    static constexpr Body name{"packed"};
    static constexpr bool possible = model::FlowsBetweenLoads<R>;
    [[nodiscard]] static bool serves(const R& /*rule*/, const EdgeSetting& setting) {
        return setting.unwatched && setting.schedule.disjoint && setting.schedule.in_rows &&
               !setting.lists_transfers && !setting.changes && !setting.has_speeds &&
               setting.load_least >= 0;
    }

    PackedEdges(const R& /*rule*/, const EdgeSetting& /*setting*/) {}

    [[nodiscard]] bool packs() const override { return true; }

    void exchange(const LinkStep<R>& at, const ActiveLinks& links, Reach reach,
                  StepTotals& totals) override {
        // Compilers may instantiate this even for rules that have no such flow.
        if constexpr (possible)
            at.packed.visit([&](auto* loads) {
                links.for_each_row(0, links.row_count(), [&](const ActiveRow& row) {
                    if (reach == Reach::inner)
                        totals += play_inner(at.rule, loads, row);
                    else
                        totals += play_cut(at, loads, row);
                });
            });
    }

  private:
    template <class Word>
    static StepTotals play_inner(const R& rule, Word* loads, const ActiveRow& row) {
        if (row.stride == 1)
            return exchange_packed_row(rule, loads + row.tail, loads + row.head, row.count);
        if (row.stride == 2 && row.head == row.tail + 1)
            return exchange_packed_pairs(rule, loads + row.tail, row.count);
        StepTotals totals;
        for (NodeId i = 0; i < row.count; ++i)
            totals += exchange_packed_row(rule, loads + row.tail + std::uint64_t{i} * row.stride,
                                          loads + row.head + std::uint64_t{i} * row.stride, 1);
        return totals;
    }

    /// Own ends change; the rank that has the tail counts.
    template <class Word>
    static StepTotals play_cut(const LinkStep<R>& at, Word* loads, const ActiveRow& row) {
        StepTotals totals;
        for (NodeId i = 0; i < row.count; ++i) {
            const NodeId tail = row.tail + i * row.stride;
            const NodeId head = row.head + i * row.stride;
            Word old_tail = loads[tail];
            Word old_head = loads[head];
            const StepTotals one = exchange_packed_row(at.rule, &old_tail, &old_head, 1);
            if (tail < at.own_count) {
                loads[tail] = old_tail;
                totals += one;
            }
            if (head < at.own_count) loads[head] = old_head;
        }
        return totals;
    }
};

}  // namespace equipoise::engine
