#pragma once
// Schedules as ranks see them: the links of a step that touch their own nodes.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/reference_step.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/model/run/schedule.hpp"

namespace equipoise::engine {

/// A schedule of any kind, which must outlive it.
struct PartSchedule {
    Step period = 0;           ///< 0: never repeats
    bool disjoint = false;     ///< the links of every step share no node
    bool reads_loads = false;  ///< `prepare` looks at the loads of all nodes
    std::function<void(Step, std::span<const Tokens>)> prepare;
    /// Names the links of a step that touch a node of the part, each once.
    using Visit = std::function<void(const Ends&, std::uint64_t slot)>;
    std::function<void(Step, const Part&, const Visit&)> links;
};

/// Names the links of a row that touch a node of the part.
void visit_row(const model::LinkRow& row, const Part& part, const PartSchedule::Visit& visit);
/// Those of a list whose slots begin with `slot`.
void visit_list(std::span<const Ends> links, std::uint64_t slot, const Part& part,
                const PartSchedule::Visit& visit);

template <model::Schedule S>
[[nodiscard]] PartSchedule part_schedule(S& schedule) {
    PartSchedule part;
    part.period = static_cast<Step>(schedule.period());
    part.reads_loads = model::LoadSchedule<S>;
    if constexpr (model::RowSchedule<S>) {
        part.disjoint = true;
        part.links = [&schedule](Step step, const Part& of, const PartSchedule::Visit& visit) {
            for (std::uint64_t index = 0; index < schedule.row_count(step); ++index)
                visit_row(schedule.row(step, index), of, visit);
        };
    } else {
        part.disjoint = schedule.disjoint();
        part.prepare = [&schedule](Step step, std::span<const Tokens> loads) {
            if constexpr (model::LoadSchedule<S>)
                schedule.prepare(step, loads);
            else
                schedule.prepare(step);
        };
        part.links = [&schedule](Step step, const Part& of, const PartSchedule::Visit& visit) {
            visit_list(schedule.links(step), schedule.first_slot(step), of, visit);
        };
    }
    return part;
}

extern template PartSchedule part_schedule(model::PeriodicSchedule& schedule);
extern template PartSchedule part_schedule(model::AllLinks& schedule);
extern template PartSchedule part_schedule(model::GridSchedule& schedule);
extern template PartSchedule part_schedule(model::RandomMatching& schedule);
extern template PartSchedule part_schedule(model::SteepestMatching& schedule);

/// An active link by local numbers.
struct PartLink {
    NodeId tail = 0;
    NodeId head = 0;
    std::uint64_t slot = 0;   ///< of the schedule
    std::uint64_t state = 0;  ///< number of its state among those of this rank
};

/// A row of active links by local numbers, whose i-th has state `state` + i. Grids need few of
/// them.
struct PartRow : model::LinkRow {
    std::uint64_t state = 0;

    [[nodiscard]] PartLink link(NodeId i) const {
        return {tail + i * stride, head + i * stride, slot + i, state + i};
    }
};

/// What a rank does in a step.
struct StepPlan {
    std::vector<PartRow> inner;  ///< both ends are own nodes
    std::vector<PartRow> cut;    ///< one end is another rank's
    HaloPlan halo;
    std::uint64_t states_end = 0;  ///< after the last state

    StepPlan() = default;
    /// The states of its links are numbered from `state` on. The part's halo may grow.
    StepPlan(const PartSchedule& schedule, Step step, Part& part, std::uint64_t state);
};

}  // namespace equipoise::engine
