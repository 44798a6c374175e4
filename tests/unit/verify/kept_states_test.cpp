#include "equipoise/verify/kept_states.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "tests/support/contents.hpp"

namespace equipoise::verify::kept_states {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::string& name) {
    return test::contents(EQUIPOISE_SOURCE_DIR "/examples/certificates/" + name);
}

Json contents(const std::string& name) {
    return Json::parse(text_of(name));
}

Report report_of(const Json& file) {
    return verify_kept(file.dump(), "kept.json");
}

std::string refusal_of(const Json& file) {
    try {
        (void)report_of(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(KeptStates, OfThePagesHold) {
    for (const char* name : {"threshold-1.json", "rotor-router.json", "send.json"}) {
        const Json file = contents(name);
        EXPECT_TRUE(is_kept_text(text_of(name)));
        const Report report = report_of(file);
        EXPECT_TRUE(report.passed()) << name;
        EXPECT_EQ(report.checks.size(), 2 * file["states"].size()) << name;
    }
}

TEST(KeptStates, AreRefutedByAnotherDiscrepancyOrAnotherPeriod) {
    for (const char* name : {"threshold-1.json", "rotor-router.json", "send.json"}) {
        const Json file = contents(name);
        for (std::size_t i = 0; i < file["states"].size(); ++i)
            for (const char* key : {"discrepancy", "period"})
                for (const int change : {-1, 1}) {
                    Json forged = file;
                    Json& number = forged["states"][i][key];
                    number = number.get<int>() + change;
                    if (number == 0) continue;
                    EXPECT_FALSE(report_of(forged).passed()) << name << ' ' << i << ' ' << key;
                }
    }
}

/// Two tokens more at a node with the most, and as much more discrepancy claimed.
TEST(KeptStates, OfThreshold1AreRefutedWhereLoadsAreNotStable) {
    const Json file = contents("threshold-1.json");
    for (std::size_t i = 0; i < file["states"].size(); ++i) {
        Json forged = file;
        Json& state = forged["states"][i];
        Json& loads = state["loads"];
        Json& most = *std::max_element(loads.begin(), loads.end());
        most = most.get<int>() + 2;
        state["discrepancy"] = state["discrepancy"].get<int>() + 2;
        EXPECT_FALSE(report_of(forged).passed()) << i;
    }
}

TEST(KeptStates, AreRefutedWhereTheyComeBackEarlierThanClaimed) {
    Json file = contents("rotor-router.json");
    Json& state = file["states"][0];
    state["period"] = 2 * state["period"].get<int>();
    EXPECT_FALSE(report_of(file).passed());
}

TEST(KeptStates, OfTheStarVariantAreRefutedForThePlainOneAndTheOtherWayRound) {
    const Json file = contents("rotor-router.json");
    std::size_t stars = 0;
    for (const Json& state : file["states"]) {
        Json forged = file;
        forged["states"] = Json::array({state});
        const bool star = state.contains("star");
        stars += star ? 1 : 0;
        forged["states"][0]["star"] = !star;
        EXPECT_FALSE(report_of(forged).passed()) << state.dump();
    }
    EXPECT_EQ(stars, 10U);
}

TEST(KeptStates, ThatTakeTooLongToPlayAreLeftOpen) {
    Json file = contents("threshold-1.json");
    file["states"] = Json::array({file["states"][0]});
    file["states"][0]["period"] = 1'000'000'000'000;
    const Report report = report_of(file);
    EXPECT_EQ(report.checks.size(), 1U);
    EXPECT_NE(report.unchecked.front().find("state 1"), std::string::npos);
}

TEST(KeptStates, NeedAProperColouringAndPortsThatLeadBack) {
    Json threshold = contents("threshold-1.json");
    threshold["states"][0]["colours"][0] = threshold["states"][0]["colours"][1];
    EXPECT_NE(refusal_of(threshold).find("links of one colour that share no node"),
              std::string::npos);
    Json rotor = contents("rotor-router.json");
    rotor["states"][0]["ports"][0][0] = 2;
    EXPECT_NE(refusal_of(rotor).find("ports that lead back"), std::string::npos);
    rotor = contents("rotor-router.json");
    rotor["states"][0]["rotors"][0] = 4;
    EXPECT_EQ(refusal_of(rotor),
              "kept.json: states[0].rotors[0]: expected a port of node 0, found 4");
}

TEST(KeptStates, NameWhatIsWrongInAFile) {
    Json file = contents("rotor-router.json");
    file["states"][0]["algorithm"] = "rotor";
    EXPECT_EQ(refusal_of(file),
              "kept.json: states[0].algorithm: expected threshold-1, rotor-router, send-floor "
              "or send-round, found \"rotor\"");
    file["states"] = Json::array();
    EXPECT_NE(refusal_of(file).find("expected one or more states"), std::string::npos);
    file["schema"]["version"] = 2;
    EXPECT_NE(refusal_of(file).find("schema"), std::string::npos);
}

}  // namespace
}  // namespace equipoise::verify::kept_states
