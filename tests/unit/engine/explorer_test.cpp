// The explorer must find what is wrong: programs with a race, a deadlock and an endless run.

#include "equipoise/engine/simulation/explorer.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/network.hpp"

namespace equipoise::engine {
namespace {

/// The two ends of a link agree who leads: whoever hears nothing at first asks for the lead. As the
/// channel is not held, both may ask, and then nobody leads.
struct RacingLeaders {
    enum class Kind : std::uint8_t { claim };
    struct Message {
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return 0; }
    };
    struct State {
        bool claimed = false;
        bool leads = false;
    };
    using PortState = std::uint8_t;

    model::NodeTask operator()(model::NodeContext<Message> context, State& state,
                               std::span<PortState> /*ports*/) const {
        if (!state.claimed && context.poll(0)) {
            state.leads = true;
            co_return;
        }
        if (!state.claimed) {
            state.claimed = true;
            context.send(0, {Kind::claim});
        }
        co_await context.receive(0);
    }
};

/// Sends one token to and fro for ever.
struct PingPong {
    enum class Kind : std::uint8_t { token };
    struct Message {
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return 1; }
    };
    struct State {
        bool started = false;
    };
    using PortState = std::uint8_t;

    model::NodeTask operator()(model::NodeContext<Message> context, State& state,
                               std::span<PortState> /*ports*/) const {
        if (!state.started && context.tokens() > 0) context.send(0, {Kind::token});
        state.started = true;
        while (true) {
            co_await context.receive(0);
            context.send(0, {Kind::token});
        }
    }
};

TEST(Explorer, FindsThatBothEndsOfALinkMaySendAtOnce) {
    const RacingLeaders program;
    const network::Network pair(2, {{0, 1}});
    Explorer<RacingLeaders> explorer(program, pair, std::vector<Tokens>{0, 0});
    int leaders_none = 0;
    int leaders_one = 0;
    const Exploration explored = explorer.explore(
        [](const auto&) {},
        [&](const auto& world) {
            const int leaders = world.nodes[0].state.leads + world.nodes[1].state.leads;
            ++(leaders == 0 ? leaders_none : leaders_one);
        });
    EXPECT_TRUE(explored.complete);
    EXPECT_TRUE(explored.acyclic);
    EXPECT_EQ(leaders_none, 1);
    EXPECT_EQ(leaders_one, 2);
}

TEST(Explorer, FindsThatARunNeedNotEndAndStillVisitsEachConfigurationOnce) {
    const PingPong program;
    const network::Network pair(2, {{0, 1}});
    Explorer<PingPong> explorer(program, pair, std::vector<Tokens>{1, 0});
    const Exploration explored = explorer.explore(
        [](const auto& world) { EXPECT_EQ(world.tokens(), 1); }, [](const auto&) {});
    EXPECT_TRUE(explored.complete);
    EXPECT_FALSE(explored.acyclic);
    EXPECT_EQ(explored.ends, 0U);
    EXPECT_LE(explored.configurations, 8U);
}

TEST(Explorer, SaysWhenItDidNotSeeEverything) {
    const PingPong program;
    const network::Network pair(2, {{0, 1}});
    Explorer<PingPong> explorer(program, pair, std::vector<Tokens>{3, 3});
    const Exploration explored = explorer.explore([](const auto&) {}, [](const auto&) {}, 2);
    EXPECT_FALSE(explored.complete);
}

}  // namespace
}  // namespace equipoise::engine
