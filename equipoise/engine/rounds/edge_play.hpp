#pragma once
// How a step of an edge rule is played on a part, whatever the rule and the body.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/engine/rounds/round_play.hpp"

namespace equipoise::engine {

/// A step:
///   1. at the start of a round the environment adds and removes tokens; the schedule is prepared;
///   2. nodes wake, if the rule says so;
///   3. the body plays the active links (ReferenceEdges defines how): with several ranks, loads and
///      states travel while it plays the links within the part; then come the links to other ranks.
///
/// A link whose ends lie on two ranks is evaluated on both, from the same loads and states and with
/// the same random words, so only loads and states travel, and only those of nodes with an active
/// link to the other rank. Each rank keeps the states of the links that touch its nodes.
///
/// If the environment switches nodes and links, only live links are active, and degrees count live
/// links. A node that comes or comes back starts as at the start of the run, and so does the slot
/// of a link that was down.
///
/// Memory, with several ranks: 32 bytes for each row of slots (on grids a line or a part of one) or
/// 16 bytes for each link that touches own nodes, if the schedule repeats; if not, those of one
/// step. A schedule that looks at loads costs a gather of all loads to all ranks in every step.
class EdgePlay : public RoundPlay {
  public:
    ~EdgePlay() override;
    EdgePlay(const EdgePlay&) = delete;
    EdgePlay& operator=(const EdgePlay&) = delete;

  protected:
    EdgePlay(LoadedPart&& loaded, AnySchedule&& schedule, const RoundOptions& options,
             bool may_owe);

    /// Sets up the states and the body. Collective.
    void start();
    [[nodiscard]] StepTotals play(Step now) final;
    [[nodiscard]] Step step_length() const final { return 1; }

    /// The slots of a schedule that never repeats have no state of their own.
    [[nodiscard]] bool keeps_links() const { return schedule_.period > 0; }
    [[nodiscard]] const AnySchedule& schedule() const { return schedule_; }

    virtual void start_nodes() = 0;
    /// Makes room for the states of links, all as they are at the start of a run.
    virtual void renew_links(std::uint64_t count) = 0;
    [[nodiscard]] virtual bool starts_links() const = 0;
    virtual void start_links(const ActiveLinks& links) = 0;
    /// The index of the first body that serves here, starting at the requested one.
    [[nodiscard]] virtual std::size_t first_body(const EdgeSetting& setting) const = 0;
    virtual void take_body(std::size_t number, const EdgeSetting& setting) = 0;
    /// Whether the body looks at the links that it is given (see EdgeBody).
    [[nodiscard]] virtual bool needs_links() const = 0;
    virtual void wake(Step now) = 0;
    virtual void exchange(const ActiveLinks& links, Reach reach, Step now, StepTotals& totals) = 0;
    virtual void settle(Step now, StepTotals& totals) = 0;
    /// The states of links.
    [[nodiscard]] virtual Values link_memory() = 0;

  private:
    struct SlotState {
        std::uint64_t slot = 0;
        std::uint64_t state = 0;
    };

    [[nodiscard]] std::optional<KeptValues> kept_links() final;
    [[nodiscard]] std::vector<SlotState> slot_states(bool only_of_own_tails) const;
    void start_whole();
    void start_part();
    [[nodiscard]] StepTotals play_whole(Step now);
    [[nodiscard]] StepTotals play_part(Step now);
    [[nodiscard]] ActiveLinks live_links(Step now);

    AnySchedule schedule_;
    std::vector<StepPlan> plans_;  ///< with several ranks, by step of the period
    StepPlan passing_;             ///< of this step, if the schedule never repeats
    std::vector<Ends> live_ends_;  ///< of this step, if links come and go
    std::vector<std::uint64_t> live_slots_;
};

}  // namespace equipoise::engine
