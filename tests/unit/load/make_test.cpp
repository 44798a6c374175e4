#include "equipoise/load/make.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::load {
namespace {

using network::AnyNetwork;
using network::Grid;
using network::Network;

AnyNetwork star(NodeId leaves) {
    std::vector<Ends> links;
    for (NodeId leaf = 1; leaf <= leaves; ++leaf)
        links.push_back({0, leaf});
    network::Labels labels;
    labels.first_number = 1;
    return {Network(leaves + 1, links), labels};
}

AnyNetwork mesh(NodeId rows, NodeId columns) {
    return Grid({rows, columns}, Grid::Shape::mesh);
}

std::string message_of_spec(const std::string& spec, const AnyNetwork& network) {
    try {
        static_cast<void>(make_loads(spec, network, 1));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(MakeLoads, EveryExampleOfTheTableWorksOnAMeshAndKeepsItsTotal) {
    for (const SpecInfo& info : load_generators()) {
        const Loads loads = make_loads(info.example, mesh(8, 8), 1);
        ASSERT_EQ(loads.size(), 64U) << info.example;
        EXPECT_GE(*std::min_element(loads.begin(), loads.end()), 0) << info.example;
        if (info.example.find("tokens=1000") != std::string::npos) {
            EXPECT_EQ(total(loads), 1000) << info.example;
        }
        EXPECT_EQ(make_loads(info.example, mesh(8, 8), 1), loads) << info.example;
        EXPECT_EQ(make_loads(info.example, mesh(8, 8), 2) != loads, info.random) << info.example;
    }
}

TEST(MakeLoads, ASpikeStandsAtTheNodeThatIsNamed) {
    EXPECT_EQ(make_loads("spike:tokens=7", star(2), 0), (Loads{7, 0, 0}));
    EXPECT_EQ(make_loads("spike:tokens=7,node=3", star(2), 0), (Loads{0, 0, 7}));
}

TEST(MakeLoads, ZipfInOrderOfNumberFollowsTheLawWithinOneToken) {
    const Loads loads = make_loads("zipf:tokens=1000000,exponent=1,shuffle=no", star(3), 0);
    EXPECT_EQ(total(loads), 1'000'000);
    const double unit = 1e6 / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4);
    for (std::size_t rank = 0; rank < loads.size(); ++rank)
        EXPECT_NEAR(static_cast<double>(loads[rank]), unit / static_cast<double>(rank + 1), 1);
    EXPECT_EQ(make_loads("zipf:tokens=8,exponent=0", star(3), 0), (Loads{2, 2, 2, 2}));
}

TEST(MakeLoads, ASpecsOwnSeedWins) {
    EXPECT_EQ(make_loads("uniform:tokens=100,seed=5", star(9), 1),
              make_loads("uniform:tokens=100", star(9), 5));
}

TEST(MakeLoads, SpikesStandOnExactlyKNodes) {
    const Loads loads = make_loads("spikes:tokens=10,k=3", star(9), 4);
    EXPECT_EQ(std::count(loads.begin(), loads.end(), 0), 7);
    EXPECT_EQ(std::count(loads.begin(), loads.end(), 3), 2);
    EXPECT_EQ(std::count(loads.begin(), loads.end(), 4), 1);
}

TEST(MakeLoads, ABimodalShareIsExact) {
    const Loads loads = make_loads("bimodal:low=1,high=9,share=0.3", star(9), 4);
    EXPECT_EQ(std::count(loads.begin(), loads.end(), 9), 3);
    EXPECT_EQ(std::count(loads.begin(), loads.end(), 1), 7);
}

TEST(MakeLoads, BimodalWithoutAShuffleIsAStep) {
    EXPECT_EQ(make_loads("bimodal:high=9,share=0.5,shuffle=no", star(3), 4), (Loads{9, 9, 0, 0}));
}

TEST(MakeLoads, DistanceFromAnEndMayRiseByTheDegree) {
    EXPECT_EQ(make_loads("distance-from-end:rise=degree", star(3), 0),
              make_loads("distance-from-end:rise=3", star(3), 0));
    EXPECT_NE(message_of_spec("distance-from-end:rise=degrees", star(2)).find("whole number"),
              std::string::npos);
}

TEST(MakeLoads, BetweenDrawsEveryNumberFromLowToHigh) {
    const Loads loads = make_loads("between:low=2,high=4", star(99), 4);
    for (const Tokens load : {2, 3, 4})
        EXPECT_GT(std::count(loads.begin(), loads.end(), load), 20);
    EXPECT_EQ(*std::min_element(loads.begin(), loads.end()), 2);
    EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), 4);
    EXPECT_NE(message_of_spec("between:low=3,high=2", star(2)).find("at least low, 3"),
              std::string::npos);
}

TEST(MakeLoads, ACornerBlockIsASquareAtTheOrigin) {
    EXPECT_EQ(make_loads("corner:tokens=9,block=2", mesh(3, 3), 0),
              (Loads{3, 2, 0, 2, 2, 0, 0, 0, 0}));
    EXPECT_NE(message_of_spec("corner:tokens=9", star(2)).find("a mesh or torus"),
              std::string::npos);
}

TEST(MakeLoads, ACornerBlockMayHaveASideForEachAxis) {
    EXPECT_EQ(make_loads("corner:tokens=6,block=3x2", mesh(3, 3), 0),
              (Loads{1, 1, 0, 1, 1, 0, 1, 1, 0}));
    for (const std::string block : {"3x", "x3", "3x2x1", "3x0", "ax3"})
        EXPECT_NE(message_of_spec("corner:tokens=6,block=" + block, mesh(3, 3))
                      .find("one for each axis of the mesh as in 4x8, found \"" + block + '"'),
                  std::string::npos);
}

TEST(MakeLoads, AtNamesNodesAndWhatAllOthersHold) {
    EXPECT_EQ(make_loads("at:1=4,3=7", star(2), 0), (Loads{4, 0, 7}));
    EXPECT_EQ(make_loads("at:others=2,3=7", star(2), 0), (Loads{2, 2, 7}));
    EXPECT_NE(message_of_spec("at:9=4", star(2)).find("(\"1\" to \"3\") or others"),
              std::string::npos);
    EXPECT_NE(message_of_spec("at:1=4,1=5", star(2)).find("1= once"), std::string::npos);
    EXPECT_NE(message_of_spec("at:1=4,01=5", star(2)).find("node 1 once"), std::string::npos);
    for (const std::string bare : {"at", "at:", "at:3"})
        EXPECT_NE(message_of_spec(bare, star(2)), "no error") << bare;
}

TEST(SpecOfLoads, IsReadAsTheseLoads) {
    for (const Loads& loads : {Loads{4, 0, 7}, Loads{0, 0, 0}, Loads{1, 2, 3}}) {
        const std::string spec = spec_of(loads, star(2)).value();
        EXPECT_EQ(make_loads(spec, star(2), 0), loads) << spec;
    }
    EXPECT_EQ(spec_of(Loads{4, 0, 7}, star(2)), "at:1=4,3=7");
    EXPECT_EQ(spec_of(Loads{0, 0, 0}, star(2)), "at:others=0");
}

TEST(SpecOfLoads, HasNoPlaceForSomeNames) {
    AnyNetwork named = star(2);
    named.labels().names = {"Bern", "a,b", "x y"};
    EXPECT_EQ(spec_of(Loads{4, 0, 7}, named), "at:Bern=4,x y=7");
    EXPECT_EQ(make_loads("at:Bern=4,x y=7", named, 0), (Loads{4, 0, 7}));
    EXPECT_EQ(spec_of(Loads{4, 1, 7}, named), std::nullopt);
    for (const char* name : {"a=b", "", "others"}) {
        named.labels().names[1] = name;
        EXPECT_EQ(spec_of(Loads{0, 1, 0}, named), std::nullopt) << name;
    }
}

TEST(MakeLoads, ACascadeSendsItsFlowOverTheMiddleOfEachBlockAndNoMoreOverAnyBorder) {
    constexpr Tokens flow = 64;
    const AnyNetwork row = Grid({512}, Grid::Shape::mesh);
    Tokens largest = 0;
    for (unsigned levels = 1; levels <= 8; ++levels) {
        const Loads loads = make_loads("cascade:flow=64,levels=" + std::to_string(levels), row, 0);
        const Tokens mean = total(loads) / 512;
        ASSERT_EQ(total(loads), 512 * mean);
        // What crosses the border before each cell.
        std::vector<Tokens> over(513, 0);
        for (std::size_t cell = 0; cell < 512; ++cell)
            over[cell + 1] = over[cell] + loads[cell] - mean;
        for (const Tokens crossing : over)
            EXPECT_LE(std::abs(crossing), flow);
        for (unsigned level = 0; level < levels; ++level) {
            const std::size_t block = std::size_t{512} >> level;
            for (std::size_t first = 0; first < 512; first += block) {
                const Tokens between = over[first] + over[first + block];
                EXPECT_NEAR(static_cast<double>(std::abs(2 * over[first + block / 2] - between)),
                            2 * flow, 1);
            }
        }
        EXPECT_EQ(*std::min_element(loads.begin(), loads.end()), 0);
        EXPECT_GE(discrepancy(loads), largest);
        largest = discrepancy(loads);
    }
    EXPECT_EQ(largest, 2 * flow);
    const Loads slabs = make_loads("cascade:flow=4,levels=2", mesh(8, 3), 0);
    for (std::size_t node = 0; node < slabs.size(); ++node)
        EXPECT_EQ(slabs[node], slabs[node / 3 * 3]);
}

TEST(MakeLoads, DistanceFromAnEndReachesTheDiameterWithStepsOfAtMostOne) {
    const Network lollipop(6, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}});
    for (const AnyNetwork& network : {AnyNetwork(lollipop), star(5), mesh(4, 6)}) {
        const Loads loads = make_loads("distance-from-end", network, 0);
        EXPECT_EQ(discrepancy(loads), Tokens{network::diameter(network).upper});
        EXPECT_EQ(local_imbalance(network, loads), 1);
    }
}

TEST(MakeLoads, RefusesWhatItDoesNotUnderstandByName) {
    EXPECT_NE(message_of_spec("spike:tokens=1,nod=0", star(2)).find("nod"), std::string::npos);
    EXPECT_NE(message_of_spec("spike:tokens=1,node=9", star(2)).find("(\"1\" to \"3\")"),
              std::string::npos);
    EXPECT_NE(message_of_spec("nails:tokens=1", star(2)).find("spike, spikes, uniform"),
              std::string::npos);
    EXPECT_NE(message_of_spec("missing.csv", star(2)).find("missing.csv: cannot be read"),
              std::string::npos);
    EXPECT_NE(message_of_spec("staircase:rise=2305843009213693951", star(9)), "no error");
}

TEST(LoadsOfSomeNodes, AreThoseOfTheWholeWhereTheGeneratorHasThem) {
    const network::AnyNetwork path = network::generate("path:n=10", 0);
    std::string with_parts;
    for (const SpecInfo& info : load_generators()) {
        if (info.name == "corner") continue;  // needs a mesh
        const Loads whole = make_loads(info.example, path, 5);
        try {
            for (const auto& [first, last] : {std::pair<NodeId, NodeId>{0, 4}, {4, 10}})
                EXPECT_EQ(make_part_loads(info.example, 10, first, last, 5),
                          Loads(whole.begin() + first, whole.begin() + last))
                    << info.example;
            with_parts += info.name + ' ';
        } catch (const UnsuitableError& error) {
            EXPECT_EQ(std::string(error.what()),
                      "cannot make the loads '" + info.example +
                          "' in pieces: expected spike, uniform, even or staircase");
        }
    }
    EXPECT_EQ(with_parts, "spike uniform even staircase ");
}

TEST(MakeLoads, NamesAnUnknownKeyBeforeAMissingOne) {
    const network::AnyNetwork torus = network::generate("torus:3x3", 0);
    for (const SpecInfo& info : load_generators()) {
        EXPECT_NO_THROW(static_cast<void>(make_loads(info.example, torus, 1))) << info.example;
        try {
            static_cast<void>(make_loads(info.name + ":foo=1", torus, 1));
            ADD_FAILURE() << info.name;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("unknown key \"foo\": expected "),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST(MakeLoads, RefusesLoadsThatNoMemoryHoldsAndSaysTheirSize) {
    if (memory_bytes_max() > 4'000'000'000U * sizeof(Tokens)) GTEST_SKIP() << "much memory";
    const network::AnyNetwork torus = network::generate("torus:63000x63000", 0);
    try {
        static_cast<void>(make_loads("spike:tokens=5", torus, 1));
        ADD_FAILURE() << "expected a refusal";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("3969000000 nodes would take 30 GiB"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace equipoise::load
