#include "equipoise/protocols/locally_optimal.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace equipoise::protocols {
namespace {

using model::Nothing;

struct LoadedNode {
    Tokens load;
    std::vector<Tokens> neighbours;
    Nothing state = {};
    [[nodiscard]] LocallyOptimal::Here here() {
        return {.load = load,
                .state = state,
                .neighbour_loads = neighbours,
                .neighbour_speeds = {},
                .neighbour_degrees = {}};
    }
};

std::vector<int> proposed(Tokens load, const std::vector<Tokens>& neighbours) {
    LoadedNode node{load, neighbours};
    std::vector<LocallyOptimal::Proposal> out(neighbours.size(), 7);
    LocallyOptimal{}.propose(node.here(), out);
    return {out.begin(), out.end()};
}

std::vector<Tokens> taken(Tokens load, const std::vector<Tokens>& neighbours,
                          const std::vector<LocallyOptimal::Proposal>& in) {
    LoadedNode node{load, neighbours};
    std::vector<Tokens> out(neighbours.size(), 7);
    LocallyOptimal{}.accept(node.here(), in, out);
    return out;
}

TEST(LocallyOptimal, OffersOneTokenToTheFirstOfTheEmptiestNeighboursWithTwoLess) {
    EXPECT_EQ(proposed(5, {4, 2, 2}), (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(proposed(50, {9, 1, 0}), (std::vector<int>{0, 0, 1}));
    EXPECT_EQ(proposed(5, {4, 9, 4}), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(proposed(5, {}), std::vector<int>{});
}

TEST(LocallyOptimal, TakesTheTokenOfTheFirstOfTheFullestProposers) {
    EXPECT_EQ(taken(0, {3, 8, 8, 9}, {1, 1, 1, 0}), (std::vector<Tokens>{0, 1, 0, 0}));
    EXPECT_EQ(taken(0, {3, 8}, {0, 0}), (std::vector<Tokens>{0, 0}));
    EXPECT_EQ(taken(0, {}, {}), std::vector<Tokens>{});
}

}  // namespace
}  // namespace equipoise::protocols
