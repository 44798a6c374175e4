#include <array>
#include <filesystem>
#include <string>
#include <string_view>

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
    const char* file;  ///< from the root of the sources
    NodeId nodes;
    LinkId links;
    bool needs_simplify;
    Format format;
};

std::ostream& operator<<(std::ostream& out, const RealNetwork& network) {
    return out << network.file;
}

/// Small files of the repository, and sizes as the collections publish them, after loops, repeats
/// and directions have been dropped.
constexpr auto real_networks = std::to_array<RealNetwork>({
    {"examples/networks/abilene.gml", 11, 14, false, Format::gml},
    {"examples/networks/karate.graph", 34, 78, false, Format::metis},
    {"tests/fuzz/corpus/edge_list/loops", 2, 1, true, Format::edge_list},
    {"tests/fuzz/corpus/matrix_market/symmetric", 4, 3, false, Format::matrix_market},
    {"../shared/data/networks/karate.graph", 34, 78, false, Format::metis},
    {"../shared/data/networks/power.graph", 4941, 6594, false, Format::metis},
    {"../shared/data/networks/PGPgiantcompo.graph", 10680, 24316, false, Format::metis},
    {"../shared/data/networks/airfoil1.graph", 4253, 12289, false, Format::metis},
    {"../shared/data/networks/celegans_metabolic.graph", 453, 2025, false, Format::metis},
    {"../shared/data/networks/wiki-Vote.txt", 7115, 100762, true, Format::edge_list},
    {"../shared/data/networks/chesapeake.mtx", 39, 170, false, Format::matrix_market},
    {"../shared/data/networks/GD01_b.mtx", 18, 26, true, Format::matrix_market},
    {"../shared/data/networks/hamming6-4.edgelist", 64, 704, false, Format::matrix_market},
    {"../shared/data/networks/Abilene.gml", 11, 14, true, Format::gml},
    {"../shared/data/networks/Geant2012.gml", 40, 61, true, Format::gml},
    {"../shared/data/networks/Kdl.gml", 754, 895, true, Format::gml},
    {"../shared/data/networks/UsCarrier.gml", 158, 189, true, Format::gml},
    {"../shared/data/networks/Cogentco.gml", 197, 243, true, Format::gml},
});

class RealNetworks : public testing::TestWithParam<RealNetwork> {};

TEST_P(RealNetworks, ReadWithTheirPublishedSizes) {
    const RealNetwork& expected = GetParam();
    const std::string path = root + '/' + expected.file;
    if (std::string_view(expected.file).starts_with("../") && !std::filesystem::exists(path))
        GTEST_SKIP() << path << " is absent";
    ReadOptions options;
    if (!std::filesystem::path(path).has_extension()) options.format = expected.format;
    if (expected.needs_simplify) {
        try {
            static_cast<void>(read(path, options));
            FAIL() << "expected an error that advises --simplify";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("--simplify"), std::string::npos)
                << error.what();
        }
    }
    options.simplify = expected.needs_simplify;
    ReadReport report;
    const AnyNetwork network = read(path, options, &report);
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
