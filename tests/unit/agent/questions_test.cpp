#include "equipoise/agent/questions.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/agent/web.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::agent {
namespace {

using Json = nlohmann::ordered_json;

Fleet pair_of_sites() {
    Fleet fleet;
    fleet.name = "f";
    fleet.sites.resize(2);
    fleet.sites[0].name = "a";
    fleet.sites[1].name = "b";
    fleet.neighbours = {{{1, "nats://b:1", false}}, {{0, "nats://a:1", true}}};
    return fleet;
}

Json answer_of(const std::string& name, std::int64_t backlog, const Json& since) {
    Json answer = {{"version", 1},
                   {"name", name},
                   {"state", "running"},
                   {"backlog", backlog},
                   {"level", !since.is_null()},
                   {"level_since_time", since}};
    for (const char* key : {"held", "offered", "owed", "incoming", "in_doubt", "moved", "received",
                            "refused", "stored_before", "malformed", "turned_away", "excess",
                            "withdrawn", "messages_sent", "messages_received"})
        answer[key] = 2;
    return answer;
}

TEST(FleetState, AddsUpWhatAgentsAnswer) {
    const Json state = fleet_state(pair_of_sites(),
                                   Json::array({answer_of("a", 10, 5.0), answer_of("b", 13, 7.5)}));
    EXPECT_EQ(state["discrepancy"], 3);
    EXPECT_EQ(state["in_flight"], 4);
    EXPECT_EQ(state["moved"], 4);
    EXPECT_EQ(state["alive"], 2);
    EXPECT_EQ(state["level_since_time"], 7.5);
    EXPECT_EQ(state["sites"][0]["share"], 11.5);
}

TEST(FleetState, TellsSitesThatDoNotAnswer) {
    const Json state =
        fleet_state(pair_of_sites(), Json::array({answer_of("a", 10, nullptr), nullptr}));
    EXPECT_EQ(state["alive"], 1);
    EXPECT_EQ(state["discrepancy"], 0);
    EXPECT_TRUE(state["level_since_time"].is_null());
    EXPECT_FALSE(state["sites"][1]["alive"].get<bool>());
    EXPECT_EQ(state["sites"][1]["neighbours"][0]["name"], "a");
    EXPECT_NE(fleet_text(state).find("no answer"), std::string::npos);
    EXPECT_NE(fleet_text(state).find("\n1 of 2 sites answer; discrepancy 0, in flight 2 (2 "
                                     "doubtful), moved 2: not level between neighbours\n"),
              std::string::npos)
        << fleet_text(state);
}

TEST(FleetState, ClaimsNothingWhereNobodyAnswers) {
    Json state = fleet_state(pair_of_sites(), Json::array({nullptr, nullptr}));
    state["sites"][1]["why"] = "Authorization Violation";
    const std::string text = fleet_text(state);
    EXPECT_NE(text.find("\nb: Authorization Violation\n\nno agent answers\n"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("discrepancy"), std::string::npos);
}

TEST(Permissions, LetNeighboursGiveJobsAndSpeakOfTheirLinkAlone) {
    const std::string text = permissions_text(pair_of_sites(), 0);
    EXPECT_NE(text.find(R"(user: "agent-b", password: $PASSWORD_AGENT_B,)"), std::string::npos);
    const std::size_t at = text.find("agent-b");
    const std::string rights = text.substr(at, text.find("}}", at) - at);
    EXPECT_NE(rights.find(R"(publish: ["jobs.>", "equipoise.f.a.from.b", "equipoise.f.a.status"])"),
              std::string::npos)
        << rights;
    EXPECT_EQ(rights.find("$JS"), std::string::npos);
}

TEST(Permissions, GiveNoTwoUsersOnePassword) {
    Fleet fleet = pair_of_sites();
    fleet.file = "fleet.gml";
    fleet.sites[0].name = "a-b";
    fleet.sites[1].name = "a_b";
    try {
        static_cast<void>(permissions_text(fleet, 0));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "fleet.gml: expected a password for each user, found PASSWORD_AGENT_A_B of "
                     "agent-a-b and agent-a_b");
    }
}

TEST(Metrics, AreReadByPrometheus) {
    const std::string text = prometheus_text(answer_of("a\"b", 10, nullptr));
    EXPECT_NE(text.find("# TYPE equipoise_backlog_count gauge\n"
                        "equipoise_backlog_count{site=\"a\\\"b\"} 10\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("# TYPE equipoise_moved_total counter\n"), std::string::npos);
    EXPECT_NE(text.find("equipoise_level{site=\"a\\\"b\"} 0\n"), std::string::npos);
}

}  // namespace
}  // namespace equipoise::agent
