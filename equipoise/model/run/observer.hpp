#pragma once
// What an engine reports while it runs. Observers look but never touch.

#include <cstdint>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// Tokens that crossed a link in one step.
struct Transfer {
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    Tokens tokens = 0;  ///< at least 1
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// What crosses a link in a step when `flow` tokens, not 0, go from tail to head (negative: back).
[[nodiscard]] constexpr Transfer transfer_of(Step step, NodeId tail, NodeId head, Tokens flow) {
    return flow > 0 ? Transfer{step, tail, head, flow} : Transfer{step, head, tail, -flow};
}

/// A node or a link that came or went at the beginning of a step.
struct NetworkSwitch {
    Step step = 0;
    NodeId node = 0;
    NodeId other = 0;  ///< the link's other end; `node` again: the node itself
    bool up = true;    ///< whether it came or went
    friend bool operator==(const NetworkSwitch&, const NetworkSwitch&) = default;
};

/// What a run has cost so far, counted as the papers do.
struct Costs {
    std::uint64_t steps = 0;      ///< synchronous parallel steps
    std::uint64_t rounds = 0;     ///< rounds: periods of the schedule, or rounds of a deal rule
    std::uint64_t exchanges = 0;  ///< tokens times links crossed
    std::uint64_t messages = 0;   ///< messages of loads, states and proposals
    friend bool operator==(const Costs&, const Costs&) = default;
};

/// The state of a run after `costs.steps` steps. Spans are valid until the call returns.
struct StepView {
    const Costs& costs;
    std::span<const Tokens> loads;
    Tokens created = 0;                   ///< tokens made so far (dummies, arrivals)
    Tokens destroyed = 0;                 ///< tokens removed so far
    std::span<const Transfer> transfers;  ///< of the last step; empty unless an observer wants them
    /// If nodes and links come and go: for each node its component among the links that are up,
    /// `no_node` if it is down. Empty: the network stays as it is.
    std::span<const NodeId> components = {};
    /// What came and went since the last step; empty unless an observer wants transfers.
    std::span<const NetworkSwitch> switches = {};
};

/// Where the loads of all nodes are to be when ranks have played a run together. Bringing them
/// together costs 8 bytes a node for each rank that gets them.
enum class FinalLoads : std::uint8_t {
    on_every_rank,
    on_rank_0,
    apart,  ///< nowhere: each rank has those of its own nodes
};

/// Looks at a run. Called by one thread between steps.
class Observer {
  public:
    virtual ~Observer() = default;
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    /// Whether it looks at loads. If no observer does, ranks may leave `StepView::loads` empty.
    [[nodiscard]] virtual bool wants_loads() const { return true; }
    /// Whether `on_step` needs the transfers of every step. Slows a run down.
    [[nodiscard]] virtual bool wants_transfers() const { return false; }
    /// The first step count after `done` steps at which `on_step` is wanted (at least done + 1).
    [[nodiscard]] virtual Step next_wanted(Step done) const { return done + 1; }
    virtual void on_start(const StepView& /*view*/) {}
    virtual void on_step(const StepView& /*view*/) {}
    virtual void on_end(const StepView& /*view*/) {}
};

}  // namespace equipoise::model
