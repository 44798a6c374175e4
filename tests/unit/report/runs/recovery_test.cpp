// How a network becomes 1-balanced again after a node or link comes or goes.

#include "equipoise/report/runs/recovery.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/model/run/record.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::report {
namespace {

/// A path of five nodes with two tokens each, except for the last, which has one.
model::Record level_path() {
    model::Record record;
    record.level = model::RecordLevel::full;
    record.churn = "replay:churn.csv";
    record.node_count = 5;
    record.links = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    record.link_count = record.links.size();
    record.network_digest = network::digest(network::Network(5, record.links));
    record.initial_loads = {2, 2, 2, 2, 1};
    record.final_loads = record.initial_loads;
    return record;
}

TEST(Recovery, IsMeasuredOnlyWhereEveryMoveAndEveryChangeIsKnown) {
    model::Record record = level_path();
    EXPECT_TRUE(recovery_of(record));
    record.level = model::RecordLevel::sampled;
    EXPECT_FALSE(recovery_of(record));
    record = level_path();
    record.churn.clear();
    EXPECT_FALSE(recovery_of(record));
    record = level_path();
    record.switches = {{3, 9, 9, false}};
    EXPECT_FALSE(recovery_of(record));
}

TEST(Recovery, TakesNoStepsWhereALinkGoesFromA1BalancedNetwork) {
    model::Record record = level_path();
    record.switches = {{3, 1, 2, false}};
    const Recovery found = recovery_of(record).value();
    EXPECT_EQ(found.changes, 1U);
    EXPECT_EQ(found.recovered, 1U);
    EXPECT_EQ(found.steps, 0U);
    EXPECT_EQ(found.adjusted, 0U);
    EXPECT_TRUE(found.passage);
}

TEST(Recovery, CountsStepsNodesAndLinksUntilTheTokensOfANodeThatWentAreSpread) {
    model::Record record = level_path();
    // Node 0 goes in step 4 and hands its two tokens to node 1, which passes one on in step 5;
    // that goes on to node 3 in step 7 and to node 4 in step 8.
    record.switches = {{4, 0, 0, false}};
    record.transfers = {{4, 0, 1, 2}, {5, 1, 2, 1}, {7, 2, 3, 1}, {8, 3, 4, 1}};
    record.final_loads = {0, 3, 2, 2, 2};
    Recovery found = recovery_of(record).value();
    EXPECT_EQ(found.changes, 1U);
    EXPECT_EQ(found.recovered, 1U);
    EXPECT_EQ(found.steps, 2U);  // 3, 3, 2, 1 is level
    EXPECT_EQ(found.adjusted, 2U);
    EXPECT_EQ(found.distance, 2U);
    EXPECT_TRUE(found.passage);
    // With a worse way through a load above the four tokens that node 1 then had.
    record.transfers = {{4, 0, 1, 2}, {5, 2, 1, 1}, {6, 1, 2, 2}};
    record.final_loads = {0, 3, 3, 2, 1};
    found = recovery_of(record).value();
    EXPECT_EQ(found.steps, 3U);
    EXPECT_FALSE(found.passage);
}

TEST(Recovery, TellsChangesOf1BalancedNetworksFromThoseThatComeBeforeRecovery) {
    model::Record record = level_path();
    record.switches = {{4, 0, 0, false}, {6, 3, 4, false}, {9, 3, 4, true}};
    record.transfers = {{4, 0, 1, 2}, {7, 1, 2, 1}};
    record.final_loads = {0, 3, 3, 2, 1};
    const Recovery found = recovery_of(record).value();
    EXPECT_EQ(found.changes, 2U);
    EXPECT_EQ(found.unsettled, 1U);
    EXPECT_EQ(found.recovered, 1U);
    EXPECT_EQ(
        recovery_text(found),
        "1-balanced again after 1 of 2 changes that met a 1-balanced network: within 0 steps, at "
        "most 0 nodes adjusted, at most 0 links away; loads stayed in range; 1 change before it "
        "was 1-balanced");
}

}  // namespace
}  // namespace equipoise::report
