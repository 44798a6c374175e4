#pragma once
// One rank's share of a synchronous run: what it holds, the halo, and how all ranks stop together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::engine {

/// The part of a synchronous engine across ranks that knows no rule. Every rank keeps the books of
/// the whole run: after a step one reduction tells all of them what all did, so that costs and stop
/// reasons are those of one process. Rank 0 watches: its observers see the loads of all nodes,
/// gathered when they ask for them; observers of other ranks are not called. Environments are asked
/// on every rank, on gathered loads.
///
/// What a rank throws while it computes is thrown on every rank at the next reduction.
/// Memory: 8 bytes an own node and one of the halo, besides what rules and schedules keep.
class PartPlay {
  public:
    virtual ~PartPlay() = default;
    PartPlay(const PartPlay&) = delete;
    PartPlay& operator=(const PartPlay&) = delete;

    /// Plays until a stop rule holds. Collective. The outcome is the same on every rank.
    [[nodiscard]] RoundOutcome run();
    /// The same, but for the loads of the outcome: those of own nodes. Where nobody watches and no
    /// schedule or environment asks, the loads of all nodes are nowhere in one place.
    [[nodiscard]] RoundOutcome run_in_pieces();

  protected:
    /// `own_loads`: of the part's own nodes. `options.speeds`, where given, are those of all nodes.
    /// Collective. Throws OverflowError when there are too many tokens.
    PartPlay(Part part, std::span<const Tokens> own_loads, const RoundOptions& options,
             Step round_length, bool may_owe);

    /// Sets states up; collective.
    virtual void start() = 0;
    /// Plays a round of a deal rule or a step of an edge rule, and sums up this rank's share of it.
    [[nodiscard]] virtual StepTotals play(Step now) = 0;
    /// Steps that `play` takes.
    [[nodiscard]] virtual Step step_length() const = 0;
    /// At how many ends of a link the tokens that cross it are counted.
    [[nodiscard]] virtual std::uint64_t ends_counted() const = 0;
    /// Whether the rule checks after `done` steps, and then whether all own nodes are done.
    [[nodiscard]] virtual bool finished(Step done) const = 0;
    /// The states of own nodes and halo, and the bytes of one; empty: they remember nothing.
    [[nodiscard]] virtual std::span<std::byte> state_bytes() = 0;
    [[nodiscard]] virtual std::size_t state_size() const = 0;

    /// Sends loads and states of own nodes to the ranks that look at them.
    void begin_halo(const HaloPlan& plan);
    void finish_halo(const HaloPlan& plan);
    /// Runs `action` unless something failed here; what it throws is agreed on later.
    template <class Action>
    void guard(const Action& action) noexcept {
        if (!failure_) failure_ = failure_of(action);
    }
    /// Throws on every rank where one failed.
    void agree() { fabric_.agree(failure_); }
    /// The loads of all nodes, on every rank.
    [[nodiscard]] std::span<const Tokens> all_loads();

    [[nodiscard]] Tokens speed(NodeId local) const {
        return options_.speeds.empty() ? Tokens{1} : options_.speeds[part_.global(local)];
    }
    [[nodiscard]] model::NodeInfo node_info(NodeId local) const {
        return {loads_[local], part_.degree(local), speed(local)};
    }
    /// To be called when the halo has grown.
    virtual void make_room() { loads_.resize(part_.local_count()); }

    /// A transfer and its place in the order of a single process.
    struct KeyedTransfer {
        std::uint64_t key = 0;
        model::Transfer transfer;
    };

    Fabric& fabric_;
    RoundOptions options_;
    Part part_;
    load::Loads loads_;  ///< own nodes, then the halo
    bool wants_transfers_ = false;
    std::vector<KeyedTransfer> transfers_;  ///< of the last step
    std::optional<RunControl> control_;

  private:
    void look_around();
    void open_books(Step round_length, bool may_owe);
    void arrive();
    [[nodiscard]] Fabric::Tally tally(const StepTotals& totals, Step steps);
    [[nodiscard]] Fabric::Tally reduce(const Fabric::Tally& mine);
    void book(const Fabric::Tally& all);
    [[nodiscard]] std::optional<model::StopReason> reason_to_stop(const Fabric::Tally& all);
    [[nodiscard]] bool one_balanced(const Fabric::Tally& all);
    [[nodiscard]] bool steep_arc(bool inner) const;
    [[nodiscard]] std::vector<model::Transfer> gather_transfers();
    void gather_loads();

    Step round_length_;
    bool watched_ = false;        ///< whether rank 0 has observers
    std::stop_token asked_;       ///< may be asked to stop on one rank alone
    std::stop_source interrupt_;  ///< stops when all ranks know
    std::exception_ptr failure_;
    load::Loads whole_;             ///< gathered loads
    std::optional<PartRows> rows_;  ///< where 1-balance ends the run
    HaloPlan neighbours_;           ///< likewise
    std::vector<std::vector<std::byte>> sent_;
    std::vector<std::vector<std::byte>> received_;
};

}  // namespace equipoise::engine
