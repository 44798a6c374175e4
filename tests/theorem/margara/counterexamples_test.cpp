// Margara, Pistocchi, Vassura 2004, Section 3: Phases 2 and 3 as printed lose tokens and block. The
// repaired program does neither, under the same schedules (interleavings_test.cpp).

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "tests/support/printed_perfect_tree.hpp"

namespace equipoise::test {
namespace {

using network::Network;
using Division = PrintedPerfectTree::Division;

/// The results of all interleavings.
struct Ends {
    int perfect = 0;
    int lose_tokens = 0;  ///< all nodes are done, and tokens wait in channels for ever
    int block = 0;        ///< some node waits for ever
};

template <class Program>
Ends all_ends(const Program& program, const Network& tree, const load::Loads& loads) {
    Ends ends;
    engine::Explorer<Program> explorer(program, tree, loads);
    const auto explored = explorer.explore([](const auto& /*world*/) {},
                                           [&](const auto& world) {
                                               load::Loads ended;
                                               for (const auto& node : world.nodes)
                                                   ended.push_back(node.tokens);
                                               if (!world.all_done())
                                                   ++ends.block;
                                               else if (load::total(ended) < load::total(loads))
                                                   ++ends.lose_tokens;
                                               else if (load::discrepancy(ended) <= 1)
                                                   ++ends.perfect;
                                           });
    EXPECT_TRUE(explored.complete);
    return ends;
}

void expect_repaired(const Network& tree, const load::Loads& loads) {
    for (const auto choice : {programs::PerfectTree::RootChoice::reserve,
                              programs::PerfectTree::RootChoice::link_end}) {
        const Ends ends = all_ends(programs::PerfectTree(choice), tree, loads);
        EXPECT_GT(ends.perfect, 0);
        EXPECT_EQ(ends.lose_tokens, 0);
        EXPECT_EQ(ends.block, 0);
    }
}

const Network& path_of_three() {
    static const Network path(3, {{0, 1}, {1, 2}});
    return path;
}

TEST(PrintedPhases2And3, LoseTokensThatASlowChildInPhase2SendsBackToANodeThatNoLongerReads) {
    // The centre is empty; the leaf with three becomes the root, and the one with two is slow.
    const load::Loads loads = {3, 0, 2};
    EXPECT_GT(all_ends(PrintedPerfectTree(), path_of_three(), loads).lose_tokens, 0);
    expect_repaired(path_of_three(), loads);
}

TEST(PrintedPhases2And3, BlockWhereAFinishedIsReadInPhase2) {
    const load::Loads loads = {1, 0, 2};
    EXPECT_GT(all_ends(PrintedPerfectTree(), path_of_three(), loads).block, 0);
    expect_repaired(path_of_three(), loads);
}

TEST(PrintedPhases2And3, LoseTokensWhereSubtreesAreDividedInWholeNumbers) {
    const load::Loads loads = {0, 1, 0};
    EXPECT_GT(all_ends(PrintedPerfectTree(Division::whole), path_of_three(), loads).lose_tokens, 0);
    EXPECT_EQ(all_ends(PrintedPerfectTree(Division::exact), path_of_three(), loads).lose_tokens, 0);
    expect_repaired(path_of_three(), loads);
}

TEST(PrintedPhases2And3, LoseATokenInLockStepToo) {
    const Network path(3, {{0, 2}, {1, 2}});
    const load::Loads loads = {2, 3, 0};
    const PrintedPerfectTree program;
    engine::Simulation printed(program, path, loads);
    EXPECT_EQ(load::total(printed.run().loads), 4);
    const programs::PerfectTree repaired;
    engine::Simulation sound(repaired, path, loads);
    const load::Loads ended = sound.run().loads;
    EXPECT_EQ(load::total(ended), 5);
    EXPECT_LE(load::discrepancy(ended), 1);
}

}  // namespace
}  // namespace equipoise::test
