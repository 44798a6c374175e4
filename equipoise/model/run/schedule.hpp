#pragma once
// Which links are active in which step, in which slot and orientation. Rules never know where a
// schedule came from.

#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// Active links in a regular row: link i joins tail + i * stride to head + i * stride and has slot
/// `slot` + i, for i = 0 .. count-1. Rows let implicit networks run without stored links and let
/// the compiler vectorise.
struct LinkRow {
    NodeId tail = 0;
    NodeId head = 0;
    NodeId stride = 1;
    NodeId count = 0;
    std::uint64_t slot = 0;
};

/// Rows are cut at this many links, so that long ones can be divided among threads.
inline constexpr NodeId row_links_max = 1U << 13U;

/// A schedule that every process of a run can prepare by itself.
template <class S>
concept Prepares = requires(S& schedule, Step step) { schedule.prepare(step); };

/// A schedule that looks at all loads, so it is not local; with several ranks every rank is given
/// all loads.
template <class S>
concept LoadSchedule = requires(S& schedule, Step step, std::span<const Tokens> loads) {
    schedule.prepare(step, loads);
};

/// A schedule that lists the active links of a step.
///   `period()`: after how many steps it repeats, which is 1 round; 0 if it never does
///   `slot_count()`: the number of slots with a state of their own
///   `disjoint()`: whether no two links of a step ever share a node (then a step is applied in
///       place)
///   `prepare(step)`: called once before a step, by one thread; or `prepare(step, loads)`, see
///   LoadSchedule
///   `links(step)`: the active links, oriented tail to head
///   `first_slot(step)`: slot of the first of them; the others follow
template <class S>
concept ListSchedule = requires(S& schedule, const S& fixed, Step step) {
    { fixed.period() } -> std::convertible_to<Step>;
    { fixed.slot_count() } -> std::convertible_to<std::uint64_t>;
    { fixed.disjoint() } -> std::convertible_to<bool>;
    requires Prepares<S> || LoadSchedule<S>;
    { fixed.links(step) } -> std::convertible_to<std::span<const Ends>>;
    { fixed.first_slot(step) } -> std::convertible_to<std::uint64_t>;
};

/// A schedule of an implicit network: the active links of a step come as rows. Always disjoint.
///   `row_count(step)`, `row(step, index)`: the rows of a step, any of which may run on any thread
template <class S>
concept RowSchedule = requires(S& schedule, const S& fixed, Step step, std::uint64_t index) {
    { fixed.period() } -> std::convertible_to<Step>;
    { fixed.slot_count() } -> std::convertible_to<std::uint64_t>;
    { fixed.row_count(step) } -> std::convertible_to<std::uint64_t>;
    { fixed.row(step, index) } -> std::same_as<LinkRow>;
};

template <class S>
concept Schedule = ListSchedule<S> || RowSchedule<S>;

/// A fixed sequence of sets of links, repeated over and over: the classes of an edge colouring, or
/// the matchings of a circuit. The same pair of nodes may be in several sets, each time with its
/// own orientation and slot. Memory: 8 bytes a slot.
class PeriodicSchedule {
  public:
    PeriodicSchedule() = default;
    /// Throws InputError when a set uses a node twice and `require_disjoint` is set.
    explicit PeriodicSchedule(const std::vector<std::vector<Ends>>& sets,
                              bool require_disjoint = true);

    [[nodiscard]] Step period() const { return offsets_.size() - 1; }
    [[nodiscard]] std::uint64_t slot_count() const { return slots_.size(); }
    [[nodiscard]] bool disjoint() const { return disjoint_; }
    void prepare(Step /*step*/) {}
    [[nodiscard]] std::span<const Ends> links(Step step) const {
        if (period() == 0) return {};
        const std::size_t set = static_cast<std::size_t>(step % period());
        return {slots_.data() + offsets_[set], offsets_[set + 1] - offsets_[set]};
    }
    [[nodiscard]] std::uint64_t first_slot(Step step) const {
        return period() == 0 ? 0 : offsets_[static_cast<std::size_t>(step % period())];
    }

  private:
    std::vector<Ends> slots_;
    std::vector<std::size_t> offsets_ = {0};
    bool disjoint_ = true;
};

static_assert(ListSchedule<PeriodicSchedule>);

}  // namespace equipoise::model
