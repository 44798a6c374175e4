// Whatever comes and goes: tokens are conserved, only live links carry tokens, fast bodies equal
// the reference body, and a quiet network is level within its live components.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/diffusion_2.hpp"
#include "equipoise/protocols/max_neighbor.hpp"
#include "equipoise/protocols/randomised_rounding.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine::churn_property {
namespace {

using network::Network;

/// Switches random nodes and links, adds and takes tokens; counts what it asked for.
class WildWorld final : public model::Environment {
  public:
    WildWorld(const Network& network, std::uint64_t seed, Step calm_from = ~Step{0})
        : network_(network), seed_(seed), calm_from_(calm_from) {}
    [[nodiscard]] bool changes_network() const override { return true; }
    void before_round(Step round, std::span<const Tokens> /*loads*/,
                      model::Changes& changes) override {
        if (round >= calm_from_) return;
        RandomStream random(seed_, Purpose::environment, 0, round);
        for (int i = 0; i < 3; ++i) {
            const NodeId node = static_cast<NodeId>(random.below(network_.node_count()));
            changes.nodes.push_back({node, random.coin()});
            if (network_.link_count() > 0)
                changes.links.push_back({random.below(network_.link_count()), random.coin()});
            changes.arrivals.push_back({static_cast<NodeId>(random.below(network_.node_count())),
                                        static_cast<Tokens>(random.below(60)) - 20});
        }
    }

  private:
    const Network& network_;
    std::uint64_t seed_;
    Step calm_from_;
};

/// Follows the switches independently and checks every transfer against them.
class Witness final : public model::Observer {
  public:
    Witness(const Network& network, WildWorld& world)
        : network_(network),
          world_(world),
          up_(network.node_count(), true),
          link_up_(network.link_count(), true) {}
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_start(const model::StepView& view) override {
        loads_.assign(view.loads.begin(), view.loads.end());
    }
    /// One step a round: for schedules of period 1 and deal rules.
    void on_step(const model::StepView& view) override {
        model::Changes changes;
        world_.before_round(round_++, loads_, changes);
        std::vector<bool> was_up = up_;  // at some moment before the step
        for (const auto& [link, up] : changes.links)
            link_up_[link] = up;
        for (const auto& [node, up] : changes.nodes) {
            up_[node] = up;
            if (up) was_up[node] = true;
        }
        Tokens booked = 0;
        for (const model::Transfer& transfer : view.transfers) {
            RC_ASSERT(transfer.tokens > 0);
            RC_ASSERT(up_[transfer.to]);
            RC_ASSERT(link_up_[link_of(transfer.from, transfer.to)]);
            // A node that has just gone may still hand over.
            RC_ASSERT(was_up[transfer.from]);
            booked += transfer.tokens;
        }
        exchanges_ += static_cast<std::uint64_t>(booked);
        RC_ASSERT(view.costs.exchanges == exchanges_);
        for (NodeId node = 0; node < up_.size(); ++node) {
            RC_ASSERT((view.components[node] == no_node) == !up_[node]);
            if (up_[node] || !was_up[node] || view.loads[node] == 0) continue;
            // The node kept its tokens, so nobody was there to take them.
            for (const NodeId other : network_.neighbours(node))
                RC_ASSERT(!up_[other] || !link_up_[link_of(node, other)]);
        }
        loads_.assign(view.loads.begin(), view.loads.end());
    }

  private:
    [[nodiscard]] LinkId link_of(NodeId node, NodeId other) const {
        for (Port port = 0; port < network_.degree(node); ++port)
            if (network_.neighbour(node, port) == other) return network_.link(node, port);
        RC_FAIL("a transfer between nodes that no link joins");
    }

    const Network& network_;
    WildWorld& world_;
    std::vector<bool> up_;
    std::vector<bool> link_up_;
    std::vector<Tokens> loads_;
    Step round_ = 0;
    std::uint64_t exchanges_ = 0;
};

struct Instance {
    Network network;
    load::Loads loads;
    std::uint64_t seed = 0;
};

Instance draw() {
    const auto nodes = *rc::gen::inRange<NodeId>(2, 30);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    RandomStream random(seed, Purpose::sampling);
    Instance drawn{test::random_connected_graph(nodes, random.below(nodes), random), {}, seed};
    drawn.loads = test::random_loads(nodes, 200, random);
    return drawn;
}

RoundOptions options_for(const Instance& instance, WildWorld& world, Body body, Step steps) {
    RoundOptions options;
    options.seed = instance.seed;
    options.threads = body == Body::reference ? 1 : 2;
    options.body = body;
    options.environment = &world;
    options.stop.own_termination = false;
    options.stop.steps_max = steps;
    options.items_per_thread_min = 1;
    return options;
}

void expect_conserved(const Instance& instance, const RoundOutcome& outcome) {
    RC_ASSERT(load::total(outcome.loads) ==
              load::total(instance.loads) + outcome.created - outcome.destroyed);
}

template <model::EdgeRule R, class S>
void expect_edge_bodies_agree(const R& rule, const S& schedule, const Instance& instance) {
    WildWorld world(instance.network, instance.seed);
    std::vector<RoundOutcome> outcomes;
    for (const Body body : {Body::reference, Body::fast}) {
        S own = schedule;
        outcomes.push_back(run_rounds(rule, own, instance.loads, instance.network,
                                      options_for(instance, world, body, 40)));
        expect_conserved(instance, outcomes.back());
    }
    RC_ASSERT(outcomes[0].loads == outcomes[1].loads);
    RC_ASSERT(outcomes[0].costs == outcomes[1].costs);
}

TEST(ChurnProperty, EdgeRulesConserveTokensAndBodiesAgree) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const auto colours =
            model::colour_schedule(instance.network, network::colour_edges(instance.network));
        expect_edge_bodies_agree(protocols::Threshold2{}, colours, instance);
        expect_edge_bodies_agree(protocols::Diffusion{}, colours, instance);
        expect_edge_bodies_agree(protocols::Diffusion2{1.5}, model::AllLinks(instance.network),
                                 instance);
    }));
}

TEST(ChurnProperty, OnlyLiveLinksCarryTokens) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        const auto play = [&](const auto& play_rounds) {
            WildWorld world(instance.network, instance.seed);
            WildWorld same(instance.network, instance.seed);
            Witness witness(instance.network, same);
            std::vector<model::Observer*> observers = {&witness};
            RoundOptions options = options_for(instance, world, Body::fast, 40);
            options.observers = observers;
            expect_conserved(instance, play_rounds(options));
        };
        play([&](const RoundOptions& options) {
            model::AllLinks schedule(instance.network);
            return run_rounds(protocols::Diffusion{}, schedule, instance.loads, instance.network,
                              options);
        });
        play([&](const RoundOptions& options) {
            return run_rounds(protocols::DealAgreement2{}, instance.loads, instance.network,
                              options);
        });
        play([&](const RoundOptions& options) {
            return run_rounds(protocols::DealAgreement3{}, instance.loads, instance.network,
                              options);
        });
    }));
}

TEST(ChurnProperty, DealRulesAgreeOnAnyNumberOfThreads) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        WildWorld world(instance.network, instance.seed);
        const auto expect_same = [&](const auto& rule) {
            const RoundOutcome one = run_rounds(rule, instance.loads, instance.network,
                                                options_for(instance, world, Body::reference, 40));
            const RoundOutcome three = run_rounds(rule, instance.loads, instance.network,
                                                  options_for(instance, world, Body::fast, 40));
            RC_ASSERT(one.loads == three.loads);
            RC_ASSERT(one.costs == three.costs);
        };
        expect_same(protocols::DealAgreement3{});
        expect_same(protocols::MaxNeighbor{});
        expect_same(protocols::RandomisedRounding(1.5, instance.network.degree_max(), 9));
    }));
}

/// Stop rules look at live links: once the world is calm, deal-agreement makes the live part
/// 1-balanced, whatever waits at nodes that are down.
TEST(ChurnProperty, TheLivePartIsBalancedOnceTheWorldIsCalm) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    EXPECT_TRUE(test::holds([] {
        const Instance instance = draw();
        WildWorld world(instance.network, instance.seed, 20);
        RoundOptions options = options_for(instance, world, Body::fast, 1'000'000);
        options.stop.quiet_steps = 9;
        // Quiet may come early; only what is left after the last change counts.
        DealRounds<protocols::DealAgreement2> rounds(protocols::DealAgreement2{}, instance.loads,
                                                     instance.network, options);
        for (int round = 0; round < 1000; ++round)
            rounds.step();
        LiveNetwork live(instance.network);
        std::vector<model::Transfer> handed_over;
        load::Loads nothing(instance.network.node_count(), 0);
        for (Step round = 0; round < 20; ++round) {
            model::Changes changes;
            world.before_round(round, nothing, changes);
            live.apply(changes, 0, nothing, handed_over);
        }
        RC_ASSERT(live.one_balanced(rounds.loads()));
        for (NodeId node = 0; node < instance.network.node_count(); ++node) {
            Port degree = 0;
            for (const NodeId other : instance.network.neighbours(node))
                degree += live.live(node, other) ? 1 : 0;
            RC_ASSERT(live.degree(node) == degree);
        }
    }));
}

}  // namespace
}  // namespace equipoise::engine::churn_property
