#include "equipoise/network/io/round_files.hpp"

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"

namespace {

using namespace equipoise;
using network::AnyNetwork;
using network::MatchingSequence;
using network::RoundWeights;

AnyNetwork named_path() {
    network::Labels labels;
    labels.names = {"New York", "Chicago", "Denver", "Seattle"};
    return {network::Network(4, {{0, 1}, {1, 2}, {2, 3}}), labels};
}

template <class Read>
auto from_text(const std::string& text, Read read) {
    std::istringstream stream(text);
    LineSource source(stream, "file");
    return read(source);
}

MatchingSequence matchings(const std::string& text) {
    const AnyNetwork network = named_path();
    return from_text(text, [&](LineSource& source) { return read_matchings(source, network); });
}

RoundWeights weights(const std::string& text) {
    const AnyNetwork network = named_path();
    return from_text(text, [&](LineSource& source) { return read_round_weights(source, network); });
}

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(MatchingsFile, NamesInQuotesMayHoldQuotesAndNumberSigns) {
    network::Labels labels;
    labels.names = {"say \"hi\"", "#1"};
    const AnyNetwork network(network::Network(2, {{0, 1}}), labels);
    const auto read = [&](LineSource& source) { return read_matchings(source, network); };
    EXPECT_EQ(from_text("\"say \"\"hi\"\"\" \"#1\" # a comment\n", read),
              (MatchingSequence{{{0, 1}}}));
}

TEST(MatchingsFile, KeepsPairsOrientationsAndBlocks) {
    const MatchingSequence read = matchings(
        "# a comment begins no matching\n\"New York\" Chicago # tail first\nSeattle Denver\n# "
        "still "
        "the first\n\n\nDenver Chicago\n");
    EXPECT_EQ(read, (MatchingSequence{{{0, 1}, {3, 2}}, {{2, 1}}}));
    EXPECT_EQ(network::matchings_from_text(network::to_text(read)), read);
}

TEST(MatchingsFile, NamesLineAndFault) {
    const auto message = [](const std::string& text) {
        return message_of([&] { static_cast<void>(matchings(text)); });
    };
    EXPECT_EQ(message("Chicago Denver\nDenver Seattle\n"),
              "file:2: expected every node at most once in a matching (an empty line begins the "
              "next), found \"Denver\"");
    EXPECT_EQ(message("Chicago Seattle\n"),
              "file:1: expected two nodes that share a link, found \"Chicago Seattle\"");
    EXPECT_EQ(message("\nChicago Denver Seattle\n"),
              "file:2: expected two nodes, tail head, found \"Chicago Denver Seattle\"");
    EXPECT_TRUE(message("Chicago Boston\n").starts_with("file:1: expected the name of a node"));
    EXPECT_EQ(message("\"New York\n"),
              "file:1: expected a closing quote, then a blank, found \"\"New York\"");
    EXPECT_EQ(message("\"New York\"Chicago\n"),
              "file:1: expected a closing quote, then a blank, found \"\"New York\"Chicago\"");
    EXPECT_EQ(message("# nothing\n"),
              "file:1: expected at least one pair, tail head, found nothing");
}

TEST(ColouringFile, IsAMatchingAColourWithEveryLinkOnce) {
    const AnyNetwork network = named_path();
    const auto read = [&](const std::string& text) {
        return from_text(text, [&](LineSource& source) { return read_colouring(source, network); });
    };
    const auto message = [&](const std::string& text) {
        return message_of([&] { static_cast<void>(read(text)); });
    };
    EXPECT_EQ(read("Seattle Denver\nChicago \"New York\"\n\nDenver Chicago\n"),
              (MatchingSequence{{{0, 1}, {2, 3}}, {{1, 2}}}));
    EXPECT_EQ(message("Seattle Denver\n\nDenver Chicago\n"),
              "file: expected a colour for every link, found none for New York Chicago");
    EXPECT_EQ(message("Seattle Denver\nChicago \"New York\"\n\nDenver Chicago\n\nDenver Seattle\n"),
              "file: expected one colour for every link, found two for Denver Seattle");
    EXPECT_EQ(message("Seattle Denver\nDenver Chicago\n"),
              "file:2: expected every node at most once in a matching (an empty line begins the "
              "next), found \"Denver\"");
}

TEST(SpanningTreeFile, NamesLineAndFault) {
    const AnyNetwork network{network::Network(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}})};
    const auto read = [&](const std::string& text) {
        return from_text(text,
                         [&](LineSource& source) { return read_spanning_tree(source, network); });
    };
    const auto message = [&](const std::string& text) {
        return message_of([&] { static_cast<void>(read(text)); });
    };
    EXPECT_EQ(read("3 0 # a remark\n\n0 1\n1 2\n"), (std::vector<Ends>{{3, 0}, {0, 1}, {1, 2}}));
    EXPECT_EQ(message("0 1\n1 2\n2 3\n0 3\n"),
              "file:4: expected a link that closes no cycle, found \"0 3\"");
    EXPECT_EQ(message("0 1\n1 0\n"), "file:2: expected a link that closes no cycle, found \"1 0\"");
    EXPECT_EQ(message("0 1\n1 2\n"), "file: expected the 3 links of a spanning tree, found 2");
    EXPECT_EQ(message("0 2\n"), "file:1: expected two nodes that share a link, found \"0 2\"");
    EXPECT_EQ(message("0 1 2\n"), "file:1: expected two nodes, u v, found \"0 1 2\"");
}

TEST(MatrixFile, ReadsFractionsInLowestTerms) {
    const RoundWeights read = weights(
        "\"New York\" Chicago 2/6\nChicago \"New York\" 1/3\nChicago Denver 1/2\n"
        "Chicago Chicago 1/6\nDenver Denver 1/2\n");
    EXPECT_EQ(read, (RoundWeights{{1, 3}, {1, 2}, {0, 1}}));
    EXPECT_EQ(network::round_weights_from_text(network::to_text(read)), read);
}

TEST(MatrixFile, TakesTwoWeightsALinkIfRowsAndColumnsAgree) {
    const AnyNetwork triangle{network::Network(3, {{0, 1}, {1, 2}, {0, 2}})};
    const RoundWeights read =
        from_text("0 1 1/2\n1 2 1/2\n2 0 1/2\n1 0 1/4\n2 1 1/4\n0 2 1/4\n",
                  [&](LineSource& source) { return read_round_weights(source, triangle); });
    // Links 0-1, 0-2, 1-2, first from the smaller node, then from the larger one.
    EXPECT_EQ(read, (RoundWeights{{1, 2}, {1, 4}, {1, 2}, {1, 4}, {1, 2}, {1, 4}}));
    network::expect_round_weights(read, triangle);
    EXPECT_EQ(message_of([&] {
                  network::expect_round_weights(
                      RoundWeights{{1, 2}, {1, 4}, {1, 2}, {1, 4}, {1, 4}, {1, 4}}, triangle);
              }),
              "matrix: row and column of node 0 have different sums: expected a doubly stochastic "
              "matrix");
    // A cycle that tokens go round in one direction only.
    const RoundWeights one_way =
        from_text("0 1 1/2\n1 0 0\n1 2 1/2\n2 1 0\n2 0 1/2\n0 2 0\n",
                  [&](LineSource& source) { return read_round_weights(source, triangle); });
    EXPECT_EQ(one_way, (RoundWeights{{1, 2}, {0, 1}, {1, 2}, {0, 1}, {1, 2}, {0, 1}}));
}

TEST(MatrixFile, NamesLineAndFault) {
    const auto message = [](const std::string& text) {
        return message_of([&] { static_cast<void>(weights(text)); });
    };
    EXPECT_EQ(message("Chicago Denver 0.5\n"),
              "file:1: expected a weight p/q from 0 to 1 with q at most 1000000, found \"0.5\"");
    EXPECT_EQ(message("Chicago Denver 1/2\nChicago Denver 1/3\n"),
              "file:2: expected the weight that this entry of the matrix already has, found "
              "\"1/3\"");
    EXPECT_EQ(message("Chicago Denver 1/2\nDenver Chicago 1/3\n"),
              "matrix: row and column of node Chicago have different sums: expected a doubly "
              "stochastic matrix");
    EXPECT_EQ(message("Chicago Denver 2/3\nDenver Seattle 1/2\n"),
              "matrix: the row of node Denver sums to more than 1: expected at most 1");
    EXPECT_EQ(message("Chicago Denver 1/2\nDenver Denver 1/3\n"),
              "file: the row of node Denver does not sum to 1 with its diagonal entry");
    EXPECT_EQ(message("Chicago Denver\n"),
              "file:1: expected two nodes and their weight, u v p/q, found \"Chicago Denver\"");
}

}  // namespace
