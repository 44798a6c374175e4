#include "equipoise/network/io/edge_list_comment.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/network_text.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::network {
namespace {

TEST(EdgeListComment, SaysThatLinksAreDirected) {
    for (const char* text :
         {"% asym", "%asym unweighted", "% asym positive", "%\tASYM multisigned ",
          "# Directed graph",
          "# Directed graph (each unordered pair of nodes is saved once): Wiki-Vote.txt",
          "#directed network", "% directed"})
        EXPECT_EQ(links_said_by(text), LinksSaid::directed) << text;
    for (const char* text : {"% bip unweighted", "%bip", "% bip positive "})
        EXPECT_EQ(links_said_by(text), LinksSaid::bipartite) << text;
    for (const char* text :
         {"%", "#", "% sym", "% sym unweighted", "# Undirected graph: x", "# asym", "% asym graph",
          "% bipartite", "# bip", "# Directed by someone", "% 1 2 3", "# FromNodeId ToNodeId"})
        EXPECT_EQ(links_said_by(text), LinksSaid::nothing) << text;
}

TEST(EdgeListComment, DirectionsAreErrorsUnlessTheyAreToBeDropped) {
    for (const std::string first : {"% asym unweighted", "# Directed graph: x.txt"}) {
        const std::string text = first + "\n% 2 3 3\n1 2\n2 3\n";
        EXPECT_EQ(
            test::thrown_by([&] { static_cast<void>(test::network_of(Format::edge_list, text)); }),
            "input: f:1: expected an undirected graph (use --simplify to drop directions), "
            "found \"" +
                first + "\"");
        ReadReport report;
        EXPECT_EQ(test::text_of(Format::edge_list, text, true, &report), "1|2|3: 1-2 2-3");
        EXPECT_TRUE(report.directed);
    }
    EXPECT_EQ(test::text_of(Format::edge_list, "% sym unweighted\n% 2 3 3\n1 2\n2 3\n"),
              "1|2|3: 1-2 2-3");
}

TEST(EdgeListComment, BipartiteNetworksOfKonectWouldBecomeOthers) {
    for (const bool simplify : {false, true})
        EXPECT_EQ(test::thrown_by([&] {
                      static_cast<void>(test::network_of(Format::edge_list,
                                                         "% bip unweighted\n1 1\n2 1\n", simplify));
                  }),
                  "input: f:1: expected nodes of one kind, as ids stand for different nodes on the "
                  "left and on the right of a bipartite network of KONECT, found \"% bip "
                  "unweighted\"");
}

}  // namespace
}  // namespace equipoise::network
