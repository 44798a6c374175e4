// Randomised diffusion, after Berenbrink, Cooper, Friedetzky, Friedrich, Sauerwald 2011, of which
// the certain part is proved here (docs/results/rabani-1998.md, single transfers).
//
// Claim. Every transfer is rounded up or down, so that with q = d + 1, d the largest degree, every
// load is within 2 (q - 1) / q Psi(P) of the idealised one (Rabani, Sinclair, Wanka 1998, Theorem 2
// for single transfers); so the discrepancy is at most floor(1 + 4 (q - 1) / q Psi(P)) once the
// idealised loads differ by at most 1, whatever is drawn. The algorithm ends then.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test::randomised_diffusion {
namespace {

using catalogue::Outcome;
using load::Loads;
using network::AnyNetwork;

Outcome played(const AnyNetwork& network, const Loads& loads, std::uint64_t seed,
               const std::string& rounds = "0") {
    catalogue::RunOptions options;
    options.seed = seed;
    options.parameters["rounds"] = rounds;
    return catalogue::run("randomised-diffusion", network, loads, options);
}

/// The claim's bound, from the definition of Psi: a sum over time, with its error.
Tokens bound_by_definition(const AnyNetwork& network) {
    const auto matrix = analysis::DiffusionMatrix::uniform(network);
    const double psi = analysis::local_divergence(matrix, second_eigenvalue(matrix)).upper();
    return theory::token_discrepancy(
        1, theory::transfer_deviation(psi, Tokens{network.degree_max()} + 1));
}

TEST(RandomisedDiffusion, KeepsWhatItPromisesFromManyLoadsWithManySeedsOnAllSmallNetworks) {
    Tokens worst = 0;
    int runs = 0;
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes)) {
            const AnyNetwork network(graph);
            const Tokens bound = bound_by_definition(network);
            RandomStream random(7, Purpose::sampling, nodes);
            for (const Loads& loads : uneven_loads(nodes, 97, 6, random))
                for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                    const Outcome run = played(network, loads, seed);
                    ASSERT_TRUE(run.guarantee().discrepancy.has_value());
                    EXPECT_EQ(*run.guarantee().discrepancy, bound);
                    EXPECT_LE(run.discrepancy(), bound);
                    EXPECT_TRUE(verify::verify(run.record).passed());
                    worst = std::max(worst, run.discrepancy());
                    ++runs;
                }
        }
    EXPECT_GT(runs, 3'000);
    EXPECT_GT(worst, 2) << "the loads are not level by themselves";
}

TEST(RandomisedDiffusion, PromisesTheClosedFormsOfRingsToriHypercubesAndCompleteNetworks) {
    const auto promised = [](const char* spec) {
        const AnyNetwork network = network::generate(spec, 0);
        return played(network, load::make_loads("spike:tokens=500", network, 1), 3)
            .guarantee()
            .discrepancy;
    };
    EXPECT_EQ(promised("cycle:n=40"), 1 + 2 * 40);           // Psi = 3n / 4, q = 3
    EXPECT_EQ(promised("torus:8x8"), 1 + 2 * 4 * 8);         // Psi = 5s / 2, q = 5
    EXPECT_EQ(promised("hypercube:d=4"), 1 + 2 * 4 * 4);     // Psi = d (d + 1) / 2, q = d + 1
    EXPECT_EQ(promised("complete:n=7"), 1 + 4 * 6 * 6 / 7);  // Psi = n - 1, q = n
}

TEST(RandomisedDiffusion, WithGivenRoundsPromisesItFromTheRoundsOfTheorem1On) {
    const AnyNetwork cycle = network::generate("cycle:n=16", 0);
    const Loads loads = load::make_loads("spike:tokens=500", cycle, 1);
    const double gap = 1 - second_eigenvalue(analysis::DiffusionMatrix::uniform(cycle)).upper();
    const std::uint64_t enough = theory::idealised_smoothing_rounds(16, 500, gap, 1);
    EXPECT_EQ(played(cycle, loads, 1, std::to_string(enough + 1)).guarantee().discrepancy, 33);
    EXPECT_EQ(played(cycle, loads, 1, std::to_string(enough - 1)).guarantee().discrepancy,
              std::nullopt);
    EXPECT_EQ(played(cycle, loads, 1, "3").guarantee().source, "");
}

TEST(RandomisedDiffusion, PromisesMoreWhereFixedPointHasFewBitsBelowTheToken) {
    const AnyNetwork cycle = network::generate("cycle:n=16", 0);
    // No bit is left: the idealised process is the rounded one and stands still d D = 16 apart,
    // within (q - 1) / q Psi = 8 of the idealised one.
    Loads loads(16, 0);
    loads[0] = Tokens{1} << 60;
    const Outcome run = played(cycle, loads, 1);
    EXPECT_EQ(run.guarantee().discrepancy, 16 + 2 * 8 + 32);
    EXPECT_LE(run.discrepancy(), *run.guarantee().discrepancy);
}

}  // namespace
}  // namespace equipoise::test::randomised_diffusion
