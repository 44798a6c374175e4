#include "equipoise/agent/site_state.hpp"

#include <map>
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

/// The state of a site without neighbours, with one of its values replaced.
std::string answer_with(const std::string& key, const std::string& value) {
    struct Nobody : Core::Actions {
        void post(Port /*port*/, const std::string& /*text*/) override {}
    } nobody;
    const Core core({}, {}, nobody, 1);
    const SiteView site{
        .name = "a", .state = "running", .malformed = 3, .level_since = 5.5, .neighbours = {}};
    auto state = site_state(site, core, {});
    if (!key.empty()) state[key] = nlohmann::ordered_json::parse(value);
    return state.dump();
}

TEST(SiteState, IsReadAsItWasWritten) {
    const auto read = read_site_state(answer_with("", ""));
    EXPECT_EQ(read.dump(), answer_with("", ""));
}

TEST(SiteState, IsReadWithoutKeysThatNobodyKnows) {
    EXPECT_EQ(read_site_state(answer_with("alive", "7")).dump(), answer_with("", ""));
}

TEST(SiteState, IsNullForTextsThatNoAgentWrites) {
    for (const char* text : {"", "[]", "{}", R"({"version":1,"backlog":"x"})", "null"})
        EXPECT_TRUE(read_site_state(text).is_null()) << text;
    for (const auto& [key, value] :
         std::multimap<std::string, std::string>{{"version", "2"},
                                                 {"backlog", R"("x")"},
                                                 {"owed", "9223372036854775807"},
                                                 {"moved", "-1"},
                                                 {"state", R"("mad")"},
                                                 {"state", "7"},
                                                 {"level_since_time", "1e300"},
                                                 {"level_since_time", R"("now")"},
                                                 {"neighbours", "[7]"},
                                                 {"neighbours", R"([{"name":"b"}])"}})
        EXPECT_TRUE(read_site_state(answer_with(key, value)).is_null()) << key << value;
}

}  // namespace
}  // namespace equipoise::agent
