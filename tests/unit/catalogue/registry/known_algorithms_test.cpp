#include "equipoise/verify/known_algorithms.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {
namespace {

TEST(KnownAlgorithms, AreThoseOfTheCatalogueAndSayTheSame) {
    std::size_t names = 0;
    for (const Algorithm& algorithm : algorithms()) {
        const verify::KnownAlgorithm* const known = verify::find_known(algorithm.name);
        ASSERT_NE(known, nullptr) << algorithm.name;
        EXPECT_EQ(known->model, to_string(algorithm.model)) << algorithm.name;
        EXPECT_EQ(known->goal_discrepancy, algorithm.goal_discrepancy) << algorithm.name;
        EXPECT_EQ(known->goal_one_balanced, algorithm.goal_one_balanced) << algorithm.name;
        EXPECT_EQ(known->may_be_negative, algorithm.loads_may_be_negative) << algorithm.name;
        EXPECT_EQ(known->one_token_a_link, algorithm.one_token_a_link) << algorithm.name;
        EXPECT_EQ(known->on_tree, algorithm.takes_tree) << algorithm.name;
        EXPECT_EQ(known->serves_speeds, algorithm.serves_speeds) << algorithm.name;
        const bool idealised =
            std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                        [](const Parameter& parameter) { return parameter.name == "idealised"; });
        const bool scaled = algorithm.load_scale != nullptr;
        EXPECT_EQ(known->idealised_in_units, scaled && idealised) << algorithm.name;
        EXPECT_EQ(known->in_units, scaled && !idealised) << algorithm.name;
        names += 1 + algorithm.former_names.size();
        for (const std::string& former : algorithm.former_names) {
            const verify::KnownAlgorithm* const same = verify::find_known(former);
            ASSERT_NE(same, nullptr) << former;
            EXPECT_EQ(same->model, known->model) << former;
            EXPECT_EQ(same->goal_discrepancy, known->goal_discrepancy) << former;
            EXPECT_EQ(same->one_token_a_link, known->one_token_a_link) << former;
        }
    }
    EXPECT_EQ(verify::known_algorithms().size(), names);
    EXPECT_EQ(verify::find_known("threshold-3"), nullptr);
}

}  // namespace
}  // namespace equipoise::catalogue
