#include "equipoise/network/io/link_list.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::network {
namespace {

RawNetwork raw_of(NodeId nodes, std::vector<Ends> links, bool both_directions = false) {
    RawNetwork raw;
    raw.node_count = nodes;
    raw.links = std::move(links);
    raw.both_directions = both_directions;
    return raw;
}

std::string complaint_about(RawNetwork raw) {
    try {
        static_cast<void>(network_of_links(std::move(raw), "array", {}));
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(LinkList, LinksInAnyOrderAndOrientationMakeTheNetwork) {
    const AnyNetwork made = network_of_links(raw_of(4, {{3, 1}, {1, 0}}), "array", {});
    EXPECT_EQ(all_links(made), (std::vector<Ends>{{0, 1}, {1, 3}}));
    EXPECT_EQ(made.node_count(), 4U);
    EXPECT_EQ(made.labels().origin, "array");
}

TEST(LinkList, WhatIsNotSimpleIsRefusedByTheNamesOfItsEnds) {
    EXPECT_EQ(complaint_about(raw_of(3, {{0, 1}, {1, 0}})),
              "array: expected every link once (use --simplify to drop repeats), found link 0-1");
    EXPECT_EQ(
        complaint_about(raw_of(3, {{0, 1}}, true)),
        "array: expected every link in both directions (use --simplify to drop directions), found "
        "link 0-1");
    EXPECT_EQ(complaint_about(raw_of(3, {{2, 2}})),
              "link 2-2 is a loop: expected two different ends (use --simplify to drop loops)");
    EXPECT_EQ(complaint_about(raw_of(3, {{2, 7}})),
              "link 2-7 names a node that is not there: the network has 3 nodes");
    RawNetwork named = raw_of(2, {{1, 1}});
    named.names = {"a", "b"};
    EXPECT_EQ(complaint_about(std::move(named)).substr(0, 8), "link b-b");
}

TEST(LinkList, NamesAreOneForEachNodeAndAllDifferent) {
    const auto complaint_with = [](std::vector<std::string> names) {
        RawNetwork raw = raw_of(3, {{0, 1}});
        raw.names = std::move(names);
        return complaint_about(std::move(raw));
    };
    EXPECT_EQ(complaint_with({"a", "b"}),
              "array: expected a name for each of 3 nodes, found 2 names");
    EXPECT_EQ(complaint_with({"a", "b", "a"}),
              "array: expected nodes with different names, found \"a\" twice");
}

TEST(LinkList, SimplifyingCountsWhatItDrops) {
    ReadReport report;
    const ReadOptions options = {Format::automatic, true, true};
    const AnyNetwork made = network_of_links(raw_of(6, {{0, 1}, {1, 0}, {1, 1}, {4, 3}, {4, 5}}),
                                             "array", options, &report);
    EXPECT_EQ(report.loops, 1U);
    EXPECT_EQ(report.doubles, 1U);
    EXPECT_EQ(report.nodes_left_out, 3U);
    EXPECT_EQ(made.name(0), "3");
}

}  // namespace
}  // namespace equipoise::network
