// Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, on hypercubes, which are boxes of sides 2.
// Theorem 2(b), repaired: discrepancy 1 after O(2^d (root + n)) steps with the weakly adaptive
// algorithm and O(d root + d^2 n) with the faster one. Theorem 3, repaired: every load between
// floor(mean) - 1 and ceil(mean) + 1 with the strongly adaptive ones.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/all_loads.hpp"

namespace equipoise::test::mesh_on_hypercubes {
namespace {

/// Runs an algorithm on a hypercube and returns its steps.
Step play(const char* name, const catalogue::NetworkFacts& facts, const load::Loads& loads,
          Tokens below, Tokens above) {
    const catalogue::Outcome outcome =
        catalogue::run(catalogue::find_algorithm(name), facts, loads);
    const Tokens total = load::total(loads);
    const auto nodes = static_cast<Tokens>(loads.size());
    EXPECT_EQ(load::total(outcome.loads()), total);
    for (const Tokens load : outcome.loads()) {
        EXPECT_GE(load, total / nodes - below) << name;
        EXPECT_LE(load, (total + nodes - 1) / nodes + above) << name;
    }
    return outcome.steps();
}

/// Plays all four on these loads; steps are held to the theorem's, with the constant that was
/// observed on boxes of any sides.
void check(const catalogue::NetworkFacts& facts, const load::Loads& loads) {
    const mesh::Box box(std::vector<NodeId>(facts.network().degree_max(), 2));
    const auto dimension = static_cast<double>(box.dimension());
    const auto root = static_cast<double>(
        mesh::root(box, load::total(loads), *std::max_element(loads.begin(), loads.end())));
    EXPECT_LE(static_cast<double>(play("mesh-weak", facts, loads, 0, 0)),
              15 * std::exp2(dimension) * (root + 2));
    EXPECT_LE(static_cast<double>(play("mesh-faster", facts, loads, 0, 0)),
              15 * (dimension * root + 2 * dimension * dimension));
    play("mesh-strong", facts, loads, 1, 1);
    play("mesh-strong-no-bus", facts, loads, 1, 1);
}

TEST(Theorems2And3OnHypercubes, HoldForAllLoadsOfUpToSixTokensOnDimensionsOneToThree) {
    for (unsigned dimension = 1; dimension <= 3; ++dimension) {
        const network::AnyNetwork network =
            network::generate("hypercube:d=" + std::to_string(dimension), 0);
        const catalogue::NetworkFacts facts(network);
        for (Tokens tokens = 1; tokens <= 6; ++tokens)
            for_all_loads(network.node_count(), tokens,
                          [&](const load::Loads& loads) { check(facts, loads); });
    }
}

TEST(Theorems2And3OnHypercubes, HoldForOneFullNodeUpToDimensionTen) {
    for (const unsigned dimension : {4U, 6U, 8U, 10U}) {
        const network::AnyNetwork network =
            network::generate("hypercube:d=" + std::to_string(dimension), 0);
        const catalogue::NetworkFacts facts(network);
        for (const Tokens tokens : {3, 100, 100'000}) {
            load::Loads loads(network.node_count(), 0);
            loads[network.node_count() / 3] = tokens;
            check(facts, loads);
        }
    }
}

}  // namespace
}  // namespace equipoise::test::mesh_on_hypercubes
