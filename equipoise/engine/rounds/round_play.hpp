#pragma once
// A synchronous run on a part of a network, whatever the rule: the data that a process holds, the
// halo, the books, and how all ranks stop together.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/keeper.hpp"
#include "equipoise/engine/kernels/load_range.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::engine {

/// A process alone holds the whole network. Each rank of a fabric holds a part and keeps the books
/// of the whole run: after every step one reduction sums up for all ranks what each of them did, so
/// that costs and stop reasons are those of one process. Only observers of rank 0 are called; they
/// see the loads of all nodes, gathered when one that looks at loads asks for them. Environments
/// are asked on every rank, with gathered loads. Nodes and links come and go only in runs of one
/// process.
///
/// If a rank throws while it computes, every rank throws at the next reduction. Memory: 8 bytes for
/// each own node and each node of the halo, besides what rules, schedules and bodies keep; while
/// ranks play steps that nobody watches, two or four bytes instead of 8 if the body serves them.
class RoundPlay {
  public:
    virtual ~RoundPlay();
    RoundPlay(const RoundPlay&) = delete;
    RoundPlay& operator=(const RoundPlay&) = delete;

    /// Plays until a stop rule holds. Collective. The outcome is the same on every rank, except for
    /// loads that `RoundOptions::final_loads` does not ask for there: if they may stay apart, no
    /// observer looks at loads and no schedule or environment reads all of them, no process ever
    /// holds them all.
    [[nodiscard]] RoundOutcome run();
    /// Plays a step of an edge rule or a round of a deal rule, whatever the stop rules say.
    /// Collective.
    void step();

    /// The loads of own nodes.
    [[nodiscard]] std::span<const Tokens> loads() const {
        return std::span<const Tokens>(loads_).first(part_.own_count());
    }
    [[nodiscard]] const model::Costs& costs() const { return control_->costs(); }
    /// The first step such that the discrepancy after it and after every later step so far is the
    /// present one; nothing if the run went on from books that do not have it.
    [[nodiscard]] std::optional<Step> level_since() const { return control_->level_since(); }

  protected:
    /// `options.speeds`, if given, are those of all nodes. Collective. Throws InputError when loads
    /// or speeds do not fit the network, OverflowError when there are too many tokens,
    /// UnsuitableError if nodes and links come and go in a run of several ranks.
    RoundPlay(LoadedPart&& loaded, const RoundOptions& options, Step round_length, bool may_owe);

    /// Plays a round of a deal rule or a step of an edge rule, and sums up what this rank did.
    [[nodiscard]] virtual StepTotals play(Step now) = 0;
    /// How many steps `play` takes.
    [[nodiscard]] virtual Step step_length() const = 0;
    /// At how many ends of a link the tokens that cross it are counted.
    [[nodiscard]] virtual std::uint64_t ends_counted() const = 0;
    /// Whether the rule checks for its end after `done` steps and, if so, whether all own nodes
    /// have finished.
    [[nodiscard]] virtual bool finished(Step done) const = 0;
    /// The states of own nodes and halo.
    [[nodiscard]] virtual Values states() = 0;
    /// What own nodes and, below, links remember from step to step; links by slot of the schedule.
    [[nodiscard]] virtual Values node_memory() { return states(); }
    [[nodiscard]] virtual std::optional<KeptValues> kept_links() { return std::nullopt; }
    /// Restores the states of a run that stopped; to be called when nodes and links have started.
    void take_up_states();
    /// The body that plays.
    [[nodiscard]] virtual Body body() const = 0;
    /// Resets a node that has come to its state at the start of the run.
    virtual void restart(NodeId node) = 0;
    /// Whether the body serves loads of any width.
    [[nodiscard]] virtual bool packs() const { return false; }
    /// See EdgeBody.
    [[nodiscard]] virtual bool narrows() const { return false; }
    [[nodiscard]] virtual std::optional<LoadRange> own_range() const { return std::nullopt; }
    /// Must be called when the halo has grown.
    virtual void make_room();

    [[nodiscard]] bool alone() const { return fabric_ == nullptr; }
    /// Whether this is one of several ranks and nobody asks for loads before the end.
    [[nodiscard]] bool unwatched() const {
        return !alone() && !watched_ && options_.environment == nullptr;
    }
    /// Loads of own nodes and halo, of whatever width they are now.
    [[nodiscard]] PackedLoads loads_now() { return packed(loads_, width_); }
    /// Sends values of own nodes to the ranks that read them. `values` must be the same in both
    /// calls.
    void begin_nodes(const HaloPlan& plan, std::span<const Values> values);
    void finish_nodes(const HaloPlan& plan, std::span<const Values> values);
    /// The same with loads and states.
    void begin_halo(const HaloPlan& plan);
    void finish_halo(const HaloPlan& plan);
    void exchange_halo(const HaloPlan& plan) {
        begin_halo(plan);
        finish_halo(plan);
    }
    /// Runs `action` unless something has failed on this rank. An exception from it is agreed on
    /// later or, without a fabric, thrown at once.
    template <class Action>
    void guard(const Action& action) {
        if (alone())
            action();
        else if (!failure_)
            failure_ = failure_of(action);
    }
    /// Throws on every rank if any rank has failed.
    void agree() {
        if (!alone()) fabric_->agree(failure_);
    }
    /// The largest value of all ranks. Collective.
    [[nodiscard]] std::int64_t largest(std::int64_t mine) {
        return alone() ? mine : largest_of(*fabric_, mine);
    }
    /// The loads of all nodes, on every rank. Collective.
    [[nodiscard]] std::span<const Tokens> all_loads();
    /// The range of all loads before the first step; 0 and 0 if there are none. To be called once.
    /// Collective.
    [[nodiscard]] LoadRange open_range();

    [[nodiscard]] Tokens speed(NodeId local) const {
        return speeds_.empty() ? Tokens{1} : speeds_[local];
    }
    [[nodiscard]] model::NodeInfo node_info(NodeId local) const {
        return {loads_[local], live_ ? live_->degree(local) : part_.degree(local), speed(local)};
    }
    [[nodiscard]] bool is_up(NodeId local) const { return !live_ || live_->up(local); }
    /// Notes the tokens that crossed a link, by local numbers; `key` is their place in the order of
    /// a run of one process.
    void note(std::uint64_t key, const Ends& ends, Tokens flow, Step now);

    Fabric* fabric_;  ///< null: this process alone
    RoundOptions options_;
    Workers workers_;
    Part part_;
    load::Loads loads_;               ///< own nodes, then the halo
    std::span<const Tokens> speeds_;  ///< likewise; empty: all 1
    std::optional<RunControl> control_;
    std::optional<LiveNetwork> live_;  ///< if nodes and links come and go
    bool wants_transfers_ = false;

  private:
    /// What all ranks did in a step, and the state after it.
    struct Standing {
        StepTotals totals;
        bool finished = false;
        bool interrupted = false;
        bool observed = false;  ///< an observer looks at the loads
        bool uneven = false;    ///< neighbours differ by more than one somewhere
        Keeper::Wish wish = Keeper::Wish::nothing;
        Tokens highest = 0;  ///< of the loads that were looked at
        Tokens lowest = 0;   ///< likewise, negated
    };
    struct KeyedTransfer {
        std::uint64_t key = 0;
        model::Transfer transfer;
    };

    enum class To : std::uint8_t { rank_0, every_rank };

    void open_books(Step round_length, bool may_owe);
    /// Throws UnsuitableError if the saved values would not be in the order of numbers.
    void expect_ascending() const;
    void take_up_loads();
    void resume_books();
    [[nodiscard]] KeptValues kept_loads();
    [[nodiscard]] std::optional<KeptValues> kept_nodes();
    /// Values of own nodes, which begin at `bytes`.
    [[nodiscard]] KeptValues kept_by_node(std::string_view name, std::byte* bytes,
                                          std::size_t size);
    void save();
    void change_world();
    [[nodiscard]] Standing stand(const StepTotals& totals, Step steps);
    [[nodiscard]] Standing sum_up(const Standing& mine);
    /// Whether steps keep all loads within the range of those before.
    [[nodiscard]] bool keeps_range() const { return narrows() && options_.environment == nullptr; }
    /// Whether `count` loads may be looked at once more, when `looked` were looked at before.
    [[nodiscard]] bool may_look(std::uint64_t looked, NodeId count) const;
    /// The range of own loads after a step; if steps keep the range, perhaps of some of them only.
    [[nodiscard]] LoadRange look_at_own(const StepTotals& totals);
    /// The local number of a neighbour, if this process owns it and can tell cheaply.
    [[nodiscard]] std::optional<NodeId> own_neighbour(NodeId node, Port port) const;
    /// Looks at all loads for their range. Collective.
    void find_range();
    /// Brings the range of all loads up to date, if that costs little or a stop rule must know.
    /// Collective.
    void take_range(const Standing& all);
    /// Makes sure that the range is known. Collective.
    void know_range();
    void note_discrepancy();
    void book(const Standing& all);
    [[nodiscard]] RoundOutcome play_out();
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop(const Standing& all);
    [[nodiscard]] bool one_balanced(const Standing& all);
    /// Chooses the least width that the loads of all ranks fit, if the body serves all widths.
    void fit_width();
    void set_width(Width width);
    [[nodiscard]] bool is_steep_node(NodeId node, Reach reach);
    [[nodiscard]] bool any_steep_node(Reach reach);
    void gather_transfers();
    /// Brings the loads of all nodes together. Collective.
    void bring_loads(To to);
    /// The loads of all nodes on rank 0, if they were brought together.
    [[nodiscard]] std::span<const Tokens> seen(bool brought) const {
        return brought && fabric_->rank() == 0 ? std::span<const Tokens>(whole_)
                                               : std::span<const Tokens>{};
    }
    /// Calls observers at the beginning and at the end; with all loads if they were brought
    /// together.
    void watch(void (RunControl::*tell)(std::span<const Tokens>), bool brought);

    Step round_length_;
    Width width_ = Width::eight;  ///< of the loads; below eight only while steps are played
    bool watched_ = false;        ///< whether an observer of rank 0 looks at loads or transfers
    std::stop_token asked_;       ///< may be asked to stop on one rank alone
    std::stop_source interrupt_;  ///< stops when all ranks know
    std::exception_ptr failure_;
    std::vector<model::Transfer> transfers_;  ///< of the last step
    std::vector<KeyedTransfer> keyed_;        ///< likewise, of this rank
    bool start_known_ = false;                ///< whether rank 0 has all loads of the start
    load::Loads whole_;                       ///< of all nodes
    std::vector<Tokens> local_speeds_;
    Standing standing_;
    LoadRange range_;               ///< of all loads when it was known last; covers those of now
    bool range_known_ = false;      ///< after the last step
    bool gap_ = false;              ///< it was unknown after an earlier step since it was noted
    bool looked_at_all_ = false;    ///< this process at its own loads, in this step
    std::uint64_t own_looked_ = 0;  ///< loads that were looked at to find own ends of the range
    std::uint64_t all_looked_ = 0;  ///< the same by all ranks together
    ExtremeNodes extreme_nodes_;    ///< own nodes
    NodeId steep_node_ = 0;         ///< the own node at which the check of 1-balance failed last
    std::optional<HaloPlan> neighbours_;  ///< if 1-balance ends the run
    std::vector<std::vector<std::byte>> sent_;
    std::vector<std::vector<std::byte>> received_;
};

}  // namespace equipoise::engine
