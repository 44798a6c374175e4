#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/composite.hpp"
#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/generators/links.hpp"
#include "equipoise/network/generators/random.hpp"
#include "equipoise/network/generators/size.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::network {
namespace {

struct Facts {
    const char* spec;
    NodeId nodes;
    LinkId links;
    Port degree_min;
    Port degree_max;
    std::uint32_t diameter;
};

TEST(Generators, HaveTheSizesDegreesAndDiametersOfTheirFamilies) {
    const std::vector<Facts> all = {
        {"path:n=1", 1, 0, 0, 0, 0},
        {"path:n=9", 9, 8, 1, 2, 8},
        {"cycle:n=3", 3, 3, 2, 2, 1},
        {"cycle:n=12", 12, 12, 2, 2, 6},
        {"star:leaves=0", 1, 0, 0, 0, 0},
        {"star:leaves=6", 7, 6, 1, 6, 2},
        {"complete:n=8", 8, 28, 7, 7, 1},
        {"tree:k=2,h=3", 15, 14, 1, 3, 6},
        {"tree:k=3,h=2", 13, 12, 1, 4, 4},
        {"tree:k=1,h=5", 6, 5, 1, 2, 5},
        {"tree:k=5,h=0", 1, 0, 0, 0, 0},
        {"mesh:4x5", 20, 31, 2, 4, 7},
        {"torus:4x5", 20, 40, 4, 4, 4},
        {"torus:3x4x5", 60, 180, 6, 6, 5},
        {"hypercube:d=0", 1, 0, 0, 0, 0},
        {"hypercube:d=5", 32, 80, 5, 5, 5},
        {"caterpillar:spine=5,legs=2", 15, 14, 1, 4, 6},
        {"broom:handle=4,bristles=3", 7, 6, 1, 4, 4},
        {"spider:3x1x2", 7, 6, 1, 3, 5},
        {"spider:4", 5, 4, 1, 2, 4},
        {"binomial-tree:d=4", 16, 15, 1, 4, 7},
        {"free-tree:n=7,number=11", 7, 6, 1, 6, 2},
        // 2^d nodes: 2 loops, one double link between 0101.. and 1010..; diameter d.
        {"de-bruijn:d=3", 8, 13, 2, 4, 3},
        {"de-bruijn:d=6", 64, 125, 2, 4, 6},
        {"cube-connected-cycles:d=3", 24, 36, 3, 3, 6},
        {"cube-connected-cycles:d=4", 64, 96, 3, 3, 8},
        {"butterfly:d=3", 32, 48, 2, 4, 6},
        {"butterfly:d=3,wrap=1", 24, 48, 4, 4, 4},
        {"butterfly:d=4,wrap=1", 64, 128, 4, 4, 6},
        {"barbell:clique=4,path=3", 11, 16, 2, 4, 6},
        {"barbell:clique=4,path=0", 8, 13, 3, 4, 3},
        {"lollipop:clique=5,path=3", 8, 13, 1, 5, 4},
        {"complete-with-tail:n=8", 16, 36, 1, 8, 9},
        {"ring-of-cliques:cliques=4,size=3", 12, 16, 2, 3, 5},
        {"mesh-plus-complete:s=3", 18, 12 + 1 + 36, 2, 9, 6},
        {"preferential-attachment:n=50,k=1", 50, 49, 1, 0, 0},
        {"linked:0", 1, 0, 0, 0, 0},
        {"linked:2-0+1-0+2+3-1", 4, 3, 1, 2, 3},
    };
    for (const Facts& facts : all) {
        const AnyNetwork network = generate(facts.spec, 1);
        EXPECT_EQ(network.node_count(), facts.nodes) << facts.spec;
        EXPECT_EQ(network.link_count(), facts.links) << facts.spec;
        EXPECT_EQ(network.degree_min(), facts.degree_min) << facts.spec;
        EXPECT_TRUE(is_connected(network)) << facts.spec;
        EXPECT_EQ(network.labels().origin, facts.spec);
        if (facts.spec[1] == 'r' && facts.spec[2] == 'e') continue;  // degrees and diameter vary
        EXPECT_EQ(network.degree_max(), facts.degree_max) << facts.spec;
        EXPECT_EQ(diameter(network).lower, facts.diameter) << facts.spec;
        EXPECT_TRUE(diameter(network).exact()) << facts.spec;
    }
}

TEST(Generators, GridsAreImplicitAndAllOthersStored) {
    for (const SpecInfo& info : generators()) {
        const AnyNetwork network = generate(info.example, 3);
        const bool grid = info.name == "mesh" || info.name == "torus";
        EXPECT_EQ(network.grid() != nullptr, grid) << info.name;
        EXPECT_TRUE(names_generator(info.example)) << info.name;
        EXPECT_FALSE(info.help.empty());
    }
}

TEST(ConnectedNetworks, AreAsManyAsTheOnlineEncyclopediaSaysAndAllDifferent) {
    const std::vector<std::size_t> known = {1, 1, 2, 6, 21, 112, 853};  // OEIS A001349
    for (NodeId nodes = 1; nodes <= connected_nodes_max; ++nodes) {
        const std::vector<Network>& all = connected_networks(nodes);
        EXPECT_EQ(all.size(), known[nodes - 1]);
        std::set<std::vector<Ends>> different;
        for (const Network& network : all) {
            EXPECT_TRUE(is_connected(AnyNetwork(network)));
            different.emplace(network.links().begin(), network.links().end());
        }
        EXPECT_EQ(different.size(), all.size());
    }
    EXPECT_EQ(generate("connected:n=4,number=6", 0).link_count(), 6U);
}

TEST(Generators, SizesAreKnownBeforeTheNetworkIsMade) {
    std::vector<std::string> specs = {"path:n=1",
                                      "cycle:n=3",
                                      "star:leaves=0",
                                      "complete:n=1",
                                      "tree:k=1,h=4",
                                      "tree:k=3,h=0",
                                      "caterpillar:spine=1,legs=0",
                                      "mesh:1x2x3",
                                      "torus:1x2x3x4",
                                      "mesh:5",
                                      "hypercube:d=0",
                                      "de-bruijn:k=3,d=2",
                                      "de-bruijn:d=1",
                                      "butterfly:d=3,wrap=1",
                                      "butterfly:d=1",
                                      "gnm:n=5,m=0",
                                      "gnp:n=1,p=0.5",
                                      "preferential-attachment:n=3,k=2",
                                      "barbell:clique=1,path=0",
                                      "lollipop:clique=1,path=0",
                                      "ring-of-cliques:cliques=3,size=1",
                                      "mesh-plus-complete:s=1",
                                      "random-regular:n=6,d=5",
                                      "complete-with-tail:n=1"};
    for (const SpecInfo& info : generators())
        specs.push_back(info.example);
    for (const std::string& spec : specs) {
        const AnyNetwork network = generate(spec, 3);
        const NetworkSize size = size_of(Spec::parse(spec));
        EXPECT_TRUE(size.nodes == network.node_count()) << spec;
        EXPECT_TRUE(size.links_least <= network.link_count()) << spec;
        EXPECT_TRUE(network.link_count() <= size.links_most) << spec;
        const bool open = spec.starts_with("gnp") || spec.starts_with("de-bruijn") ||
                          spec.starts_with("connected");
        EXPECT_TRUE(open || size.links_least == size.links_most) << spec;
    }
    EXPECT_TRUE(size_of(Spec::parse("torus:60000x60000")).nodes == UInt128{3'600'000'000});
    EXPECT_TRUE(size_of(Spec::parse("tree:k=4000000000,h=4000000000")).nodes == UInt128{1} << 64U);
    EXPECT_TRUE(size_of(Spec::parse("mesh:4000000000x4000000000x4000000000")).nodes == UInt128{1}
                                                                                           << 64U);
    EXPECT_THROW((void)size_of(Spec::parse("doughnut:3")), InputError);
}

TEST(Generators, RandomOnesDependOnTheSeedAloneAndKeepIt) {
    for (const SpecInfo& info : generators()) {
        const auto digest_with = [&](std::uint64_t seed) {
            return digest(generate(info.example, seed));
        };
        EXPECT_EQ(digest_with(5), digest_with(5)) << info.name;
        EXPECT_EQ(digest_with(5) != digest_with(6), info.random) << info.name;
        if (!info.random) continue;
        const AnyNetwork own = generate(info.example + ",seed=5", 9);
        EXPECT_EQ(own.labels().seed, 5U);
        EXPECT_EQ(digest(own), digest_with(5)) << info.name;
    }
}

TEST(Generators, RefuseWhatIsNoNetworkAndSayWhatWasExpected) {
    for (const char* spec : {"path",
                             "path:n=0",
                             "path:9",
                             "path:n=9,m=3",
                             "cycle:n=2",
                             "tree:k=0,h=3",
                             "tree:k=2",
                             "tree:k=2,h=40",
                             "mesh:0x3",
                             "mesh:8y8",
                             "torus",
                             "random-regular:n=5,d=3",
                             "random-regular:n=4,d=4",
                             "random-regular:n=4,d=1",
                             "gnp:n=5,p=1.5",
                             "gnm:n=4,m=7",
                             "path:n=9,seed=1",
                             "butterfly:d=2,wrap=1",
                             "cube-connected-cycles:d=2",
                             "preferential-attachment:n=5,k=5",
                             "ring-of-cliques:cliques=2,size=3",
                             "connected:n=8,number=1",
                             "connected:n=5,number=22",
                             "connected:n=5,number=0"}) {
        try {
            (void)generate(spec, 1);
            ADD_FAILURE() << spec << " was accepted";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(spec), std::string::npos) << error.what();
        }
    }
    try {
        (void)generate("petersen:n=10", 1);
        ADD_FAILURE();
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("torus"), std::string::npos);
        EXPECT_NE(message.find("petersen"), std::string::npos);
    }
    EXPECT_FALSE(names_generator("abilene.gml"));
    EXPECT_FALSE(names_generator(""));
}

TEST(RandomTree, IsUniformAmongTheSixteenLabelledTreesOnFourNodes) {
    std::map<std::uint64_t, double> seen;
    constexpr double draws = 16000;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(draws); ++seed) {
        const AnyNetwork tree = generate("random-tree:n=4", seed);
        ASSERT_TRUE(is_tree(tree));
        seen[digest(tree)] += 1;
    }
    ASSERT_EQ(seen.size(), 16U);
    double chi_square = 0;
    for (const auto& [tree, count] : seen)
        chi_square += (count - draws / 16) * (count - draws / 16) / (draws / 16);
    // Fifteen degrees of freedom: exceeded by chance once in about 100,000 choices of seeds.
    EXPECT_LT(chi_square, 50.5);
}

TEST(RandomTree, IsATreeForEverySizeUpToOneHundred) {
    for (NodeId nodes = 1; nodes <= 100; ++nodes)
        EXPECT_TRUE(is_tree(generate("random-tree:n=" + std::to_string(nodes), nodes)));
}

TEST(RandomRegular, IsRegularAndConnectedForEveryFeasibleSizeUpToSixteen) {
    for (NodeId nodes = 1; nodes <= 16; ++nodes) {
        for (NodeId degree = 0; degree < nodes; ++degree) {
            if (nodes * degree % 2 != 0 || (degree < 2 && degree + 1 < nodes)) continue;
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                const AnyNetwork network = make_random_regular(nodes, degree, seed);
                EXPECT_EQ(network.degree_min(), degree);
                EXPECT_EQ(network.degree_max(), degree);
                EXPECT_TRUE(is_connected(network)) << nodes << " nodes of degree " << degree;
            }
        }
    }
}

TEST(RandomRegular, ServesLargeAndDenseNetworks) {
    for (const auto& [nodes, degree] :
         std::vector<std::pair<NodeId, NodeId>>{{20000, 3}, {1000, 40}, {300, 150}, {301, 290}}) {
        const AnyNetwork network = make_random_regular(nodes, degree, 1);
        EXPECT_EQ(network.degree_min(), degree);
        EXPECT_EQ(network.degree_max(), degree);
        EXPECT_TRUE(is_connected(network));
    }
}

TEST(RandomRegular, DrawsAllSeventyCubicNetworksOnSixNodesAboutEquallyOften) {
    // 70 labelled cubic graphs on 6 nodes: 60 prisms and 10 copies of K(3,3).
    std::map<std::uint64_t, int> seen;
    for (std::uint64_t seed = 0; seed < 7000; ++seed)
        ++seen[digest(make_random_regular(6, 3, seed))];
    EXPECT_EQ(seen.size(), 70U);
    for (const auto& [network, count] : seen)
        EXPECT_NEAR(count, 100, 75);
}

TEST(Gnp, HasTheBinomialNumberOfLinksAndBothExtremes) {
    EXPECT_EQ(make_gnp(50, 0, 1).link_count(), 0U);
    EXPECT_EQ(make_gnp(50, 1, 1).link_count(), 1225U);
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        sum += static_cast<double>(make_gnp(50, 0.2, seed).link_count());
    // Mean 245, standard deviation 14 a draw: five standard deviations of the mean are 4.95.
    EXPECT_NEAR(sum / 200, 245, 4.95);
}

TEST(Gnp, LinksEveryPairEquallyOften) {
    std::map<std::pair<NodeId, NodeId>, int> seen;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const Network network = make_gnp(6, 0.5, seed);
        for (const Ends& ends : network.links())
            ++seen[{ends.tail, ends.head}];
    }
    ASSERT_EQ(seen.size(), 15U);
    for (const auto& [pair, count] : seen)
        EXPECT_NEAR(count, 2000, 160);
}

/// The links of `make_gnp`, or those that touch a part of the nodes, in ascending order.
std::vector<Ends> links_of_part(NodeId nodes, double probability, NodeId first, NodeId last,
                                std::uint64_t seed = 1) {
    std::vector<Ends> links;
    each_link_of_gnp(nodes, probability, seed, first, last, [&](NodeId tail, NodeId head) {
        links.push_back({tail, head});
    });
    std::sort(links.begin(), links.end());
    return links;
}

TEST(Gnp, GivesEveryPartOfTheNodesTheLinksThatTouchIt) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (const NodeId nodes : {1U, 2U, 3U, 17U, 100U, 700U})
        for (const double probability : {0.0, 1e-9, 0.003, 0.1, 0.5, 1.0}) {
            const Network network = make_gnp(nodes, probability, 1);
            const std::vector<Ends> whole(network.links().begin(), network.links().end());
            EXPECT_EQ(links_of_part(nodes, probability, 0, nodes), whole);
            for (const NodeId parts : {1U, 2U, 3U, 7U, 50U})
                for (NodeId part = 0; part < parts; ++part) {
                    const NodeId first = nodes * part / parts;
                    const NodeId last = nodes * (part + 1) / parts;
                    std::vector<Ends> touching;
                    for (const Ends& ends : whole)
                        if ((first <= ends.tail && ends.tail < last) ||
                            (first <= ends.head && ends.head < last))
                            touching.push_back(ends);
                    ASSERT_EQ(links_of_part(nodes, probability, first, last), touching)
                        << nodes << " nodes, p = " << probability << ", nodes " << first << " to "
                        << last;
                }
        }
}

TEST(Gnp, LinksEveryPairEquallyOftenWithinTilesAndAcrossThem) {
    // Tiles of 8 by 8 pairs: two triangles, one of them cut off, and a square that is cut off.
    constexpr double draws = 3000;
    std::map<std::pair<NodeId, NodeId>, double> seen;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(draws); ++seed)
        for (const Ends& ends : links_of_part(13, 0.7, 0, 13, seed))
            ++seen[{ends.tail, ends.head}];
    ASSERT_EQ(seen.size(), 78U);
    const double deviation = std::sqrt(draws * 0.7 * 0.3);
    for (const auto& [pair, count] : seen)
        EXPECT_NEAR(count, draws * 0.7, 5 * deviation) << pair.first << " " << pair.second;
}

TEST(Gnp, HasTheNumberOfLinksOfIndependentPairsInEveryKindOfTile) {
    // Sides of 32: four triangles of 496 pairs and six squares of 1,024.
    constexpr double draws = 2000;
    constexpr double probability = 0.02;
    double within = 0;
    double across = 0;
    double squares = 0;
    constexpr double mean = (4 * 496 + 6 * 1024) * probability;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(draws); ++seed) {
        double all = 0;
        for (const Ends& ends : links_of_part(128, probability, 0, 128, seed)) {
            ++(ends.tail / 32 == ends.head / 32 ? within : across);
            ++all;
        }
        squares += (all - mean) * (all - mean);
    }
    const auto expect_binomial = [&](double links, double pairs) {
        EXPECT_NEAR(links, draws * pairs * probability,
                    5 * std::sqrt(draws * pairs * probability * (1 - probability)));
    };
    expect_binomial(within, 4 * 496);
    expect_binomial(across, 6 * 1024);
    // Streams that depended on each other would show in the variance: its estimate from this many
    // draws has a relative deviation of sqrt(2 / draws).
    EXPECT_NEAR(squares / draws / (mean * (1 - probability)), 1, 5 * std::sqrt(2 / draws));
}

TEST(Gnp, ServesPartsOfTheLargestNetworks) {
    constexpr NodeId nodes = no_node - 2;
    constexpr double pairs = 0.5 * nodes * nodes;
    double links = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (const Ends& ends : links_of_part(nodes, 10 / pairs, 0, nodes, seed)) {
            EXPECT_LT(ends.tail, ends.head);
            EXPECT_LT(ends.head, nodes);
            ++links;
        }
    EXPECT_NEAR(links, 1000, 5 * std::sqrt(1000));
    const std::vector<Ends> part = links_of_part(nodes, 1e-9, nodes - 1000, nodes);
    for (const Ends& ends : part)
        EXPECT_GE(ends.head, nodes - 1000);
    constexpr double expected = 1000 * 1e-9 * nodes;
    EXPECT_NEAR(static_cast<double>(part.size()), expected, 5 * std::sqrt(expected));
}

TEST(Gnm, HasExactlyTheLinksAskedForAndReachesEveryNetwork) {
    for (std::uint64_t links = 0; links <= 45; ++links)
        EXPECT_EQ(make_gnm(10, links, links).link_count(), links);
    for (const std::uint64_t links : {2U, 4U}) {
        std::map<std::uint64_t, int> seen;
        for (std::uint64_t seed = 0; seed < 3000; ++seed)
            ++seen[digest(make_gnm(4, links, seed))];
        EXPECT_EQ(seen.size(), 15U);
        for (const auto& [network, count] : seen)
            EXPECT_NEAR(count, 200, 75);
    }
}

TEST(PreferentialAttachment, GivesEveryNewNodeItsLinksAndOldNodesMore) {
    const Network network = make_preferential_attachment(3000, 3, 2);
    EXPECT_EQ(network.link_count(), 6U + 3U * 2996U);
    EXPECT_GE(network.degree_min(), 3U);
    EXPECT_TRUE(is_connected(network));
    double old_nodes = 0;
    for (NodeId node = 0; node < 30; ++node)
        old_nodes += network.degree(node);
    EXPECT_GT(old_nodes / 30, 4 * 6.0) << "the oldest nodes are hubs: the mean degree is 6";
}

TEST(MeshPlusComplete, JoinsTheMeshCornerToOneNodeOfTheCompleteGraph) {
    const Network network = make_mesh_plus_complete(4);
    const auto row = network.neighbours(0);
    EXPECT_EQ(std::vector<NodeId>(row.begin(), row.end()), (std::vector<NodeId>{1, 4, 16}));
    EXPECT_EQ(network.degree(16), 16U);
    EXPECT_EQ(network.degree(31), 15U);
    EXPECT_EQ(network.degree(15), 2U);
}

TEST(Links, AreThoseOfTheListOnTheNodesUpToTheLargestNumber) {
    EXPECT_EQ(all_links(generate("linked:2-0+1-0", 0)), (std::vector<Ends>{{0, 1}, {0, 2}}));
    EXPECT_EQ(generate("linked:0-1+4", 0).node_count(), 5U);
    for (const char* spec : {"path:n=1", "path:n=5", "torus:3x4", "gnm:n=9,m=3,seed=2"}) {
        const AnyNetwork network = generate(spec, 0);
        const AnyNetwork again = generate(links_spec(network), 0);
        EXPECT_EQ(again.node_count(), network.node_count()) << spec;
        EXPECT_EQ(all_links(again), all_links(network)) << spec;
    }
}

TEST(Links, RefuseAnythingElse) {
    for (const char* spec : {"linked", "linked:", "linked:0-", "linked:-1", "linked:0-1+",
                             "linked:0-1-2", "linked:a-b", "linked:0-1,2-3", "linked:n=3",
                             "linked:0-0", "linked:0-1+1-0", "linked:0-4294967295"})
        EXPECT_THROW(static_cast<void>(generate(spec, 0)), InputError) << spec;
}

TEST(Generate, NamesAnUnknownKeyBeforeAMissingOneAndBeforeItMakesAnything) {
    for (const SpecInfo& info : generators()) {
        EXPECT_NO_THROW(static_cast<void>(generate(info.example, 1))) << info.example;
        for (const std::string& spec : {info.name + ":foo=1", info.example + ",foo=1"}) {
            try {
                static_cast<void>(generate(spec, 1));
                ADD_FAILURE() << spec;
            } catch (const InputError& error) {
                EXPECT_NE(std::string(error.what()).find("unknown key \"foo\": "),
                          std::string::npos)
                    << error.what();
            }
        }
    }
}

TEST(Generate, RefusesWhatNoMemoryHoldsBeforeTakingAnyAndSaysItsSize) {
    const std::pair<const char*, const char*> giants[] = {
        {"complete:n=4000000000", "7999999998000000000 links"},
        {"barbell:clique=4000000000,path=0", "15999999996000000001 links"},
        {"gnp:n=4000000000,p=1", "7999999998000000000 links"},
        {"random-regular:n=4000000000,d=3999999999", "7999999998000000000 links"},
        {"ring-of-cliques:cliques=3,size=1000000000", "1499999998500000003 links"},
        {"gnm:n=4000000000,m=1099511627776", "1099511627776 links"},
        {"preferential-attachment:n=4000000000,k=1000000", "links"}};
    for (const auto& [spec, size] : giants) {
        try {
            static_cast<void>(generate(spec, 1));
            ADD_FAILURE() << spec;
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(size), std::string::npos) << message;
            EXPECT_NE(message.find("of memory: this machine has"), std::string::npos) << message;
        }
    }
}

}  // namespace
}  // namespace equipoise::network
