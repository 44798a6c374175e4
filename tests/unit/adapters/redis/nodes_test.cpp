// What CLUSTER NODES prints, of old and new servers.

#include "equipoise/adapters/redis/nodes.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise::redis {
namespace {

const std::string first_id = "07c37dfeb235213a872192d90877d0cd55635b91";
const std::string second_id = "67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1";

std::vector<std::string> ranges_in(const Node& node) {
    std::vector<std::string> ranges;
    ranges.reserve(node.slots.size());
    for (const SlotRange& range : node.slots)
        ranges.push_back(std::to_string(range.first) + '-' + std::to_string(range.last));
    return ranges;
}

TEST(NodesOfACluster, AreReadAsRedis7PrintsThem) {
    const View view = read_view(
        "07c37dfeb235213a872192d90877d0cd55635b91 127.0.0.1:30004@31004,hostname4 slave "
        "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 0 1426238317239 4 connected\n"
        "67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 127.0.0.1:30002@31002,hostname2 master - 0 "
        "1426238316232 2 connected 5461-10922\n"
        "824fe116063bc5fcf9f4ffd895bc17aee7731ac3 127.0.0.1:30006@31006 slave,fail? "
        "292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f 0 1426238317741 6 disconnected\n"
        "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 127.0.0.1:30001@31001,,shard-id=1 "
        "myself,master,nofailover - 0 0 18446744073709551615 connected 0-5000 5002 5004-5460 "
        "[5461->-67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1] "
        "[7-<-67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1]\n",
        "127.0.0.1:30001");
    ASSERT_EQ(view.nodes.size(), 4U);
    EXPECT_EQ(view.nodes[0].id, first_id);
    EXPECT_EQ(view.nodes[0].address, (Address{"127.0.0.1", 30004}));
    EXPECT_FALSE(view.nodes[0].is_master);
    EXPECT_EQ(view.nodes[0].master, "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca");
    EXPECT_EQ(view.nodes[0].epoch, 4U);
    EXPECT_TRUE(view.nodes[1].is_master);
    EXPECT_EQ(view.nodes[1].master, "");
    EXPECT_EQ(ranges_in(view.nodes[1]), std::vector<std::string>{"5461-10922"});
    // It is not agreed that this one failed.
    EXPECT_FALSE(view.nodes[2].has_failed);
    EXPECT_FALSE(view.nodes[2].is_joining);
    const Node& self = view.self();
    EXPECT_EQ(&self, &view.nodes[3]);
    EXPECT_TRUE(self.is_master);
    EXPECT_EQ(self.address, (Address{"127.0.0.1", 30001}));
    EXPECT_EQ(self.epoch, 18446744073709551615U);
    EXPECT_EQ(ranges_in(self), (std::vector<std::string>{"0-5000", "5002-5002", "5004-5460"}));
    ASSERT_EQ(view.open.size(), 2U);
    EXPECT_EQ(view.open[0].slot, 5461U);
    EXPECT_FALSE(view.open[0].importing);
    EXPECT_EQ(view.open[0].other, second_id);
    EXPECT_EQ(view.open[1].slot, 7U);
    EXPECT_TRUE(view.open[1].importing);
}

TEST(NodesOfACluster, AreReadAsOlderServersPrintThem) {
    // 4.0 has no names of hosts, 3.0 no port of the bus either.
    for (const std::string_view address : {"10.0.0.1:7001@17001", "10.0.0.1:7001"}) {
        const View view = read_view(
            first_id + ' ' + std::string(address) + " myself,master - 0 0 1 connected 0-16383\r\n",
            "seed");
        EXPECT_EQ(view.self().address, (Address{"10.0.0.1", 7001}));
        EXPECT_EQ(ranges_in(view.self()), std::vector<std::string>{"0-16383"});
    }
}

TEST(NodesOfACluster, HaveAddressesOfAllKinds) {
    struct Case {
        const char* text = nullptr;
        Address address;
        bool is_joining = false;
    };
    const auto cases = std::to_array<Case>({
        {"::1:7001@17001", {"::1", 7001}, false},
        {"2001:db8::1:7001@17001,host", {"2001:db8::1", 7001}, false},
        {"[::1]:7001@17001", {"::1", 7001}, false},
        {":7001@17001", {"", 7001}, false},
        {"host:7001@17001", {"host", 7001}, false},
        {":0@0", {"", 0}, true},
        {":0", {"", 0}, true},
        {"127.0.0.1:65535", {"127.0.0.1", 65535}, false},
    });
    for (const auto& each : cases) {
        SCOPED_TRACE(each.text);
        const Node node =
            read_view("a " + std::string(each.text) + " myself,master - 0 0 1 connected", "seed")
                .self();
        EXPECT_EQ(node.address, each.address);
        EXPECT_EQ(node.is_joining, each.is_joining);
    }
}

TEST(NodesOfACluster, HaveFlagsOfWhichSomeCount) {
    struct Case {
        const char* flags;
        bool is_master, has_failed, is_joining;
    };
    const auto cases = std::to_array<Case>({
        {"master", true, false, false},
        {"master,fail", true, true, false},
        {"master,fail?", true, false, false},
        {"slave,fail", false, true, false},
        {"handshake", false, false, true},
        {"master,noaddr", true, false, true},
        {"master,fail,noaddr", true, true, false},
        {"slave,nofailover", false, false, false},
        {"noflags", false, false, false},
    });
    for (const auto& each : cases) {
        SCOPED_TRACE(each.flags);
        const View view = read_view("a h:1@2 myself,master - 0 0 1 connected\nb h:2@3 " +
                                        std::string(each.flags) + " - 0 0 1 connected\n",
                                    "seed");
        EXPECT_EQ(view.nodes[1].is_master, each.is_master);
        EXPECT_EQ(view.nodes[1].has_failed, each.has_failed);
        EXPECT_EQ(view.nodes[1].is_joining, each.is_joining);
        EXPECT_FALSE(view.nodes[1].is_self);
    }
}

TEST(NodesOfACluster, SpeakOfTheirOwnOpenSlotsAlone) {
    const View view = read_view(
        "a h:1 myself,master - 0 0 1 connected 0 [1->-b]\nb h:2 master - 0 0 2 connected 2 "
        "[0->-a]\n",
        "seed");
    ASSERT_EQ(view.open.size(), 1U);
    EXPECT_EQ(view.open[0].other, "b");
}

TEST(NodesOfACluster, AreRefusedWithLineAndWhatWasExpected) {
    const std::string self = "a h:1@2 myself,master - 0 0 1 connected 0-5\n";
    struct Case {
        std::string line, expected, found;
    };
    const auto cases = std::to_array<Case>({
        {" h:1 master - 0 0 1 connected", "the id of a node", "h:1 master - 0 0 1 connected"},
        {"b", "HOST:PORT", ""},
        {"b h master - 0 0 1 connected", "HOST:PORT", "h"},
        {"b h:x@2 master - 0 0 1 connected", "HOST:PORT", "h:x@2"},
        {"b h:65536@2 master - 0 0 1 connected", "HOST:PORT", "h:65536@2"},
        {"b h:1", "flags such as master or slave", ""},
        {"b h:1 master - 0 0 x connected", "the configuration epoch, a whole number", "x"},
        {"b h:1 master - 0 0", "the configuration epoch, a whole number", ""},
        {"b h:1 master - 0 0 -1 connected", "the configuration epoch, a whole number", "-1"},
        {"b h:1 master - 0 0 1", "connected or disconnected", ""},
        {"b h:1 master - 0 0 1 0-5", "connected or disconnected", "0-5"},
        {"b h:1 master - 0 0 1 connected 16384", "a slot or slots such as 0-5460", "16384"},
        {"b h:1 master - 0 0 1 connected 5-4", "a slot or slots such as 0-5460", "5-4"},
        {"b h:1 master - 0 0 1 connected 0-5-6", "a slot or slots such as 0-5460", "0-5-6"},
        {"b h:1 master - 0 0 1 connected x", "a slot or slots such as 0-5460", "x"},
        {"b h:1 master - 0 0 1 connected [5]", "an open slot such as [5461->-ID]", "[5]"},
        {"b h:1 master - 0 0 1 connected [5->-", "an open slot such as [5461->-ID]", "[5->-"},
        {"b h:1 master - 0 0 1 connected [5-x-a]", "an open slot such as [5461->-ID]", "[5-x-a]"},
        {"b h:1 master - 0 0 1 connected [16384->-a]", "an open slot such as [5461->-ID]",
         "[16384->-a]"},
        {"b h:1 master - 0 0 1 connected [5->-]", "an open slot such as [5461->-ID]", "[5->-]"},
    });
    for (const auto& each : cases)
        EXPECT_EQ(
            test::thrown_by([&] { static_cast<void>(read_view(self + each.line + '\n', "h:1")); }),
            "input: h:1: CLUSTER NODES:2: expected " + each.expected + ", found " +
                (each.found.empty() ? "nothing" : '"' + each.found + '"'));
}

TEST(NodesOfACluster, AreThoseOfOneServer) {
    const std::string line = "a h:1 master - 0 0 1 connected\n";
    const std::string self = "a h:1 myself,master - 0 0 1 connected\n";
    const auto thrown = [](const std::string& text) {
        return test::thrown_by([&] { static_cast<void>(read_view(text, "h:1")); });
    };
    const std::string expected = "input: h:1: expected one node of CLUSTER NODES marked myself, ";
    EXPECT_EQ(thrown(""), expected + "found 0");
    EXPECT_EQ(thrown(line), expected + "found 0");
    EXPECT_EQ(thrown(self + self), expected + "found 2");
    EXPECT_EQ(thrown("\n" + self + "\n\n"), "nothing");
}

}  // namespace
}  // namespace equipoise::redis
