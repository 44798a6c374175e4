// Whole runs with observers, while tokens arrive: on ranks, and with every body, they equal those
// of the reference body in one process, to the last transfer.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/protocols/baselines/randomised_diffusion.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "tests/property/engine/drawn_rounds.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine::watched_runs_property {
namespace {

/// Tokens come and go at random nodes.
class Arrivals final : public model::Environment {
  public:
    explicit Arrivals(std::uint64_t seed) : seed_(seed) {}
    void before_round(Step round, std::span<const Tokens> loads, model::Changes& changes) override {
        RandomStream random(seed_, Purpose::environment, 0, round);
        for (int i = 0; i < 3; ++i)
            changes.arrivals.push_back({static_cast<NodeId>(random.below(loads.size())),
                                        static_cast<Tokens>(random.below(60)) - 20});
    }

  private:
    std::uint64_t seed_;
};

/// Keeps everything that an observer may see of a run.
class Everything final : public model::Observer {
  public:
    explicit Everything(bool transfers) : wants_transfers_(transfers) {}
    [[nodiscard]] bool wants_transfers() const override { return wants_transfers_; }
    void on_start(const model::StepView& view) override { see(view); }
    void on_step(const model::StepView& view) override { see(view); }
    void on_end(const model::StepView& view) override { see(view); }

    std::vector<load::Loads> loads;
    std::vector<model::Transfer> transfers;
    std::vector<model::Costs> costs;
    std::vector<Tokens> created;

  private:
    void see(const model::StepView& view) {
        loads.emplace_back(view.loads.begin(), view.loads.end());
        transfers.insert(transfers.end(), view.transfers.begin(), view.transfers.end());
        costs.push_back(view.costs);
        created.push_back(view.created);
    }

    bool wants_transfers_;
};

/// Whole runs with arrivals and observers, with and without transfers: on ranks everything is as
/// with the reference body in one process. `run(options)` plays one; one of the bodies is tried.
template <class Run>
void expect_runs_agree(const Run& run, const Instance& instance, std::span<const Body> bodies) {
    RandomStream random = instance.random;
    const Body body = bodies[random.below(bodies.size())];
    const bool transfers = random.coin();
    const int ranks = ranks_to_try[random.below(ranks_to_try.size())];
    const Partition partition = draw_partition(instance.network.node_count(), ranks, random);
    const auto play = [&](RoundOptions options, Everything& seen) {
        Arrivals arrivals(instance.seed);
        const std::array<model::Observer*, 1> observers = {&seen};
        options.environment = &arrivals;
        options.observers = observers;
        options.stop.steps_max = 7;
        return run(options);
    };
    Everything one(transfers);
    const RoundOutcome alone = play(options_for(instance, Body::reference, 1), one);
    RC_ASSERT(alone.level_since == plain_level_since(one.loads, one.costs));
    run_as_threads(ranks, [&](Fabric& fabric) {
        RoundOptions options = options_for(instance, body, 1);
        options.fabric = &fabric;
        options.partition = &partition;
        Everything many(transfers);
        const RoundOutcome outcome = play(options, many);
        RC_ASSERT(outcome.loads == alone.loads);
        RC_ASSERT(outcome.costs == alone.costs);
        RC_ASSERT(outcome.created == alone.created);
        RC_ASSERT(outcome.destroyed == alone.destroyed);
        RC_ASSERT(outcome.stopped_because == alone.stopped_because);
        RC_ASSERT(outcome.level_since == alone.level_since);
        if (fabric.rank() != 0) return;
        RC_ASSERT(many.loads == one.loads);
        RC_ASSERT(many.transfers == one.transfers);
        RC_ASSERT(many.costs == one.costs);
        RC_ASSERT(many.created == one.created);
    });
}

TEST(WatchedRuns, AreTheSameOnRanksWhileTokensArrive) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const Network& network = instance.network;
        const auto colouring = test::random_colouring(network, instance.random);
        expect_runs_agree(
            [&](const RoundOptions& options) {
                auto schedule = model::colour_schedule(network, colouring);
                return run_rounds(EverythingRule{}, schedule, instance.loads, network, options);
            },
            instance, EdgeRounds<EverythingRule>::Bodies::names);
        expect_runs_agree(
            [&](const RoundOptions& options) {
                model::AllLinks schedule(network);
                return run_rounds(EverythingRule{}, schedule, instance.loads, network, options);
            },
            instance, EdgeRounds<EverythingRule>::Bodies::names);
        expect_runs_agree(
            [&](const RoundOptions& options) {
                return run_rounds(protocols::DealAgreement2{}, instance.loads, network, options);
            },
            instance, DealRounds<protocols::DealAgreement2>::Bodies::names);
        using protocols::baselines::RandomisedDiffusion;
        expect_runs_agree(
            [&](const RoundOptions& options) {
                return run_rounds(RandomisedDiffusion(network.degree_max()), instance.loads,
                                  network, options);
            },
            instance, DealRounds<RandomisedDiffusion>::Bodies::names);
    }));
}

/// Runs with every body end with the same outcome, for the same reason.
TEST(WatchedRuns, OutcomesAgreeForEveryStopRule) {
    EXPECT_TRUE(test::holds([] {
        Instance instance = draw();
        const Network& network = instance.network;
        const auto colouring = test::random_colouring(network, instance.random);
        model::StopRule stop;
        stop.steps_max = 200;
        switch (*rc::gen::inRange(0, 4)) {
            case 0:
                stop.discrepancy = *rc::gen::inRange<Tokens>(0, 20);
                break;
            case 1:
                stop.one_balanced = true;
                break;
            case 2:
                stop.quiet_steps = *rc::gen::inRange<Step>(1, 30);
                break;
            default:
                stop.stable_steps = *rc::gen::inRange<Step>(1, 60);
                break;
        }
        Everything seen(false);
        const std::array<model::Observer*, 1> observers = {&seen};
        std::vector<RoundOutcome> outcomes;
        for (int threads = 0; threads <= 2; ++threads) {
            auto schedule = model::colour_schedule(network, colouring);
            RoundOptions options =
                options_for(instance, threads == 0 ? Body::reference : Body::fast, threads);
            options.stop = stop;
            if (threads == 0) options.observers = observers;
            outcomes.push_back(
                run_rounds(protocols::Threshold2{}, schedule, instance.loads, network, options));
            RC_ASSERT(outcomes.back().loads == outcomes.front().loads);
            RC_ASSERT(outcomes.back().costs == outcomes.front().costs);
            RC_ASSERT(outcomes.back().stopped_because == outcomes.front().stopped_because);
            RC_ASSERT(outcomes.back().level_since == plain_level_since(seen.loads, seen.costs));
        }
        const RoundOutcome& end = outcomes.front();
        const int ranks = ranks_to_try[instance.random.below(ranks_to_try.size())];
        run_as_threads(ranks, [&](Fabric& fabric) {
            auto schedule = model::colour_schedule(network, colouring);
            RoundOptions options = options_for(instance, Body::fast, 1);
            options.stop = stop;
            options.fabric = &fabric;
            const RoundOutcome many =
                run_rounds(protocols::Threshold2{}, schedule, instance.loads, network, options);
            RC_ASSERT(many.loads == end.loads);
            RC_ASSERT(many.costs == end.costs);
            RC_ASSERT(many.stopped_because == end.stopped_because);
            RC_ASSERT(many.level_since == end.level_since);
        });
        if (end.stopped_because == model::StopReason::discrepancy)
            RC_ASSERT(load::discrepancy(end.loads) <= *stop.discrepancy);
        if (end.stopped_because == model::StopReason::one_balanced)
            RC_ASSERT(load::local_imbalance(network, end.loads) <= 1);
    }));
}

/// In large networks loads are looked at only now and then. Most runs here end at a discrepancy, so
/// that enough of them know since when they are level.
TEST(WatchedRuns, ThatAreFollowedOnlyNowAndThenSayTheSameOrNothing) {
    int known = 0;
    EXPECT_TRUE(test::holds([&] {
        Instance instance = draw();
        instance.speeds.clear();
        const Network& network = instance.network;
        const auto colouring = test::random_colouring(network, instance.random);
        const auto play = [&](RoundOptions options) {
            auto schedule = model::colour_schedule(network, colouring);
            options.stop.steps_max = 3000;
            const std::uint64_t stop = instance.seed / 2 % 10;
            if (stop < 8) options.stop.discrepancy = 2;
            if (stop == 8) options.stop.quiet_steps = 200;
            return instance.seed % 2 == 0 ? run_rounds(protocols::Threshold1{}, schedule,
                                                       instance.loads, network, options)
                                          : run_rounds(protocols::Threshold2{}, schedule,
                                                       instance.loads, network, options);
        };
        RoundOptions options = options_for(instance, Body::fast, 1);
        const RoundOutcome always = play(options);
        RC_ASSERT(always.level_since.has_value());
        options.nodes_always_followed = 0;
        const auto expect_same = [&](const RoundOutcome& outcome) {
            RC_ASSERT(outcome.loads == always.loads);
            RC_ASSERT(outcome.costs == always.costs);
            RC_ASSERT(outcome.stopped_because == always.stopped_because);
            RC_ASSERT(!outcome.level_since || outcome.level_since == always.level_since);
        };
        const RoundOutcome alone = play(options);
        expect_same(alone);
        known += alone.level_since ? 1 : 0;
        const int ranks = ranks_to_try[instance.random.below(ranks_to_try.size())];
        run_as_threads(ranks, [&](Fabric& fabric) {
            RoundOptions many = options;
            many.fabric = &fabric;
            expect_same(play(many));
        });
    }));
    EXPECT_GT(known, 25);
}

}  // namespace
}  // namespace equipoise::engine::watched_runs_property
