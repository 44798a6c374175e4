#pragma once
// The least and the largest of many loads, and nodes that hold them.

#include <algorithm>
#include <cstdint>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"

namespace equipoise::engine {

/// The least and the largest of some loads.
struct LoadRange {
    Tokens least = 0;
    Tokens most = 0;

    void cover(const LoadRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
    friend bool operator==(const LoadRange&, const LoadRange&) = default;
};

/// Nodes at which the least and the largest of a list of loads were seen last. As long as they hold
/// what they held, nobody need look at the others.
class ExtremeNodes {
  public:
    /// Looks at the first `count` loads, at least one, and returns their range. Cost O(count).
    LoadRange look(const Workers& workers, const PackedLoads& loads, NodeId count);

    /// Looks for other nodes if one of these held the bound of `range` on its side, of which no
    /// load lies outside, and no longer does. Mostly O(1), else O(count) or less. Returns how many
    /// loads it looked at; if all, `at` is now the range of the first `count` loads.
    std::uint64_t follow(const Workers& workers, const PackedLoads& loads, NodeId count,
                         const LoadRange& range);

    /// Goes over to a neighbour that holds what a node held, if it no longer does: loads that only
    /// change places are found again. `near(node, look)` must call `look` with neighbours among the
    /// first `count`.
    template <class Near>
    void step_aside(const PackedLoads& loads, const Near& near) {
        const auto find = [&](NodeId& node, Tokens held) {
            near(NodeId{node}, [&](NodeId other) {
                if (loads[other] == held) node = other;
            });
        };
        if (loads[lowest_] > held_.least) find(lowest_, held_.least);
        if (loads[highest_] < held_.most) find(highest_, held_.most);
    }

    /// What the nodes hold now.
    [[nodiscard]] LoadRange at(const PackedLoads& loads) const {
        return {loads[lowest_], loads[highest_]};
    }

  private:
    NodeId lowest_ = 0;
    NodeId highest_ = 0;
    LoadRange held_;  ///< by these nodes when they were looked at last
};

}  // namespace equipoise::engine
