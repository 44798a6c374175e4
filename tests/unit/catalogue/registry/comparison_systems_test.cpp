// The systems that the papers compare with, as the catalogue runs them.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace {

using namespace equipoise;
using catalogue::Outcome;
using catalogue::RunOptions;
using test::message_of;

/// Loads drawn uniformly from 0 .. 199.
load::Loads random_loads(NodeId nodes, std::uint64_t seed) {
    load::Loads loads(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        loads[node] = static_cast<Tokens>(RandomStream(seed, Purpose::sampling, node).below(200));
    return loads;
}

Outcome run_on_torus(const std::string& algorithm, const catalogue::ParameterTexts& parameters) {
    const network::AnyNetwork torus = network::generate("torus:8x8", 0);
    RunOptions options;
    options.seed = 1;
    options.parameters = parameters;
    return catalogue::run(algorithm, torus, random_loads(64, 8), options);
}

TEST(ComparisonSystems, EndOnATorusAboutAsLevelAsTheirKindAllows) {
    struct Case {
        const char* algorithm;
        catalogue::ParameterTexts parameters;
        Tokens least;
        Tokens most;
    };
    const std::vector<Case> cases = {
        {"flow-imitation", {}, 1, 8},
        {"flow-imitation", {{"randomised", "yes"}}, 1, 8},
        {"randomised-diffusion", {}, 1, 9},
        {"quasirandom-diffusion", {}, 1, 8},
        {"coin-averaging", {}, 0, 1},
        {"coin-averaging", {{"matching", "periodic"}}, 0, 2},
        {"one-token-diffusion", {}, 9, 64},
        {"one-token-matching", {}, 1, 8},
        {"steepest-matching", {}, 1, 8},
        {"random-walks", {}, 0, 1},
        {"random-walks", {{"negative_tokens", "no"}, {"c", "1"}}, 0, 64},
    };
    for (const auto& [algorithm, parameters, least, most] : cases) {
        const Outcome run = run_on_torus(algorithm, parameters);
        EXPECT_TRUE(run.reached()) << algorithm;
        EXPECT_GE(run.discrepancy(), least) << algorithm;
        EXPECT_LE(run.discrepancy(), most) << algorithm;
        EXPECT_EQ(load::total(run.loads()), load::total(random_loads(64, 8))) << algorithm;
        RecordProperty(std::string(algorithm) + (parameters.empty() ? "" : "-2"),
                       static_cast<int>(run.discrepancy()));
    }
}

TEST(ComparisonSystems, RunForTheRoundsAskedFor) {
    EXPECT_EQ(run_on_torus("quasirandom-diffusion", {{"rounds", "7"}}).steps(), 7U);
    EXPECT_EQ(run_on_torus("randomised-diffusion", {{"rounds", "9"}}).steps(), 9U);
    EXPECT_GE(run_on_torus("random-walks", {{"rounds", "9"}}).steps(), 9U);
}

TEST(ComparisonSystems, RootedTargetNeedsATreeAndAWholeMean) {
    const network::AnyNetwork tree = network::generate("tree:k=2,h=3", 0);
    load::Loads loads(15, 0);
    loads[14] = 45;
    const Outcome run = catalogue::run("rooted-target", tree, loads);
    EXPECT_TRUE(run.reached());
    EXPECT_EQ(run.loads(), load::Loads(15, 3));
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(catalogue::run(
                      "rooted-target", network::generate("cycle:n=4", 0), {4, 4, 4, 4}));
              }),
              "the network is not a tree: expected one (random-tree:n=100)");
    loads[0] = 1;
    EXPECT_EQ(
        message_of([&] { static_cast<void>(catalogue::run("rooted-target", tree, loads)); }),
        "every node must end with the same load, so the number of tokens must be a multiple of "
        "15, found 46");
    loads[0] = 0;
    RunOptions options;
    options.parameters["root"] = "15";
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(catalogue::run("rooted-target", tree, loads, options));
              }),
              "rooted-target: expected a root from 0 to 14, found 15");
}

}  // namespace
