#pragma once
// The move program: an algorithm whose nodes know their coordinates and the time, which says for
// every step which tokens move; the engine checks and applies the moves.

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// One token that goes from a node to its neighbour in one step.
struct Move {
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    friend bool operator==(const Move&, const Move&) = default;
};

/// Messages that nodes sent to neighbours to compute something together, reported when that is
/// done.
struct MessagePhase {
    Step step = 0;  ///< its last
    std::uint64_t messages = 0;
};

/// A stretch of steps, reported when it is over. A step in which any token moves is a distribution
/// step; in a computation step there are only messages, or one part of the network waits for
/// another. The length of a stretch is the sum of both counts.
struct Stretch {
    Step distribution_steps = 0;
    Step computation_steps = 0;
    std::uint64_t exchanges = 0;  ///< tokens times links crossed
    std::uint64_t messages = 0;   ///< each over one link; tokens are not counted among them
    /// The moves in the order of steps, counted from the start of the stretch; empty unless wanted.
    std::span<const Move> moves;
    /// The same for messages: phase by phase, in the order in which the phases end.
    std::span<const MessagePhase> phases;
    /// The loads of all nodes after the stretch; empty if the program does not have them at hand.
    std::span<const Tokens> loads;

    [[nodiscard]] Step steps() const { return distribution_steps + computation_steps; }
};

/// Receives what a move program does, stretch by stretch. An engine that wants moves rejects (by
/// assertion) a step in which a node sends or receives twice, a token is moved that is not there,
/// or two nodes are not neighbours, and a stretch whose sums differ from its moves and phases.
class MoveSink {
  public:
    virtual ~MoveSink() = default;
    MoveSink() = default;
    MoveSink(const MoveSink&) = delete;
    MoveSink& operator=(const MoveSink&) = delete;

    /// Whether moves are wanted one by one. If not, a program may compute only their sums.
    [[nodiscard]] virtual bool wants_moves() const = 0;
    /// Receives the next stretch. Returns whether the program is to go on.
    [[nodiscard]] virtual bool take(const Stretch& stretch) = 0;
};

/// An algorithm that runs on a box of processors. `run` plays it from the first step to the last,
/// or until the sink tells it to stop; the last stretch of a whole run shows its loads.
template <class P>
concept MoveProgram =
    requires(const P& program, const typename P::Box& box, const std::vector<Tokens>& loads,
             MoveSink& sink) { program.run(box, loads, sink); };

}  // namespace equipoise::model
