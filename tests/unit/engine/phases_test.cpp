// When the nodes of a program end its phases.

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/phase_book.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/perfect_tree_batched.hpp"

namespace equipoise::engine {
namespace {

using model::PhaseEnd;
using programs::PerfectTree;
using programs::PerfectTreeBatched;

TEST(PhaseBook, NotesTheFirstAndTheLastNodeThatEndAPhase) {
    PhaseBook book(2, 3);
    book.note(1, 1, 4, 10);
    book.note(0, 2, 5, 30);  // ends both at once
    EXPECT_EQ(book.ends(), (std::vector<PhaseEnd>{{4, {}, 30}, {5, {}, 30}}));
    book.note(2, 1, 7, 20);
    book.note(1, 2, 8, 40);
    book.note(2, 2, 9, 5);
    EXPECT_EQ(book.ends(), (std::vector<PhaseEnd>{{4, 7, 30}, {5, 9, 40}}));
}

TEST(PhaseBook, OnlyAPhaseMoreIsNews) {
    PhaseBook book(3, 1);
    EXPECT_FALSE(book.is_news(0, 0));
    EXPECT_TRUE(book.is_news(0, 2));
    book.note(0, 2, 1, 0);
    EXPECT_FALSE(book.is_news(0, 2));
    EXPECT_FALSE(book.is_news(0, 1));
}

/// Two nodes, three tokens on one of them. The first to start sends its totals at once, and they
/// arrive at 1; the other one is then the root, whose answer arrives at 2.
template <class Program>
std::vector<PhaseEnd> phases_on_two_nodes() {
    const network::Network two(2, {{0, 1}});
    const Program program;
    Simulation<Program> run(program, two, std::vector<Tokens>{3, 0});
    const SimulationOutcome outcome = run.run();
    EXPECT_EQ(outcome.end, SimulationEnd::all_done);
    EXPECT_EQ(run.phases().back().last, outcome.time);
    return run.phases();
}

TEST(Phases, OfPerfectTreeEndOneAfterTheOther) {
    const std::vector<PhaseEnd> ends = phases_on_two_nodes<PerfectTree>();
    ASSERT_EQ(ends.size(), 3U);
    EXPECT_EQ(ends[0].first, 1U);
    EXPECT_EQ(ends[0].last, 2U);
    for (std::size_t k = 1; k < ends.size(); ++k) {
        EXPECT_LE(ends[k - 1].first, ends[k].first);
        EXPECT_LE(ends[k - 1].last, ends[k].last);
    }
    // 4 for the state; T, N and Avg are 3, 2 and 1; a port knows 0 or 3 tokens and a node.
    EXPECT_GE(ends[0].memory_bits, 4U + 3 + 3 + 2 + 6 + 1 + 2);
    EXPECT_LE(ends[2].memory_bits, 64U);
}

TEST(Phases, OfPerfectTreeBatchedEndOneAfterTheOther) {
    const std::vector<PhaseEnd> ends = phases_on_two_nodes<PerfectTreeBatched>();
    ASSERT_EQ(ends.size(), 3U);
    EXPECT_EQ(ends[0], (PhaseEnd{1, 2, ends[0].memory_bits}));
    EXPECT_GT(ends[0].memory_bits, 0U);
}

TEST(Phases, OfASingleNodeEndAsItStarts) {
    const network::Network one(1, {});
    const PerfectTree program;
    Simulation<PerfectTree> run(program, one, std::vector<Tokens>{5});
    static_cast<void>(run.run());
    for (const PhaseEnd& end : run.phases()) {
        EXPECT_EQ(end.first, 0U);
        EXPECT_EQ(end.last, 0U);
    }
}

TEST(Phases, ThatNotAllNodesHaveEndedHaveNoLastTime) {
    const network::Network path(3, {{0, 1}, {1, 2}});
    const PerfectTree program;
    SimulationOptions options;
    options.events_max = 3;
    Simulation<PerfectTree> run(program, path, std::vector<Tokens>{9, 0, 0}, options);
    EXPECT_EQ(run.run().end, SimulationEnd::events_max);
    EXPECT_TRUE(run.phases()[0].first);
    EXPECT_FALSE(run.phases()[0].last);
    EXPECT_EQ(run.phases()[2], PhaseEnd());
}

TEST(Phases, ProgramsWithoutPhasesHaveNone) {
    const network::Network two(2, {{0, 1}});
    const programs::MinimumExchangeTree program;
    Simulation<programs::MinimumExchangeTree> run(program, two, std::vector<Tokens>{3, 0});
    static_cast<void>(run.run());
    EXPECT_TRUE(run.phases().empty());
}

}  // namespace
}  // namespace equipoise::engine
