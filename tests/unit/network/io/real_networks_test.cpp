#include <array>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/node_names.hpp"

#ifndef EQUIPOISE_SOURCE_DIR
#error "the build names the root of the sources"
#endif

namespace equipoise::network {
namespace {

const std::string root = EQUIPOISE_SOURCE_DIR;

struct RealNetwork {
    const char* file;
    NodeId nodes;
    LinkId links;
    bool needs_simplify;
    Format format;
};

std::ostream& operator<<(std::ostream& out, const RealNetwork& network) {
    return out << network.file;
}

/// Sizes as the collections publish them, after loops, repeats and directions have been dropped.
constexpr auto real_networks = std::to_array<RealNetwork>({
    {"karate.graph", 34, 78, false, Format::metis},
    {"power.graph", 4941, 6594, false, Format::metis},
    {"PGPgiantcompo.graph", 10680, 24316, false, Format::metis},
    {"airfoil1.graph", 4253, 12289, false, Format::metis},
    {"celegans_metabolic.graph", 453, 2025, false, Format::metis},
    {"wiki-Vote.txt", 7115, 100762, true, Format::edge_list},
    {"chesapeake.mtx", 39, 170, false, Format::matrix_market},
    {"GD01_b.mtx", 18, 26, true, Format::matrix_market},
    {"hamming6-4.edgelist", 64, 704, false, Format::matrix_market},
    {"Abilene.gml", 11, 14, true, Format::gml},
    {"Geant2012.gml", 40, 61, true, Format::gml},
    {"Kdl.gml", 754, 895, true, Format::gml},
    {"UsCarrier.gml", 158, 189, true, Format::gml},
    {"Cogentco.gml", 197, 243, true, Format::gml},
});

class RealNetworks : public testing::TestWithParam<RealNetwork> {};

TEST_P(RealNetworks, ReadWithTheirPublishedSizes) {
    const RealNetwork& expected = GetParam();
    const std::string path = root + "/../shared/data/networks/" + expected.file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    if (expected.needs_simplify) {
        try {
            static_cast<void>(read(path));
            FAIL() << "expected an error that advises --simplify";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("--simplify"), std::string::npos)
                << error.what();
        }
    }
    ReadReport report;
    const AnyNetwork network = read(path, {.simplify = expected.needs_simplify}, &report);
    EXPECT_EQ(report.format, expected.format);
    EXPECT_EQ(network.node_count(), expected.nodes);
    EXPECT_EQ(network.link_count(), expected.links);
    if (expected.format == Format::gml) {
        EXPECT_EQ(network.labels().positions.size(), network.node_count());
    }
}

INSTANTIATE_TEST_SUITE_P(Files, RealNetworks, testing::ValuesIn(real_networks));

TEST(ExampleNetworks, AbileneHasElevenCitiesAndFourteenLinksOnTheMap) {
    const AnyNetwork network = read(root + "/examples/networks/abilene.gml");
    EXPECT_EQ(network.node_count(), 11U);
    EXPECT_EQ(network.link_count(), 14U);
    const auto seattle = NodeNames(network).find("Seattle");
    ASSERT_TRUE(seattle.has_value());
    EXPECT_EQ(network.degree(*seattle), 2U);
    ASSERT_EQ(network.labels().positions.size(), 11U);
    for (const Position& position : network.labels().positions) {
        EXPECT_TRUE(-125 < position.x && position.x < -66);  // the contiguous United States
        EXPECT_TRUE(24 < position.y && position.y < 50);
    }
}

TEST(ExampleNetworks, TheKarateClubIsTheOneThatCirculates) {
    const AnyNetwork network = read(root + "/examples/networks/karate.graph");
    EXPECT_EQ(network.node_count(), 34U);
    EXPECT_EQ(network.link_count(), 78U);
    EXPECT_EQ(network.name(33), "34");
    EXPECT_EQ(network.degree(0), 16U);
    EXPECT_EQ(network.degree(33), 17U);
    const std::string path = root + "/../shared/data/networks/karate.graph";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    EXPECT_EQ(digest(network), digest(read(path)));
}

}  // namespace
}  // namespace equipoise::network
