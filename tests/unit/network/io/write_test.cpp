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
