#pragma once
// Time on a box of processors.

#include "equipoise/base/ids.hpp"
#include "equipoise/mesh/box.hpp"

namespace equipoise::mesh {

/// Steps that have passed. Distribution steps move tokens, computation steps messages.
struct Clock {
    Step distribution = 0;
    Step computation = 0;

    [[nodiscard]] Step now() const { return distribution + computation; }

    void distribute(Step steps) { distribution += steps; }
    void compute(Step steps) { computation += steps; }
    /// Every cell learns sums, minima or maxima over the box: along one axis after the other to a
    /// corner, and back. 2s steps.
    void reduce_and_broadcast(const Box& box) { compute(2 * box.extent()); }
    /// Every cell learns the sum over the cells before it in row-major order, and the total: along
    /// the last axis, then the one before, ..., and back. 2s steps.
    void prefix_sums(const Box& box) { compute(2 * box.extent()); }
    /// Every cell learns that all cells have come to this point. 2s steps.
    void barrier(const Box& box) { compute(2 * box.extent()); }
};

/// Parts of a box at work at the same time: they begin together, and the slowest one's clock
/// counts.
class Parallel {
  public:
    explicit Parallel(Clock& clock) : clock_(clock), begin_(clock) {}

    /// A part's work, `act(clock)`, on a clock of its own.
    template <class Act>
    void run(Act&& act) {
        Clock own = begin_;
        act(own);
        join(own);
    }
    void join(const Clock& own) {
        if (own.now() > clock_.now()) clock_ = own;
    }
    [[nodiscard]] const Clock& begin() const { return begin_; }

  private:
    Clock& clock_;
    Clock begin_;
};

}  // namespace equipoise::mesh
