#pragma once
// Time on a box of processors, and what happens meanwhile.

#include <cstdint>
#include <vector>

#include "equipoise/base/counts.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/step_set.hpp"
#include "equipoise/model/local/move_program.hpp"

namespace equipoise::mesh {

/// What all parts of a box have done since the last report.
struct Traffic {
    std::uint64_t exchanges = 0;  ///< tokens times links crossed
    std::uint64_t messages = 0;   ///< each over one link
    StepSet moving;               ///< steps in which a token moves somewhere
    bool keeps_phases = false;    ///< whether `phases` are wanted
    std::vector<model::MessagePhase> phases;
};

/// The steps that have passed in one part of a box. Copies share the traffic. Throws OverflowError
/// when a count leaves its range.
class Clock {
  public:
    explicit Clock(Traffic& traffic) : traffic_(&traffic) {}

    [[nodiscard]] Step now() const { return now_; }

    /// Passes steps in which no token moves here.
    void wait(Step steps) { count_up(now_, steps, "number of steps"); }
    /// Passes steps in each of which a token moves here.
    void move_tokens(Step steps) {
        const Step begin = now_;
        wait(steps);
        traffic_->moving.add(begin, now_);
    }
    /// Passes steps in which this many messages cross links here.
    void send(Step steps, std::uint64_t messages) {
        wait(steps);
        count_up(traffic_->messages, messages, "number of messages");
        if (traffic_->keeps_phases && messages > 0)
            traffic_->phases.push_back({now_ - 1, messages});
    }

    /// Every cell learns sums, minima or maxima over its box, in each of `boxes` equal boxes at the
    /// same time: along one axis after the other to a corner, and back. 2s steps, 2(V-1) messages
    /// for each box.
    void reduce_and_broadcast(const Box& box, NodeId boxes = 1) { there_and_back(box, boxes); }
    /// Every cell learns the sum over the cells before it in row-major order, and the total: along
    /// the last axis, then the one before, ..., and back. The same cost.
    void prefix_sums(const Box& box, NodeId boxes = 1) { there_and_back(box, boxes); }
    /// Every cell learns that all cells have reached this point. The same cost.
    void barrier(const Box& box) { there_and_back(box, 1); }
    /// Scans all lines of an axis back and forth; a scan takes n - 1 steps and sends n - 1 messages
    /// along each line.
    void scan_lines(const Box& box, std::size_t axis, unsigned scans) {
        const NodeId side = box.axis(axis).side;
        const Step steps = scans * (Step{side} - 1);
        send(steps, steps * (box.cells() / side));
    }

  private:
    void there_and_back(const Box& box, NodeId boxes) {
        send(2 * box.extent(), std::uint64_t{boxes} * 2 * (box.cells() - 1));
    }

    Step now_ = 0;
    Traffic* traffic_;
};

/// Parts of a box that work at the same time: they begin together, and all wait for the slowest.
class Parallel {
  public:
    explicit Parallel(Clock& clock) : clock_(clock), begin_(clock) {}

    /// Runs a part's work, `act(clock)`, on a clock of its own.
    template <class Act>
    void run(Act&& act) {
        Clock own = begin_;
        act(own);
        if (own.now() > clock_.now()) clock_ = own;
    }

  private:
    Clock& clock_;
    Clock begin_;
};

}  // namespace equipoise::mesh
