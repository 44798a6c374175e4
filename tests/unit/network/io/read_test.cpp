#include "equipoise/network/io/read.hpp"

#include <filesystem>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::network {
namespace {

AnyNetwork read_text(Format format, const std::string& text, bool simplify = false,
                     ReadReport* report = nullptr) {
    std::istringstream stream(text);
    return read(stream, "f", {.format = format, .simplify = simplify}, report);
}

std::string message_of(Format format, const std::string& text, bool simplify = false) {
    try {
        static_cast<void>(read_text(format, text, simplify));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string names_of(const AnyNetwork& network) {
    std::string names;
    for (NodeId node = 0; node < network.node_count(); ++node)
        names += (node == 0 ? "" : "|") + network.name(node);
    return names;
}

/// The links by name in order of their numbers.
std::string links_of(const AnyNetwork& network) {
    std::string links;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        links += (link == 0 ? "" : "|") + network.name(ends.tail) + " " + network.name(ends.head);
    }
    return links;
}

// ---- Edge lists

TEST(ReadEdgeList, ConsecutiveNumbersStayNumbersWithoutNames) {
    const AnyNetwork network =
        read_text(Format::edge_list, "# comment\n% comment\n\n5 6\r\n7\t6 0.5\r\n 8 5 1 2\n7 8 {}");
    EXPECT_EQ(links_of(network), "5 6|5 8|6 7|7 8");
    EXPECT_TRUE(network.labels().names.empty());
    EXPECT_EQ(network.labels().first_number, 5U);
}

TEST(ReadEdgeList, NumbersWithGapsKeepTheirOrderAndTheirNames) {
    const AnyNetwork network = read_text(Format::edge_list, "900 3\n3 70\n");
    EXPECT_EQ(names_of(network), "3|70|900");
    EXPECT_EQ(links_of(network), "3 70|3 900");
}

TEST(ReadEdgeList, NumbersBeyondThirtyTwoBitsKeepTheirOrder) {
    const AnyNetwork network =
        read_text(Format::edge_list, "18446744073709551615 3\n3 4294967296\n");
    EXPECT_EQ(names_of(network), "3|4294967296|18446744073709551615");
    EXPECT_EQ(names_of(read_text(Format::edge_list, "4294967294 0\n")), "0|4294967294");
    EXPECT_EQ(names_of(read_text(Format::edge_list, "4294967295 0\n")), "0|4294967295");
}

TEST(ReadEdgeList, AWordTurnsAllIdsIntoNamesInOrderOfAppearance) {
    const AnyNetwork network = read_text(Format::edge_list, "9 8\n8 x\nx 007\n9 7\n");
    EXPECT_EQ(names_of(network), "9|8|x|007|7");
    EXPECT_EQ(links_of(network), "9 8|9 7|8 x|x 007");
}

TEST(ReadEdgeList, NodesMayBeDeclaredByAComment) {
    EXPECT_EQ(names_of(read_text(Format::edge_list, "0 1\n# node: 2\n# node: 4\n")), "0|1|2|4");
}

TEST(ReadEdgeList, FieldsMayBeSeparatedByCommas) {
    EXPECT_EQ(
        links_of(read_text(Format::edge_list, "5,6\n7, 6,0.5\r\n8 ,5,1,2\n7,8,{'a': 1, 'b': 2}")),
        "5 6|5 8|6 7|7 8");
    EXPECT_EQ(links_of(read_text(Format::edge_list, "source,target,weight\na,b,3\nb,c,\n")),
              "a b|b c");
    EXPECT_EQ(message_of(Format::edge_list, "1,2\n3,,4\n"),
              "f:2: expected two node ids and optionally a weight, separated by commas, found "
              "\"3,,4\"");
    // Ids that hold commas stand between blanks, as before.
    EXPECT_EQ(names_of(read_text(Format::edge_list, "0,1 0,2\n0,2 1,2\n")), "0,1|0,2|1,2");
}

TEST(ReadEdgeList, ErrorsNameTheLine) {
    EXPECT_EQ(message_of(Format::edge_list, "0 1\r\n\r\n2\r\n"),
              "f:3: expected two node ids and optionally a weight, found \"2\"");
    EXPECT_EQ(message_of(Format::edge_list, "0 1 2 3 4"),
              "f:1: expected two node ids and optionally a weight, found \"0 1 2 3 4\"");
    EXPECT_EQ(message_of(Format::edge_list, "0 1 x"),
              "f:1: expected two node ids and optionally a weight, found \"0 1 x\"");
    EXPECT_EQ(message_of(Format::edge_list, "0 1\n1 1"),
              "f:2: expected two different ends (use --simplify to drop loops), found \"1 1\"");
    EXPECT_EQ(message_of(Format::edge_list, "0 1\n1 2\n# c\n1 0\n0 1"),
              "f:4: expected every link once (use --simplify to drop repeats), found \"0 1\"");
    EXPECT_EQ(message_of(Format::edge_list, "a b\nc b\nb c"),
              "f:3: expected every link once (use --simplify to drop repeats), found \"b c\"");
    EXPECT_EQ(message_of(Format::edge_list, "# nothing\n"),
              "f:1: expected at least one link, found nothing");
}

TEST(ReadEdgeList, SimplifyDropsLoopsAndRepeatsAndCountsThem) {
    ReadReport report;
    const AnyNetwork network =
        read_text(Format::edge_list, "# Directed graph: x\n0 1\n1 0\n0 1\n2 2\n", true, &report);
    EXPECT_EQ(network.node_count(), 3U);
    EXPECT_EQ(links_of(network), "0 1");
    EXPECT_EQ(report.loops, 1U);
    EXPECT_EQ(report.doubles, 2U);
    EXPECT_TRUE(report.directed);
}

// ---- METIS

TEST(ReadMetis, NodesAreNumberedFromOneAndBlankLinesAreIsolatedNodes) {
    const AnyNetwork network = read_text(Format::metis, "% c\n4 2\n2\n% c\r\n3 1\r\n2\n\n");
    EXPECT_EQ(names_of(network), "1|2|3|4");
    EXPECT_EQ(links_of(network), "1 2|2 3");
}

TEST(ReadMetis, WeightsAreSkipped) {
    EXPECT_EQ(links_of(read_text(Format::metis, "2 1 1\n2 7\n1 7")), "1 2");
    EXPECT_EQ(links_of(read_text(Format::metis, "2 1 011\n5 2 7\n5 1 7")), "1 2");
    EXPECT_EQ(links_of(read_text(Format::metis, "2 1 10 2\n5 5 2\n5 5 1")), "1 2");
    EXPECT_EQ(links_of(read_text(Format::metis, "2 1 111 2\n1 5 5 2 7\n1 5 5 1 7")), "1 2");
}

TEST(ReadMetis, ErrorsNameTheLine) {
    const auto message = [](const std::string& text) { return message_of(Format::metis, text); };
    EXPECT_EQ(message("2 1\n2\n3\n"), "f:3: expected the number of a node (1 to 2), found \"3\"");
    EXPECT_EQ(message("2 1\n2\n0\n"), "f:3: expected the number of a node (1 to 2), found \"0\"");
    EXPECT_EQ(message("2 2\n2\n1\n"),
              "f:3: expected 2 links, as the header says, found \"1 links\"");
    EXPECT_EQ(message("3 1\n2\n1\n"),
              "f:3: expected 3 lines of neighbours, as the header says, found 2 lines");
    EXPECT_EQ(message("2 1\n2\n1\n\n1\n"),
              "f:5: expected no more than 2 lines of neighbours, as the header says, found \"1\"");
    EXPECT_EQ(message("% c\n3 2\n2 3\n\n1\n"),
              "f:4: expected neighbour 1 of node 2, since the link is given the other way (use "
              "--simplify to "
              "drop directions), found \"a line without it\"");
    EXPECT_EQ(message("3 1\n\n1\n\n"),
              "f:2: expected neighbour 2 of node 1, since the link is given the other way (use "
              "--simplify to "
              "drop directions), found \"a line without it\"");
    EXPECT_EQ(message("2 1\n2\n\n"),
              "f:3: expected neighbour 1 of node 2, since the link is given the other way (use "
              "--simplify to "
              "drop directions), found \"a line without it\"");
    EXPECT_EQ(message("2 1\n2 2\n1 1\n"),
              "f:2: expected every neighbour once (use --simplify to drop repeats), found \"2\"");
    EXPECT_EQ(message("2 1\n1\n"),
              "f:2: expected two different ends (use --simplify to drop loops), found \"1\"");
    EXPECT_EQ(message("1000000000000000000 1\n"),
              "f:1: expected at most 4294967294 nodes, found \"1000000000000000000 1\"");
    EXPECT_EQ(message("4000000000 1\n2\n1\n"),
              "f:3: expected 4000000000 lines of neighbours, as the header says, found 2 "
              "lines");
    EXPECT_NE(message("2 1 7\n"), "no error");
    EXPECT_NE(message("2\n"), "no error");
    EXPECT_NE(message(""), "no error");
}

TEST(ReadMetis, SimplifyJoinsBothDirections) {
    ReadReport report;
    const AnyNetwork network = read_text(Format::metis, "3 9\n1 2 2 3\n1 1\n2\n", true, &report);
    EXPECT_EQ(links_of(network), "1 2|1 3|2 3");
    EXPECT_EQ(report.loops, 1U);
    EXPECT_EQ(report.doubles, 1U);
    EXPECT_TRUE(report.directed);
}

// ---- Matrix Market

const std::string banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string banner_general = "%%MatrixMarket matrix coordinate real general\n";

TEST(ReadMatrixMarket, EntriesOffTheDiagonalAreLinks) {
    const AnyNetwork network = read_text(Format::matrix_market, banner + "% c\n4 4 2\n2 1\n3 2\n");
    EXPECT_EQ(names_of(network), "1|2|3|4");
    EXPECT_EQ(links_of(network), "1 2|2 3");
}

TEST(ReadMatrixMarket, AGeneralMatrixMustHoldBothDirections) {
    EXPECT_EQ(links_of(read_text(Format::matrix_market,
                                 banner_general + "3 3 4\n1 2 .5\n2 1 1e3\n2 3 -1\n3 2 0\n")),
              "1 2|2 3");
    const std::string one_sided = banner_general + "3 3 3\n1 2 1\n3 2 1\n2 1 1\n";
    EXPECT_EQ(message_of(Format::matrix_market, one_sided),
              "f:4: expected every link in both directions (use --simplify to drop directions), "
              "found \"2 3\"");
    ReadReport report;
    EXPECT_EQ(links_of(read_text(Format::matrix_market, one_sided, true, &report)), "1 2|2 3");
    EXPECT_TRUE(report.directed);
    EXPECT_EQ(message_of(Format::matrix_market, banner_general + "2 2 3\n1 2 1\n2 1 1\n1 2 1\n"),
              "f:5: expected every link once (use --simplify to drop repeats), found \"1 2\"");
}

TEST(ReadMatrixMarket, SizesMayStandInAComment) {
    const AnyNetwork network = read_text(Format::matrix_market, banner + "%3 3 2\n2 1\n3 2\n");
    EXPECT_EQ(network.node_count(), 3U);
    EXPECT_EQ(network.link_count(), 2U);
}

TEST(ReadMatrixMarket, ErrorsNameTheLine) {
    const auto message = [](const std::string& text) {
        return message_of(Format::matrix_market, text);
    };
    EXPECT_EQ(message(banner + "3 3 2\n2 1\n"),
              "f:3: expected 2 entries, as the sizes say, found 1 entry");
    EXPECT_EQ(message(banner + "3 3 1\n2 1\n3 1\n"),
              "f:4: expected no more than 1 entry, as the sizes say, found \"3 1\"");
    EXPECT_EQ(message(banner + "3 3 1\n4 1\n"),
              "f:3: expected row and column from 1 to 3, found \"4 1\"");
    EXPECT_EQ(message(banner + "3 4 1\n2 1\n"),
              "f:2: expected a square matrix, found 3 rows and 4 columns");
    EXPECT_EQ(message(banner + "4000000000 4000000000 1\n2 1\n"),
              "f:3: expected at most 16777280 rows for 1 entry, found 4000000000 rows");
    EXPECT_EQ(message(banner + "1000000000000000000 1000000000000000000 1\n2 1\n"),
              "f:2: expected at most 4294967294 rows, found \"1000000000000000000 "
              "1000000000000000000 1\"");
    EXPECT_EQ(message(banner + "2 1\n"),
              "f:2: expected the sizes \"rows columns entries\", found \"2 1\"");
    EXPECT_EQ(message(banner_general + "3 3 1\n2 1\n"),
              "f:3: expected row, column and value, found \"2 1\"");
    EXPECT_NE(message("%%MatrixMarket matrix array real general\n2 2\n").find("f:1: expected"),
              std::string::npos);
}

// ---- GML

TEST(ReadGml, LabelsWithEntitiesNameTheNodesAndCoordinatesPlaceThem) {
    const AnyNetwork network = read_text(Format::gml, R"(Creator "x"
graph [ # comment
  name "a [ b"
  node [ id 7 label "Z&#252;rich &amp; &quot;Umland&quot;" Longitude 8.5 Latitude 47.4 ]
  node [ id 9 label "Bern" graphics [ x 7.4 y 46.9 fill "red" ] ]
  node [ id -1 label "Olten" ]
  edge [ source 7 target -1 LinkLabel "a ] b" ] edge [ source -1 target 9 ]
])");
    EXPECT_EQ(names_of(network), "Zürich & \"Umland\"|Bern|Olten");
    EXPECT_EQ(links_of(network), "Zürich & \"Umland\" Olten|Bern Olten");
    ASSERT_EQ(network.labels().positions.size(), 3U);
    EXPECT_EQ(network.labels().positions[0], (Position{8.5, 47.4}));
    EXPECT_EQ(network.labels().positions[1], (Position{7.4, 46.9}));
    EXPECT_DOUBLE_EQ(network.labels().positions[2].x, (8.5 + 7.4) / 2);
    EXPECT_DOUBLE_EQ(network.labels().positions[2].y, (47.4 + 46.9) / 2);
}

TEST(ReadGml, IdsNameTheNodesIfLabelsAreRepeatedOrMissing) {
    const std::string links = "edge [ source 1 target 5 ] ]";
    EXPECT_EQ(
        names_of(read_text(Format::gml,
                           "graph [ node [ id 1 label \"x\" ] node [ id 5 label \"x\" ]" + links)),
        "1|5");
    EXPECT_EQ(
        names_of(read_text(Format::gml, "graph [ node [ id 1 label \"x\" ] node [ id 5 ]" + links)),
        "1|5");
}

TEST(ReadGml, LinksMayComeBeforeTheirNodes) {
    EXPECT_EQ(links_of(read_text(
                  Format::gml, "graph [ edge [ source 3 target 2 ] node [ id 2 ] node [ id 3 ] ]")),
              "2 3");
}

TEST(ReadGml, ErrorsNameTheLine) {
    const auto message = [](const std::string& text) { return message_of(Format::gml, text); };
    EXPECT_EQ(message("graph [\ndirected 1\n]"),
              "f:2: expected an undirected graph (use --simplify to drop directions), found "
              "\"directed 1\"");
    EXPECT_EQ(message("graph [ node [ id 1 ]\nedge [ source 1\ntarget 2 ] ]"),
              "f:2: expected the id of a node declared in the file, found \"2\"");
    EXPECT_EQ(message("graph [\nnode [ id 1 ]\nnode [ id 1 ] ]"),
              "f:3: expected every node id once, found \"1\"");
    EXPECT_EQ(message("graph [\nnode [ label \"x\" ] ]"),
              "f:2: expected an \"id\" of the node, found nothing");
    EXPECT_EQ(message("graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 ]\n"
                      "edge [ source 2 target 1 ] ]"),
              "f:3: expected every link once (use --simplify to drop repeats), found \"1 2\"");
    EXPECT_EQ(message("graph [\nnode [ id 1\n"),
              "f:2: expected \"]\" at the end of \"node\", found nothing");
    EXPECT_EQ(message("\ngraph [ label \"open\n"),
              "f:2: expected a string that ends in \", found \"open\\n\"");
    EXPECT_EQ(message(""), "f:1: expected a list \"graph [ ... ]\", found nothing");
    EXPECT_EQ(message("graph 5"), "f:1: expected \"[\" after \"graph\", found \"5\"");
}

// ---- GraphML

const std::string graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE graphml [ <!ENTITY x "y"> ]>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<!-- a > b -->
<key id="d0" for="node" attr.name="label" attr.type="string"/>
<key id="d1" for="node" attr.name="Longitude" attr.type="double"/>
<key id="d2" for="node" attr.name="Latitude" attr.type="double"/>
<key id="d3" for="edge" attr.name="label" attr.type="string"/>
)";

TEST(ReadGraphml, DataNamePlaceAndLinkNodes) {
    const AnyNetwork network = read_text(Format::graphml, graphml_head + R"(
<graph edgedefault="undirected">
<node id="n0"><data key="d0">A &lt; B</data><data key="d1"> 8.5 </data>
<data key="d2">47</data></node>
<node id='n1'><data key="d0"><![CDATA[C & D]]></data></node>
<edge source="n0" target="n1"><data key="d3">fast</data></edge>
</graph></graphml>)");
    EXPECT_EQ(names_of(network), "A < B|C & D");
    EXPECT_EQ(network.link_count(), 1U);
    EXPECT_EQ(network.labels().positions[1], (Position{8.5, 47}));
}

TEST(ReadGraphml, ErrorsNameTheLine) {
    const auto message = [](const std::string& text) { return message_of(Format::graphml, text); };
    EXPECT_EQ(message("<graphml>\n<graph>\n</graphml>"),
              "f:3: expected </graph>, found \"</graphml>\"");
    EXPECT_EQ(message("<graph>\n<node/>\n</graph>"),
              "f:2: expected an attribute \"id\" of <node>, found nothing");
    EXPECT_EQ(message("<graph edgedefault=\"directed\">\n<node id=\"a\"/><node id=\"b\"/>\n<edge "
                      "source=\"a\" target=\"b\"/></graph>"),
              "f:1: expected an undirected graph (use --simplify to drop directions), found "
              "\"edgedefault=\"directed\"\"");
    EXPECT_EQ(message("<graph>\n<node id=\"a\"><graph/></node></graph>"),
              "f:2: expected one flat graph, found \"<graph>\"");
    EXPECT_EQ(message("<graph>\n<node id=a/></graph>"),
              "f:2: expected a value in quotes, found \"a\"");
    EXPECT_EQ(message("<graph>\n"), "f:1: expected </graph>, found nothing");
    EXPECT_EQ(message("hello"), "f:1: expected an XML element, found \"hello\"");
    EXPECT_EQ(message(""), "f:1: expected an XML element, found nothing");
}

// ---- Files

class ReadFile : public testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path_); }
    const std::string& file(const std::string& name, const std::string& text) {
        path_ = std::filesystem::path(testing::TempDir()) / ("read_file_" + name);
        write_file(path_, text);
        return path_;
    }
    std::string path_;
};

TEST_F(ReadFile, TheBannerOfMatrixMarketWinsOverTheExtension) {
    ReadReport report;
    const AnyNetwork network = read(file("a.edgelist", banner + "2 2 1\n2 1\n"), {}, &report);
    EXPECT_EQ(report.format, Format::matrix_market);
    EXPECT_EQ(names_of(network), "1|2");
    EXPECT_EQ(network.labels().origin, path_);
}

TEST_F(ReadFile, TheFirstLineDecidesWhereTheExtensionIsUnknown) {
    ReadReport report;
    static_cast<void>(read(file("a.unknown", "graph [ node [ id 0 ] ]"), {}, &report));
    EXPECT_EQ(report.format, Format::gml);
    EXPECT_THROW(static_cast<void>(read(file("b.unknown", "0 1\n"))), InputError);
    static_cast<void>(read(path_, {.format = Format::edge_list}, &report));
    EXPECT_EQ(report.format, Format::edge_list);
}

TEST_F(ReadFile, TheLargestComponentKeepsNamesAndPositions) {
    ReadReport report;
    const AnyNetwork network =
        read(file("a.edges", "1 2\n3 4\n4 9\n"), {.largest_component = true}, &report);
    EXPECT_EQ(names_of(network), "3|4|9");
    EXPECT_EQ(links_of(network), "3 4|4 9");
    EXPECT_EQ(report.nodes_left_out, 2U);
}

TEST(Formats, EveryFormatIsReadBackFromItsWord) {
    for (const Format format : {Format::edge_list, Format::metis, Format::matrix_market,
                                Format::gml, Format::graphml, Format::gexf})
        EXPECT_EQ(format_from_word(to_string(format)), format);
    EXPECT_THROW(static_cast<void>(format_from_word("excel")), InputError);
}

}  // namespace
}  // namespace equipoise::network
