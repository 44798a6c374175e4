// The views of all masters, joined or refused.

#include "equipoise/adapters/redis/cluster.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/redis_model.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;

const Address seed{"10.0.0.9", 7001};

/// The lines as the node with this id prints them.
View seen_by(const std::string& id, std::string lines) {
    const std::size_t at = lines.find('\n' + id + ' ') + 1;
    lines.insert(lines.find(' ', at + id.size() + 1) + 1, "myself,");
    return read_view(lines, id);
}

std::string refusal(const std::vector<View>& views) {
    return test::thrown_by([&] { static_cast<void>(join_views(views, seed)); });
}

const std::string three =
    "\nb h:7002@1 master - 0 0 2 connected 0-99\n"
    "a h:7001@1 master - 0 0 1 connected 100-16383\n"
    "c h:7003@1 master - 0 0 3 connected\n"
    "d h:7004@1 slave a 0 0 1 connected\n"
    "e h:7005@1 slave,fail a 0 0 1 disconnected\n";

/// The text with something else in one place.
std::string with(std::string text, const std::string& part, const std::string& other) {
    EXPECT_NE(text.find(part), std::string::npos);
    return text.replace(text.find(part), part.size(), other);
}

TEST(ViewsOfMasters, MakeACluster) {
    const Cluster cluster = join_views(
        std::vector<View>{seen_by("a", three), seen_by("b", three), seen_by("c", three)}, seed);
    ASSERT_EQ(cluster.masters.size(), 3U);
    EXPECT_EQ(cluster.name(0), "h:7002");
    EXPECT_EQ(cluster.name(1), "h:7001");
    EXPECT_EQ(cluster.name(2), "h:7003");
    EXPECT_EQ(cluster.masters[0].epoch, 2U);
    EXPECT_EQ(cluster.masters[1].replicas, std::vector<std::string>{"d"});
    EXPECT_EQ(cluster.find("c"), 2U);
    EXPECT_EQ(cluster.find("d"), no_master);
    ASSERT_EQ(cluster.owners.size(), slot_count);
    EXPECT_EQ(cluster.owners[99], 0U);
    EXPECT_EQ(cluster.owners[100], 1U);
    EXPECT_TRUE(cluster.open.empty());
}

TEST(ViewsOfMasters, MayLackTheirOwnHost) {
    const std::string alone = "\na :7001@1 master - 0 0 1 connected 0-16383\n";
    EXPECT_EQ(join_views(std::vector<View>{seen_by("a", alone)}, seed).name(0), "10.0.0.9:7001");
}

TEST(ViewsOfMasters, AreRefusedWhileOneDoesNotKnowOfTheHighestEpoch) {
    View a = seen_by("a", three);
    a.current_epoch = 2;
    const std::vector<View> views = {a, seen_by("b", three), seen_by("c", three)};
    EXPECT_EQ(refusal(views),
              "input: expected h:7001 to know of the epoch 3, found that it knows of 2 so far");
    a.current_epoch = 3;
    EXPECT_EQ(refusal({a, views[1], views[2]}), "nothing");
}

TEST(ViewsOfMasters, MayDifferInEpochsThatTheyHeardOfEachOther) {
    const std::string lagging = with(three, "0 0 2 connected", "0 0 1 connected");
    const Cluster cluster = join_views(
        std::vector<View>{seen_by("a", lagging), seen_by("b", three), seen_by("c", three)}, seed);
    EXPECT_EQ(cluster.masters[0].epoch, 2U);
}

TEST(ViewsOfMasters, ForgetThoseThatFailedAndHoldNothing) {
    const std::string failed = with(three, "c h:7003@1 master - 0 0 3 connected",
                                    "c h:7003@1 master,fail - 0 0 3 disconnected");
    EXPECT_EQ(join_views(std::vector<View>{seen_by("a", failed), seen_by("b", failed)}, seed)
                  .masters.size(),
              2U);
}

TEST(ViewsOfMasters, AreRefusedWhereTheyDisagree) {
    const std::string moved = with(with(three, "0-99", "0-98"), "100-16383", "99-16383");
    EXPECT_EQ(refusal({seen_by("a", three), seen_by("b", moved)}),
              "input: expected h:7001 and h:7002 to agree on the owner of every slot, found that "
              "they do not on slot 99");
    const std::string fewer = with(three, "c h:7003@1 master - 0", "c h:7003@1 slave b 0");
    EXPECT_EQ(refusal({seen_by("a", three), seen_by("b", fewer)}),
              "input: expected h:7001 and h:7002 to agree on the masters, found different ones");
}

TEST(ViewsOfMasters, AreRefusedWithoutAnOwnerForEachSlot) {
    const std::string some = with(three, "100-16383", "100-299 303-16383");
    EXPECT_EQ(refusal({seen_by("a", some), seen_by("b", some)}),
              "input: h:7001: expected every slot with an owner, found none for 300 and 2 others");
}

TEST(ViewsOfMasters, AreRefusedWhereAnOwnerFailed) {
    const std::string failed = with(three, "h:7002@1 master", "h:7002@1 master,fail");
    EXPECT_EQ(refusal({seen_by("a", failed), seen_by("c", failed)}),
              "input: expected masters that are well, found h:7002, which has failed and holds "
              "slots");
}

TEST(ViewsOfMasters, AreRefusedWhileNodesAreJoining) {
    const std::string joining = three + "f h:7006@1 handshake - 0 0 0 connected\n";
    EXPECT_EQ(refusal({seen_by("a", joining), seen_by("b", joining)}),
              "input: h:7001: expected nodes that have joined, found f still joining");
}

TEST(ViewsOfMasters, AreRefusedWhereTwoHaveTheSameEpoch) {
    const std::string tie = with(three, "0 0 2 connected", "0 0 3 connected");
    EXPECT_EQ(
        refusal({seen_by("a", tie), seen_by("b", tie), seen_by("c", tie)}),
        "input: expected each master with a configuration epoch of its own, found 3 of h:7002 "
        "and h:7003; the servers mend this by themselves within seconds");
}

TEST(OpenSlotsInViews, AreGatheredFromAllMasters) {
    const View a = seen_by("a", with(three, "100-16383", "100-16383 [200->-c] [50-<-b]"));
    const View b = seen_by("b", three);
    const View c = seen_by("c", with(three, "0 0 3 connected", "0 0 3 connected [200-<-a]"));
    const Cluster cluster = join_views(std::vector<View>{a, b, c}, seed);
    ASSERT_EQ(cluster.open.size(), 2U);
    EXPECT_EQ(cluster.open[0].slot, 50U);
    EXPECT_EQ(cluster.open[0].owner, 0U);
    EXPECT_TRUE(cluster.open[0].migrating.empty());
    EXPECT_EQ(cluster.open[0].importing, std::vector<MasterId>{1});
    EXPECT_EQ(cluster.open[1].slot, 200U);
    EXPECT_EQ(cluster.open[1].owner, 1U);
    EXPECT_EQ(cluster.open[1].migrating, std::vector<MasterId>{1});
    EXPECT_EQ(cluster.open[1].migrating_to, std::vector<MasterId>{2});
    EXPECT_EQ(cluster.open[1].importing, std::vector<MasterId>{2});
    EXPECT_EQ(cluster.open[1].given_to, no_master);
}

TEST(OpenSlotsInViews, MayGoToAMasterThatIsGone) {
    const View a = seen_by("a", with(three, "100-16383", "100-16383 [200->-gone]"));
    const Cluster cluster =
        join_views(std::vector<View>{a, seen_by("b", three), seen_by("c", three)}, seed);
    ASSERT_EQ(cluster.open.size(), 1U);
    EXPECT_EQ(cluster.open[0].migrating_to, std::vector<MasterId>{no_master});
}

TEST(OpenSlotsInViews, ThatTwoMastersSayAreTheOthersAreThoseOfTheOneThatOthersName) {
    const std::string given = with(with(three, "0-99", "0-98"), "100-16383", "99-16383");
    for (const bool to_b : {false, true}) {
        const View a = seen_by("a", three);
        const View b = seen_by("b", given);
        const View c = seen_by("c", to_b ? three : given);
        const Cluster cluster = join_views(std::vector<View>{a, b, c}, seed);
        ASSERT_EQ(cluster.open.size(), 1U);
        EXPECT_EQ(cluster.open[0].slot, 99U);
        EXPECT_EQ(cluster.name(cluster.open[0].given_to), to_b ? "h:7002" : "h:7001");
        EXPECT_EQ(cluster.owners[99], cluster.open[0].given_to);
    }
}

TEST(OpenSlotsInViews, MayHaveNoOwnerForWhoImportsThem) {
    const std::string unowned = with(three, "0-99", "0-98");
    const View a = seen_by("a", with(unowned, "100-16383", "100-16383 [99-<-gone]"));
    for (const auto& views : {std::vector<View>{a, seen_by("b", three), seen_by("c", three)},
                              std::vector<View>{seen_by("b", three), seen_by("c", three), a}}) {
        const Cluster cluster = join_views(views, seed);
        ASSERT_EQ(cluster.open.size(), 1U);
        EXPECT_EQ(cluster.open[0].slot, 99U);
        EXPECT_EQ(cluster.name(cluster.open[0].owner), "h:7002");
        ASSERT_EQ(cluster.open[0].unaware.size(), 1U);
        EXPECT_EQ(cluster.name(cluster.open[0].unaware[0]), "h:7001");
    }
    // Who does not import them must know.
    EXPECT_EQ(refusal({seen_by("b", three), seen_by("a", unowned)}),
              "input: expected h:7002 and h:7001 to agree on the owner of every slot, found that "
              "they do not on slot 99");
}

TEST(OpenSlotsInViews, MayBeGivenAwayByTheirOwnerAlone) {
    const std::string given = with(with(three, "0-99", "0-98"), "100-16383", "99-16383");
    const View a = seen_by("a", with(three, "100-16383", "100-16383 [99-<-b]"));
    const View b = seen_by("b", given);
    const View c = seen_by("c", three);
    for (const auto& views : {std::vector<View>{a, b, c}, std::vector<View>{b, c, a}}) {
        const Cluster cluster = join_views(views, seed);
        ASSERT_EQ(cluster.open.size(), 1U);
        EXPECT_EQ(cluster.open[0].slot, 99U);
        EXPECT_EQ(cluster.name(cluster.open[0].given_to), "h:7001");
        EXPECT_EQ(cluster.owners[99], cluster.open[0].given_to);
        EXPECT_EQ(cluster.open[0].owner, cluster.open[0].given_to);
    }
}

TEST(ReadingACluster, AsksAllMastersUntilTheyAgree) {
    RedisModel model(3);
    model.set_epoch(0, 7);
    model.set_epoch(1, 7);
    EXPECT_NE(test::thrown_by([&] {
                  static_cast<void>(read_cluster(model.dial(), RedisModel::address(0), 0));
              }).find("configuration epoch"),
              std::string::npos);
    const std::uint64_t begin = model.commands();
    model.after_each = [&] {
        if (model.commands() == begin + 7) model.gossip();
    };
    const Cluster cluster = read_cluster(model.dial(), RedisModel::address(1), 5);
    EXPECT_EQ(cluster.masters.size(), 3U);
    EXPECT_EQ(model.commands(), begin + 14);
}

TEST(ReadingACluster, SaysWhatWasWrongLast) {
    RedisModel model(2);
    model.fail(1);
    EXPECT_EQ(test::thrown_by([&] {
                  static_cast<void>(read_cluster(model.dial(), RedisModel::address(1), 0.15));
              }),
              "input: 127.0.0.1:7101 is down");
    EXPECT_EQ(test::thrown_by([&] {
                  static_cast<void>(read_cluster(model.dial(), RedisModel::address(0), 0));
              }),
              "input: expected masters that are well, found 127.0.0.1:7101, which has failed and "
              "holds slots");
}

TEST(ReadingACluster, DoesNotWaitWhereItIsNotLetIn) {
    const auto begin = std::chrono::steady_clock::now();
    const Dial refusing = [](const Address& address) -> std::unique_ptr<Server> {
        throw InputError(address.name() + ": WRONGPASS");
    };
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(read_cluster(refusing, seed, 600)); }),
              "input: 10.0.0.9:7001: WRONGPASS");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(AddressesOfServers, AreRead) {
    const std::vector<std::pair<std::string, Address>> cases = {
        {"redis://127.0.0.1:7101", {"127.0.0.1", 7101}},
        {"redis://host", {"host", 6379}},
        {"redis://host/", {"host", 6379}},
        {"redis://host:65535/", {"host", 65535}},
        {"redis://[::1]:7101", {"::1", 7101}},
        {"redis://[2001:db8::1]", {"2001:db8::1", 6379}},
    };
    for (const auto& [url, address] : cases) {
        EXPECT_TRUE(is_address(url));
        EXPECT_EQ(address_in(url), address) << url;
    }
    EXPECT_EQ((Address{"::1", 7101}).name(), "[::1]:7101");
    EXPECT_EQ((Address{"host", 1}).name(), "host:1");
}

TEST(AddressesOfServers, AreRefusedInOneLine) {
    for (const std::string url :
         {"redis://", "redis:///", "redis://:7101", "redis://host:", "redis://host:0",
          "redis://host:65536", "redis://host:x", "redis://host:7101/0", "redis://[::1",
          "redis://[::1]7101", "redis://[]:7101", "redis://::1", "redis://a:b:1",
          "redis://host?db=1", "rediss://host", "host:7101", ""})
        EXPECT_EQ(test::thrown_by([&] { static_cast<void>(address_in(url)); }),
                  "input: expected redis://HOST:PORT, found \"" + url + '"');
    EXPECT_FALSE(is_address("redis:host"));
    EXPECT_FALSE(is_address("items.csv"));
}

TEST(AddressesOfServers, HoldNoNamesAndPasswords) {
    EXPECT_EQ(
        test::thrown_by([] { static_cast<void>(address_in("redis://user:secret@host:7101")); }),
        "input: expected redis://HOST:PORT, found a user or a password in it");
}

}  // namespace
}  // namespace equipoise::redis
