// What GML, GraphML and GEXF have in common, and what only GEXF has.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/network_text.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::network {
namespace {

using test::network_of;
using test::text_of;

std::string refusal(Format format, const std::string& text) {
    return test::thrown_by([&] { static_cast<void>(network_of(format, text)); });
}

std::string gml_node(const std::string& first) {
    return "graph [ node [ id 0 " + first + " ] node [ id 1 ] edge [ source 0 target 1 ] ]";
}

std::string graphml_node(const std::string& keys, const std::string& data) {
    return "<graphml>" + keys + "<graph edgedefault=\"undirected\"><node id=\"0\">" + data +
           "</node><node id=\"1\"/><edge source=\"0\" target=\"1\"/></graph></graphml>";
}

std::string gexf_of(const std::string& graph) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <graphml> -->\n"
           "<gexf xmlns=\"http://www.gexf.net/1.2draft\" xmlns:viz=\"http://www.gexf.net/1.2draft/"
           "viz\" version=\"1.2\">\n" +
           graph + "\n</gexf>\n";
}

// ---- Coordinates

TEST(Coordinates, ThatAreNoNumbersLeaveANodeWithoutAPositionAndAreCounted) {
    for (const std::string odd :
         {"NaN", "\"N/A\"", "\"\"", "inf", "1e999", "\"47,4\"", "\"north\"", "\"47 N\""}) {
        ReadReport report;
        const AnyNetwork network =
            network_of(Format::gml, gml_node("Latitude " + odd + " Longitude 3"), false, &report);
        EXPECT_EQ(text_of(network), "0|1: 0-1") << odd;
        EXPECT_TRUE(network.labels().positions.empty()) << odd;
        EXPECT_EQ(report.positions_unusable, odd == "\"\"" ? 0U : 1U) << odd;
    }
    const std::string keys =
        "<key id=\"x\" for=\"node\" attr.name=\"Longitude\"/><key id=\"y\" for=\"node\" "
        "attr.name=\"Latitude\"/>";
    for (const char* odd : {"NaN", "N/A", "-inf", "left", "0x10"}) {
        ReadReport report;
        const AnyNetwork network =
            network_of(Format::graphml,
                       graphml_node(keys, std::string("<data key=\"x\">") + odd +
                                              "</data><data key=\"y\">47</data>"),
                       false, &report);
        EXPECT_TRUE(network.labels().positions.empty()) << odd;
        EXPECT_EQ(report.positions_unusable, 1U) << odd;
    }
}

TEST(Coordinates, OfOneKindAreNotMixedWithThoseOfAnother) {
    ReadReport report;
    const AnyNetwork network =
        network_of(Format::gml, gml_node("Latitude \"N/A\" Longitude 3 graphics [ x 10 y 20 ]"),
                   false, &report);
    ASSERT_EQ(network.labels().positions.size(), 2U);
    EXPECT_EQ(network.labels().positions[0], (Position{10, 20}));
    EXPECT_EQ(report.positions_unusable, 0U);
    // A text attribute that happens to be called x does no harm beside a place on the earth.
    const std::string keys =
        "<key id=\"a\" for=\"node\" attr.name=\"x\" attr.type=\"string\"/>"
        "<key id=\"b\" for=\"node\" attr.name=\"lon\"/><key id=\"c\" for=\"node\" "
        "attr.name=\"lat\"/>";
    const AnyNetwork other =
        network_of(Format::graphml,
                   graphml_node(keys,
                                "<data key=\"b\">8.5</data><data key=\"c\">47</data><data "
                                "key=\"a\">left</data>"),
                   false, &report);
    ASSERT_EQ(other.labels().positions.size(), 2U);
    EXPECT_EQ(other.labels().positions[0], (Position{8.5, 47}));
    EXPECT_EQ(report.positions_unusable, 0U);
}

TEST(Coordinates, MayBeListsOrOtherThingsInGml) {
    for (const char* odd : {"Latitude [ degrees 47 ] Longitude 3", "graphics \"none\"",
                            "graphics [ x [ from 1 ] y 2 ]", "LATITUDE x latitude 4"})
        EXPECT_EQ(text_of(Format::gml, gml_node(odd)), "0|1: 0-1") << odd;
}

// ---- The root of XML

TEST(RootOfXml, OtherKindsOfXmlAreRefused) {
    EXPECT_EQ(refusal(Format::graphml, gexf_of("<graph/>")),
              "input: f:3: expected an element <graphml>, found \"<gexf "
              "xmlns=\"http://www.gexf.net/1.2draft\">\"");
    EXPECT_EQ(refusal(Format::graphml, "<html><body/></html>"),
              "input: f:1: expected an element <graphml>, found \"<html>\"");
    // XGMML, whose directions would be lost.
    EXPECT_EQ(refusal(Format::graphml,
                      "<graph label=\"x\" directed=\"1\" xmlns=\"http://www.cs.rpi.edu/XGMML\">"
                      "<node id=\"1\"/></graph>"),
              "input: f:1: expected an element <graphml>, found \"<graph "
              "xmlns=\"http://www.cs.rpi.edu/XGMML\">\"");
    EXPECT_EQ(refusal(Format::graphml,
                      "<graph directed=\"1\"><node id=\"1\"/><node id=\"2\"/><edge source=\"2\" "
                      "target=\"1\"/></graph>"),
              "input: f:1: expected an undirected graph (use --simplify to drop directions), found "
              "\"directed=\"1\"\"");
    EXPECT_EQ(refusal(Format::graphml,
                      "<gxl><graph edgemode=\"directed\"><node id=\"1\"/></graph></gxl>"),
              "input: f:1: expected an element <graphml>, found \"<gxl>\"");
    EXPECT_EQ(refusal(Format::gexf, "<graphml><graph/></graphml>"),
              "input: f:1: expected an element <gexf>, found \"<graphml>\"");
}

// ---- GEXF

const std::string two_nodes =
    "<nodes><node id=\"7\" label=\"mill\"/><node id=\"9\" label=\"bakery\"/></nodes>";

TEST(ReadGexf, LabelsNameAndPositionsPlaceTheNodes) {
    const AnyNetwork network = network_of(Format::gexf, gexf_of(R"(
<meta><creator>someone</creator></meta>
<graph mode="static" defaultedgetype="undirected">
 <attributes class="edge"><attribute id="0" title="Latitude" type="double"/></attributes>
 <attributes class="node"><attribute id="1" title="Latitude" type="double"/>
  <attribute id="2" title="Longitude" type="double"/><attribute id="3" title="label" type="string"/>
 </attributes>
 <nodes count="3">
  <node id="a" label="K&#246;ln"><attvalues><attvalue for="1" value="50.9"/>
   <attvalue for="2" value="7"/><attvalue for="3" value="other"/></attvalues></node>
  <node id="b" label="B&amp;B"><viz:position x="1.5" y="-2" z="0"/><viz:size value="3"/></node>
  <node id="c" label="no"/>
 </nodes>
 <edges><edge id="0" source="c" target="a" weight="2"><attvalues><attvalue for="0" value="x"/>
  </attvalues></edge><edge source="a" target="b" type="mutual"/></edges>
</graph>)"));
    EXPECT_EQ(text_of(network), "Köln|B&B|no: Köln-B&B Köln-no");
    ASSERT_EQ(network.labels().positions.size(), 3U);
    EXPECT_EQ(network.labels().positions[0], (Position{7, 50.9}));
    EXPECT_EQ(network.labels().positions[1], (Position{1.5, -2}));
}

TEST(ReadGexf, DirectionsAreErrorsUnlessTheyAreToBeDropped) {
    const std::string one = "<edges><edge source=\"9\" target=\"7\"/></edges></graph>";
    const std::string by_default =
        gexf_of("<graph defaultedgetype=\"directed\">" + two_nodes + one);
    EXPECT_EQ(refusal(Format::gexf, by_default),
              "input: f:4: expected an undirected graph (use --simplify to drop directions), found "
              "\"defaultedgetype=\"directed\"\"");
    ReadReport report;
    EXPECT_EQ(text_of(Format::gexf, by_default, true, &report), "mill|bakery: mill-bakery");
    EXPECT_TRUE(report.directed);
    EXPECT_EQ(
        refusal(Format::gexf, gexf_of("<graph>" + two_nodes +
                                      "\n<edges><edge source=\"9\" target=\"7\" type=\"directed\"/>"
                                      "</edges></graph>")),
        "input: f:5: expected an undirected graph (use --simplify to drop directions), found "
        "\"type=\"directed\"\"");
    // Each edge may say that it is not.
    EXPECT_EQ(text_of(Format::gexf, gexf_of("<graph defaultedgetype=\"directed\">" + two_nodes +
                                            "<edges><edge source=\"9\" target=\"7\" "
                                            "type=\"undirected\"/></edges></graph>")),
              "mill|bakery: mill-bakery");
    for (const char* type : {"", "defaultedgetype=\"undirected\"", "defaultedgetype=\"mutual\""})
        EXPECT_EQ(
            text_of(Format::gexf, gexf_of("<graph " + std::string(type) + ">" + two_nodes + one)),
            "mill|bakery: mill-bakery");
}

TEST(ReadGexf, ErrorsNameTheLine) {
    EXPECT_EQ(refusal(Format::gexf, gexf_of("<meta/>")),
              "input: f:5: expected an element <graph>, found nothing");
    EXPECT_EQ(refusal(Format::gexf, gexf_of("<graph><nodes>\n<node label=\"x\"/></nodes></graph>")),
              "input: f:5: expected an attribute \"id\" of <node>, found nothing");
    EXPECT_EQ(refusal(Format::gexf,
                      gexf_of("<graph><nodes><node id=\"1\">\n<nodes><node id=\"2\"/></nodes>"
                              "</node></nodes></graph>")),
              "input: f:5: expected one flat graph, found \"<node> inside <node>\"");
    EXPECT_EQ(refusal(Format::gexf, gexf_of("<graph>" + two_nodes +
                                            "<edges>\n<edge source=\"7\" target=\"8\"/></edges>"
                                            "</graph>")),
              "input: f:5: expected the id of a node declared in the file, found \"8\"");
    EXPECT_EQ(refusal(Format::gexf, gexf_of("<graph>" + two_nodes +
                                            "<edges>\n<edge source=\"7\" target=\"7\"/></edges>"
                                            "</graph>")),
              "input: f:5: expected two different ends (use --simplify to drop loops), found \"7 "
              "7\"");
}

// ---- Characters

TEST(Entities, OfIso8859AreReplacedInGml) {
    EXPECT_EQ(text_of(network_of(Format::gml, R"(graph [
 node [ id 0 label "K&ouml;ln &amp; &#214;lde" ] node [ id 1 label "Stra&szlig;e &Eacute;&yuml;" ]
 node [ id 2 label "A&#x142;a &hearts; &#150; &euro;" ] node [ id 3 label "R&D; &nosuch; & &;" ]
])")),
              "Köln & Ölde|Straße Éÿ|Ała ♥ – €|R&D; &nosuch; & &;:");
}

TEST(Encoding, OfNamesMayBeIso8859) {
    ReadReport report;
    EXPECT_EQ(
        text_of(Format::gml, "graph [ node [ id 0 label \"S\xe3o Paulo\" ] ]", false, &report),
        "São Paulo:");
    EXPECT_TRUE(report.windows_1252);
    EXPECT_EQ(text_of(Format::graphml,
                      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><key id=\"l\" "
                      "for=\"node\" attr.name=\"label\"/><graph><node id=\"1\"><data "
                      "key=\"l\">K\xf6ln</data></node></graph></graphml>",
                      false, &report),
              "Köln:");
    EXPECT_EQ(text_of(Format::edge_list, "a S\xe3o\nb S\xe3o\nb S\xe4o\n", false, &report),
              "a|São|b|Säo: a-São São-b b-Säo");
    EXPECT_TRUE(report.windows_1252);
    EXPECT_EQ(text_of(Format::edge_list, "a São\n", false, &report), "a|São: a-São");
    EXPECT_FALSE(report.windows_1252);
}

}  // namespace
}  // namespace equipoise::network
