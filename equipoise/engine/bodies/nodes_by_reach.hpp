#pragma once
// Which own nodes a body may play before it has heard from other ranks.

#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/parts/part.hpp"

namespace equipoise::engine {

/// Consecutive nodes [first, second).
using NodeRange = std::pair<NodeId, NodeId>;

/// Own nodes without neighbours on other ranks, and the others, as ranges.
struct NodesByReach {
    explicit NodesByReach(Part& part);
    std::vector<NodeRange> inner;
    std::vector<NodeRange> boundary;
};

}  // namespace equipoise::engine
