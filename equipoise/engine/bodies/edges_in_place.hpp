#pragma once
// Links that share no node, played in place on all threads; rows of them with vector instructions.

#include <cstdint>
#include <type_traits>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/kernels/row_kernel.hpp"

namespace equipoise::engine {

/// Serves schedules whose active links share no node. Memory: none.
template <model::EdgeRule R>
class EdgesInPlace final : public EdgeBody<R> {
  public:
    static constexpr Body name{"in place"};
    static constexpr bool possible = true;
    [[nodiscard]] static bool serves(const R& /*rule*/, const EdgeSetting& setting) {
        return setting.schedule.disjoint && !setting.lists_transfers;
    }

    EdgesInPlace(const R& /*rule*/, const EdgeSetting& setting)
        : narrows_(model::FlowsBetweenLoads<R> && !setting.has_speeds) {}

    [[nodiscard]] bool narrows() const override { return narrows_; }

    void exchange(const LinkStep<R>& at, const ActiveLinks& links, Reach reach,
                  StepTotals& totals) override {
        if (reach == Reach::inner)
            play<Reach::inner>(at, links, totals);
        else
            play<Reach::cut>(at, links, totals);
    }

  private:
    template <Reach reach>
    static void play(const LinkStep<R>& at, const ActiveLinks& links, StepTotals& totals) {
        const std::uint64_t count = links.ends.size();
        if (count > 0)
            totals += sum_over_blocks<StepTotals>(
                at.workers, count, count, [&](std::uint64_t begin, std::uint64_t end) {
                    StepTotals own;
                    const LinkStep<R> here = at;
                    links.for_each_listed(begin, end,
                                          [&](std::uint64_t /*i*/, const Ends& ends,
                                              std::uint64_t slot, std::uint64_t state) {
                                              here.template exchange<reach>(ends, slot, state, own);
                                          });
                    return own;
                });
        const std::uint64_t rows = links.row_count();
        if (rows > 0)
            totals += sum_over_blocks<StepTotals>(
                at.workers, rows, at.own_count / 2, [&](std::uint64_t begin, std::uint64_t end) {
                    StepTotals own;
                    links.for_each_row(
                        begin, end, [&](const ActiveRow& row) { play_row<reach>(at, row, own); });
                    return own;
                });
    }

    template <Reach reach>
    static void play_row(const LinkStep<R>& at, const ActiveRow& row, StepTotals& totals) {
        if constexpr (FlowOnly<R> && reach == Reach::inner) {
            Tokens* const tail = at.loads.data() + row.tail;
            Tokens* const head = at.loads.data() + row.head;
            const auto play = [&](auto stride) {
                totals += exchange_row(at.rule, tail, head, stride, row.count, row.slot, at.step,
                                       at.seed);
            };
            // With a stride known at compile time the loop is vectorised.
            if (row.stride == 1)
                play(std::integral_constant<std::uint64_t, 1>{});
            else if (row.stride == 2)
                play(std::integral_constant<std::uint64_t, 2>{});
            else
                play(std::uint64_t{row.stride});
        } else {
            for (NodeId i = 0; i < row.count; ++i)
                at.template exchange<reach>({row.tail + i * row.stride, row.head + i * row.stride},
                                            row.slot + i, row.state + i, totals);
        }
    }

    bool narrows_;
};

}  // namespace equipoise::engine
