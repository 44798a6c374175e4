#include "equipoise/load/csv.hpp"

#include <filesystem>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/make.hpp"

namespace equipoise::load {
namespace {

using network::AnyNetwork;
using network::Network;

AnyNetwork cities() {
    network::Labels labels;
    labels.names = {"Portland, OR", "say \"hi\"", "x", " y "};
    return {Network(4, {{0, 1}, {1, 2}, {2, 3}}), labels};
}

AnyNetwork numbered_from_one() {
    network::Labels labels;
    labels.first_number = 1;
    return {Network(3, {{0, 1}, {1, 2}}), labels};
}

Loads read_text(const std::string& text, const AnyNetwork& network) {
    std::istringstream stream(text);
    LineSource source(stream, "loads.csv");
    return read_loads(source, network);
}

std::string message_of_csv(const std::string& text, const AnyNetwork& network) {
    try {
        static_cast<void>(read_text(text, network));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(LoadsCsv, NamesNodesAsTheNetworkDoesAndLeavesOthersEmpty) {
    EXPECT_EQ(read_text("node,tokens\r\n3,7\r\n1,2", numbered_from_one()), (Loads{2, 0, 7}));
    EXPECT_EQ(read_text("node, tokens\n\nPortland, OR,1\n\"say \"\"hi\"\"\" , 2\n", cities()),
              (Loads{1, 2, 0, 0}));
}

TEST(LoadsCsv, MayBeInQuotesAndSeparatedBySemicolonsTabsOrBlanks) {
    const Loads loads = {5, 0, 7};
    for (const char* text :
         {"\"node\",\"tokens\"\n\"1\",\"5\"\n\"3\",\"7\"\n", "node;tokens\r\n1;5\r\n3;7\r\n",
          "node\ttokens\n1\t5\n3\t7\n", "node tokens\n1 5\n3 7\n", "node,tokens\r1,5\r3,7\r"})
        EXPECT_EQ(read_text(text, numbered_from_one()), loads) << text;
    EXPECT_EQ(read_text("node;tokens\nPortland, OR;1\n\" y \";2\n", cities()), (Loads{1, 0, 0, 2}));
}

TEST(LoadsCsv, ErrorsNameLineExpectedAndFound) {
    const AnyNetwork network = numbered_from_one();
    EXPECT_EQ(message_of_csv("node,tokens\n1,2\n2,-3\n", network),
              "loads.csv:3: expected a whole number of tokens (0 or more), found \"-3\"");
    EXPECT_EQ(message_of_csv("node,tokens\n4,2\n", network),
              "loads.csv:2: expected the name of a node (\"1\" to \"3\"), found \"4\"");
    EXPECT_EQ(message_of_csv("node,tokens\n1,2\n1,2\n", network),
              "loads.csv:3: node \"1\" is listed twice");
    EXPECT_EQ(message_of_csv("1,2\n", network),
              "loads.csv:1: expected the header \"node,tokens\", found \"1,2\"");
    EXPECT_EQ(message_of_csv("", network),
              "loads.csv:1: expected the header \"node,tokens\", found nothing");
    EXPECT_EQ(message_of_csv("node,tokens\n1\n", network),
              "loads.csv:2: expected 2 fields, node,tokens, found \"1\"");
    EXPECT_EQ(message_of_csv("node,tokens\n1,9223372036854775807\n", network),
              "loads.csv:2: expected at most 2305843009213693951 in all, found "
              "\"9223372036854775807\"");
}

TEST(LoadsCsv, WhatIsWrittenIsReadBack) {
    const std::string path = std::filesystem::path(testing::TempDir()) / "loads_round_trip.csv";
    const Loads loads = {1, 22, 333, 4444};
    write_csv(path, cities(), loads);
    EXPECT_EQ(read_csv(path, cities()), loads);
    EXPECT_EQ(make_loads(path, cities(), 0), loads);
    std::filesystem::remove(path);
}

TEST(SpeedsCsv, NodesThatAreNotNamedHaveSpeedOne) {
    const std::string path = std::filesystem::path(testing::TempDir()) / "speeds.csv";
    write_file(path, "node,speed\n2,5\n");
    EXPECT_EQ(read_speeds(path, numbered_from_one()), (std::vector<std::uint64_t>{1, 5, 1}));
    std::filesystem::remove(path);
}

TEST(SpeedsCsv, ASpeedBeyondTheLargestIsNamedWithItsLineAsItStandsThere) {
    const std::string path = std::filesystem::path(testing::TempDir()) / "large_speeds.csv";
    write_file(path, "node,speed\n2,5\n3,18446744073709551615\n");
    try {
        static_cast<void>(read_speeds(path, numbered_from_one(), 1'000'000'000));
        ADD_FAILURE() << "expected a refusal";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  path +
                      ":3: expected a whole number from 0 to 1000000000, found "
                      "\"18446744073709551615\"");
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace equipoise::load
