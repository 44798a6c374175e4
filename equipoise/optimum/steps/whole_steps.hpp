#pragma once
// Whole tokens that follow a flow without time, step by step, as far as they can.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

// Problem: moves for each of a few steps, most of which belong to some schedule of that length.
// Model: off-line, plain problems, both port models.
// Method: greedy. Gates that have as much left to pass as there are steps come first, and choose
//   the other end that has most left.
// Guarantee: every step is allowed, and no link carries more than it does in the flow. What is left
//   at the end stays where it is. Cost O(links) a step; 8 bytes a link and 48 a node.

class WholeSteps {
  public:
    struct Move {
        NodeId from;
        Port port;
    };

    /// `flow` by link, from its end with the smaller number to the other.
    WholeSteps(const Problem& problem, std::span<const Tokens> flow, Step steps);

    /// The moves of the next step, of which there are as many as was said. Valid until the next
    /// call.
    [[nodiscard]] std::span<const Move> next();
    /// By node, the tokens held after the steps so far.
    [[nodiscard]] const load::Loads& held() const { return held_; }

  private:
    [[nodiscard]] Tokens left_to_send(NodeId node, Port port) const;
    void send(NodeId node, Port port);
    void send_to_neediest(NodeId node);
    void take_from_fullest(NodeId node);
    void send_over_all(NodeId node);

    const Problem& problem_;
    Tokens steps_left_;
    std::vector<Tokens> left_;      ///< by link, as in the flow
    std::vector<Tokens> left_out_;  ///< by node
    std::vector<Tokens> left_in_;
    std::vector<Tokens> may_send_;  ///< by node, in this step
    std::vector<Tokens> may_take_;
    load::Loads held_;
    std::vector<Move> moves_;
    std::vector<Port> ports_;  ///< of the current node, to sort them
};

}  // namespace equipoise::optimum
