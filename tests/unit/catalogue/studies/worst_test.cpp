// A search for the loads that cost an algorithm most.

#include "equipoise/catalogue/studies/worst.hpp"

#include <algorithm>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/catalogue/studies/worst_cost.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/connected.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/numberings.hpp"

namespace equipoise::catalogue {
namespace {

report::Worst search(const WorstRequest& request, const network::AnyNetwork& network) {
    return find_worst(request, NetworkFacts(network));
}

std::uint64_t rounds(const char* algorithm, const network::AnyNetwork& network,
                     const load::Loads& loads) {
    return run(algorithm, network, loads).rounds();
}

/// A cost that must be a whole number.
std::uint64_t whole(const load::Fraction& cost) {
    EXPECT_TRUE(cost.denominator == 1);
    return static_cast<std::uint64_t>(cost.numerator);
}

TEST(Worst, OfAllLoadsCostsAsMuchAsAnyOfThem) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "rounds";
    request.most_tokens = 5;
    const report::Worst found = search(request, path);
    std::uint64_t most = 0;
    std::uint64_t loads = 0;
    for (Tokens a = 0; a <= 5; ++a)
        for (Tokens b = 0; b <= 5; ++b)
            for (Tokens c = 0; c <= 5; ++c) {
                if (a > 0 && b > 0 && c > 0) continue;
                ++loads;
                most = std::max(most, rounds("deal-agreement-2", path, {a, b, c}));
            }
    EXPECT_TRUE(found.all);
    EXPECT_EQ(found.played, loads);
    ASSERT_TRUE(found.worst);
    EXPECT_EQ(whole(found.worst->cost), most);
    EXPECT_EQ(rounds("deal-agreement-2", path, found.worst->loads), most);
    EXPECT_EQ(found.unended, 0U);
}

TEST(Worst, BesideAnotherAlgorithmHasTheLargestRatioAndCountsTheOthers) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-3";
    request.beside = "deal-agreement-2";
    request.quantity = "rounds";
    request.most_tokens = 8;
    const report::Worst found = search(request, path);
    ASSERT_TRUE(found.worst && found.best);
    // Algorithm 3 can be slower than Algorithm 2.
    EXPECT_EQ(*report::ratio_of(*found.worst), 2);
    EXPECT_EQ(rounds("deal-agreement-3", path, found.worst->loads), whole(found.worst->cost));
    EXPECT_EQ(rounds("deal-agreement-2", path, found.worst->loads), whole(found.worst->beside));
    EXPECT_LT(*report::ratio_of(*found.best), 1);
    EXPECT_EQ(found.dearer + found.equal + found.cheaper, found.played);
    EXPECT_GT(found.dearer, 0U);
    const auto object = nlohmann::json::parse(report::worst_json(found));
    EXPECT_EQ(object["worst"]["ratio"], 2.0);
    EXPECT_EQ(object["played"], found.played);
}

TEST(Worst, OfSomeLoadsIsTheSameForTheSameSeedAndNotAllOfThem) {
    const network::AnyNetwork torus = network::generate("torus:4x4", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "steps";
    request.most_tokens = 30;
    request.tries = 300;
    request.seed = 7;
    const report::Worst first = search(request, torus);
    const report::Worst second = search(request, torus);
    EXPECT_FALSE(first.all);
    EXPECT_EQ(first.played, 300U);
    ASSERT_TRUE(first.worst && second.worst);
    EXPECT_EQ(first.worst->loads, second.worst->loads);
    EXPECT_LE(*std::max_element(first.worst->loads.begin(), first.worst->loads.end()), 30);
    EXPECT_EQ(run("deal-agreement-2", torus, first.worst->loads).steps(), whole(first.worst->cost));
}

TEST(Worst, CountsExchangesInTokens) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-1";
    request.quantity = "exchanges";
    request.most_tokens = 3;
    const report::Worst found = search(request, path);
    ASSERT_TRUE(found.worst);
    // Three tokens at an end: two leave it and one goes on.
    EXPECT_EQ(found.worst->loads, (load::Loads{3, 0, 0}));
    EXPECT_EQ(whole(found.worst->cost), 3U);
}

TEST(Worst, EndsWithWhatItHasFoundWhenItIsInterrupted) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    std::stop_source stop;
    stop.request_stop();
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    const report::Worst found = find_worst(request, NetworkFacts(path), stop.get_token());
    EXPECT_FALSE(found.all);
    EXPECT_EQ(found.played, 0U);
    EXPECT_FALSE(found.worst);
}

/// What a run costs that is made from the texts that a search printed.
load::Fraction cost_as_printed(const WorstRequest& request, const report::LoadsCost& at,
                               const network::AnyNetwork& given) {
    const network::AnyNetwork network =
        at.network_spec.empty() ? given : network::generate(at.network_spec, 0);
    const load::Loads loads = load::make_loads(at.loads_spec, network, 0);
    EXPECT_EQ(loads, at.loads);
    const CostOfRuns& cost = find_cost(request.quantity);
    RunOptions options;
    options.with_deviation = cost.needs_deviation;
    if (cost.needs_moves) options.record_level = model::RecordLevel::full;
    Outcome outcome = run(request.algorithm, network, loads, options);
    if (cost.needs_optimum)
        BestPossible(network, loads, {}).note_in(outcome.record, find_algorithm(request.algorithm));
    return cost.of(outcome).value();
}

TEST(Worst, CostsAsMuchInARunOfWhatItPrintsForEveryQuantityOnAllSmallNetworks) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    WorstRequest request;
    request.most_tokens = 2;
    for (const std::string& quantity : worst_quantities())
        for (const char* algorithm : {"diffusion", "threshold-1", "deal-agreement-2"})
            for (const bool any_numbering : {false, true})
                for (NodeId nodes = 2; nodes <= 4; ++nodes)
                    for (const network::Network& links : network::connected_networks(nodes)) {
                        request.algorithm = algorithm;
                        request.quantity = quantity;
                        request.any_numbering = any_numbering;
                        const Algorithm& entry = find_algorithm(algorithm);
                        if (quantity == "deviation" && !entry.measures_deviation) continue;
                        if (find_cost(quantity).needs_optimum_steps && !moves_single_tokens(entry))
                            continue;
                        const report::Worst found = search(request, links);
                        EXPECT_TRUE(found.all);
                        // Where no run ends as level as the best possible there is no ratio.
                        if (!found.worst) {
                            EXPECT_EQ(found.left_out, found.played) << algorithm << quantity;
                            continue;
                        }
                        const load::Fraction cost = cost_as_printed(request, *found.worst, links);
                        EXPECT_FALSE(larger(cost, found.worst->cost)) << algorithm << quantity;
                        EXPECT_FALSE(larger(found.worst->cost, cost)) << algorithm << quantity;
                    }
}

TEST(Worst, UnderAnyNumberingCostsAsMuchAsUnderAnyOfThem) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    // A triangle with two leaves at one of its nodes.
    const network::AnyNetwork given = network::Network(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {3, 4}});
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "rounds";
    request.most_tokens = 3;
    const report::Worst own = search(request, given);
    request.any_numbering = true;
    const report::Worst found = search(request, given);
    EXPECT_TRUE(found.all);
    EXPECT_EQ(found.numberings, 30U);
    EXPECT_EQ(found.played, 30 * own.played);
    std::uint64_t most = 0;
    network::Numbering numbers = {0, 1, 2, 3, 4};
    do {
        request.any_numbering = false;
        most =
            std::max(most, whole(search(request, network::renumber(given, numbers)).worst->cost));
    } while (std::next_permutation(numbers.begin(), numbers.end()));
    EXPECT_EQ(whole(found.worst->cost), most);
    EXPECT_EQ(network::all_links(network::generate(found.worst->network_spec, 0)),
              network::all_links(network::renumber(given, found.worst->numbering)));
}

TEST(Worst, UnderSomeNumberingsIsFoundAgainByRuns) {
    const network::AnyNetwork torus = network::generate("torus:3x4", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "rounds";
    request.most_tokens = 20;
    request.tries = 200;
    request.any_numbering = true;
    request.seed = 3;
    const report::Worst first = search(request, torus);
    const report::Worst second = search(request, torus);
    EXPECT_EQ(first.played, 200U);
    EXPECT_FALSE(first.all);
    EXPECT_EQ(first.worst->network_spec, second.worst->network_spec);
    EXPECT_EQ(first.worst->loads_spec, second.worst->loads_spec);
    EXPECT_FALSE(std::is_sorted(first.worst->numbering.begin(), first.worst->numbering.end()));
    EXPECT_EQ(whole(cost_as_printed(request, *first.worst, torus)), whole(first.worst->cost));
}

TEST(Worst, LeavesOutNumberingsOnWhichTheAlgorithmCannotRun) {
    const network::AnyNetwork cycle = network::generate("cycle:n=4", 0);
    WorstRequest request;
    request.algorithm = "async-ring-distribution";
    request.most_tokens = 2;
    request.any_numbering = true;
    const report::Worst found = search(request, cycle);
    EXPECT_EQ(found.numberings, 3U);
    EXPECT_EQ(found.unsuitable, 2U);
    EXPECT_EQ(found.played, 81U - 16U);
    request.tries = 40;
    EXPECT_EQ(search(request, cycle).played + search(request, cycle).unsuitable, 40U);
    EXPECT_THROW(static_cast<void>(search(request, network::generate("path:n=4", 0))),
                 UnsuitableError);
}

TEST(Worst, PlaysAnImplicitGridAsItIsAndOtherwiseItsLinks) {
    const network::AnyNetwork mesh = network::generate("mesh:2x2", 0);
    WorstRequest request;
    request.algorithm = "mesh-weak";
    request.most_tokens = 2;
    request.any_numbering = true;
    const report::Worst found = search(request, mesh);
    EXPECT_EQ(found.numberings, found.unsuitable + 1);
    EXPECT_EQ(found.worst->network_spec, "mesh:2x2");
}

TEST(Worst, HasNoRatioForLevelLoadsAndForRunsThatEndLessLevel) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "exchanges/optimum";
    request.most_tokens = 3;
    const report::Worst found = search(request, path);
    std::uint64_t without = 0;
    for (Tokens a = 0; a <= 3; ++a)
        for (Tokens b = 0; b <= 3; ++b)
            for (Tokens c = 0; c <= 3; ++c) {
                const load::Loads loads = {a, b, c};
                if (a > 0 && b > 0 && c > 0) continue;
                const bool level = load::discrepancy(loads) <= 1;
                if (level || run("deal-agreement-2", path, loads).discrepancy() > 1) ++without;
            }
    EXPECT_EQ(found.left_out, without);
    EXPECT_GT(found.left_out, 0U);
    EXPECT_LT(found.left_out, found.played);
    request.beside = "threshold-1";
    EXPECT_THROW(static_cast<void>(search(request, path)), InputError);
    request.beside.clear();
    request.quantity = "steps/optimum";
    EXPECT_THROW(static_cast<void>(search(request, path)), UnsuitableError);
}

TEST(Worst, OfNamedNodesIsPrintedByName) {
    network::AnyNetwork path = network::generate("path:n=3", 0);
    path.labels().names = {"Bern", "Chur", "Nyon"};
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.quantity = "rounds";
    const report::Worst found = search(request, path);
    EXPECT_EQ(load::make_loads(found.worst->loads_spec, path, 0), found.worst->loads);
    EXPECT_NE(found.worst->loads_spec.find("Bern="), std::string::npos);
    path.labels().names[0] = "Bern,";
    const report::Worst unnamed = search(request, path);
    EXPECT_EQ(unnamed.worst->loads_spec, "");
    EXPECT_NE(report::worst_text(unnamed).find("from loads "), std::string::npos);
    path.labels().names[0] = "O'Bern";
    EXPECT_NE(report::worst_text(search(request, path)).find(R"(--loads 'at:O'\''Bern=)"),
              std::string::npos);
}

TEST(Worst, RefusesMoreNumberingsThanCanBePlayed) {
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.any_numbering = true;
    request.most_tokens = 1;
    EXPECT_THROW(static_cast<void>(search(request, network::generate("path:n=10", 0))), InputError);
    request.most_tokens = 6;
    EXPECT_THROW(static_cast<void>(search(request, network::generate("path:n=8", 0))), InputError);
}

TEST(Worst, RefusesMoreLoadsLoadsThanCanBePlayedAndUnknownQuantities) {
    const network::AnyNetwork torus = network::generate("torus:4x4", 0);
    WorstRequest request;
    request.algorithm = "deal-agreement-2";
    request.most_tokens = 9;
    EXPECT_THROW(static_cast<void>(search(request, torus)), InputError);
    request.tries = 3;
    EXPECT_EQ(search(request, torus).played, 3U);
    request.quantity = "beauty";
    EXPECT_THROW(static_cast<void>(search(request, torus)), InputError);
}

}  // namespace
}  // namespace equipoise::catalogue
