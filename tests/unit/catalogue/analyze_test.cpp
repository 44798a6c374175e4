#include "equipoise/catalogue/analyze.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/conjecture.hpp"
#include "equipoise/catalogue/instance.hpp"

namespace equipoise::catalogue {
namespace {

Analysis analysis_of(const std::string& spec) {
    NetworkRequest request;
    request.spec = spec;
    const Instance instance = make_instance(request, "spike:tokens=100");
    return analyze(NetworkFacts(instance.network), instance.loads);
}

TEST(Analyze, TellsWhatIsKnownOfEveryKindOfNetwork) {
    for (const std::string spec :
         {"path:n=1", "path:n=2", "path:n=9", "cycle:n=8", "torus:4x6", "mesh:3x4", "tree:k=3,h=3",
          "complete:n=5", "hypercube:d=4", "random-tree:n=30", "gnp:n=20,p=0.4"}) {
        const Analysis found = analysis_of(spec);
        for (const AppliedBound& bound : found.bounds)
            EXPECT_TRUE(std::isfinite(bound.value)) << spec << ": " << bound.theorem->name;
        EXPECT_EQ(found.bounds.size() + found.refused.size(), theory::theorems().size());
        const auto object = nlohmann::json::parse(analysis_json(found));
        EXPECT_EQ(object["nodes"], found.nodes);
        EXPECT_EQ(object["bounds"].size(), found.bounds.size());
        EXPECT_FALSE(analysis_text(found, spec, "a spike").empty());
    }
}

TEST(Analyze, KnowsCompleteTreesByTheirShape) {
    const Analysis tree = analysis_of("tree:k=3,h=3");
    EXPECT_EQ(tree.summary.tree_arity, 3U);
    EXPECT_EQ(tree.summary.tree_height, 3U);
    EXPECT_EQ(tree.stable_discrepancy, 4U);
    EXPECT_FALSE(analysis_of("path:n=4").summary.tree_arity);
    EXPECT_FALSE(analysis_of("caterpillar:spine=3,legs=2").summary.tree_arity);
}

TEST(Analyze, LeavesOutWhatAnUnconnectedNetworkDoesNotHave) {
    const Analysis found = analysis_of("gnp:n=30,p=0");
    EXPECT_FALSE(found.connected);
    EXPECT_FALSE(found.diameter);
    EXPECT_FALSE(found.diffusion.lambda);
    EXPECT_TRUE(found.recommendations.empty());
}

TEST(Conjecture, IsTabulatedWithWitnessesThatVerify) {
    ConjectureOptions options;
    options.arities = {6, 7};
    options.heights = {5, 6};
    const auto rows = tabulate_conjecture(options);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[3].at_least, 17U);
    EXPECT_TRUE(rows[3].exact());
    EXPECT_EQ(rows[3].holds(), std::optional(false));
    EXPECT_EQ(rows[0].holds(), std::optional(true));
    const verify::Report report = verify_conjecture(conjecture_json(rows), "rows");
    EXPECT_TRUE(report.passed());
    EXPECT_EQ(report.checks.size(), 12U);
}

TEST(Conjecture, ClaimsThatAreWrongDoNotVerify) {
    ConjectureOptions options;
    options.arities = {7, 7};
    options.heights = {6, 6};
    auto rows = tabulate_conjecture(options);
    auto dearer = rows;
    dearer[0].at_least = *dearer[0].at_most + 1;
    dearer[0].at_most = dearer[0].at_least;
    EXPECT_FALSE(verify_conjecture(conjecture_json(dearer), "rows").passed());
    auto cheaper = rows;
    cheaper[0].witness = "1";
    EXPECT_FALSE(verify_conjecture(conjecture_json(cheaper), "rows").passed());
    EXPECT_THROW((void)verify_conjecture("{}", "rows"), InputError);
    EXPECT_THROW((void)verify_conjecture("[{\"k\": 3}]", "rows"), InputError);
}

TEST(Conjecture, RangesAreRead) {
    EXPECT_EQ(parse_range("2..32", "--k").last, 32U);
    EXPECT_EQ(parse_range("7", "--k").first, 7U);
    for (const std::string text : {"", "..", "3..2", "a", "2..", "2...3"})
        EXPECT_THROW((void)parse_range(text, "--k"), InputError) << text;
}

}  // namespace
}  // namespace equipoise::catalogue
