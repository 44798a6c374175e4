#pragma once
// The move program: an algorithm with coordinates and a clock of its own, which says for every step
// which tokens move; the engine checks and applies the moves.

#include <concepts>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// What a move program may do. Moves belong to the current distribution step; a step ends with
/// `end_step`. An engine rejects (by assertion) a step in which a node sends or receives twice,
/// a token is not there, or the nodes are not neighbours.
class MoveSink {
  public:
    virtual ~MoveSink() = default;
    MoveSink() = default;
    MoveSink(const MoveSink&) = delete;
    MoveSink& operator=(const MoveSink&) = delete;

    /// One token from a node to its neighbour in the current step.
    virtual void move(NodeId from, NodeId to) = 0;
    /// The current distribution step is complete.
    virtual void end_step() = 0;
    /// Steps that move no tokens: `count` computation steps, with the name of what they compute.
    virtual void compute(Step count, const char* what) = 0;
    /// Tokens at a node before the current step.
    [[nodiscard]] virtual Tokens load(NodeId node) const = 0;
};

/// An algorithm that runs on a box of processors. `run` plays it from the first step to the last.
template <class P>
concept MoveProgram = requires(const P& program, const typename P::Box& box, MoveSink& sink) {
    program.run(box, sink);
};

}  // namespace equipoise::model
