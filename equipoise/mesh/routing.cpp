#include "equipoise/mesh/routing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "equipoise/base/assert.hpp"
#include "equipoise/mesh/reduce.hpp"

namespace equipoise::mesh {

namespace {

using Coordinates = std::array<NodeId, Box::dimension_max>;

/// Coordinates of a cell of a box.
Coordinates coordinates_of(const Box& box, NodeId cell) {
    Coordinates at{};
    NodeId rest = cell - box.origin();
    for (std::size_t i = 0; i < box.dimension(); ++i) {
        at[i] = rest / box.axis(i).stride;
        rest -= at[i] * box.axis(i).stride;
    }
    return at;
}

/// Coordinates of the cell of a rank in row-major order.
Coordinates coordinates_of_rank(const Box& box, NodeId rank) {
    Coordinates at{};
    for (std::size_t i = box.dimension(); i-- > 0; rank /= box.axis(i).side)
        at[i] = rank % box.axis(i).side;
    return at;
}

/// The tokens that move along one axis: the longest paths to the right and to the left.
struct Stage {
    NodeId right = 0;
    NodeId left = 0;
};

/// One token on its way along the axes of a box.
class Traveller {
  public:
    Traveller(Workspace& work, const Box& box, NodeId source, Step now)
        : work_(work), box_(box), cell_(source), at_(coordinates_of(box, source)), now_(now) {}

    /// Moves to another coordinate along an axis, in the window of the tokens that go the same way.
    void go(std::size_t axis, NodeId coordinate, Stage& stage) {
        const auto [side, stride] = box_.axis(axis);
        const bool right = coordinate > at_[axis];
        const NodeId links = right ? coordinate - at_[axis] : at_[axis] - coordinate;
        const Step begin = now_ + (right ? 0 : Step{side} - 1);
        const auto after = [&, stride = stride](NodeId i) {
            return right ? cell_ + i * stride : cell_ - i * stride;
        };
        if (work_.wants_moves())
            for (NodeId i = 0; i < links; ++i)
                work_.move(begin + i, after(i), after(i + 1));
        cell_ = after(links);
        at_[axis] = coordinate;
        NodeId& longest = right ? stage.right : stage.left;
        longest = std::max(longest, links);
        work_.count_exchanges(links);
        now_ += 2 * (Step{side} - 1);
    }
    [[nodiscard]] NodeId cell() const { return cell_; }

  private:
    Workspace& work_;
    const Box& box_;
    NodeId cell_;
    Coordinates at_;
    Step now_;
};

/// Packing along the axes from the last to the first, then spreading from the first to the last.
struct Stages {
    std::array<Stage, Box::dimension_max> packing;
    std::array<Stage, Box::dimension_max> spreading;
};

/// Every window is as long as its axis, however short the longest path in it.
void pass(const Box& box, std::size_t axis, const Stage& stage, Clock& clock) {
    const Step window = Step{box.axis(axis).side} - 1;
    for (const NodeId longest : {stage.right, stage.left}) {
        clock.move_tokens(longest);
        clock.wait(window - longest);
    }
}

}  // namespace

void route_monotone(Workspace& work, const Box& box, std::span<const NodeId> sources,
                    std::span<const NodeId> destinations, Clock& clock) {
    EQUIPOISE_ASSERT(sources.size() == destinations.size());
    Stages stages;
    for (NodeId rank = 0; rank < sources.size(); ++rank) {
        Traveller token(work, box, sources[rank], clock.now());
        const Coordinates over = coordinates_of_rank(box, rank);
        const Coordinates to = coordinates_of(box, destinations[rank]);
        for (std::size_t axis = box.dimension(); axis-- > 0;)
            token.go(axis, over[axis], stages.packing[axis]);
        for (std::size_t axis = 0; axis < box.dimension(); ++axis)
            token.go(axis, to[axis], stages.spreading[axis]);
        EQUIPOISE_ASSERT(token.cell() == destinations[rank]);
    }
    for (std::size_t axis = box.dimension(); axis-- > 0;)
        pass(box, axis, stages.packing[axis], clock);
    for (std::size_t axis = 0; axis < box.dimension(); ++axis)
        pass(box, axis, stages.spreading[axis], clock);
}

void level_out(Workspace& work, const Box& box, Layer& tokens, Clock& clock) {
    Extremes now = extremes(box, tokens);
    clock.reduce_and_broadcast(box);  // minimum and maximum
    if (now.discrepancy() <= 1) return;
    clock.reduce_and_broadcast(box);  // how many cells have which load: all later extremes follow
    while (now.discrepancy() > 1) {
        work.sources.clear();
        work.destinations.clear();
        box.for_each_cell([&](NodeId cell) {
            if (tokens[cell] == now.most) work.sources.push_back(cell);
            if (tokens[cell] == now.least) work.destinations.push_back(cell);
        });
        clock.prefix_sums(box);  // ranks
        const std::size_t pairs = std::min(work.sources.size(), work.destinations.size());
        work.sources.resize(pairs);
        work.destinations.resize(pairs);
        route_monotone(work, box, work.sources, work.destinations, clock);
        for (std::size_t i = 0; i < pairs; ++i) {
            --tokens[work.sources[i]];
            ++tokens[work.destinations[i]];
        }
        now = extremes(box, tokens);
    }
}

}  // namespace equipoise::mesh
