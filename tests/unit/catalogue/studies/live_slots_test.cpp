// Requests for the slots of a running Redis Cluster, as far as no server is needed.

#include "equipoise/catalogue/studies/live_slots.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/catalogue/studies/carry_out_plan.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

ReassignRequest slots_of_a_cluster() {
    ReassignRequest request;
    request.items = "redis://127.0.0.1:7101";
    return request;
}

ReassignRequest items_of_a_table() {
    ReassignRequest request;
    request.items = "items.csv";
    request.texts["items"] = "item,machine\nx,a\n";
    return request;
}

std::string why_refused(const ReassignRequest& request) {
    return test::thrown_by([&] { request.check(); });
}

std::string refusal_to_carry_out(const ReassignRequest& request) {
    return test::thrown_by([&] { expect_request_to_carry_out("--execute", request); });
}

TEST(LiveSlots, AreToldByTheAddress) {
    EXPECT_TRUE(is_live(slots_of_a_cluster()));
    EXPECT_EQ(why_refused(slots_of_a_cluster()), "nothing");
    EXPECT_FALSE(is_live(items_of_a_table()));
    ReassignRequest named = items_of_a_table();
    named.items = "redis://text";
    EXPECT_FALSE(is_live(named));
    ReassignRequest without_host = slots_of_a_cluster();
    without_host.items = "redis://:7101";
    EXPECT_EQ(why_refused(without_host),
              "input: expected redis://HOST:PORT, found \"redis://:7101\"");
}

TEST(LiveSlots, GoWithNoOptionsOfOtherItems) {
    ReassignRequest request = slots_of_a_cluster();
    request.log_dirs = "sizes.txt";
    EXPECT_EQ(why_refused(request),
              "input: --log-dirs: expected items in a file of Kafka's (.json), found "
              "redis://127.0.0.1:7101");
    request = slots_of_a_cluster();
    request.replicas = {"2"};
    EXPECT_EQ(why_refused(request),
              "input: --replicas: expected items that can have several copies, found the slots of "
              "a Redis Cluster");
}

TEST(LiveSlots, HaveAUserAndAPasswordWhichNoMessageShows) {
    ReassignRequest request = items_of_a_table();
    request.user = "mover";
    EXPECT_EQ(why_refused(request),
              "input: --user: expected the slots of a Redis Cluster (redis://HOST:PORT), found "
              "items.csv");
    request.user.clear();
    request.password = "secret";
    EXPECT_EQ(why_refused(request),
              "input: --password: expected the slots of a Redis Cluster (redis://HOST:PORT), found "
              "items.csv");
}

TEST(LiveSlots, AreNotAskedForWithAPasswordInTheAddress) {
    ReassignRequest request;
    request.items = "redis://mover:secret@127.0.0.1:7101";
    EXPECT_EQ(why_refused(request),
              "input: redis://: expected HOST:PORT behind it, found a user or a password, which "
              "--user and --password-file take");
}

TEST(LiveSlots, AreLevelInBytesAndSlotsUnlessOtherAimsAreGiven) {
    reassign::AskedAims aims;
    set_aims_of_slots(slots_of_a_cluster(), aims);
    EXPECT_EQ(aims.level, (std::vector<std::string>{"bytes", "slots"}));
    EXPECT_EQ(aims.tolerance, "bytes:0.01,slots:0.02");
    EXPECT_EQ(aims.fewest, "bytes");
    aims = {};
    aims.level = {"keys"};
    set_aims_of_slots(slots_of_a_cluster(), aims);
    EXPECT_EQ(aims.level, (std::vector<std::string>{"keys"}));
    EXPECT_EQ(aims.tolerance, "");
    aims = {};
    aims.tolerance = "0.2";
    set_aims_of_slots(slots_of_a_cluster(), aims);
    EXPECT_EQ(aims.tolerance, "0.2");
    aims = {};
    set_aims_of_slots(items_of_a_table(), aims);
    EXPECT_TRUE(aims.level.empty());
    EXPECT_EQ(aims.fewest, "");
    ReassignRequest with_costs = slots_of_a_cluster();
    with_costs.objective = "costs.json";
    set_aims_of_slots(with_costs, aims);
    EXPECT_TRUE(aims.level.empty());
}

TEST(LiveSlots, AreMovedFromWhereTheyAreNow) {
    EXPECT_EQ(refusal_to_carry_out(slots_of_a_cluster()), "nothing");
    EXPECT_EQ(refusal_to_carry_out(items_of_a_table()),
              "input: --execute: expected the slots of a Redis Cluster (redis://HOST:PORT), found "
              "items.csv");
    ReassignRequest resumed = slots_of_a_cluster();
    resumed.resume = "done.csv";
    EXPECT_EQ(refusal_to_carry_out(resumed),
              "input: --execute: cannot be used with --resume: the cluster says where its slots "
              "are");
}

}  // namespace
}  // namespace equipoise::catalogue
