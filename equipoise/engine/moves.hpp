#pragma once
// Plays a move program as a run: the engine checks and applies its moves, with observers, stop
// rules and costs like those of any other run.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/range_tree.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/move_program.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::engine {

/// Steps of a move program: how many moved a token, and how many did not. Their sum is the steps of
/// the run.
struct MoveCosts {
    Step distribution_steps = 0;
    Step computation_steps = 0;
    bool played = false;  ///< moves were made one by one and checked, not only summed
};

/// Receives the stretches of a move program on a network.
///
/// The reference body plays step by step: it checks every move (there is a link, there is a token,
/// one send and one receive for each node and step) and applies it. The fast body takes the result
/// of each stretch as the program computes it; observers then see only the ends of stretches.
/// Checked builds, observers of transfers and stop rules that look within stretches always get the
/// reference body. Both count the messages that the program charges for each phase; none is
/// actually sent. Throws OverflowError when a count leaves its range.
class MovePlayer final : public model::MoveSink {
  public:
    /// Throws as `run_rounds`.
    MovePlayer(const network::AnyNetwork& network, load::Loads loads, const RoundOptions& options);

    [[nodiscard]] bool wants_moves() const override { return step_by_step_; }
    [[nodiscard]] bool take(const model::Stretch& stretch) override;

    [[nodiscard]] const load::Loads& loads() const { return loads_; }
    /// The number of steps so far.
    [[nodiscard]] Step steps() const { return control_.costs().steps; }
    /// Ends the run; called once, after the program.
    [[nodiscard]] RoundOutcome finish(MoveCosts& costs);

  private:
    void play(const model::Stretch& stretch);
    /// Plays the moves of one step, and the phases of messages that end with it.
    void play_step(std::span<const model::Move> moves, std::span<const model::MessagePhase> phases);
    /// Passes steps in which nothing moves and no message phase ends.
    void pass(Step steps);
    void note_discrepancy();
    void look_at_stop();
    [[nodiscard]] bool adjacent(NodeId one, NodeId other) const;

    const network::AnyNetwork& network_;
    load::Loads loads_;
    RunControl control_;
    bool step_by_step_;
    bool idle_at_once_;  ///< steps without a move may pass as one
    MoveCosts costs_;
    /// By node: the last step in which it sent or received, counted from 1.
    std::vector<Step> sent_;
    std::vector<Step> received_;
    std::optional<RangeTree> range_;  ///< if moves are played
    std::vector<model::Transfer> transfers_;
    StepTotals pending_;  ///< of stretches since loads were known
    Step pending_steps_ = 0;
    std::optional<model::StopReason> stopped_;
};

/// The options, without a cap on steps if the program does not reach it, since a cap would demand
/// the reference body. Plays the program once only to learn its length.
template <model::MoveProgram Program>
[[nodiscard]] RoundOptions without_idle_cap(const Program& program,
                                            const typename Program::Box& box,
                                            const network::AnyNetwork& network,
                                            const load::Loads& loads, const RoundOptions& options) {
    if (options.stop.steps_max == ~Step{0}) return options;
    RoundOptions uncapped = options;
    uncapped.stop.steps_max = ~Step{0};
    RoundOptions unseen = uncapped;
    unseen.observers = {};
    MovePlayer player(network, loads, unseen);
    if (player.wants_moves()) return options;
    program.run(box, loads, player);
    return player.steps() < options.stop.steps_max ? uncapped : options;
}

/// Runs whose moves are only summed are played once more if they exchange no more than this, to
/// learn since when they were level: a fraction of a second.
inline constexpr std::uint64_t exchanges_played_again_max = std::uint64_t{1} << 20U;

/// Since when such a run, which has ended as `outcome` says, was level; nothing if an interrupt
/// came.
template <model::MoveProgram Program>
[[nodiscard]] std::optional<Step> level_since(const Program& program,
                                              const typename Program::Box& box,
                                              const network::AnyNetwork& network,
                                              const load::Loads& loads, RoundOptions options,
                                              const RoundOutcome& outcome) {
    options.observers = {};
    options.body = Body::reference;
    MovePlayer player(network, loads, options);
    program.run(box, loads, player);
    MoveCosts unused;
    const RoundOutcome again = player.finish(unused);
    return again.costs == outcome.costs ? again.level_since : std::nullopt;
}

/// Plays a move program on a box whose cells are the nodes of the network. If moves were only
/// summed and there were many, the outcome does not say since when it was level. Throws as
/// `run_rounds` does.
template <model::MoveProgram Program>
[[nodiscard]] RoundOutcome run_moves(const Program& program, const typename Program::Box& box,
                                     const network::AnyNetwork& network, load::Loads loads,
                                     const RoundOptions& options, MoveCosts& costs) {
    const RoundOptions chosen = without_idle_cap(program, box, network, loads, options);
    MovePlayer player(network, loads, chosen);
    program.run(box, player.loads(), player);
    RoundOutcome outcome = player.finish(costs);
    if (!outcome.level_since && outcome.costs.exchanges <= exchanges_played_again_max)
        outcome.level_since = level_since(program, box, network, loads, chosen, outcome);
    return outcome;
}

}  // namespace equipoise::engine
