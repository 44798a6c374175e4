#include "equipoise/report/plan.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/network/generators/generate.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::report {
namespace {

TEST(Plan, GivesTheReasonInWords) {
    const network::AnyNetwork star = network::generate("star:leaves=7", 0);
    const network::Network stored(8, network::all_links(star));
    const load::Loads loads = test::corner_loads(8, 16);
    const optimum::Problem problem = {&stored, loads, optimum::floor_or_ceiling(loads), {}, {}, {}};
    const std::string text = explain(optimum::make_plan(problem), problem, star);
    EXPECT_NE(text.find("node 0 holds 14 tokens too many, and at most 1 can leave it in a step."),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace equipoise::report
