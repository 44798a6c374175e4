// Runs measured against the optimum of their instance.

#include "equipoise/catalogue/studies/best_possible.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

struct Case {
    network::AnyNetwork network;
    network::Network stored;
    load::Loads loads;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const char* spec : {"path:n=7", "cycle:n=8", "mesh:3x4", "random-tree:n=12,seed=3"}) {
        network::AnyNetwork network = network::generate(spec, 0);
        network::Network stored(network.node_count(), network::all_links(network));
        load::Loads loads(network.node_count(), 1);
        loads[0] = 20;
        loads[2] = 9;
        all.push_back({std::move(network), std::move(stored), std::move(loads)});
    }
    return all;
}

optimum::Schedule moves_of(const model::Record& record) {
    optimum::Schedule moves;
    for (const model::Transfer& transfer : record.transfers)
        for (Tokens i = 0; i < transfer.tokens; ++i)
            moves.push_back({transfer.step, transfer.from, transfer.to});
    return moves;
}

TEST(BestPossible, AlgorithmsOfSingleTokenStepsKeepToTheModelOfTheOptimumAndNeverBeatIt) {
    int counted = 0;
    for (const Case& one : cases()) {
        const BestPossible best(one.network, one.loads, {});
        ASSERT_TRUE(best.figures().exact());
        const Tokens most = load::total(one.loads);
        const optimum::Problem anywhere{
            &one.stored, one.loads, optimum::at_most(one.network.node_count(), most), {}, {}, {}};
        for (const Algorithm& algorithm : algorithms()) {
            if (!moves_single_tokens(algorithm)) continue;
            if (!test::refusal(algorithm, NetworkFacts(one.network), one.loads).empty()) continue;
            SCOPED_TRACE(algorithm.name);
            RunOptions options;
            options.record_level = model::RecordLevel::full;
            model::Record record = run(algorithm.name, one.network, one.loads, options).record;
            const auto verdict = optimum::check_schedule(anywhere, moves_of(record));
            EXPECT_TRUE(verdict.holds) << verdict.fault;
            best.note_in(record, algorithm);
            if (!record.optimum || !record.optimum->steps) continue;
            ++counted;
            EXPECT_GE(record.costs.steps, best.figures().steps_at_least);
            EXPECT_GE(static_cast<Tokens>(record.costs.exchanges), best.figures().exchanges);
        }
    }
    EXPECT_GE(counted, 4);
}

TEST(BestPossible, MeasuresOnlyRunsThatEndWhereTheOptimumDoes) {
    const Case one = cases().front();
    const BestPossible best(one.network, one.loads, {});
    RunOptions options;
    model::Record record = run("discrepancy-1", one.network, one.loads, options).record;
    const Algorithm& algorithm = find_algorithm("discrepancy-1");
    model::Record uneven = record;
    ++uneven.final_loads[0];
    --uneven.final_loads[1];
    best.note_in(uneven, algorithm);
    EXPECT_FALSE(uneven.optimum);
    model::Record changing = record;
    changing.arrivals = "poisson:rate=1";
    best.note_in(changing, algorithm);
    EXPECT_FALSE(changing.optimum);
    best.note_in(record, algorithm);
    EXPECT_EQ(record.optimum.value().steps, best.figures().steps_at_least);
    EXPECT_EQ(record.optimum->exchanges, best.figures().exchanges);
    model::Record batched = record;
    batched.optimum.reset();
    best.note_in(batched, find_algorithm("dimension-exchange"));
    EXPECT_FALSE(batched.optimum.value().steps);
}

TEST(BestPossible, FollowsSpeeds) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    const std::vector<Tokens> speeds = {1, 1, 2};
    const BestPossible best(path, {8, 0, 0}, speeds);
    EXPECT_EQ(best.figures().moves, 6);
    EXPECT_EQ(best.figures().exchanges, 10);
    EXPECT_EQ(best.figures().steps_at_least, 6U);
}

}  // namespace
}  // namespace equipoise::catalogue
