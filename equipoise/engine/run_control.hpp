#pragma once
// What every synchronous engine does around its steps: costs, ledger, stop rules, observers,
// environment.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/counts.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/load/ledger.hpp"
#include "equipoise/model/run/checkpoint.hpp"

namespace equipoise::engine {

/// Whether loads with this difference differ by two or more.
[[nodiscard]] constexpr bool is_steep(Tokens difference) {
    return difference > 1 || difference < -1;
}

/// What one step (of a deal rule: one round) did.
struct StepTotals {
    std::uint64_t exchanges = 0;  ///< sum of |flow| over links
    std::uint64_t messages = 0;
    Tokens created = 0;
    Tokens destroyed = 0;
    bool steep = false;  ///< an active link had a discrepancy of two or more before the step

    /// Counts tokens that cross a link in either direction. Throws OverflowError when the count
    /// leaves its range, which is possible only if loads may fall below 0; otherwise no more tokens
    /// move in a step than there are.
    void move(Tokens flow) {
        const auto amount = static_cast<std::uint64_t>(flow);
        count_up(exchanges, flow < 0 ? -amount : amount, "number of exchanges");
    }
    /// Books tokens made or, if negative, removed.
    void book(Tokens made) { (made < 0 ? destroyed : created) += made < 0 ? -made : made; }

    void operator+=(const StepTotals& other) {
        count_up(exchanges, other.exchanges, "number of exchanges");
        count_up(messages, other.messages, "number of messages");
        created += other.created;
        destroyed += other.destroyed;
        steep = steep || other.steep;
    }
};

/// Returns the loads unchanged. Throws InputError unless there is one load for each node.
[[nodiscard]] load::Loads expect_one_a_node(load::Loads loads, NodeId node_count);

/// Throws InputError unless there is one speed for each node, or none at all.
void expect_speeds(std::span<const Tokens> speeds, std::size_t node_count);

/// Keeps the books of a run. A round is a period of the schedule, or one step if the schedule has
/// none.
///
/// Costs: `steps` as played; `rounds` begun; `exchanges` the sum of |flow|; `messages` one for
/// every end of every active link and step (loads and states cross the link once each way); tokens
/// on their way are counted as exchanges only.
///
/// Stop rules are checked in this order: the rule's own end, if the rule says that it checks for
/// one; discrepancy and 1-balance, before the first step and at the end of every round; quiet and
/// stable steps, the cap and the interrupt, after every step. The check of 1-balance remembers what
/// failed last, so that it mostly costs O(1); a full one costs O(links).
class RunControl {
  public:
    /// `round_length`: the steps of a round, at least 1. `may_owe`: loads may fall below 0;
    /// otherwise, if none begins below 0, it is asserted that none ends below 0. Throws InputError
    /// when speeds do not fit the nodes, OverflowError when the sum of all |load| exceeds
    /// `tokens_max`.
    RunControl(const RoundOptions& options, Step round_length, bool may_owe,
               std::span<const Tokens> loads);

    /// Restores the books of a run that stopped with the present loads.
    void resume(const model::RunBooks& books);
    [[nodiscard]] model::RunBooks books() const;
    [[nodiscard]] const model::Costs& costs() const { return costs_; }
    [[nodiscard]] const load::Ledger& ledger() const { return ledger_; }
    [[nodiscard]] bool wants_transfers() const { return wants_transfers_; }

    /// Whether the smallest load is followed over the run: rules that may owe; not if the run goes
    /// on from books that do not hold it.
    [[nodiscard]] bool follows_least_load() const { return follows_least_load_; }
    /// Notes the smallest load of the start, or after a step; to be called before `end_step`.
    void note_least_load(Tokens least) {
        if (follows_least_load_) least_load_ = std::min(least_load_.value_or(least), least);
    }
    [[nodiscard]] std::optional<Tokens> least_load() const { return least_load_; }
    /// Notes the discrepancy of the start, or after the last step; to be called before
    /// `reason_to_stop` and after every `end_step`, except after steps of which it is known only
    /// that the discrepancy has not grown. `gap`: there were such steps since the last call.
    void note_discrepancy(Tokens discrepancy, bool gap = false) {
        if (discrepancy_ == discrepancy) return;
        if (discrepancy_ || !resumed_) level_since_ = costs_.steps;
        if (gap) level_since_.reset();
        discrepancy_ = discrepancy;
    }
    /// The first step such that the discrepancy after it and after every later step so far is the
    /// present one; nothing if it lies in a gap, or the run went on from books that do not have it.
    [[nodiscard]] std::optional<Step> level_since() const { return level_since_; }

    void start(std::span<const Tokens> loads);
    /// The changes that the environment asks for before this step, for engines that carry them out
    /// themselves; null if it is not asked now.
    [[nodiscard]] const model::Changes* wishes(std::span<const Tokens> loads) {
        return asks_environment(loads) ? &changes_ : nullptr;
    }
    /// At the start of a round: lets the environment add and remove tokens.
    void begin_step(std::span<Tokens> loads);
    /// The same if nodes and links come and go. The tokens that leaving nodes hand over are
    /// appended to the transfers and booked as exchanges. Returns the nodes that came.
    std::vector<NodeId> begin_step(std::span<Tokens> loads, LiveNetwork& live,
                                   std::vector<model::Transfer>& transfers);
    /// Notes what came and went, for observers at the end of the step.
    void note(std::span<const model::NetworkSwitch> switches);
    /// Books a step (or `steps` of them, for one round of a deal rule) and tells observers. Throws
    /// OverflowError when a count leaves its range. Checked builds compare the ledger with the
    /// loads and assert that no load has fallen below 0. `loads` may be empty if no observer is
    /// due. `components`: those of the live network, if nodes and links come and go.
    void end_step(const StepTotals& totals, Step steps, std::span<const Tokens> loads,
                  std::span<const model::Transfer> transfers,
                  std::span<const NodeId> components = {});
    /// Whether an observer looks at the loads after `steps` more steps.
    [[nodiscard]] bool observed_after(Step steps) const;
    /// Tells observers of the end; asserts that the ledger balances and that no load has fallen
    /// below 0.
    void finish(std::span<const Tokens> loads);

    /// Why the run ends now, if it does. `all_finished`: the rule checks, and every node has
    /// finished.
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop(const Graph& network,
                                                                  std::span<const Tokens> loads,
                                                                  bool all_finished);
    /// The same within live components and over live links.
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop(LiveNetwork& live,
                                                                  std::span<const Tokens> loads,
                                                                  bool all_finished);
    /// The same for callers that look at the loads themselves: `discrepancy_reached()` and
    /// `one_balanced()` are called only when they matter.
    template <class DiscrepancyReached, class OneBalanced>
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop(
        bool all_finished, const DiscrepancyReached& discrepancy_reached,
        const OneBalanced& one_balanced) {
        using model::StopReason;
        if (all_finished && stop_.own_termination) return StopReason::own_termination;
        if (costs_.steps % round_length_ == 0) {
            if (stop_.discrepancy && discrepancy_reached()) return StopReason::discrepancy;
            if (stop_.one_balanced && one_balanced()) return StopReason::one_balanced;
        }
        return reason_to_stop_by_counters();
    }

  private:
    /// Whether a round begins and there is an environment; if so, `changes_` holds what it asks
    /// for.
    [[nodiscard]] bool asks_environment(std::span<const Tokens> loads);
    /// Adds tokens to a node, or removes them.
    void arrive(NodeId node, Tokens tokens, std::span<Tokens> loads);
    [[nodiscard]] model::StepView view(std::span<const Tokens> loads,
                                       std::span<const model::Transfer> transfers,
                                       std::span<const NodeId> components = {}) const;
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop_by_counters() const;
    void create(Tokens tokens);
    [[nodiscard]] bool nobody_owes(std::span<const Tokens> loads) const;

    /// Whether no two neighbours differ by more than one. The scan begins at the node where the
    /// last one found a steep link.
    [[nodiscard]] bool one_balanced(const Graph& network, std::span<const Tokens> loads);

    model::StopRule stop_;
    std::stop_token interrupt_;
    std::span<model::Observer* const> observers_;
    std::vector<Step> next_wanted_;
    model::Environment* environment_;
    model::Changes changes_;
    load::Ledger ledger_;
    model::Costs costs_;
    Step round_length_;
    std::vector<model::NetworkSwitch> switches_;  ///< before this step, if observers want them
    std::uint64_t handed_over_ = 0;               ///< by leaving nodes before this step
    Step steps_quiet_ = 0;                        ///< consecutive steps without a token moved
    Step steps_stable_ = 0;                       ///< consecutive steps without a steep active link
    std::optional<Tokens> discrepancy_;
    std::optional<Step> level_since_;
    bool resumed_ = false;
    NodeId steep_node_ = 0;
    bool wants_transfers_ = false;
    bool may_owe_ = false;
    bool follows_least_load_ = false;
    std::optional<Tokens> least_load_;
};

}  // namespace equipoise::engine
