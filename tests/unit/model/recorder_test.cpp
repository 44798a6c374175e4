#include "equipoise/model/run/recorder.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace equipoise;
using model::Costs;
using model::Recorder;
using model::RecordLevel;
using model::StepView;
using model::Transfer;

/// Plays `steps` steps of a token that walks along a path of 3 and back.
model::Record play(RecordLevel level, Step steps, std::size_t samples) {
    Recorder recorder(level, samples);
    std::vector<Tokens> loads = {1, 0, 0};
    Costs costs;
    constexpr std::array<NodeId, 4> tour = {0, 1, 2, 1};
    recorder.on_start({costs, loads, 0, 0, {}});
    for (Step step = 0; step < steps; ++step) {
        const Transfer move{step, tour[step % 4], tour[(step + 1) % 4], 1};
        --loads[move.from];
        ++loads[move.to];
        const Step wanted = recorder.next_wanted(step);
        costs.steps = step + 1;
        const std::vector<Transfer> moves = {move};
        if (wanted == costs.steps)
            recorder.on_step(
                {costs, loads, 0, 0,
                 recorder.wants_transfers() ? std::span(moves) : std::span<const Transfer>{}});
    }
    recorder.on_end({costs, loads, 0, 0, {}});
    model::Record record;
    recorder.move_into(record);
    return record;
}

TEST(Recorder, KeepsFirstAndLastMomentAndAsManySamplesAsWanted) {
    for (const Step steps : {0U, 1U, 7U, 100U, 1001U}) {
        const model::Record record = play(RecordLevel::sampled, steps, 10);
        ASSERT_FALSE(record.samples.empty());
        EXPECT_EQ(record.samples.front().step, 0U);
        EXPECT_EQ(record.samples.back().step, steps);
        EXPECT_LE(record.samples.size(), 22U);
        EXPECT_GE(record.samples.size(), std::min<std::size_t>(steps + 1, 10));
        for (std::size_t i = 1; i < record.samples.size(); ++i)
            EXPECT_LT(record.samples[i - 1].step, record.samples[i].step);
        EXPECT_TRUE(record.transfers.empty());
    }
}

TEST(Recorder, KeepsNoSamplesInASummary) {
    const model::Record record = play(RecordLevel::summary, 50, 10);
    EXPECT_TRUE(record.samples.empty());
    EXPECT_TRUE(record.transfers.empty());
}

TEST(Recorder, KeepsEveryTransferInAFullRecord) {
    const model::Record record = play(RecordLevel::full, 321, 10);
    ASSERT_EQ(record.transfers.size(), 321U);
    for (Step step = 0; step < 321; ++step)
        EXPECT_EQ(record.transfers[step].step, step);
}

TEST(Recorder, FindsTheNodesWhereTokensWereMadeAndRemoved) {
    Recorder recorder(RecordLevel::full);
    Costs costs;
    std::vector<Tokens> loads = {4, 0};
    recorder.on_start({costs, loads, 0, 0, {}});
    loads = {5, 1};  // one moved over, two made at node 0
    costs.steps = 1;
    const std::vector<Transfer> moves = {{0, 0, 1, 1}};
    recorder.on_step({costs, loads, 2, 0, moves});
    loads = {5, 0};  // one removed at node 1
    costs.steps = 2;
    recorder.on_step({costs, loads, 2, 1, {}});
    recorder.on_end({costs, loads, 2, 1, {}});
    model::Record record;
    recorder.move_into(record);
    EXPECT_EQ(record.created, (std::vector<Transfer>{{0, 0, 0, 2}}));
    EXPECT_EQ(record.destroyed, (std::vector<Transfer>{{1, 1, 0, 1}}));
}

TEST(Recorder, BooksMadeTokensWithoutANodeWhereItDoesNotLookAtEveryStep) {
    Recorder recorder(RecordLevel::summary);
    Costs costs;
    std::vector<Tokens> loads = {4, 0};
    recorder.on_start({costs, loads, 0, 0, {}});
    loads = {5, 1};
    costs.steps = 9;
    recorder.on_end({costs, loads, 2, 0, {}});
    model::Record record;
    recorder.move_into(record);
    EXPECT_EQ(record.created, (std::vector<Transfer>{{8, 0, no_node, 2}}));
    EXPECT_TRUE(record.destroyed.empty());
}

}  // namespace
