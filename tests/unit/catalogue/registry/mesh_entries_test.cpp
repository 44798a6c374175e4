// The programs for meshes as the catalogue runs them.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

std::vector<std::string> names() {
    return test::names_of([](const Algorithm& algorithm) { return algorithm.moves != nullptr; });
}

Instance instance_from(const char* network, const char* loads) {
    NetworkRequest request;
    request.spec = network;
    return make_instance(request, loads);
}

TEST(MeshEntries, KeepTheirPromiseAndTheirRecordsAreX) {
    for (const char* network : {"mesh:5x3", "torus:4x4x3", "path:n=11", "mesh:1x1"})
        for (const std::string& name : names()) {
            const Instance instance = instance_from(network, "spike:tokens=101,node=0");
            RunOptions options;
            options.record_level = model::RecordLevel::full;
            const Outcome outcome = run(name, instance.network, instance.loads, options);
            EXPECT_TRUE(outcome.reached()) << name << " on " << network;
            EXPECT_LE(outcome.discrepancy(), *outcome.guarantee().discrepancy);
            const verify::Report report = verify::verify(outcome.record);
            EXPECT_TRUE(report.passed()) << name << " on " << network;
            const model::Moves moves = outcome.record.moves.value();
            EXPECT_EQ(moves.distribution_steps + moves.computation_steps, outcome.steps());
            EXPECT_TRUE(replay(outcome.record).same);
        }
}

TEST(MeshEntries, AreTheSameWithAndWithoutARecord) {
    const Instance instance = instance_from("mesh:9x7", "zipf:tokens=500");
    for (const std::string& name : names()) {
        RunOptions options;
        const Outcome summary = run(name, instance.network, instance.loads, options);
        options.record_level = model::RecordLevel::sampled;
        const Outcome sampled = run(name, instance.network, instance.loads, options);
        EXPECT_EQ(summary.loads(), sampled.loads());
        EXPECT_EQ(summary.steps(), sampled.steps());
        EXPECT_EQ(summary.exchanges(), sampled.exchanges());
        EXPECT_EQ(summary.messages(), sampled.messages());
        EXPECT_GT(summary.messages(), 0U);
        model::Moves moves = sampled.record.moves.value();
        EXPECT_TRUE(moves.played);
        // Checked builds play every move.
        moves.played = checked_build;
        EXPECT_EQ(summary.record.moves, moves);
        EXPECT_GT(sampled.record.samples.size(), 20U);
    }
}

TEST(MeshEntries, CountAStepInWhichAnyTokenMovesAsADistributionStep) {
    for (const char* network : {"mesh:6x5", "path:n=40", "mesh:3x3x3"})
        for (const std::string& name : names()) {
            const Instance instance = instance_from(network, "zipf:tokens=300");
            RunOptions options;
            options.record_level = model::RecordLevel::full;
            const Outcome outcome = run(name, instance.network, instance.loads, options);
            std::set<Step> moving;
            for (const model::Transfer& transfer : outcome.record.transfers)
                moving.insert(transfer.step);
            EXPECT_EQ(outcome.record.moves.value().distribution_steps, moving.size())
                << name << " on " << network;
        }
}

TEST(MeshEntries, RefuseNetworksThatAreNotMeshes) {
    const Instance instance = instance_from("star:leaves=4", "spike:tokens=9");
    for (const std::string& name : names())
        EXPECT_THROW(static_cast<void>(run(name, instance.network, instance.loads)),
                     UnsuitableError);
}

}  // namespace
}  // namespace equipoise::catalogue
