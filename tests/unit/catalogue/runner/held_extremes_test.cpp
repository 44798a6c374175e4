// How high and how low loads go in asynchronous runs: by what nodes hold, and nothing under way.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/partially_asynchronous.hpp"
#include "equipoise/report/runs/extremes.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

Outcome played(const std::string& algorithm, const network::AnyNetwork& network,
               const load::Loads& loads, std::uint64_t seed, const std::string& delays) {
    RunOptions options;
    options.seed = seed;
    options.asynchrony.delays = delays;
    options.record_level = model::RecordLevel::full;
    return run(algorithm, network, loads, options);
}

struct Promise {
    const char* algorithm;
    bool never_more;  ///< than the largest load at the start
    bool never_less;  ///< than the smallest
};

TEST(HeldExtremes, NeverContradictWhatProgramsPromiseOfWhatNodesHold) {
    for (const Promise& promise :
         {Promise{"async-coin-averaging", true, true},
          Promise{"async-ring-distribution", true, false},
          Promise{"async-deal-agreement", true, false}, Promise{"self-stabilising", true, false},
          Promise{"partially-asynchronous", false, true}})
        for (const char* spec : {"cycle:n=6", "cycle:n=11"})
            for (const char* loads : {"uniform:tokens=60", "staircase:rise=3", "zipf:tokens=90"})
                for (const char* delays : {"unit", "random", "heavy-tail:max=64"})
                    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                        NetworkRequest request;
                        request.spec = spec;
                        request.seed = seed;
                        const Instance instance = make_instance(request, loads);
                        const Outcome outcome = played(promise.algorithm, instance.network,
                                                       instance.loads, seed, delays);
                        const auto found = report::extremes_of(outcome.record);
                        ASSERT_TRUE(found) << promise.algorithm;
                        const auto [least, most] =
                            std::minmax_element(instance.loads.begin(), instance.loads.end());
                        const std::string where = std::string(promise.algorithm) + " on " + spec +
                                                  ", " + loads + ", " + delays + ", seed " +
                                                  std::to_string(seed);
                        if (promise.never_more) {
                            EXPECT_LE(found->most, *most) << where;
                        }
                        EXPECT_GE(found->least, promise.never_less ? *least : 0) << where;
                    }
}

/// By its definition: the nodes of a run of the same program, asked after every moment.
template <class Program>
model::Extremes by_hand(const Program& program, const network::Network& network,
                        const load::Loads& loads, std::uint64_t seed) {
    engine::SimulationOptions options;
    options.seed = seed;
    options.delays = engine::DelayModel::random;
    engine::Simulation<Program> simulation(program, network, loads, options);
    std::vector<load::Loads> moments = {loads};
    for (auto next = simulation.next_time(); next;) {
        const auto moment = next;
        for (; next == moment && next; next = simulation.next_time())
            simulation.step();
        moments.push_back(simulation.loads());
        if (simulation.settled()) break;
    }
    model::Extremes extremes{moments[0][0], moments[0][0], 0, 0};
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const auto high = [&](std::size_t k) {
            return *std::max_element(moments[k].begin(), moments[k].end());
        };
        const auto low = [&](std::size_t k) {
            return *std::min_element(moments[k].begin(), moments[k].end());
        };
        extremes.most = std::max(extremes.most, high(i));
        extremes.least = std::min(extremes.least, low(i));
        if (i > 0 && high(i) > high(i - 1)) ++extremes.rises_of_most;
        if (i > 0 && low(i) < low(i - 1)) ++extremes.falls_of_least;
    }
    return extremes;
}

TEST(HeldExtremes, AreThoseOfTheNodesThemselves) {
    bool rose = false;
    for (const char* spec : {"path:n=5", "cycle:n=6", "star:leaves=5", "torus:4x4"})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            NetworkRequest request;
            request.spec = spec;
            request.seed = seed;
            const Instance instance = make_instance(request, "zipf:tokens=200");
            const NetworkFacts facts(instance.network);
            const auto found = [&](const char* name) {
                return report::extremes_of(
                           played(name, instance.network, instance.loads, seed, "random").record)
                    .value();
            };
            const model::Extremes deals =
                by_hand(programs::AsyncDealAgreement(), facts.stored(), instance.loads, seed);
            EXPECT_EQ(found("async-deal-agreement"), deals) << spec << ", seed " << seed;
            EXPECT_EQ(
                found("partially-asynchronous"),
                by_hand(programs::PartiallyAsynchronous(
                            Parameters("partially-asynchronous",
                                       find_algorithm("partially-asynchronous").parameters, {})
                                .whole("window")),
                        facts.stored(), instance.loads, seed))
                << spec << ", seed " << seed;
            rose = rose || deals.rises_of_most > 0;
        }
    EXPECT_TRUE(rose) << "what nodes hold may rise again, while other tokens are under way";
}

TEST(HeldExtremes, SayThatTokensUnderWayAreNotCounted) {
    const network::AnyNetwork path = network::generate("path:n=3", 0);
    const Outcome outcome = played("async-deal-agreement", path, {9, 0, 0}, 1, "unit");
    const auto found = report::extremes_of(outcome.record);
    EXPECT_NE(report::extremes_text(outcome.record, *found)
                  .find("0 to 9 at all times, tokens under way not counted; "),
              std::string::npos);
    // Summaries keep no moves, and say nothing.
    EXPECT_FALSE(report::extremes_of(run("async-deal-agreement", path, {9, 0, 0}).record));
}

}  // namespace
}  // namespace equipoise::catalogue
