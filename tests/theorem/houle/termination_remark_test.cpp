// The remark after Theorem 18: "Note that at a node v of T, if localMax(v) has not changed during
// two consecutive applications of the DISCREPANCY-1 algorithm, then the current distribution is
// stable, and hence the global discrepancy is at most one."
//
// It is false. On the path 1-0-2, edge 1-0 of colour 0 and edge 0-2 of colour 1, with 17 tokens at
// the centre and 0 and 22 at the leaves, localMax of the centre is 17 in the first two cycles, and
// the discrepancy afterwards is 2. Loads 6K + 5, 0, 12K - 2 keep it unchanged for K cycles.

#include <gtest/gtest.h>

#include "equipoise/protocols/discrepancy_1.hpp"
#include "tests/support/threshold_play.hpp"

namespace equipoise::test {
namespace {

using protocols::Discrepancy1;

struct Path {
    network::Network network{3, {{0, 1}, {0, 2}}};
    network::EdgeColouring colouring{2, {0, 1}};
};

TEST(TerminationRemark, FailsOnThePathOfThreeNodes) {
    const Path path;
    Play<Discrepancy1> play(Discrepancy1(3, 2), path.network, path.colouring, {17, 0, 22});
    for (int cycle = 1; cycle <= 2; ++cycle) {
        play.steps_of(12);
        EXPECT_EQ(play.node_states()[0].local_max, 17) << "cycle " << cycle;
    }
    EXPECT_EQ(load::discrepancy(play.loads()), 2);
}

TEST(TerminationRemark, FailsAfterAnyNumberOfUnchangedCycles) {
    const Path path;
    for (Tokens unchanged = 2; unchanged <= 12; ++unchanged) {
        const load::Loads loads = {6 * unchanged + 5, 0, 12 * unchanged - 2};
        Play<Discrepancy1> play(Discrepancy1(3, 2), path.network, path.colouring, loads);
        for (Tokens cycle = 1; cycle <= unchanged; ++cycle) {
            play.steps_of(12);
            ASSERT_EQ(play.node_states()[0].local_max, loads[0]) << unchanged << ", " << cycle;
        }
        ASSERT_GE(load::discrepancy(play.loads()), 2) << unchanged;
    }
}

TEST(TerminationRemark, TheUnsoundOptionEndsWithADiscrepancyOfTwo) {
    const Path path;
    auto schedule = model::colour_schedule(path.network, path.colouring);
    engine::RoundOptions options;
    options.stop.steps_max = 1000;
    const auto outcome =
        engine::run_rounds(Discrepancy1(3, 2, Discrepancy1::Termination::local_max_unchanged),
                           schedule, {17, 0, 22}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, model::StopReason::own_termination);
    EXPECT_EQ(load::discrepancy(outcome.loads), 2);
}

TEST(TerminationRemark, TheSoundRuleDoesNot) {
    const Path path;
    auto schedule = model::colour_schedule(path.network, path.colouring);
    const auto outcome =
        engine::run_rounds(Discrepancy1(3, 2), schedule, {17, 0, 22}, path.network, {});
    EXPECT_EQ(outcome.stopped_because, model::StopReason::own_termination);
    EXPECT_EQ(load::discrepancy(outcome.loads), 0);
}

}  // namespace
}  // namespace equipoise::test
