#include "equipoise/agent/site_state.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/agent/link_messages.hpp"

namespace equipoise::agent {
namespace {

TEST(SiteState, TellsNoLoadOfANeighbourThatLeaves) {
    struct Silent : Core::Actions {
        std::string last;
        void post(Port /*port*/, const std::string& text) override { last = text; }
    } silent;
    Core core({}, {model::LinkEnd::tail}, silent, 1);
    const auto hear = [&](Tokens load) {
        const auto sent = read_link_message(silent.last);
        ASSERT_TRUE(sent.has_value());
        LinkMessage message;
        message.incarnation = 5;
        message.ticket = sent->tickets.front();
        message.message = Message{};
        message.message->load = load;
        core.come(0, written(message), 2);
        ASSERT_TRUE(core.load_of(0).has_value());
    };
    const SiteView site{.name = "a",
                        .state = "running",
                        .malformed = 3,
                        .level_since = 0,
                        .neighbours = {{"b", true, 7}}};
    hear(12);
    auto state = site_state(site, core, {});
    EXPECT_EQ(state["neighbours"][0]["load"], 12);
    EXPECT_EQ(state["neighbours"][0]["moved"], 7);
    EXPECT_EQ(state["malformed"], 3);
    EXPECT_TRUE(state["level_since_time"].is_null());
    hear(tokens_max);
    state = site_state(site, core, {});
    EXPECT_TRUE(state["neighbours"][0]["load"].is_null());
    EXPECT_EQ(state["neighbours"][0]["alive"], true);
}

}  // namespace
}  // namespace equipoise::agent
