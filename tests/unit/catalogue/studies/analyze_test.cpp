#include "equipoise/catalogue/studies/analyze.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/analysis/big_gap.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/studies/conjecture.hpp"
#include "equipoise/network/structure/circuits.hpp"

namespace equipoise::catalogue {
namespace {

using report::Analysis;
using report::AppliedBound;
using report::conjecture_json;
using report::Recommendation;

Analysis analysis_of(const std::string& spec) {
    NetworkRequest request;
    request.spec = spec;
    const Instance instance = make_instance(request, "spike:tokens=100");
    return analyze(NetworkFacts(instance.network), instance.loads);
}

TEST(Analyze, ReportsWhatIsKnownOfEveryKindOfNetwork) {
    for (const std::string spec :
         {"path:n=1", "path:n=2", "path:n=9", "cycle:n=8", "torus:4x6", "mesh:3x4", "tree:k=3,h=3",
          "complete:n=5", "hypercube:d=4", "random-tree:n=30", "gnp:n=20,p=0.4"}) {
        const Analysis found = analysis_of(spec);
        for (const AppliedBound& bound : found.bounds)
            EXPECT_TRUE(std::isfinite(bound.value)) << spec << ": " << bound.theorem->name;
        EXPECT_EQ(found.bounds.size() + found.refused.size(), theory::theorems().size());
        const auto object = nlohmann::json::parse(report::analysis_json(found));
        EXPECT_EQ(object["nodes"], found.nodes);
        EXPECT_EQ(object["bounds"].size(), found.bounds.size());
        EXPECT_FALSE(report::analysis_text(found, spec, "a spike").empty());
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

bool bounds_steps_of(const Analysis& found, const std::string& algorithm) {
    return std::any_of(found.bounds.begin(), found.bounds.end(), [&](const AppliedBound& bound) {
        return bound.theorem->quantity == "steps of " + algorithm;
    });
}

bool suggests(const Analysis& found, const std::string& algorithm) {
    return std::any_of(found.recommendations.begin(), found.recommendations.end(),
                       [&](const Recommendation& one) { return one.algorithm == algorithm; });
}

TEST(Analyze, IgnoresAxesOfASingleNodeAndTakesAPathForALine) {
    const Analysis line = analysis_of("path:n=9");
    EXPECT_EQ(line.summary.mesh_sides, (std::vector<std::uint64_t>{9}));
    for (const std::string spec : {"mesh:9x1", "mesh:1x9x1"}) {
        const Analysis found = analysis_of(spec);
        EXPECT_EQ(found.summary.mesh_sides, line.summary.mesh_sides) << spec;
        EXPECT_EQ(found.summary.fewest_steps, line.summary.fewest_steps) << spec;
    }
    EXPECT_TRUE(analysis_of("mesh:1x1").summary.mesh_sides.empty());
    EXPECT_TRUE(analysis_of("torus:3x4").summary.mesh_sides.empty());
    EXPECT_TRUE(analysis_of("star:leaves=4").summary.mesh_sides.empty());
    // A spike of 100 at an end: eight cells get eleven each, one a step over the first link.
    EXPECT_EQ(line.summary.fewest_steps, 100U - 12);
    for (const char* algorithm : {"mesh-weak", "mesh-faster", "mesh-strong"})
        EXPECT_TRUE(bounds_steps_of(line, algorithm)) << algorithm;
}

TEST(Analyze, SuggestsMeshAlgorithmsForMeshesAndPerfectTokenDistributionEverywhere) {
    for (const std::string spec : {"path:n=9", "mesh:4x5", "mesh:3x3x3"}) {
        const Analysis found = analysis_of(spec);
        EXPECT_TRUE(suggests(found, "mesh-strong")) << spec;
        EXPECT_TRUE(suggests(found, "mesh-weak") || suggests(found, "mesh-faster")) << spec;
    }
    EXPECT_FALSE(suggests(analysis_of("torus:4x4"), "mesh-strong"));
    for (const std::string spec : {"path:n=9", "torus:4x4", "gnp:n=30,p=0.3", "complete:n=5"})
        EXPECT_TRUE(suggests(analysis_of(spec), "minimum-exchange-tree")) << spec;
}

TEST(Analyze, LeavesOutBoundsBeyond64Bits) {
    NetworkRequest request;
    request.spec = "path:n=40";
    const Instance instance = make_instance(request, "spike:tokens=2305843009213693951");
    const Analysis found = analyze(NetworkFacts(instance.network), instance.loads);
    EXPECT_FALSE(found.left_out.empty());
    EXPECT_FALSE(bounds_steps_of(found, "discrepancy-1 to a discrepancy of 1"));
    EXPECT_TRUE(bounds_steps_of(found, "mesh-strong"));
    for (const AppliedBound& bound : found.bounds)
        EXPECT_TRUE(bound.theorem->sense != theory::Sense::at_most || bound.value < 0x1.0p64)
            << bound.theorem->quantity;
}

double bound_of(const Analysis& found, std::string_view name, std::string_view quantity) {
    for (const AppliedBound& bound : found.bounds)
        if (bound.theorem->source == "Rabani, Sinclair, Wanka 1998" &&
            bound.theorem->name == name &&
            bound.theorem->quantity.find(quantity) != std::string_view::npos)
            return bound.value;
    return -1;
}

TEST(Analyze, SaysOfDiffusionsAndCircuitsWhatTheirRunsSay) {
    for (const std::string spec : {"path:n=4", "path:n=9", "star:leaves=5", "cycle:n=7",
                                   "torus:4x6", "mesh:3x4", "hypercube:d=4", "gnp:n=12,p=0.4"}) {
        NetworkRequest request;
        request.spec = spec;
        const Instance instance = make_instance(request, "spike:tokens=100");
        const NetworkFacts facts(instance.network);
        const Analysis found = analyze(facts, instance.loads);
        for (const auto& [algorithm, process] :
             {std::pair{"diffusion", "diffusion"}, {"balancing-circuit", "circuit"}}) {
            RunOptions options;
            options.with_deviation = true;
            const Outcome played = run(find_algorithm(algorithm), facts, instance.loads, options);
            const double stated = played.record.deviation.value().bound.value();
            // A run is bounded after every step, the theorem about circuits when a round is over.
            const double bound = bound_of(found, "Theorem 2, sharpened", process);
            EXPECT_NEAR(bound, std::min(bound, stated), 1e-5 * stated) << spec << ' ' << process;
            if (algorithm == std::string("diffusion") || !spec.starts_with("gnp")) {
                EXPECT_NEAR(bound, stated, 1e-5 * stated) << spec << ' ' << process;
            }
            EXPECT_EQ(bound_of(found, "Corollary 3", process),
                      static_cast<double>(*played.guarantee().discrepancy))
                << spec << ' ' << process;
        }
    }
}

TEST(Analyze, TakesAMatrixAndMatchingsInPlaceOfTheNaturalOnes) {
    const Instance ring = make_instance({.spec = "cycle:n=8"}, "spike:tokens=100");
    const NetworkFacts facts(ring.network);
    const Analysis natural = analyze(facts, ring.loads);
    AnalyzeOptions options;
    options.weights.assign(ring.network.link_count(), {1, 3});
    const Analysis same = analyze(facts, ring.loads, options);
    EXPECT_NEAR(same.diffusion.lambda->value, natural.diffusion.lambda->value, 1e-9);
    EXPECT_NEAR(same.diffusion.divergence->value, natural.diffusion.divergence->value, 1e-6);
    // I - L/6 in place of I - L/3: every eigenvalue stands half as far from 1.
    options.weights.assign(ring.network.link_count(), {1, 6});
    const Analysis lazy = analyze(facts, ring.loads, options);
    EXPECT_NEAR(*lazy.diffusion.gap(), *natural.diffusion.gap() / 2, 1e-9);
    EXPECT_EQ(lazy.summary.diffusion_divisor, 6);

    const Instance torus = make_instance({.spec = "torus:8"}, "spike:tokens=100");
    const auto counts = [&](const AnalyzeOptions& asked) {
        return analyze(NetworkFacts(torus.network), torus.loads, asked)
            .summary.almost_hamiltonian_cycle;
    };
    EXPECT_FALSE(counts({}));
    AnalyzeOptions snake;
    snake.matchings = network::named_matchings("snake", torus.network);
    EXPECT_TRUE(counts(snake));
}

TEST(Analyze, PromisesCountingOnlyOfTheCircuitThatRuns) {
    // Around a torus's axis every link points to the next node, the last one to the first.
    EXPECT_EQ(bound_of(analysis_of("torus:8"), "Theorem 9(b)", "counts"), -1);
    EXPECT_EQ(bound_of(analysis_of("torus:8"), "Corollary 10", "counts"), -1);
    const Analysis cycle = analysis_of("cycle:n=8");
    EXPECT_EQ(bound_of(cycle, "Theorem 9(b)", "counts"), 2 * 8 * 99);
    NetworkRequest request;
    request.spec = "cycle:n=8";
    const Instance instance = make_instance(request, "spike:tokens=100");
    RunOptions options;
    options.steps_max = 2 * 2 * 8 * 99;
    const Outcome played = run("balancing-circuit", instance.network, instance.loads, options);
    EXPECT_TRUE(std::is_sorted(played.loads().rbegin(), played.loads().rend()));
    EXPECT_LE(played.discrepancy(), 1);
}

TEST(Analyze, NeverThrowsOnLongGridsNorForHugeLoads) {
    for (const std::string spec : {"torus:20000", "torus:3001", "torus:701x3", "mesh:2000"}) {
        const Analysis found = analysis_of(spec);
        EXPECT_TRUE(found.circuit.gap()) << spec;
        EXPECT_TRUE(found.diffusion.gap()) << spec;
    }
    for (const std::string spec : {"path:n=60", "mesh:8x8", "tree:k=2,h=5", "complete:n=9"}) {
        NetworkRequest request;
        request.spec = spec;
        const Instance instance = make_instance(request, "spike:tokens=2305843009213693951");
        EXPECT_NO_THROW(static_cast<void>(analyze(NetworkFacts(instance.network), instance.loads)))
            << spec;
    }
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
    EXPECT_EQ(report.checks.size(), 20U);
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

TEST(Conjecture, EveryFieldOfARowIsCheckedBeforeNumbersGrow) {
    ConjectureOptions options;
    options.arities = {2, 2};
    options.heights = {3, 3};
    const std::string honest = conjecture_json(tabulate_conjecture(options));
    EXPECT_TRUE(verify_conjecture(honest, "rows").passed());
    const auto forged = [&](const std::string& key, const std::string& value) {
        std::string text = honest;
        const std::size_t at = text.find('"' + key + "\": ") + key.size() + 4;
        const std::size_t end =
            text[at] == '[' ? text.find(']', at) + 1 : text.find_first_of(",\n", at);
        return text.replace(at, end - at, value);
    };
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"k", "3"},
                                                          {"h", "4"},
                                                          {"nodes", "\"16\""},
                                                          {"msd", "1"},
                                                          {"msd", "3"},
                                                          {"conjectured", "[0, 1]"},
                                                          {"holds", "false"},
                                                          {"witness", "\"1\""},
                                                          {"upper_certified", "false"},
                                                          {"lower_certified", "false"}})
        EXPECT_FALSE(verify_conjecture(forged(key, value), "rows").passed()) << key;
    std::string nines(100'002, '9');
    nines.front() = nines.back() = '"';
    // Such heights need more memory than there is.
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"h", "1000000"},
                                                          {"h", "-1"},
                                                          {"k", "2.5"},
                                                          {"k", "18446744073709551615"},
                                                          {"witness", nines},
                                                          {"lower_certified", "1, \"x\": 1"}})
        EXPECT_THROW((void)verify_conjecture(forged(key, value), "rows"), InputError) << key;
    EXPECT_THROW((void)analysis::nodes_of_complete_tree(2, 1'000'000), InputError);
}

TEST(Conjecture, RangesAreRead) {
    EXPECT_EQ(parse_range("2..32", "--k").last, 32U);
    EXPECT_EQ(parse_range("7", "--k").first, 7U);
    for (const std::string text : {"", "..", "3..2", "a", "2..", "2...3"})
        EXPECT_THROW((void)parse_range(text, "--k"), InputError) << text;
}

}  // namespace
}  // namespace equipoise::catalogue
