#pragma once
// The interface of bodies that play the steps of an edge rule on a part.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/link_step.hpp"
#include "equipoise/engine/kernels/load_range.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/run_control.hpp"

namespace equipoise::engine {

/// The facts by which a body says whether it serves a run. The same on every rank, except for the
/// part.
struct EdgeSetting {
    Part& part;
    const AnySchedule& schedule;
    std::span<const Tokens> own_loads;
    Tokens load_least = 0;  ///< of the whole network
    Tokens load_most = 0;
    bool lists_transfers = false;  ///< an observer wants to see every transfer
    bool changes = false;          ///< tokens, nodes or links come and go
    bool network_changes = false;  ///< nodes or links do
    bool has_speeds = false;
    bool keeps_links = false;  ///< slots have states of their own
    bool unwatched = false;    ///< a rank's part whose loads nobody asks for before the end
};

/// Plays the active links of a step on spans; it knows neither the schedule nor ranks. In each
/// step: `exchange` with the links within the part and, when the halo has arrived, with those to
/// other ranks; then `settle`.
template <model::EdgeRule R>
class EdgeBody {
  public:
    EdgeBody() = default;
    EdgeBody(const EdgeBody&) = delete;
    EdgeBody& operator=(const EdgeBody&) = delete;
    virtual ~EdgeBody() = default;

    /// Called with every flow that is not 0, by slot and local numbers.
    using Note = std::function<void(std::uint64_t slot, const Ends& ends, Tokens flow)>;
    /// Sets the function to call. Only bodies that serve runs in which an observer watches every
    /// transfer need it.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): bodies that need it keep it
    virtual void tell(Note /*note*/) {}

    /// Evaluates links on the loads and states from before the step.
    virtual void exchange(const LinkStep<R>& at, const ActiveLinks& links, Reach reach,
                          StepTotals& totals) = 0;
    /// Ends the step at the own nodes that have an active link, if `exchange` has not already done
    /// so.
    virtual void settle(const LinkStep<R>& /*at*/, StepTotals& /*totals*/) {}
    /// Whether the body looks at the links it is given; otherwise it plays all links of the part.
    [[nodiscard]] virtual bool needs_links() const { return true; }
    /// Whether the body looks at `LinkStep::packed` instead of `loads`, which may then be of any
    /// width. Such a body narrows.
    [[nodiscard]] virtual bool packs() const { return false; }
    /// Whether no step moves a load beyond the range of all loads before it.
    [[nodiscard]] virtual bool narrows() const { return packs(); }
    /// The range of own loads after the last step, if the body knows it.
    [[nodiscard]] virtual std::optional<LoadRange> own_range() const { return std::nullopt; }
    /// At how many ends of a link the body counts the tokens that cross it.
    [[nodiscard]] virtual std::uint64_t ends_counted() const { return 1; }
};

}  // namespace equipoise::engine
