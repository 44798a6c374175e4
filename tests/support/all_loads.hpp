#pragma once
// All ways to spread tokens over a few nodes.

#include <functional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::test {

/// Visits every vector of `nodes` >= 1 loads that add up to `tokens`.
inline void for_all_loads(NodeId nodes, Tokens tokens,
                          const std::function<void(const std::vector<Tokens>&)>& visit) {
    std::vector<Tokens> loads(nodes, 0);
    const std::function<void(NodeId, Tokens)> fill = [&](NodeId node, Tokens left) {
        if (node + 1 == nodes) {
            loads[node] = left;
            visit(loads);
            return;
        }
        for (Tokens here = 0; here <= left; ++here) {
            loads[node] = here;
            fill(node + 1, left - here);
        }
    };
    fill(0, tokens);
}

}  // namespace equipoise::test
