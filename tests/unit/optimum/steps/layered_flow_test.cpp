// Flows through few layers, against the full expansion.

#include "equipoise/optimum/steps/layered_flow.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/steps/delayed_flow.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

/// Every number of steps from `first` on is decided as by the full expansion, with proofs; the
/// tokens follow `flow` at first, if there is one.
void expect_right_from(const Problem& problem, Step first, const std::optional<LinkFlow>& flow) {
    LayeredFlow layers(problem, first);
    if (flow) layers.follow(*flow);
    for (;; layers.add_step()) {
        const FlowOutcome outcome = layers.carry(std::stop_token());
        ASSERT_EQ(outcome == FlowOutcome::carried,
                  test::enough_by_expansion(problem, layers.steps()));
        if (outcome == FlowOutcome::carried) break;
        const CutOverTime cut = layers.cut();
        ASSERT_EQ(check_cut(problem, cut), "");
        ASSERT_EQ(cut.steps, layers.steps());
    }
    const FlowOverTime found = layers.flow_over_time();
    const FlowVerdict verdict = check_flow(problem, found);
    ASSERT_TRUE(verdict.holds) << verdict.fault;
    ASSERT_LE(verdict.steps, layers.steps());
    for (const Window& window : found.windows)
        ASSERT_EQ(window.tokens % static_cast<Tokens>(window.steps), 0);
}

void expect_right(const Problem& problem, Step first) {
    expect_right_from(problem, first, std::nullopt);
    expect_right_from(problem, first, forest_flow(problem));
}

TEST(LayeredFlow, IsAsTheFullExpansionOnEverythingSmall) {
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports,
                                   [](const Problem& problem) { expect_right(problem, 0); });
}

TEST(LayeredFlow, IsAsTheFullExpansionOnRandomProblems) {
    RandomStream random(37, Purpose::sampling);
    test::for_random_problems(
        random, [&](const Problem& problem) { expect_right(problem, random.below(4)); });
}

TEST(LayeredFlow, ClosesWhatRatesLeaveOpen) {
    const Network torus = test::stored_network("torus:30x30");
    RandomStream random(5, Purpose::loads);
    ScaledStepsOptions options;
    options.layers_max = 0;
    for (const bool all_ports : {false, true}) {
        load::Loads loads(torus.node_count(), 0);
        Problem problem;
        EnclosedSteps open;
        int draws = 0;
        do {
            ASSERT_LE(++draws, 20) << "rates close all";
            for (Tokens& tokens : loads)
                tokens = random.below(2) == 0 ? 0 : 4;
            problem = test::levelling(torus, loads, all_ports);
            open = scaled_steps(problem, options);
        } while (open.exact());
        const EnclosedSteps closed = scaled_steps(problem);
        EXPECT_TRUE(closed.exact());
        EXPECT_EQ(closed.open, "");
        EXPECT_TRUE(test::enough_by_expansion(problem, closed.at_least));
        EXPECT_FALSE(test::enough_by_expansion(problem, closed.at_least - 1));
        EXPECT_EQ(check_cut(problem, *closed.cut), "");
        EXPECT_TRUE(check_flow(problem, *closed.flow).holds);
        PlanOptions plan;
        plan.small_arcs_max = 0;
        EXPECT_TRUE(make_plan(problem, plan).exact());
        plan.memory_bytes_max = 100'000;
        const Plan small = make_plan(problem, plan);
        EXPECT_EQ(small.at_least, open.at_least);
        EXPECT_EQ(small.at_most, open.at_most);
    }
}

TEST(LayeredFlow, StopsWhenAsked) {
    const Network torus = test::stored_network("torus:40x40");
    const Problem problem = test::levelling(torus, test::corner_loads(1600, 16000), false);
    LayeredFlow layers(problem, 20);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(layers.carry(stop.get_token()), FlowOutcome::stopped);
}

}  // namespace
}  // namespace equipoise::optimum
