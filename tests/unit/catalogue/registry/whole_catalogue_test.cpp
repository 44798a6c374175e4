// Every algorithm of the catalogue on every network that it can serve: what it promises is kept,
// tokens are conserved, and its record verifies.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

const std::string root = EQUIPOISE_SOURCE_DIR;

/// How many algorithms serve every connected network with many tokens on a node: all but those for
/// trees, boxes, rings or complete networks, or for one token a node.
int served_everywhere() {
    const auto& all = algorithms();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const Algorithm& algorithm) {
        return !algorithm.name.starts_with("mesh-") && algorithm.name != "rooted-target" &&
               !algorithm.name.ends_with("ring-distribution") && algorithm.name != "random-pairs" &&
               algorithm.name != "token-dropping";
    }));
}

/// Runs every algorithm that can serve the instance; returns how many can.
int expect_promises_kept(const std::string& network, const std::string& loads,
                         model::RecordLevel level) {
    NetworkRequest request;
    request.spec = network;
    request.seed = 5;
    const Instance instance = make_instance(request, loads);
    const NetworkFacts facts(instance.network);
    int served = 0;
    for (const Algorithm& algorithm : algorithms()) {
        SCOPED_TRACE(algorithm.name + " on " + network + " with " + loads);
        if (!test::refusal(algorithm, facts, instance.loads).empty()) continue;
        ++served;
        RunOptions options;
        options.record_level = level;
        const Outcome run = catalogue::run(algorithm, facts, instance.loads, options);
        EXPECT_TRUE(run.reached()) << run.stopped_because();
        Tokens expected = load::total(instance.loads) * static_cast<Tokens>(run.record.load_scale);
        for (const model::Transfer& made : run.record.created)
            expected += made.tokens;
        for (const model::Transfer& gone : run.record.destroyed)
            expected -= gone.tokens;
        EXPECT_EQ(load::total(run.loads()), expected);
        EXPECT_LE(run.discrepancy(), run.guarantee().discrepancy.value_or(tokens_max));
        EXPECT_LE(run.steps(), run.guarantee().steps.value_or(~std::uint64_t{0}));
        for (const verify::Check& check : verify::verify(run.record).checks)
            EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    }
    return served;
}

TEST(WholeCatalogue, KeepsItsPromisesOnSmallNetworksAndItsFullRecordsVerify) {
    for (const char* network : {"path:n=1", "path:n=2", "path:n=9", "cycle:n=7", "star:leaves=6",
                                "complete:n=6", "tree:k=2,h=3", "torus:4x5", "mesh:3x4",
                                "hypercube:d=4", "random-regular:n=20,d=3", "random-tree:n=30"}) {
        EXPECT_GE(expect_promises_kept(network, "spike:tokens=137", model::RecordLevel::full),
                  served_everywhere());
        expect_promises_kept(network, "zipf:tokens=90", model::RecordLevel::full);
    }
}

TEST(WholeCatalogue, KeepsItsPromisesOnAbileneAndTheKarateClub) {
    for (const char* network :
         {"/examples/networks/abilene.gml", "/examples/networks/karate.graph"})
        for (const char* loads : {"spike:tokens=1000", "zipf:tokens=1000"})
            EXPECT_GE(expect_promises_kept(root + network, loads, model::RecordLevel::full),
                      served_everywhere());
}

TEST(WholeCatalogueLong, KeepsItsPromisesOnThePowerGridAndNetworksOfAThousandNodes) {
    if (checked_build) GTEST_SKIP() << "checked builds recount all tokens after every step";
    const std::string power = root + "/../shared/data/networks/power.graph";
    std::vector<std::string> networks = {"torus:32x32", "hypercube:d=10", "random-tree:n=1000"};
    if (std::filesystem::exists(power)) networks.push_back(power);
    for (const std::string& network : networks)
        // The power grid has too many eigenvalues for optimal-polynomial.
        EXPECT_GE(expect_promises_kept(network, "spike:tokens=2000", model::RecordLevel::summary),
                  served_everywhere() - (network == power ? 1 : 0));
    if (networks.size() == 3) GTEST_SKIP() << power << " is not there";
}

TEST(WholeCatalogue, RefusesSpeedsMatchingsMatricesAndDeviationsWhereItHasNoUseForThem) {
    const network::AnyNetwork cycle =
        network::AnyNetwork(network::Network(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}));
    const NetworkFacts facts(cycle);
    const load::Loads loads = test::spike(cycle, 12);
    RunOptions speeds;
    speeds.speeds = {1, 2, 3, 1, 2, 3};
    RunOptions matchings;
    matchings.matchings = {{{0, 1}, {2, 3}, {4, 5}}, {{1, 2}, {3, 4}, {5, 0}}};
    RunOptions matrix;
    matrix.weights.assign(6, {1, 4});
    RunOptions deviation;
    deviation.with_deviation = true;
    for (const Algorithm& algorithm : algorithms()) {
        if (!test::refusal(algorithm, facts, loads).empty()) continue;  // needs a tree
        const auto expect = [&](const RunOptions& options, bool served, const std::string& line) {
            EXPECT_EQ(test::refusal(algorithm, facts, loads, options),
                      served ? "" : algorithm.name + ' ' + line);
        };
        expect(speeds, algorithm.serves_speeds,
               "works with equal speeds only: --speeds cannot be used with it");
        expect(matchings, algorithm.takes_matchings,
               "has a schedule of its own: --matchings cannot be used with it");
        expect(matrix, algorithm.takes_weights,
               "has no round matrix: --matrix cannot be used with it");
        expect(deviation, algorithm.measures_deviation,
               "is not compared with an idealised process: --deviation cannot be used with it; it "
               "can with " +
                   listed(test::names_of([](const Algorithm& a) { return a.measures_deviation; }),
                          ", "));
    }
}

TEST(WholeCatalogue, HasAPageForEveryNameAndANameInTheTableOfGuarantees) {
    std::ifstream file(root + "/docs/algorithms/index.md");
    const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_TRUE(std::filesystem::exists(root + "/docs/algorithms/" + algorithm.name + ".md"))
            << algorithm.name;
        EXPECT_NE(table.find('`' + algorithm.name + '`'), std::string::npos) << algorithm.name;
    }
}

}  // namespace
}  // namespace equipoise::catalogue
