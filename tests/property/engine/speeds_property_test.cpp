// Loads in proportion to speeds: what holds when nodes are not alike.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/dimension_exchange.hpp"
#include "equipoise/protocols/randomised_rounding.hpp"
#include "tests/support/property.hpp"

namespace equipoise::engine::speeds_property {
namespace {

struct Instance {
    network::Network network;
    load::Loads loads;
    load::Loads speeds;
};

Instance any_instance() {
    const auto nodes = *rc::gen::inRange<NodeId>(2, 16);
    const std::string spec =
        *rc::gen::element<std::string>("random-tree:n=", "cycle:n=", "complete:n=");
    const auto made = network::generate(spec + std::to_string(nodes < 3 ? 3 : nodes),
                                        *rc::gen::inRange<std::uint64_t>(0, 50));
    Instance instance;
    instance.network = *made.stored();
    const std::size_t count = made.node_count();
    instance.loads = *rc::gen::container<load::Loads>(count, rc::gen::inRange<Tokens>(0, 400));
    instance.speeds = *rc::gen::container<load::Loads>(count, rc::gen::inRange<Tokens>(1, 9));
    return instance;
}

engine::RoundOptions until_quiet(const Instance& instance, Step steps) {
    engine::RoundOptions options;
    options.speeds = instance.speeds;
    options.stop.quiet_steps = steps;
    options.stop.steps_max = 1'000'000;
    return options;
}

TEST(Speeds, LoadsInProportionAreAFixedPointOfEveryRule) {
    EXPECT_TRUE(test::holds("fixed", [] {
        Instance instance = any_instance();
        const auto level = *rc::gen::inRange<Tokens>(0, 50);
        for (std::size_t node = 0; node < instance.loads.size(); ++node)
            instance.loads[node] = level * instance.speeds[node];
        const auto options = until_quiet(instance, 12);
        model::AllLinks all(instance.network);
        auto colours =
            model::colour_schedule(instance.network, network::colour_edges(instance.network));
        RC_ASSERT(engine::run_rounds(protocols::Diffusion{}, all, instance.loads, instance.network,
                                     options)
                      .costs.exchanges == 0);
        RC_ASSERT(engine::run_rounds(protocols::DimensionExchange{}, colours, instance.loads,
                                     instance.network, options)
                      .costs.exchanges == 0);
        RC_ASSERT(engine::run_rounds(protocols::DealAgreement2{}, instance.loads, instance.network,
                                     options)
                      .costs.exchanges == 0);
        const protocols::RandomisedRounding second(1.9, instance.network.degree_max(), 1'000);
        RC_ASSERT(
            engine::run_rounds(second, instance.loads, instance.network, options).costs.exchanges ==
            0);
    }));
}

TEST(Speeds, EveryRuleConservesTokensAndBecomesQuiet) {
    EXPECT_TRUE(test::holds("quiet", [] {
        const Instance instance = any_instance();
        const Tokens total = load::total(instance.loads);
        model::AllLinks all(instance.network);
        auto colours =
            model::colour_schedule(instance.network, network::colour_edges(instance.network));
        const std::vector<engine::RoundOutcome> outcomes = {
            engine::run_rounds(protocols::Diffusion{}, all, instance.loads, instance.network,
                               until_quiet(instance, 1)),
            engine::run_rounds(protocols::DimensionExchange{}, colours, instance.loads,
                               instance.network, until_quiet(instance, colours.period())),
            engine::run_rounds(protocols::DealAgreement2{}, instance.loads, instance.network,
                               until_quiet(instance, 3))};
        for (const engine::RoundOutcome& outcome : outcomes) {
            RC_ASSERT(load::total(outcome.loads) == total);
            RC_ASSERT(outcome.stopped_because == model::StopReason::quiet);
        }
    }));
}

TEST(Speeds, QuietDimensionExchangeLeavesEveryPairWithinHalfATokenOfItsShares) {
    EXPECT_TRUE(test::holds("shares", [] {
        const Instance instance = any_instance();
        auto colours =
            model::colour_schedule(instance.network, network::colour_edges(instance.network));
        const auto outcome =
            engine::run_rounds(protocols::DimensionExchange{}, colours, instance.loads,
                               instance.network, until_quiet(instance, colours.period()));
        for (const auto& [u, v] : instance.network.links()) {
            const Tokens both = instance.speeds[u] + instance.speeds[v];
            const Tokens off = outcome.loads[u] * both -
                               (outcome.loads[u] + outcome.loads[v]) * instance.speeds[u];
            RC_ASSERT(2 * (off < 0 ? -off : off) <= both);
        }
    }));
}

/// Whether load a / speed a <= load b / speed b.
bool at_most(Tokens a, Tokens speed_a, Tokens b, Tokens speed_b) {
    return Int128{a} * speed_b <= Int128{b} * speed_a;
}

TEST(Speeds, AQuietRoundOfDealAgreement2LeavesNoDealBetweenAnyNeighbours) {
    EXPECT_TRUE(test::holds("no deal is left", [] {
        const Instance instance = any_instance();
        const auto outcome = engine::run_rounds(protocols::DealAgreement2{}, instance.loads,
                                                instance.network, until_quiet(instance, 3));
        RC_ASSERT(outcome.stopped_because == model::StopReason::quiet);
        const auto deal = [&](NodeId from, NodeId to) {
            return protocols::fair_deal(outcome.loads[from], instance.speeds[from],
                                        outcome.loads[to], instance.speeds[to]);
        };
        for (const auto& [u, v] : instance.network.links())
            RC_ASSERT(deal(u, v) == 0 && deal(v, u) == 0);
    }));
}

TEST(Speeds, ExtremesPerSpeedNeverMoveApartUnderDealAgreement2) {
    EXPECT_TRUE(test::holds("monotone", [] {
        const Instance instance = any_instance();
        const auto& speeds = instance.speeds;
        engine::DealRounds play(protocols::DealAgreement2{}, instance.loads, instance.network,
                                until_quiet(instance, 3));
        const auto by_speed = [&](const load::Loads& loads) {
            return [&](std::size_t a, std::size_t b) {
                return Int128{loads[a]} * speeds[b] < Int128{loads[b]} * speeds[a];
            };
        };
        std::vector<std::size_t> nodes(speeds.size());
        for (std::size_t node = 0; node < nodes.size(); ++node)
            nodes[node] = node;
        for (int round = 0; round < 40; ++round) {
            const load::Loads before(play.loads().begin(), play.loads().end());
            play.step();
            const load::Loads after(play.loads().begin(), play.loads().end());
            const auto [low, high] =
                std::minmax_element(nodes.begin(), nodes.end(), by_speed(before));
            const auto [low_after, high_after] =
                std::minmax_element(nodes.begin(), nodes.end(), by_speed(after));
            RC_ASSERT(at_most(before[*low], speeds[*low], after[*low_after], speeds[*low_after]));
            RC_ASSERT(
                at_most(after[*high_after], speeds[*high_after], before[*high], speeds[*high]));
        }
    }));
}

TEST(Speeds, ImbalanceBySpeedIsTheExactSpreadOfLoadsPerSpeed) {
    EXPECT_TRUE(test::holds("spread", [] {
        const Instance instance = any_instance();
        const auto found = load::imbalance_by_speed(instance.loads, instance.speeds);
        bool attained = false;
        for (std::size_t u = 0; u < instance.loads.size(); ++u)
            for (std::size_t v = 0; v < instance.loads.size(); ++v) {
                const Int128 numerator = Int128{instance.loads[u]} * instance.speeds[v] -
                                         Int128{instance.loads[v]} * instance.speeds[u];
                const Int128 denominator = Int128{instance.speeds[u]} * instance.speeds[v];
                RC_ASSERT(numerator * found.denominator <= found.numerator * denominator);
                attained =
                    attained || numerator * found.denominator == found.numerator * denominator;
            }
        RC_ASSERT(attained);
    }));
}

}  // namespace
}  // namespace equipoise::engine::speeds_property
