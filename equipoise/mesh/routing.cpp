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

/// One token on its way along the axes of a box.
class Traveller {
  public:
    Traveller(Workspace& work, const Box& box, NodeId source, Step now)
        : work_(work), box_(box), cell_(source), at_(coordinates_of(box, source)), now_(now) {}

    /// Goes to another coordinate along an axis, in the window of those that go the same way.
    void go(std::size_t axis, NodeId coordinate) {
        const auto [side, stride] = box_.axis(axis);
        const bool right = coordinate > at_[axis];
        const NodeId links = right ? coordinate - at_[axis] : at_[axis] - coordinate;
        const Step begin = now_ + (right ? 0 : Step{side} - 1);
        for (NodeId i = 0; i < links; ++i) {
            const NodeId next = right ? cell_ + stride : cell_ - stride;
            if (work_.wants_moves()) work_.move(begin + i, cell_, next);
            cell_ = next;
        }
        at_[axis] = coordinate;
        exchanges_ += links;
        now_ += 2 * (Step{side} - 1);
    }
    [[nodiscard]] NodeId cell() const { return cell_; }
    [[nodiscard]] std::uint64_t exchanges() const { return exchanges_; }

  private:
    Workspace& work_;
    const Box& box_;
    NodeId cell_;
    Coordinates at_;
    Step now_;
    std::uint64_t exchanges_ = 0;
};

/// Links on the way from a cell over the cell of a rank to another cell.
std::uint64_t way(const Box& box, NodeId source, NodeId rank, NodeId destination) {
    const Coordinates from = coordinates_of(box, source);
    const Coordinates over = coordinates_of_rank(box, rank);
    const Coordinates to = coordinates_of(box, destination);
    std::uint64_t links = 0;
    for (std::size_t i = 0; i < box.dimension(); ++i)
        links += (from[i] > over[i] ? from[i] - over[i] : over[i] - from[i]) +
                 (to[i] > over[i] ? to[i] - over[i] : over[i] - to[i]);
    return links;
}

}  // namespace

void route_monotone(Workspace& work, const Box& box, std::span<const NodeId> sources,
                    std::span<const NodeId> destinations, Clock& clock) {
    EQUIPOISE_ASSERT(sources.size() == destinations.size());
    std::uint64_t exchanges = 0;
    for (NodeId rank = 0; rank < sources.size(); ++rank) {
        if (!work.wants_moves()) {
            exchanges += way(box, sources[rank], rank, destinations[rank]);
            continue;
        }
        Traveller token(work, box, sources[rank], clock.now());
        const Coordinates over = coordinates_of_rank(box, rank);
        const Coordinates to = coordinates_of(box, destinations[rank]);
        for (std::size_t axis = box.dimension(); axis-- > 0;)
            token.go(axis, over[axis]);
        for (std::size_t axis = 0; axis < box.dimension(); ++axis)
            token.go(axis, to[axis]);
        EQUIPOISE_ASSERT(token.cell() == destinations[rank]);
        exchanges += token.exchanges();
    }
    work.count_exchanges(exchanges);
    clock.distribute(4 * box.extent());
}

void level_out(Workspace& work, const Box& box, Layer& tokens, Clock& clock) {
    Extremes now = extremes(box, tokens);
    clock.reduce_and_broadcast(box);  // minimum and maximum
    if (now.discrepancy() <= 1) return;
    clock.reduce_and_broadcast(box);  // how many cells have which load: tells all later extremes
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
