// Runs whose caller's rule may never hold end all the same: by the algorithm's own signs.

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

/// Ends a run that goes on for longer than any of these should.
class Patience final : public model::Observer {
  public:
    void on_step(const model::StepView& view) override {
        if (view.costs.steps >= 300'000) lost_.request_stop();
    }
    [[nodiscard]] std::stop_token token() const { return lost_.get_token(); }

  private:
    std::stop_source lost_;
};

Outcome waiting(const std::string& algorithm, const network::AnyNetwork& network,
                const load::Loads& loads, const char* stop) {
    Patience patience;
    Supervision supervision;
    supervision.interrupt = patience.token();
    supervision.observers = {&patience};
    RunOptions options;
    options.seed = 3;
    options.stop = parse_stop(stop);
    options.supervision = &supervision;
    return run(algorithm, network, loads, options);
}

TEST(RulesThatWaitInVain, EndRunsOfEveryAlgorithm) {
    for (const std::string& algorithm :
         test::names_of([](const Algorithm& one) { return one.plays_rounds(); }))
        for (const char* spec : {"cycle:n=3", "path:n=4", "complete:n=5"})
            for (const Tokens tokens : {10, 97})
                for (const char* stop :
                     {"discrepancy:0", "own-termination", "one-balanced", "stable:3", "quiet:3"}) {
                    // Its tokens go round among states that no counter of steps tells apart.
                    if (algorithm == "send-floor" && std::string(stop).ends_with(":3")) continue;
                    const network::AnyNetwork network = network::generate(spec, 0);
                    try {
                        const Outcome outcome =
                            waiting(algorithm, network, test::spike(network, tokens), stop);
                        EXPECT_NE(outcome.stopped_because(), "interrupted")
                            << algorithm << " on " << spec << ", " << tokens << ", " << stop;
                    } catch (const UnsuitableError&) {
                        continue;
                    }
                }
}

TEST(RulesThatWaitInVain, SayThatTheirEndWasNotReached) {
    const network::AnyNetwork ring = network::generate("cycle:n=3", 0);
    for (const char* algorithm : {"random-pairs", "ring-distribution"}) {
        // Ten tokens on three nodes cannot be level, nine can.
        const Outcome vain = waiting(algorithm, ring, {10, 0, 0}, "discrepancy:0");
        EXPECT_EQ(vain.discrepancy(), 1) << algorithm;
        EXPECT_FALSE(vain.reached()) << algorithm;
        const Outcome level = waiting(algorithm, ring, {9, 0, 0}, "discrepancy:0");
        EXPECT_EQ(level.discrepancy(), 0) << algorithm;
        EXPECT_TRUE(level.reached()) << algorithm;
        EXPECT_EQ(level.stopped_because(), "discrepancy-reached") << algorithm;
    }
}

}  // namespace
}  // namespace equipoise::catalogue
