#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/network/structure/centre.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"

namespace equipoise::network {
namespace {

/// Those of the repository, and those of ../shared/data where it is there.
std::vector<AnyNetwork> read_real_networks() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"/examples/networks", "/../shared/data/networks"}) {
        const std::filesystem::path path = std::string(EQUIPOISE_SOURCE_DIR) + folder;
        if (!std::filesystem::is_directory(path)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<AnyNetwork> networks;
    ReadOptions options;
    options.simplify = true;
    options.largest_component = true;
    for (const auto& file : files) {
        networks.push_back(read(file.string(), options));
        networks.back().labels().origin = file.filename().string();
    }
    EXPECT_GE(networks.size(), 2U);
    return networks;
}

TEST(RealNetworkStructure, AreColouredProperlyWithAtMostOneColourMoreThanTheLargestDegree) {
    for (const AnyNetwork& network : read_real_networks()) {
        const EdgeColouring colouring = colour_edges(network);
        EXPECT_TRUE(is_proper(network, colouring)) << network.labels().origin;
        EXPECT_LE(colouring.colour_count, network.degree_max() + 1) << network.labels().origin;
        EXPECT_GE(colouring.colour_count, network.degree_max()) << network.labels().origin;
    }
}

TEST(RealNetworkStructure, HaveTheDiametersThatSearchesFromEveryNodeGive) {
    for (const AnyNetwork& network : read_real_networks()) {
        if (network.node_count() > 5000) continue;
        std::uint32_t largest = 0;
        for (NodeId node = 0; node < network.node_count(); ++node) {
            const auto distances = distances_from(network, node);
            largest = std::max(largest, *std::max_element(distances.begin(), distances.end()));
        }
        const DiameterBounds bounds = diameter(network);
        EXPECT_TRUE(bounds.exact()) << network.labels().origin;
        EXPECT_EQ(bounds.lower, largest) << network.labels().origin;
    }
}

TEST(RealNetworkStructure, HaveSpanningTreesOfEveryKind) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (const AnyNetwork& network : read_real_networks()) {
        const std::string& name = network.labels().origin;
        const Network usual = default_spanning_tree(network);
        const Network shortest = minimum_diameter_tree(network);
        const Network thin = low_degree_tree(network);
        EXPECT_TRUE(is_tree(usual) && is_tree(shortest) && is_tree(thin)) << name;
        EXPECT_LE(diameter(shortest).lower, diameter(usual).lower) << name;
        EXPECT_LE(thin.degree_max(), usual.degree_max()) << name;
        // A tree's middle is the network's absolute centre exactly when nothing is shorter.
        EXPECT_EQ(diameter(shortest).lower, absolute_centre(network).diameter) << name;
    }
}

TEST(RealNetworkStructure, HaveMaximumMatchingsNoSmallerThanGreedyOnes) {
    for (const AnyNetwork& network : read_real_networks()) {
        const MaximumMatching maximum = maximum_matching(network);
        EXPECT_TRUE(is_maximal(network, maximum.matching)) << network.labels().origin;
        EXPECT_GE(maximum.matching.size(), greedy_matching(network).size());
        EXPECT_LE(maximum.matching.size(), 2 * greedy_matching(network).size());
    }
}

}  // namespace
}  // namespace equipoise::network
