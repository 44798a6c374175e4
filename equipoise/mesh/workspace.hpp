#pragma once
// What the programs of this room share while they run: the moves they report, and reused memory.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/line_timetable.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/model/local/move_program.hpp"

namespace equipoise::mesh {

/// Tokens of every node of the mesh, or those of one colour.
using Layer = std::vector<Tokens>;

/// One run on one mesh.
class Workspace {
  public:
    Workspace(const Box& whole, model::MoveSink& sink)
        : sink_(sink), wants_moves_(sink.wants_moves()), nodes_(whole.cells()) {
        traffic_.keeps_phases = wants_moves_;
    }

    [[nodiscard]] bool wants_moves() const { return wants_moves_; }
    /// Reports that one token crosses a link in step `at` of the run. Only if moves are wanted.
    /// Throws UnsuitableError when there are more moves than can be kept until they are reported in
    /// order.
    void move(Step at, NodeId from, NodeId to) {
        if (moves_.size() == moves_max) refuse_more_moves();
        moves_.push_back({at, from, to});
    }
    /// Throws OverflowError when the count leaves its range.
    void count_exchanges(std::uint64_t exchanges) {
        count_up(traffic_.exchanges, exchanges, "number of exchanges");
    }
    /// The run's clock, at step 0.
    [[nodiscard]] Clock clock() { return Clock(traffic_); }

    /// Reports to the sink what has happened since the last report; all cells have reached this
    /// point. `loads`: of all cells, if known. Returns whether to go on.
    [[nodiscard]] bool tell(const Clock& clock, std::span<const Tokens> loads = {});

    /// Layers for one depth of a recursion. They still hold values from earlier use.
    struct Colours {
        Layer black;
        Layer white;
        Layer selected;
    };
    [[nodiscard]] Colours& colours(std::size_t depth);

    // Memory of balance_lines and level_out.
    std::vector<Tokens> supply;
    std::vector<Tokens> targets;
    std::vector<load::LinkTimes> links;
    std::vector<NodeId> sources;
    std::vector<NodeId> destinations;

  private:
    /// The most moves of one phase that are kept, 24 bytes each.
    static constexpr std::size_t moves_max = std::size_t{1} << 26U;
    [[noreturn]] static void refuse_more_moves();
    /// Sorts by step, from `told_` on, the reports of parts that work at the same time.
    template <class Timed>
    void order(std::vector<Timed>& list) const;

    model::MoveSink& sink_;
    bool wants_moves_;
    NodeId nodes_;
    Step told_ = 0;  ///< reported up to this step
    Traffic traffic_;
    std::vector<model::Move> moves_;
    std::deque<Colours> colours_;  ///< growing must not move them
};

}  // namespace equipoise::mesh
