#include "equipoise/engine/parts/part_edges.hpp"

#include <algorithm>

namespace equipoise::engine {

EdgeParts::EdgeParts(Part part, std::span<const Tokens> own_loads, PartSchedule schedule,
                     const RoundOptions& options, bool may_owe)
    : PartPlay(std::move(part), own_loads, options, std::max<Step>(1, schedule.period), may_owe),
      schedule_(std::move(schedule)) {}

void EdgeParts::start() {
    guard([&] {
        std::uint64_t states = 0;
        for (Step step = 0; step < schedule_.period; ++step) {
            plans_.emplace_back(schedule_, step, part_, states);
            states = plans_.back().states_end;
        }
        start_nodes(states);
    });
    agree();
    if (!starts_links()) return;
    for (const StepPlan& plan : plans_) {
        begin_halo(plan.halo);
        finish_halo(plan.halo);
        guard([&] {
            start_links(plan.inner);
            start_links(plan.cut);
        });
    }
}

StepTotals EdgeParts::play(Step now) {
    if (!keeps_links()) {
        const std::span<const Tokens> seen =
            schedule_.reads_loads ? all_loads() : std::span<const Tokens>{};
        guard([&] {
            if (schedule_.prepare) schedule_.prepare(now, seen);
            passing_ = StepPlan(schedule_, now, part_, 0);
            make_room();
        });
        agree();
    }
    const StepPlan& plan = keeps_links() ? plans_[now % schedule_.period] : passing_;
    StepTotals totals;
    guard([&] { wake(now); });
    begin_halo(plan.halo);
    guard([&] { exchange(plan.inner, true, now, totals); });
    finish_halo(plan.halo);
    guard([&] {
        exchange(plan.cut, false, now, totals);
        settle(now, totals);
    });
    return totals;
}

}  // namespace equipoise::engine
