// A search for the loads that cost an algorithm most.

#include "equipoise/catalogue/studies/worst.hpp"

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

report::Worst search(const WorstRequest& request, const network::AnyNetwork& network) {
    return find_worst(request, NetworkFacts(network));
}

std::uint64_t rounds(const char* algorithm, const network::AnyNetwork& network,
                     const load::Loads& loads) {
    return run(algorithm, network, loads).rounds();
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
    EXPECT_EQ(found.worst->cost, most);
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
    EXPECT_EQ(rounds("deal-agreement-3", path, found.worst->loads), found.worst->cost);
    EXPECT_EQ(rounds("deal-agreement-2", path, found.worst->loads), found.worst->beside);
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
    EXPECT_EQ(run("deal-agreement-2", torus, first.worst->loads).steps(), first.worst->cost);
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
    EXPECT_EQ(found.worst->cost, 3U);
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

TEST(Worst, RefusesMoreLoadsThanCanBePlayedAndUnknownQuantities) {
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
