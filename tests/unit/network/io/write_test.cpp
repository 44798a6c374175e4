#include "equipoise/network/io/write.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::network {
namespace {

std::string written(const AnyNetwork& network, const std::string& extension) {
    const std::string path = std::filesystem::path(testing::TempDir()) / ("written" + extension);
    write(network, path);
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    stream.close();
    std::filesystem::remove(path);
    return text;
}

AnyNetwork small() {
    Labels labels;
    labels.names = {"A", "B \"b\"", "C"};
    labels.positions = {{0, 0.5}, {1, 2}, {-3, 4}};
    return {Network(3, {{0, 1}}), labels};
}

TEST(Write, DotQuotesLabelsAndGivesPositions) {
    EXPECT_EQ(written(small(), ".dot"),
              "graph {\n"
              "  0 [label=\"A\", pos=\"0,0.5\"];\n"
              "  1 [label=\"B \\\"b\\\"\", pos=\"1,2\"];\n"
              "  2 [label=\"C\", pos=\"-3,4\"];\n"
              "  0 -- 1;\n"
              "}\n");
}

TEST(Write, MetisListsEveryLinkFromBothEndsFromOne) {
    EXPECT_EQ(written(small(), ".graph"), "3 1\n2\n1\n\n");
}

TEST(Write, MatrixMarketStoresTheLowerTriangle) {
    EXPECT_EQ(written(small(), ".mtx"),
              "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n");
}

TEST(Write, NamesThatReadingWouldLoseAreRefused) {
    const auto complaint = [](const std::vector<std::string>& names, const std::string& name) {
        AnyNetwork network = small();
        network.labels().names = names;
        try {
            write(network, name);
        } catch (const InputError& error) {
            EXPECT_FALSE(std::filesystem::exists(name));
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* name : {"network.gml", "network.graphml"}) {
        EXPECT_EQ(complaint({"x10", "x", "x10"}, name),
                  name + std::string(": expected a name of its own for every node, found \"x10\" "
                                     "twice"));
        EXPECT_EQ(complaint({"a", " a", "b"}, name),
                  name + std::string(": expected a name of its own for every node, found \"a\" "
                                     "twice"));
        EXPECT_EQ(complaint({"a", "\t", "b"}, name),
                  name + std::string(": expected a name for every node, found an empty one"));
    }
    EXPECT_NE(complaint({}, "network.gexf"), "");
}

TEST(Write, AnUnknownExtensionIsAnErrorThatNamesTheKnownOnes) {
    try {
        write(small(), "network.pdf");
        FAIL() << "expected an error";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(".graphml"), std::string::npos) << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists("network.pdf"));
}

}  // namespace
}  // namespace equipoise::network
