#pragma once
// The move program: an algorithm with coordinates and a clock of its own, which says for every step
// which tokens move; the engine checks and applies the moves.

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

/// A stretch of steps, seen when it is over. Distribution steps move tokens, computation steps only
/// messages. Where parts of the network go different ways at the same time, both numbers are those
/// of the part that took longest, and a stretch has as many steps as the two together.
struct Stretch {
    Step distribution_steps = 0;
    Step computation_steps = 0;
    std::uint64_t exchanges = 0;  ///< tokens times links crossed
    /// In the order of steps, counted from the start of the stretch; empty unless wanted.
    std::span<const Move> moves;
    /// Tokens of all nodes after the stretch; empty where the program does not have them at hand.
    std::span<const Tokens> loads;

    [[nodiscard]] Step steps() const { return distribution_steps + computation_steps; }
};

/// Takes what a move program does, stretch by stretch. An engine that wants moves rejects (by
/// assertion) a step in which a node sends or receives twice, a token is not there, or the nodes
/// are not neighbours, and stretches whose loads are not what the moves lead to.
class MoveSink {
  public:
    virtual ~MoveSink() = default;
    MoveSink() = default;
    MoveSink(const MoveSink&) = delete;
    MoveSink& operator=(const MoveSink&) = delete;

    /// Whether moves are wanted one by one. Otherwise a program may reckon only what they come to.
    [[nodiscard]] virtual bool wants_moves() const = 0;
    /// Takes the next stretch. Returns whether the program is to go on.
    [[nodiscard]] virtual bool take(const Stretch& stretch) = 0;
};

/// An algorithm that runs on a box of processors. `run` plays it from the first step to the last,
/// or until the sink says that it is enough; the last stretch of a whole run shows its loads.
template <class P>
concept MoveProgram =
    requires(const P& program, const typename P::Box& box, const std::vector<Tokens>& loads,
             MoveSink& sink) { program.run(box, loads, sink); };

}  // namespace equipoise::model
