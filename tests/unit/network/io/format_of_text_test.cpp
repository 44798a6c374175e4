#include "equipoise/network/io/format_of_text.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::network {
namespace {

TEST(FormatOfText, IsThatOfItsFirstWords) {
    EXPECT_EQ(format_of_text("%%MatrixMarket matrix"), Format::matrix_market);
    EXPECT_EQ(format_of_text("%%matrixmarket\tmatrix"), Format::matrix_market);
    EXPECT_EQ(format_of_text("graph [\n"), Format::gml);
    EXPECT_EQ(format_of_text("\n\n  graph[ node"), Format::gml);
    EXPECT_EQ(format_of_text("Creator \"yFiles\"\n"), Format::gml);
    for (const char* text : {"", "1 2\n", "% asym\n", "graphs [", "3 2\n2\n"})
        EXPECT_EQ(format_of_text(text), std::nullopt) << text;
}

TEST(FormatOfText, IsThatOfTheRootOfXml) {
    EXPECT_EQ(format_of_text("<graphml><graph/></graphml>"), Format::graphml);
    EXPECT_EQ(
        format_of_text("\n<?xml version=\"1.0\"?>\n<!DOCTYPE gexf SYSTEM \"x\">\n<!-- <graphml> "
                       "-->\n<gexf version=\"1.2\">"),
        Format::gexf);
    EXPECT_EQ(format_of_text("<!DOCTYPE g [ <!ENTITY x \"y>\"> ]><g:gexf>"), Format::gexf);
    EXPECT_EQ(format_of_text("<gexf>"), Format::gexf);
    EXPECT_EQ(format_of_text("<gexf"), Format::gexf);
    EXPECT_EQ(format_of_text("<html>"), Format::graphml);  // which says what it expects
    EXPECT_EQ(format_of_text("<!-- never ends"), Format::graphml);
}

TEST(BeginsAsDot, KnowsTheGraphsOfGraphviz) {
    for (const char* text :
         {"graph {\n a -- b;\n}", "digraph G {", "strict graph{", "/* a */ graph \"x y\" {",
          "// a\n# b\nDigraph\n{", "graph Köln {", "strict digraph a_1 /* b */ {"})
        EXPECT_TRUE(begins_as_dot(text)) << text;
    for (const char* text : {"", "graph [", "graph [ label \"{\" ]", "graphs {", "graph", "a {",
                             "1 2 {'weight': 3}", "strict", "graph a b {"})
        EXPECT_FALSE(begins_as_dot(text)) << text;
}

class ReadByContent : public testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path_); }
    std::string format_of(const std::string& name, const std::string& text) {
        // Tests run side by side: each has files of its own.
        const std::string own = testing::UnitTest::GetInstance()->current_test_info()->name();
        path_ = std::filesystem::path(testing::TempDir()) / (own + '_' + name);
        write_file(path_, text);
        ReadReport report;
        const std::string message =
            test::thrown_by([&] { static_cast<void>(read(path_, {}, &report)); });
        return message == "nothing" ? to_string(report.format) : message.substr(message.find(name));
    }
    std::string path_;
};

const std::string gexf = "<gexf><graph><nodes><node id=\"1\"/></nodes></graph></gexf>";
const std::string graphml = "<graphml><graph><node id=\"1\"/></graph></graphml>";

TEST_F(ReadByContent, TheRootOfXmlOutweighsTheExtension) {
    EXPECT_EQ(format_of("a.gexf", gexf), "gexf");
    EXPECT_EQ(format_of("a.xml", gexf), "gexf");
    EXPECT_EQ(format_of("a.graphml", gexf), "gexf");
    EXPECT_EQ(format_of("a.gexf", graphml), "graphml");
    EXPECT_EQ(format_of("a.xml", graphml), "graphml");
    EXPECT_EQ(format_of("a.txt", "<a> <b>\n"), "edge-list");
}

TEST_F(ReadByContent, DotIsNamedWhereItIsRefused) {
    const std::string refusal =
        ": expected a format that can be read, found DOT, which can only be written (gv2gml of "
        "Graphviz converts it to GML)";
    for (const char* name : {"a.dot", "a.gv", "a.gml", "a.txt", "a.unknown"})
        EXPECT_EQ(format_of(name, "graph {\n a -- b;\n}\n"), name + refusal);
    EXPECT_EQ(format_of("b.dot", "/* only a comment"), "b.dot" + refusal);
}

TEST_F(ReadByContent, CompressedFilesAreNamedWhateverTheyAreCalled) {
    for (const char* name : {"a.edges.gz", "a.edges", "a.graphml.gz", "a.gz"})
        EXPECT_EQ(format_of(name, "\x1f\x8b\x08"),
                  name + std::string(": expected text, found a file compressed by gzip (decompress "
                                     "it first: gzip -d)"));
}

}  // namespace
}  // namespace equipoise::network
