#pragma once
// A small torus with uneven loads, on which comparison systems are told apart.

#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::test {

[[nodiscard]] inline network::Network torus(NodeId rows, NodeId columns) {
    return stored_copy(network::Grid({rows, columns}, network::Grid::Shape::torus));
}

/// Loads drawn uniformly from 0 .. 199 on the 64 nodes of an 8 x 8 torus.
[[nodiscard]] inline load::Loads loads_8x8() {
    RandomStream random(8, Purpose::sampling);
    return random_loads(64, 199, random);
}

[[nodiscard]] inline engine::RoundOptions steps(Step steps_max, std::uint64_t seed = 1) {
    engine::RoundOptions options;
    options.seed = seed;
    options.stop.steps_max = steps_max;
    return options;
}

}  // namespace equipoise::test
