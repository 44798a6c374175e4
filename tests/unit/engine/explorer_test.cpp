// The explorer must find what is wrong: programs with a race, a deadlock and an endless run.

#include "equipoise/engine/simulation/explorer.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/network.hpp"

namespace equipoise::engine {
namespace {

/// The two ends of a link agree who leads: an end that has heard nothing at first asks for the
/// lead. Since the channel is not held, both may ask, and then nobody leads.
struct RacingLeaders {
    enum class Kind : std::uint8_t { claim };
    struct Message {
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return 0; }
    };
    struct State {
        bool leads = false;
        bool ended = false;
    };
    using PortState = std::uint8_t;

    struct Node {
        model::NodeContext<Message> context;
        State& state;

        void start() {
            state.leads = context.poll(0).has_value();
            state.ended = state.leads;
            if (!state.leads) context.send(0, {Kind::claim});
        }
        [[nodiscard]] model::Ask awaited() const {
            return state.ended ? model::Ask::nothing() : model::Ask::message(0);
        }
        void handle(const model::Received<Message>& /*claim*/) { state.ended = true; }
    };
    [[nodiscard]] static Node node(model::NodeContext<Message> context, State& state,
                                   std::span<PortState> /*ports*/) {
        return {context, state};
    }
};

/// Sends one token back and forth for ever.
struct PingPong {
    enum class Kind : std::uint8_t { token };
    struct Message {
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return 1; }
    };
    struct State {};
    using PortState = std::uint8_t;

    struct Node {
        model::NodeContext<Message> context;

        void start() const {
            if (context.tokens() > 0) context.send(0, {Kind::token});
        }
        [[nodiscard]] static model::Ask awaited() { return model::Ask::message(0); }
        void handle(const model::Received<Message>& /*token*/) const {
            context.send(0, {Kind::token});
        }
    };
    [[nodiscard]] static Node node(model::NodeContext<Message> context, State& /*state*/,
                                   std::span<PortState> /*ports*/) {
        return {context};
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
