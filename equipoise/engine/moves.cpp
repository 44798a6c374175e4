#include "equipoise/engine/moves.hpp"

#include <algorithm>
#include <span>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/counts.hpp"

namespace equipoise::engine {

namespace {

/// Whether a stop rule looks at the steps within a stretch.
bool looks_between(const model::StopRule& stop) {
    return stop.discrepancy || stop.one_balanced || stop.quiet_steps || stop.stable_steps ||
           stop.steps_max != ~Step{0};
}

/// Takes the entries for one step off the front of a list sorted by step.
template <class Timed>
std::span<const Timed> take_step(std::span<const Timed>& list, Step step) {
    const auto end = std::find_if(list.begin(), list.end(),
                                  [&](const Timed& entry) { return entry.step != step; });
    const auto count = static_cast<std::size_t>(end - list.begin());
    const std::span<const Timed> taken = list.first(count);
    list = list.subspan(count);
    return taken;
}

/// Whether a stop rule counts steps in which nothing moves.
bool counts_idle_steps(const model::StopRule& stop) {
    return stop.quiet_steps || stop.stable_steps || stop.steps_max != ~Step{0};
}

}  // namespace

MovePlayer::MovePlayer(const network::AnyNetwork& network, load::Loads loads,
                       const RoundOptions& options)
    : network_(network),
      loads_(expect_one_a_node(std::move(loads), network.node_count())),
      control_(options, 1, false, loads_),
      step_by_step_(checked_build || options.body == Body::reference ||
                    control_.wants_transfers() || looks_between(options.stop)),
      idle_at_once_(!counts_idle_steps(options.stop)) {
    if (step_by_step_) {
        sent_.assign(loads_.size(), 0);
        received_.assign(loads_.size(), 0);
        range_.emplace(loads_);
        note_discrepancy();
    }
    control_.start(loads_);
    look_at_stop();
}

bool MovePlayer::take(const model::Stretch& stretch) {
    if (stopped_) return false;
    if (step_by_step_) {
        play(stretch);
    } else {
        costs_.distribution_steps += stretch.distribution_steps;
        costs_.computation_steps += stretch.computation_steps;
        count_up(pending_.exchanges, stretch.exchanges, "number of exchanges");
        count_up(pending_.messages, stretch.messages, "number of messages");
        count_up(pending_steps_, stretch.steps(), "number of steps");
        // Without loads there is nothing to show and no stop rule to check.
        if (stretch.loads.empty()) return true;
        loads_.assign(stretch.loads.begin(), stretch.loads.end());
        pending_.steep = true;
        control_.end_step(std::exchange(pending_, {}), std::exchange(pending_steps_, 0), loads_,
                          {});
        look_at_stop();
    }
    return !stopped_;
}

void MovePlayer::play(const model::Stretch& stretch) {
    const Step begin = control_.costs().steps;
    const MoveCosts before = costs_;
    const model::Costs so_far = control_.costs();
    std::span<const model::Move> moves = stretch.moves;
    std::span<const model::MessagePhase> phases = stretch.phases;
    while (!stopped_) {
        const Step now = control_.costs().steps - begin;
        const Step next = std::min(moves.empty() ? stretch.steps() : moves.front().step,
                                   phases.empty() ? stretch.steps() : phases.front().step);
        pass(std::min(next, stretch.steps()) - now);
        if (stopped_ || next >= stretch.steps()) break;
        play_step(take_step(moves, next), take_step(phases, next));
    }
    if (stopped_) return;
    EQUIPOISE_ASSERT(moves.empty() && phases.empty());  // all were within the stretch's steps
    EQUIPOISE_ASSERT(costs_.distribution_steps - before.distribution_steps ==
                     stretch.distribution_steps);
    EQUIPOISE_ASSERT(costs_.computation_steps - before.computation_steps ==
                     stretch.computation_steps);
    EQUIPOISE_ASSERT(control_.costs().exchanges - so_far.exchanges == stretch.exchanges);
    EQUIPOISE_ASSERT(control_.costs().messages - so_far.messages == stretch.messages);
    EQUIPOISE_ASSERT(
        stretch.loads.empty() ||
        std::equal(loads_.begin(), loads_.end(), stretch.loads.begin(), stretch.loads.end()));
}

void MovePlayer::play_step(std::span<const model::Move> moves,
                           std::span<const model::MessagePhase> phases) {
    const Step now = control_.costs().steps;
    transfers_.clear();
    for (const auto& [step, from, to] : moves) {
        EQUIPOISE_ASSERT(from < loads_.size() && to < loads_.size() && adjacent(from, to));
        EQUIPOISE_ASSERT(sent_[from] != now + 1);    // one send a node and step
        EQUIPOISE_ASSERT(received_[to] != now + 1);  // one receive a node and step
        EQUIPOISE_ASSERT(loads_[from] >= 1);         // a token that was there before this step
        sent_[from] = now + 1;
        received_[to] = now + 1;
        --loads_[from];
        transfers_.push_back({now, from, to, 1});
        range_->change(from);
        range_->change(to);
    }
    for (const model::Move& move : moves)
        ++loads_[move.to];
    StepTotals totals;
    totals.exchanges = moves.size();
    for (const model::MessagePhase& phase : phases)
        count_up(totals.messages, phase.messages, "number of messages");
    totals.steep = true;  // so that a run of moves never ends as stable
    ++(moves.empty() ? costs_.computation_steps : costs_.distribution_steps);
    control_.end_step(totals, 1, loads_, transfers_);
    note_discrepancy();
    look_at_stop();
}

void MovePlayer::pass(Step steps) {
    StepTotals totals;
    totals.steep = true;
    while (steps > 0 && !stopped_) {
        const Step at_once = idle_at_once_ && !control_.observed_after(steps) ? steps : 1;
        control_.end_step(totals, at_once, loads_, {});
        costs_.computation_steps += at_once;
        steps -= at_once;
        look_at_stop();
    }
}

void MovePlayer::note_discrepancy() {
    const LoadRange range = range_->range(loads_);
    control_.note_discrepancy(range.most - range.least);
}

void MovePlayer::look_at_stop() {
    if (!stopped_)
        stopped_ = control_.reason_to_stop(network_, std::span<const Tokens>(loads_), false);
}

bool MovePlayer::adjacent(NodeId one, NodeId other) const {
    const Port degree = network_.degree(one);
    for (Port port = 0; port < degree; ++port)
        if (network_.neighbour(one, port) == other) return true;
    return false;
}

RoundOutcome MovePlayer::finish(MoveCosts& costs) {
    control_.finish(loads_);
    costs = costs_;
    costs.played = step_by_step_;
    RoundOutcome outcome;
    outcome.loads = std::move(loads_);
    outcome.costs = control_.costs();
    outcome.stopped_because = stopped_.value_or(model::StopReason::own_termination);
    outcome.level_since = control_.level_since();
    if (!step_by_step_ && outcome.costs.exchanges == 0) outcome.level_since = 0;
    return outcome;
}

}  // namespace equipoise::engine
