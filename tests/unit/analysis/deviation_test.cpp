#include "equipoise/analysis/deviation.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace {

using namespace equipoise;
using analysis::DeviationObserver;

void tell(DeviationObserver& observer, Step steps, const std::vector<Tokens>& loads) {
    const model::Costs costs{.steps = steps};
    const model::StepView view{costs, loads, 0, 0, {}};
    if (steps == 0) observer.on_start(view);
    if (steps > 0) observer.on_step(view);
}

TEST(Deviation, IsTheLargestDistanceFromTheIdealisedDiffusion) {
    const network::AnyNetwork pair = network::generate("path:n=2", 0);
    DeviationObserver observer(analysis::DiffusionMatrix::metropolis(pair));
    tell(observer, 0, {5, 0});
    tell(observer, 1, {3, 2});  // idealised: 5/2, 5/2
    EXPECT_DOUBLE_EQ(observer.largest(), 0.5);
    EXPECT_EQ(observer.largest_at(), 1U);
    tell(observer, 2, {4, 1});
    EXPECT_DOUBLE_EQ(observer.largest(), 1.5);
    tell(observer, 3, {3, 2});
    EXPECT_DOUBLE_EQ(observer.largest(), 1.5);
    EXPECT_EQ(observer.largest_at(), 2U);
    EXPECT_DOUBLE_EQ(observer.idealised()[0], 2.5);
}

TEST(Deviation, OfACircuitIsLookedAtWhenRoundsEnd) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    DeviationObserver observer(analysis::CircuitMatrix(3, network::natural_matchings(path)));
    EXPECT_EQ(observer.next_wanted(0), 2U);
    EXPECT_EQ(observer.next_wanted(2), 4U);
    tell(observer, 0, {4, 0, 0});
    tell(observer, 1, {9, 9, 9});  // within a round: not looked at
    EXPECT_DOUBLE_EQ(observer.largest(), 0);
    tell(observer, 2, {2, 1, 1});  // idealised: 2, 1, 1
    EXPECT_DOUBLE_EQ(observer.largest(), 0);
    tell(observer, 4, {2, 1, 1});  // idealised: 3/2, 5/4, 5/4
    EXPECT_DOUBLE_EQ(observer.largest(), 0.5);
}

}  // namespace
