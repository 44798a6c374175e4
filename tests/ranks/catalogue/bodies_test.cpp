// Which bodies play the algorithms of the catalogue: fast ones, on ranks as in one process.

#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/preparation.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "tests/support/catalogue_runs.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::catalogue {
namespace {

/// The name of the body that plays a step of an algorithm on an instance; without a fabric, in one
/// process.
std::string body_of(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
                    engine::Fabric* fabric) {
    const RunOptions options;
    const Preparation prepared(algorithm, facts, loads, options);
    engine::RoundOptions round;
    round.stop.own_termination = false;
    round.stop.steps_max = 4;
    round.fabric = fabric;
    model::Notes notes;
    return std::string(play_rounds(algorithm, prepared.task(), round, notes).body.name());
}

/// A network on which all nodes have the same degree, stored and implicit, and one on which they do
/// not.
const std::array<std::string, 3> networks = {"random-regular:n=64,d=4", "torus:8x8",
                                             "random-tree:n=50"};

/// Calls `look(algorithm, facts, loads)` for every algorithm of rounds that can serve a network.
template <class Look>
void for_each_served(const std::string& network, const Look& look) {
    NetworkRequest request;
    request.spec = network;
    request.seed = 5;
    const Instance instance = make_instance(request, "zipf:tokens=500");
    const NetworkFacts facts(instance.network);
    for (const Algorithm& algorithm : algorithms())
        if (algorithm.plays_rounds() && test::refusal(algorithm, facts, instance.loads).empty())
            look(algorithm, facts, instance.loads);
}

TEST(FastBodies, PlayEveryAlgorithmOfRoundsOnRanksAsInOneProcess) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::set<std::string> narrow = {"packed", "torus diffusion"};
        int packed = 0;
        for (const std::string& network : networks) {
            int served = 0;
            for_each_served(network, [&](const Algorithm& algorithm, const NetworkFacts& facts,
                                         const load::Loads& loads) {
                ++served;
                const std::string alone = body_of(algorithm, facts, loads, nullptr);
                EXPECT_NE(alone, engine::Body::reference.name()) << algorithm.name;
                const std::string together = body_of(algorithm, facts, loads, &fabric);
                // Nobody watches the ranks of a grid, so these two may keep narrow loads.
                if (network == "torus:8x8" && narrow.contains(together)) {
                    ++packed;
                    return;
                }
                EXPECT_EQ(together, alone) << algorithm.name << " on " << network;
            });
            EXPECT_GE(served, 15) << network;
        }
        EXPECT_GE(packed, 3);
    });
}

/// Specialised bodies are easily lost: one condition too many is enough.
TEST(FastBodies, ThatServeFewRunsPlayTheRunsTheyAreMeantFor) {
    const auto expect = [](const std::string& network, const std::string& name,
                           const std::string& body) {
        int found = 0;
        for_each_served(network, [&](const Algorithm& algorithm, const NetworkFacts& facts,
                                     const load::Loads& loads) {
            if (algorithm.name != name) return;
            ++found;
            EXPECT_EQ(body_of(algorithm, facts, loads, nullptr), body) << name << " " << network;
        });
        EXPECT_EQ(found, 1) << name << " " << network;
    };
    for (const std::string& network : networks) {
        expect(network, "diffusion", "diffusion");
        expect(network, "threshold-1", "in place");
        expect(network, "deal-agreement-2", "announced");
        expect(network, "deal-agreement-3", "announced");
    }
}

}  // namespace
}  // namespace equipoise::catalogue
