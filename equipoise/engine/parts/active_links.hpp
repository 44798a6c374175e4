#pragma once
// The links that a part plays in a step, from a schedule of any kind.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/model/run/schedule.hpp"

namespace equipoise::engine {

/// Borrows a schedule of any kind, which must outlive this.
struct AnySchedule {
    Step period = 0;               ///< 0: never repeats
    std::uint64_t slot_count = 0;  ///< of the whole network
    bool disjoint = false;         ///< the links of every step share no node
    bool in_rows = false;          ///< links come as rows
    bool slots_are_links = false;  ///< slot i is link i of the network
    bool reads_loads = false;      ///< `prepare` looks at the loads of all nodes
    std::function<void(Step, std::span<const Tokens>)> prepare;  ///< empty: nothing to prepare

    /// All links of a step, for a process that knows the whole network: rows, or a list whose slots
    /// begin with `first_slot`.
    std::function<std::uint64_t(Step)> row_count;
    std::function<void(Step, std::uint64_t first, std::span<model::LinkRow> out)> rows;
    std::function<std::span<const Ends>(Step)> list;
    std::function<std::uint64_t(Step)> first_slot;

    /// Visits the links of a step that touch a node of a part, each once, in rows whose tails are
    /// all own nodes or all those of others, and likewise the heads.
    using Visit = std::function<void(const model::LinkRow&)>;
    std::function<void(Step, const Part&, const Visit&)> touching;
};

/// Visits the links of a row that touch a node of the part. Cost O(1) a visit if parts are
/// consecutive, otherwise O(links).
void visit_row(const model::LinkRow& row, const Part& part, const AnySchedule::Visit& visit);
/// Visits those links of a list that touch a node of the part; the slots of the list begin with
/// `slot`.
void visit_list(std::span<const Ends> links, std::uint64_t slot, const Part& part,
                const AnySchedule::Visit& visit);

template <model::Schedule S>
[[nodiscard]] AnySchedule any_schedule(S& schedule) {
    AnySchedule any;
    any.period = static_cast<Step>(schedule.period());
    any.slot_count = schedule.slot_count();
    any.reads_loads = model::LoadSchedule<S>;
    if constexpr (model::RowSchedule<S>) {
        any.disjoint = true;
        any.in_rows = true;
        any.row_count = [&schedule](Step step) { return schedule.row_count(step); };
        any.rows = [&schedule](Step step, std::uint64_t first, std::span<model::LinkRow> out) {
            for (model::LinkRow& row : out)
                row = schedule.row(step, first++);
        };
        any.touching = [&schedule](Step step, const Part& part, const AnySchedule::Visit& visit) {
            for (std::uint64_t index = 0; index < schedule.row_count(step); ++index)
                visit_row(schedule.row(step, index), part, visit);
        };
    } else {
        any.disjoint = schedule.disjoint();
        any.slots_are_links = model::LinkSlots<S>;
        any.prepare = [&schedule](Step step, std::span<const Tokens> loads) {
            if constexpr (model::LoadSchedule<S>)
                schedule.prepare(step, loads);
            else
                schedule.prepare(step);
        };
        any.list = [&schedule](Step step) { return schedule.links(step); };
        any.first_slot = [&schedule](Step step) { return schedule.first_slot(step); };
        any.touching = [&schedule](Step step, const Part& part, const AnySchedule::Visit& visit) {
            visit_list(schedule.links(step), schedule.first_slot(step), part, visit);
        };
    }
    return any;
}

extern template AnySchedule any_schedule(model::PeriodicSchedule& schedule);
extern template AnySchedule any_schedule(model::AllLinks& schedule);
extern template AnySchedule any_schedule(model::GridSchedule& schedule);
extern template AnySchedule any_schedule(model::RandomMatching& schedule);
extern template AnySchedule any_schedule(model::RandomLink& schedule);
extern template AnySchedule any_schedule(model::RandomPair& schedule);
extern template AnySchedule any_schedule(model::SteepestMatching& schedule);

/// All links in every step, found by the rows of a part's own nodes: for ranks, none of which needs
/// to know or to store the links of others. The network must outlive it.
[[nodiscard]] AnySchedule all_links_of(const Graph& graph);

/// A row of active links by local numbers; its i-th link has state `state` + i.
struct ActiveRow : model::LinkRow {
    std::uint64_t state = 0;
};

/// The active links of a step, by local numbers: a list or rows. The spans belong to the schedule
/// or to a plan.
struct ActiveLinks {
    // As a list:
    std::span<const Ends> ends;
    std::span<const std::uint64_t> slots;  ///< of the schedule; empty: first_slot and so on
    std::uint64_t first_slot = 0;
    std::uint64_t first_state = 0;
    bool states_by_slot = false;  ///< a link's state has the number of its slot
    // As rows, stored here or in the schedule:
    std::span<const ActiveRow> stored_rows;
    const AnySchedule* schedule = nullptr;
    Step step = 0;

    [[nodiscard]] std::uint64_t state(std::uint64_t i) const {
        if (!states_by_slot) return first_state + i;
        return slots.empty() ? first_slot + i : slots[i];
    }
    [[nodiscard]] std::uint64_t row_count() const {
        return schedule != nullptr ? schedule->row_count(step) : stored_rows.size();
    }

    /// Calls `visit(i, ends, slot, state)` for the links begin .. end-1 of the list. Constants are
    /// copied to locals for the optimiser.
    template <class Visit>
    void for_each_listed(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
        const Ends* const all = ends.data();
        const std::uint64_t slot = first_slot;
        const std::uint64_t state = states_by_slot ? first_slot : first_state;
        if (slots.empty()) {
            for (std::uint64_t i = begin; i < end; ++i)
                visit(i, all[i], slot + i, state + i);
            return;
        }
        const std::uint64_t* const slot_of = slots.data();
        const bool by_slot = states_by_slot;
        for (std::uint64_t i = begin; i < end; ++i)
            visit(i, all[i], slot_of[i], by_slot ? slot_of[i] : state + i);
    }

    /// Calls `visit(row)` for the rows begin .. end-1. Rows of a schedule are fetched in batches.
    template <class Visit>
    void for_each_row(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
        if (schedule == nullptr) {
            for (std::uint64_t i = begin; i < end; ++i)
                visit(stored_rows[i]);
            return;
        }
        std::array<model::LinkRow, 32> some;
        while (begin < end) {
            const auto asked =
                std::span(some).first(std::min<std::uint64_t>(some.size(), end - begin));
            schedule->rows(step, begin, asked);
            for (const model::LinkRow& row : asked)
                visit(ActiveRow{row, row.slot});
            begin += asked.size();
        }
    }

    /// Calls `visit(ends, slot, state)` for all links; those of a whole network in the order of
    /// slots.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for_each_listed(0, ends.size(),
                        [&](std::uint64_t /*i*/, const Ends& of, std::uint64_t slot,
                            std::uint64_t state) { visit(of, slot, state); });
        for_each_row(0, row_count(), [&](const ActiveRow& of) {
            for (NodeId i = 0; i < of.count; ++i)
                visit(Ends{of.tail + i * of.stride, of.head + i * of.stride}, of.slot + i,
                      of.state + i);
        });
    }
};

/// The links of a step of the whole network. `states_by_slot`: every slot has a state of its own.
[[nodiscard]] ActiveLinks links_of_whole(const AnySchedule& schedule, Step step);

/// The links from own nodes to other ranks, as pairs of local numbers (own, halo). The other ends
/// all join the halo. Cost O(1) a row of a grid with consecutive parts, otherwise O(arcs).
[[nodiscard]] std::vector<std::pair<NodeId, NodeId>> links_to_others(Part& part);

/// What a rank does in a step: links within its part, and links to other ranks.
class StepPlan {
  public:
    StepPlan() = default;
    /// The states of its links are numbered from `state` on. The part's halo may grow.
    StepPlan(const AnySchedule& schedule, Step step, Part& part, std::uint64_t state);
    /// Plans the halo of all links of the part, for bodies that need no list of links.
    explicit StepPlan(Part& part) : halo_(part, links_to_others(part)) {}

    [[nodiscard]] ActiveLinks inner() const { return links_in(inner_); }
    [[nodiscard]] ActiveLinks cut() const { return links_in(cut_); }
    [[nodiscard]] const HaloPlan& halo() const { return halo_; }
    [[nodiscard]] std::uint64_t states_end() const { return states_end_; }

  private:
    /// Holds either rows, or ends and slots. Memory: 32 bytes per row, 16 bytes per link.
    struct Side {
        std::vector<ActiveRow> rows;
        std::vector<Ends> ends;
        std::vector<std::uint64_t> slots;
        std::uint64_t first_state = 0;
        std::uint64_t count = 0;

        void append(const model::LinkRow& row, bool in_rows);
    };

    [[nodiscard]] static ActiveLinks links_in(const Side& side);

    Side inner_;
    Side cut_;
    HaloPlan halo_;
    std::uint64_t states_end_ = 0;
};

}  // namespace equipoise::engine
