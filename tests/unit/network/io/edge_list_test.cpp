// Edge lists as people have them: any separator, quotes, and a first line that may be a header.
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::network {
namespace {

AnyNetwork read_list(const std::string& text, std::optional<bool> header = std::nullopt,
                     ReadReport* report = nullptr, bool simplify = false) {
    std::istringstream stream(text);
    ReadOptions options;
    options.format = Format::edge_list;
    options.header = header;
    options.simplify = simplify;
    return read(stream, "f", options, report);
}

/// The names of all nodes, and the links by name in order of their numbers.
std::string content_of(const AnyNetwork& network) {
    std::string text;
    for (NodeId node = 0; node < network.node_count(); ++node)
        text += (node == 0 ? "" : "|") + network.name(node);
    text += ':';
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        text += (link == 0 ? " " : ", ") + network.name(ends.tail) + "-" + network.name(ends.head);
    }
    return text;
}

std::string content_of(const std::string& text, std::optional<bool> header = std::nullopt) {
    return content_of(read_list(text, header));
}

std::string error_of(const std::string& text, std::optional<bool> header = std::nullopt,
                     bool simplify = false) {
    try {
        static_cast<void>(read_list(text, header, nullptr, simplify));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// "header 1", "link 1 recurs", "link 1", or nothing if there was no doubt.
std::string first_line_of(const std::string& text) {
    ReadReport report;
    static_cast<void>(read_list(text, std::nullopt, &report));
    if (!report.first_line) return "";
    const FirstLine& line = *report.first_line;
    return (line.is_header ? "header " : "link ") + std::to_string(line.number) +
           (line.recurs ? " recurs" : "");
}

// ---- Separators

TEST(EdgeListSeparators, NamesBetweenMarksMayHoldBlanks) {
    for (const char mark : {',', ';', '\t'}) {
        const auto with_mark = [&](std::string text) {
            for (char& c : text)
                if (c == '|') c = mark;
            return text;
        };
        EXPECT_EQ(content_of(with_mark("Node 1|Node 2\nNode 2|Node 3\nNode 3|Node 1\n")),
                  "Node 1|Node 2|Node 3: Node 1-Node 2, Node 1-Node 3, Node 2-Node 3")
            << mark;
        EXPECT_EQ(content_of(with_mark("New York|Boston\nSan Diego|Dallas\nLas Vegas|Boston\n")),
                  "New York|Boston|San Diego|Dallas|Las Vegas: New York-Boston, Boston-Las Vegas, "
                  "San Diego-Dallas")
            << mark;
        EXPECT_EQ(content_of(with_mark("Bern|St 1|2.5\nSt 1|Chur|3\n")),
                  "Bern|St 1|Chur: Bern-St 1, St 1-Chur")
            << mark;
        EXPECT_EQ(content_of(with_mark("A | Node 1 \nA|B\n")), "A|Node 1|B: A-Node 1, A-B") << mark;
        EXPECT_EQ(content_of(with_mark("A|New York|{'weight': 1, 'x': 2}\nA|B|{}\n")),
                  "A|New York|B: A-New York, A-B")
            << mark;
        EXPECT_EQ(content_of(with_mark("a|b|\nb|c||\n")), "a|b|c: a-b, b-c") << mark;
    }
}

TEST(EdgeListSeparators, OtherMarksBelongToNames) {
    EXPECT_EQ(content_of("Doe, J\tRoe, A\nRoe, A\tPoe, E\n"),
              "Doe, J|Roe, A|Poe, E: Doe, J-Roe, A, Roe, A-Poe, E");
    EXPECT_EQ(content_of("a,b;c;0,5\nc;d;1\n"), "a,b|c|d: a,b-c, c-d");
    EXPECT_EQ(content_of("a;b;0,5\nb;c;1,5\n"), "a|b|c: a-b, b-c");
    EXPECT_EQ(content_of("a;b,c\nc,d\n"), "a;b|c|d: a;b-c, c-d");
    EXPECT_EQ(content_of("O'Neil,a;b,2.5\n"), "O'Neil|a;b: O'Neil-a;b");
    EXPECT_EQ(content_of("Doe, J;Roe\nRoe;Poe\n"), "Doe, J|Roe|Poe: Doe, J-Roe, Roe-Poe");
    EXPECT_EQ(content_of("0,1 0,2\n0,2 1,2\n"), "0,1|0,2|1,2: 0,1-0,2, 0,2-1,2");
    EXPECT_EQ(content_of("40.7 -74.0,34.0 -118.2\n34.0 -118.2,1 2\n"),
              "40.7 -74.0|34.0 -118.2|1 2: 40.7 -74.0-34.0 -118.2, 34.0 -118.2-1 2");
}

TEST(EdgeListSeparators, BlanksAndTabsMayBeMixedBetweenNumbers) {
    EXPECT_EQ(content_of("7\t6 0.5\n6\t 5\n 5 8 1 2\n"), "5|6|7|8: 5-6, 5-8, 6-7");
    EXPECT_EQ(content_of("FromNodeId\tToNodeId\n0 1\n1 2\n"), "0|1|2: 0-1, 1-2");
    EXPECT_EQ(content_of("1,\t2\n2,\t3\n"), "1|2|3: 1-2, 2-3");
    EXPECT_EQ(content_of("a\tb\nb\tc\n"), "a|b|c: a-b, b-c");
}

TEST(EdgeListSeparators, AreTheSameOnAllLines) {
    EXPECT_EQ(error_of("1,2\n2,3\n3 4\n"),
              "f:3: expected two node ids and optionally a weight, separated by commas, found "
              "\"3 4\"");
    EXPECT_EQ(error_of("New York,Boston\nLas Vegas\n"),
              "f:2: expected two node ids and optionally a weight, separated by commas, found "
              "\"Las Vegas\"");
    EXPECT_EQ(error_of("a\tb\nb\n"),
              "f:2: expected two node ids and optionally a weight, separated by tabs, found \"b\"");
    EXPECT_EQ(error_of("1 2\n3,4\n"),
              "f:2: expected two node ids and optionally a weight, found \"3,4\"");
    EXPECT_EQ(error_of(",source,target\n0,5,6\n"),
              "f:1: expected two node ids and optionally a weight, separated by commas, found "
              "\",source,target\"");
    EXPECT_EQ(error_of("1,2\n,3\n"),
              "f:2: expected two node ids and optionally a weight, separated by commas, found "
              "\",3\"");
}

TEST(EdgeListSeparators, QuotesAreTakenOffAndHoldAnything) {
    EXPECT_EQ(content_of("\"from\",\"to\"\n\"Ann\",\"Bob\"\n\"Bob\",\"Cy\"\n"),
              "Ann|Bob|Cy: Ann-Bob, Bob-Cy");
    EXPECT_EQ(content_of("\"Ann, A\",\"Bob \"\"B\"\"\",\"1.5\"\n\"Bob \"\"B\"\"\",Cy\n"),
              "Ann, A|Bob \"B\"|Cy: Ann, A-Bob \"B\", Bob \"B\"-Cy");
    EXPECT_EQ(content_of("\"New York\" Boston\nBoston \"a\tb\" 2\n"),
              "New York|Boston|a\tb: New York-Boston, Boston-a\tb");
    EXPECT_EQ(content_of("a,b\nc,\"d\"\n\"d\" , \"e,\"\n\"\"\"f\"\"\",\"\"\"\"\n"),
              "a|b|c|d|e,|\"f\"|\": a-b, c-d, d-e,, \"f\"-\"");
    EXPECT_EQ(content_of("1.5 \";x\"\n"), "1.5|;x: 1.5-;x");
    EXPECT_EQ(content_of("a \"b,c\"\n\"b,c\" d\n"), "a|b,c|d: a-b,c, b,c-d");
    EXPECT_EQ(content_of("c,\"a\tb\"\nd,\"x;y\"\n"), "c|a\tb|d|x;y: c-a\tb, d-x;y");
    EXPECT_EQ(content_of("Bob \"B\" Roe,Ann\nAnn,Cy \"C\"\n"),
              "Bob \"B\" Roe|Ann|Cy \"C\": Bob \"B\" Roe-Ann, Ann-Cy \"C\"");
    EXPECT_EQ(content_of("\"1\",\"2\"\n\"2\",\"3\"\n"), "1|2|3: 1-2, 2-3");
    EXPECT_EQ(content_of("\"#1\",\"%2\"\n\"%2\",#1x\n"), "#1|%2|#1x: #1-%2, %2-#1x");
    EXPECT_EQ(error_of("a,b\nb,\"c\n"),
              "f:2: expected two node ids and optionally a weight, separated by commas, found "
              "\"b,\"c\"");
    EXPECT_EQ(error_of("a,b\nb,\"\"\n"),
              "f:2: expected two node ids and optionally a weight, separated by commas, found "
              "\"b,\"\"\"");
}

TEST(EdgeListSeparators, CarriageReturnsAloneEndLines) {
    EXPECT_EQ(content_of("1 2\r2 3\r"), "1|2|3: 1-2, 2-3");
    EXPECT_EQ(content_of("\xEF\xBB\xBFsource;target\r# c\r\ra b;c\rc;d"), "a b|c|d: a b-c, c-d");
}

TEST(EdgeListSeparators, DeclaredNodesMayBeInQuotes) {
    EXPECT_EQ(content_of("# node: \"New York\"\n# node: b\na b\n"), "New York|b|a: b-a");
    EXPECT_EQ(content_of("a b\n# node: c\nd e\n"), "a|b|c|d|e: a-b, d-e");
    EXPECT_EQ(error_of("# node: New York\na b\n"),
              "f:1: expected the id of one node, in quotes if it holds blanks, found \"New York\"");
}

// ---- Headers

TEST(EdgeListHeader, WordsBeforeNumbersAreOne) {
    EXPECT_EQ(content_of("id1,id2\n2034,1939\n893,2034\n"), "893|1939|2034: 893-2034, 1939-2034");
    EXPECT_EQ(content_of("FromNodeId\tToNodeId\n0\t11342\n0\t824020\n"),
              "0|11342|824020: 0-11342, 0-824020");
    EXPECT_EQ(content_of("Alpha Beta\n3 4\n"), "3|4: 3-4");
    EXPECT_EQ(content_of("a b c d\n3 4\n4 5 0.5\n"), "3|4|5: 3-4, 4-5");
    EXPECT_EQ(content_of("a;b;Gewicht\n3;4;0,5\n"), "3|4: 3-4");
    EXPECT_EQ(content_of("x y\n18446744073709551615 3\n3 4294967296\n"),
              "3|4294967296|18446744073709551615: 3-4294967296, 3-18446744073709551615");
    EXPECT_EQ(content_of("x y\n# node: 5\n007 -1\n-1 2.5\n"), "5|007|-1|2.5: 007--1, -1-2.5");
    EXPECT_EQ(first_line_of("# c\n\nnode_1,node_2\n0,1\n"), "header 3");
}

TEST(EdgeListHeader, UsualNamesOfColumnsAreOneUnlessTheyRecur) {
    for (const char* header :
         {"source,target", "Source,Target", "from,to", "tail,head", "u,v", "node1,node2", "src,dst",
          "node_1,node_2", "FromNodeId,ToNodeId", "\"Source ID\",\"Target ID\"", "id1,id2",
          "source_name,target_name", "node,neighbor", "node a,node b", "person1,person2",
          ":START_ID,:END_ID"}) {
        const std::string text(header);
        EXPECT_EQ(content_of(text + "\nAnn,Bob\nBob,Cy\n"), "Ann|Bob|Cy: Ann-Bob, Bob-Cy") << text;
        EXPECT_EQ(first_line_of(text + "\nAnn,Bob\n"), "header 1") << text;
        EXPECT_EQ(content_of(text + ",weight\nAnn,Bob,3\nBob,Cy,\n"), "Ann|Bob|Cy: Ann-Bob, Bob-Cy")
            << text;
    }
    EXPECT_EQ(content_of("u,v\nv,w\nw,u\n"), "u|v|w: u-v, u-w, v-w");
    EXPECT_EQ(first_line_of("u,v\nv,w\nw,u\n"), "link 1 recurs");
    EXPECT_EQ(content_of("u,v,3\nw,x,4\n"), "u|v|w|x: u-v, w-x");
    EXPECT_EQ(content_of("# node: u\nu,v\nw,x\n"), "u|v|w|x: u-v, w-x");
    EXPECT_EQ(content_of("u,v\nw,x\n# node: v\n"), "u|v|w|x: u-v, w-x");
    // Nodes that are counted as the columns would be.
    EXPECT_EQ(content_of("node1 node2\nnode3 node4\n"),
              "node1|node2|node3|node4: node1-node2, node3-node4");
}

TEST(EdgeListHeader, OtherWordsAreALinkAndItIsSaidIfNeitherRecurs) {
    EXPECT_EQ(content_of("person,friend\nAnn,Bob\nBob,Cy\n"),
              "person|friend|Ann|Bob|Cy: person-friend, Ann-Bob, Bob-Cy");
    EXPECT_EQ(first_line_of("person,friend\nAnn,Bob\nBob,Cy\n"), "link 1");
    EXPECT_EQ(first_line_of("Ann,Bob\nBob,Cy\nCy,7\n"), "");
    EXPECT_EQ(first_line_of("Ann,Bob\n"), "");
    EXPECT_EQ(first_line_of("0,1\n2,3\n"), "");
    EXPECT_EQ(content_of("0 x\n1 2\n"), "0|x|1|2: 0-x, 1-2");
}

TEST(EdgeListHeader, ALineThatIsNoLinkIsOneOrAtFault) {
    EXPECT_EQ(content_of("person,friend,kind\nAnn,Bob\n"), "Ann|Bob: Ann-Bob");
    EXPECT_EQ(first_line_of("person,friend,kind\nAnn,Bob\n"), "header 1");
    EXPECT_EQ(error_of("v,w,kind\nw,x,3\n"),
              "f:1: expected two node ids and optionally a weight (use --header yes if this line "
              "names the columns), found \"v,w,kind\"");
    EXPECT_EQ(error_of("id,source,target\n1,5,6\n"),
              "f:1: expected the ids of both ends in the first two columns, found "
              "\"id,source,target\"");
    EXPECT_EQ(error_of("a b x\n"),
              "f:1: expected two node ids and optionally a weight, found \"a b x\"");
    EXPECT_EQ(error_of("0 1 x\n1 2\n"),
              "f:1: expected two node ids and optionally a weight, found \"0 1 x\"");
    EXPECT_EQ(error_of("a a\n1 2\n"),
              "f:1: expected two different ends (use --simplify to drop loops), found \"a a\"");
    EXPECT_EQ(error_of("source target\n"),
              "f:1: expected a link after the header (use --header no if this line is one), found "
              "\"source target\"");
}

TEST(EdgeListHeader, CanBeSaid) {
    EXPECT_EQ(content_of("person,friend\nAnn,Bob\n", true), "Ann|Bob: Ann-Bob");
    EXPECT_EQ(content_of("u,v\nv,w\n", true), "v|w: v-w");
    EXPECT_EQ(content_of("0,1\n1,2\n", true), "1|2: 1-2");
    EXPECT_EQ(content_of("source,target\n1,2\n", false), "source|target|1|2: source-target, 1-2");
    EXPECT_EQ(error_of("a,b,c\n1,2\n", false),
              "f:1: expected two node ids and optionally a weight, separated by commas, found "
              "\"a,b,c\"");
    EXPECT_EQ(error_of("a b\n", true), "f:1: expected at least one link, found nothing");
    ReadReport report;
    static_cast<void>(read_list("source,target\n1,2\n", true, &report));
    EXPECT_FALSE(report.first_line);
    std::istringstream stream("graph [ ]");
    EXPECT_THROW(
        static_cast<void>(read(stream, "f", {.format = Format::gml, .header = true}, nullptr)),
        InputError);
}

TEST(EdgeListHeader, ALinkThatIsJudgedLateKeepsItsPlaceAndItsLine) {
    EXPECT_EQ(content_of("x y\n1 2\n2 x\n"), "x|y|1|2: x-y, x-2, 1-2");
    EXPECT_EQ(content_of("# node: 9\nx y\n# node: 8\n1 2\n2 x\n"), "9|x|y|1|2|8: x-y, x-2, 1-2");
    EXPECT_EQ(error_of("# c\nx y\n1 2\ny x\n"),
              "f:4: expected every link once (use --simplify to drop repeats), found \"x y\"");
    ReadReport report;
    EXPECT_EQ(content_of(read_list("x y\n1 2\ny x\n", std::nullopt, &report, true)),
              "x|y|1|2: x-y, 1-2");
    EXPECT_EQ(report.doubles, 1U);
}

}  // namespace
}  // namespace equipoise::network
