#include "equipoise/analysis/polynomial_plan.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::analysis {
namespace {

constexpr SchemeStart spike{10'000, 10'000, 100, 4};

LaplacianSpectrum spectrum_of(const std::string& spec) {
    return laplacian_spectrum(network::generate(spec, 1));
}

TEST(PlanProduct, TakesEachEigenvalueOnceInDescendingAndAscendingOrder) {
    const LaplacianSpectrum spectrum = spectrum_of("cycle:n=20");
    const ProductPlan down = plan_product(spectrum, spike, RootOrder::descending);
    EXPECT_EQ(down.roots.size(), 10U);
    EXPECT_TRUE(std::is_sorted(down.roots.rbegin(), down.roots.rend()));
    const ProductPlan up = plan_product(spectrum, spike, RootOrder::ascending);
    EXPECT_TRUE(std::is_sorted(up.roots.begin(), up.roots.end()));
    EXPECT_EQ(plan_product(spectrum, spike, RootOrder::automatic).order, RootOrder::descending);
}

TEST(PlanProduct, TurnsToLejaOrderWhereTheOthersWouldTakeMoreThan128Bits) {
    const LaplacianSpectrum spectrum = spectrum_of("cycle:n=400");
    EXPECT_THROW(static_cast<void>(plan_product(spectrum, spike, RootOrder::descending)),
                 UnsuitableError);
    const ProductPlan plan = plan_product(spectrum, spike, RootOrder::automatic);
    EXPECT_EQ(plan.order, RootOrder::leja);
    EXPECT_LE(plan.roots.size(), 200U);
    EXPECT_EQ(plan.roots.front(), 4);
    EXPECT_LE(plan.spread, scheme_spread_max);
}

TEST(PlanProduct, TakesEigenvaluesAgainThatAreNotKnownWellEnough) {
    const ProductPlan plan = plan_product(spectrum_of("random-tree:n=300"), spike, RootOrder::leja);
    EXPECT_LT(std::set<double>(plan.roots.begin(), plan.roots.end()).size(), plan.roots.size());
    EXPECT_LE(plan.spread, scheme_spread_max);
}

TEST(PlanProduct, EndsEarlyInLejaOrderWhereLoadsAreLevelBefore) {
    const LaplacianSpectrum spectrum = spectrum_of("random-regular:n=200,d=4");
    EXPECT_LT(plan_product(spectrum, spike, RootOrder::leja).roots.size(),
              spectrum.distinct.size() / 2);
}

TEST(PlanProduct, RefusesMoreTokensThanFit) {
    const SchemeStart many{4e18, 4e18, 100, 4};
    EXPECT_THROW(
        static_cast<void>(plan_product(spectrum_of("cycle:n=400"), many, RootOrder::automatic)),
        UnsuitableError);
}

TEST(PlanChebyshev, LevelsInAsManyRoundsAsTheBoundSaysAndRefusesAMillion) {
    const ChebyshevPlan plan = plan_chebyshev({1, 4}, spike, 0);
    EXPECT_EQ(plan.roots.size(), plan.momenta.size());
    EXPECT_LE(plan.spread, scheme_spread_max);
    EXPECT_GT(plan_chebyshev({1, 4}, spike, plan.roots.size() / 2).spread, scheme_spread_max);
    EXPECT_EQ(plan_chebyshev({1, 4}, spike, 7).roots.size(), 7U);
    EXPECT_THROW(static_cast<void>(plan_chebyshev({1e-12, 4}, spike, 0)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(plan_chebyshev({1e-17, 4}, spike, 1)), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::analysis
