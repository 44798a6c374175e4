#include "equipoise/verify/certificates.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "tests/support/contents.hpp"

namespace equipoise::verify::certificates {
namespace {

using Json = nlohmann::json;

std::string written(const std::string& name) {
    return test::contents(EQUIPOISE_SOURCE_DIR "/examples/certificates/" + name);
}

Json file_of(const std::string& name) {
    return Json::parse(written(name));
}

/// A file of one claim of another file.
Json only(Json file, std::size_t claim) {
    file["claims"] = Json::array({file["claims"][claim]});
    return file;
}

Report checked(const Json& file) {
    return verify_certificate(file.dump(), "claims.json");
}

std::string refused(const Json& file) {
    try {
        (void)checked(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Whether the claim is refuted after a change, by the check of this name alone.
void expect_refuted(Json file, const std::function<void(Json&)>& change, const std::string& check) {
    change(file["claims"][0]);
    const Report report = checked(file);
    EXPECT_FALSE(report.passed()) << check;
    for (const Check& one : report.checks)
        EXPECT_EQ(one.passed, !one.name.ends_with(", " + check)) << one.name << ": " << one.detail;
}

TEST(Certificates, OfThePagesHold) {
    for (const char* name : {"coin-averaging.json", "local-divergence.json", "meyer-1996.json",
                             "finite-machines.json", "stateless-diffusion.json"}) {
        const std::string text = written(name);
        EXPECT_TRUE(is_certificate_text(text)) << name;
        const Report report = verify_certificate(text, name);
        for (const Check& check : report.checks)
            EXPECT_TRUE(check.passed) << name << ": " << check.name << ": " << check.detail;
        EXPECT_EQ(report.unchecked.size(), 1U) << name;
    }
}

// ---- averaging-tail

/// One step from 0, 0, 3: two of the three pairs leave 0, 1 and 2, that of the empty nodes 3.
Json tail_claim() {
    return {{"claim", "averaging-tail"},
            {"nodes", 3},
            {"loads", {0, 0, 3}},
            {"steps", 1},
            {"above", 2},
            {"least", 1.0 / 3},
            {"most", 1.0 / 3 + 1e-15}};
}

Json file_with(const Json& claim) {
    return {{"schema", {{"name", "equipoise-certificate"}, {"version", 1}}},
            {"about", "a claim"},
            {"claims", Json::array({claim})}};
}

TEST(Certificates, OfTailsAreTheProbabilityThatTheLinkOfTheFullNodeIsNotDrawn) {
    Json claim = tail_claim();
    claim["least"] = 1.0 / 3 - 1e-15;
    EXPECT_TRUE(checked(file_with(claim)).passed());  // every third pair is that of the empty nodes
    claim["steps"] = 2;
    claim["least"] = 1.0 / 9 - 1e-15;
    claim["most"] = 1.0 / 9 + 1e-15;
    EXPECT_TRUE(checked(file_with(claim)).passed());
    claim["steps"] = 0;
    claim["least"] = 0.999;
    claim["most"] = 1;
    EXPECT_FALSE(checked(file_with(claim)).passed());  // 1 is below the rounded 1
    claim["most"] = 1.001;
    EXPECT_TRUE(checked(file_with(claim)).passed());
}

TEST(Certificates, OfTailsAreTheSameByPairsAsByLinks) {
    const Json file = file_of("coin-averaging.json");
    std::size_t compared = 0;
    for (const Json& claim : file["claims"]) {
        const auto nodes = claim["nodes"].get<unsigned>();
        if (claim.contains("links") || nodes > 6) continue;
        Json listed = claim;
        listed["links"] = Json::array();
        for (unsigned u = 0; u < nodes; ++u)
            for (unsigned v = u + 1; v < nodes; ++v)
                listed["links"].push_back({u, v});
        EXPECT_TRUE(checked(file_with(listed)).passed()) << claim["network"];
        ++compared;
    }
    EXPECT_EQ(compared, 3U);
}

TEST(Certificates, OfTailsAreRefutedByOtherStepsLoadsAndBounds) {
    const Json file = file_of("coin-averaging.json");
    for (std::size_t i = 0; i < 5; ++i) {
        const Json one = only(file, i);
        for (const int change : {-1, 1})
            expect_refuted(
                one, [&](Json& claim) { claim["steps"] = claim["steps"].get<int>() + change; },
                "probability");
        expect_refuted(
            one, [](Json& claim) { claim["least"] = claim["least"].get<double>() * (1 + 1e-7); },
            "probability");
        expect_refuted(
            one, [](Json& claim) { claim["most"] = claim["most"].get<double>() * (1 - 1e-7); },
            "probability");
        if (i > 0)  // the first is as probable from 1, 0, 3
            expect_refuted(
                one, [](Json& claim) { claim["loads"][0] = 1; }, "probability");
        expect_refuted(
            one, [](Json& claim) { claim["above"] = 1; }, "probability");
    }
}

TEST(Certificates, OfTailsThatTakeTooLongAreLeftOpen) {
    Json claim = tail_claim();
    claim["nodes"] = 24;
    claim["loads"] = Json::array();
    for (int i = 0; i < 24; ++i)
        claim["loads"].push_back(i);
    claim["steps"] = 100;
    const Report report = checked(file_with(claim));
    EXPECT_TRUE(report.checks.empty());
    EXPECT_NE(report.unchecked.front().find("claim 1"), std::string::npos);
}

// ---- circuit-divergence

TEST(Certificates, OfDivergencesAreRefutedByBoundsThatAreATenMillionthNarrower) {
    const Json file = file_of("local-divergence.json");
    for (std::size_t i = 0; i < 6; ++i) {
        const Json one = only(file, i);
        expect_refuted(
            one, [](Json& claim) { claim["least"] = claim["least"].get<double>() + 1e-7; },
            "divergence");
        expect_refuted(
            one, [](Json& claim) { claim["most"] = claim["most"].get<double>() - 1e-7; },
            "divergence");
        expect_refuted(
            one, [](Json& claim) { std::swap(claim["least"], claim["most"]); }, "divergence");
    }
}

TEST(Certificates, OfDivergencesAreRefutedByAnotherOrderOfMatchings) {
    // On a ring of five nodes the single link between the two matchings gives another circuit.
    Json file = only(file_of("local-divergence.json"), 1);
    Json& round = file["claims"][0]["matchings"];
    round = Json::array({round[0], round[1]});
    // Without the last link it is a path, which levels with another divergence.
    EXPECT_FALSE(checked(file).passed());
}

TEST(Certificates, OfDivergencesOfCircuitsThatNeverLevelAreLeftOpen) {
    Json file = only(file_of("local-divergence.json"), 1);
    Json& round = file["claims"][0]["matchings"];
    round = Json::array({round[0]});
    const Report report = checked(file);
    EXPECT_TRUE(report.checks.empty());
    EXPECT_NE(report.unchecked.front().find("too many rounds"), std::string::npos);
}

// ---- fewest-steps

TEST(Certificates, OfFewestStepsAreRefutedPartByPart) {
    const Json one = only(file_of("meyer-1996.json"), 0);
    expect_refuted(
        one, [](Json& claim) { claim["schedule"][0] = Json::array(); }, "schedule");
    expect_refuted(
        one, [](Json& claim) { claim["schedule"][0].push_back(claim["schedule"][0][0]); },
        "schedule");
    expect_refuted(
        one,
        [](Json& claim) {
            claim["schedule"][0][0] = {31, 14};
        },
        "schedule");
    expect_refuted(
        one,
        [](Json& claim) {
            claim["cut"].back()["senders"] = Json::array();
            claim["cut"].back()["receivers"] = Json::array();
        },
        "cut");
    expect_refuted(
        one, [](Json& claim) { claim["inside_at_end"] = Json::array(); }, "cut");
    expect_refuted(
        one, [](Json& claim) { claim["flow"][0][2] = 2; }, "flow");
    expect_refuted(
        one, [](Json& claim) { claim["flow"].erase(0); }, "flow");
    expect_refuted(
        one, [](Json& claim) { claim["set"]["receivers"].erase(0); }, "set");
}

TEST(Certificates, OfFewestStepsNeedEveryOneOfTheirGates) {
    const Json file = file_of("meyer-1996.json");
    for (std::size_t i = 0; i < file["claims"].size(); ++i)
        for (std::size_t step = 0; step < file["claims"][i]["cut"].size(); ++step)
            for (const char* gates : {"senders", "receivers"}) {
                const Json one = only(file, i);
                if (one["claims"][0]["cut"][step][gates].empty()) continue;
                expect_refuted(
                    one, [&](Json& claim) { claim["cut"][step][gates].erase(0); }, "cut");
            }
}

TEST(Certificates, OfFewestStepsAreRefutedByMoreLoadThanTheyPlanFor) {
    Json file = only(file_of("meyer-1996.json"), 0);
    file["claims"][0]["loads"][31] = 3;
    const Report report = checked(file);
    for (const Check& check : report.checks)
        if (check.name.ends_with(", schedule") || check.name.ends_with(", flow")) {
            EXPECT_FALSE(check.passed) << check.name;
        }
}

// ---- finite-machines

TEST(Certificates, OfMachinesCountAllMachines) {
    const Report report = checked(file_of("finite-machines.json"));
    std::string all;
    for (const Check& check : report.checks)
        all += check.detail + '\n';
    for (const char* count : {": 4 with 2 tokens", ": 104 with 2 tokens, 4 with 4 tokens",
                              ": 6558 with 2 tokens, 354 with 4 tokens", ": 1024 with 2 tokens"})
        EXPECT_NE(all.find(count), std::string::npos) << count << '\n' << all;
}

TEST(Certificates, OfMachinesAreRefutedWithoutAnyOneOfTheirTables) {
    const Json one = only(file_of("finite-machines.json"), 1);
    const Json& failures = one["claims"][0]["failures"];
    for (std::size_t i = 0; i < failures.size(); ++i)
        for (std::size_t k = 0; k < failures[i]["tables"].size(); ++k)
            expect_refuted(
                one, [&](Json& claim) { claim["failures"][i]["tables"].erase(k); }, "all machines");
}

TEST(Certificates, OfMachinesAreRefutedWhereAPlayNeedsMoreOrLevels) {
    const Json one = only(file_of("finite-machines.json"), 0);
    expect_refuted(
        one, [](Json& claim) { claim["failures"][0]["tables"].push_back("..."); }, "plays");
    // Loads that differ by 1 stay so if no token ever moves: that is level.
    expect_refuted(
        one,
        [](Json& claim) {
            claim["failures"].push_back({{"loads", {1, 0}}, {"tables", {"000"}}});
        },
        "plays");
}

TEST(Certificates, OfMachinesNeedTablesOfTheirSize) {
    Json file = only(file_of("finite-machines.json"), 0);
    file["claims"][0]["failures"][0]["tables"][0] = "0.9";
    EXPECT_NE(refused(file).find("expected a table of 3 entries"), std::string::npos);
    file["claims"][0]["failures"][0]["tables"][0] = "0.";
    EXPECT_NE(refused(file).find("expected a table of 3 entries"), std::string::npos);
}

// ---- ring-tables

TEST(Certificates, OfRingTablesNeedEachOfTheirLoadsAndExceptions) {
    const Json file = file_of("stateless-diffusion.json");
    for (std::size_t i = 0; i < file["claims"].size(); ++i) {
        const Json one = only(file, i);
        const std::string check =
            std::to_string(one["claims"][0]["entries"].get<int>()) + " entries";
        for (const char* list : {"starts", "left_over"})
            for (std::size_t k = 0; k < one["claims"][0][list].size(); ++k)
                expect_refuted(
                    one, [&](Json& claim) { claim[list].erase(k); }, check);
    }
}

// ---- Files

TEST(Certificates, NameWhatIsWrongInAFile) {
    Json file = file_of("stateless-diffusion.json");
    file["claims"][0]["claim"] = "ring";
    EXPECT_EQ(refused(file),
              "claims.json: claims[0].claim: expected averaging-tail, circuit-divergence, "
              "fewest-steps, finite-machines or ring-tables, found \"ring\"");
    file = only(file_of("meyer-1996.json"), 0);
    file["claims"][0]["set"]["inside"].push_back(16);
    EXPECT_NE(refused(file).find("expected a node that the list does not hold yet, found 16"),
              std::string::npos);
    file = only(file_of("local-divergence.json"), 0);
    file["claims"][0]["matchings"][0].push_back({1, 2});
    EXPECT_NE(refused(file).find("claims[0].matchings[0]: expected pairs that share no node"),
              std::string::npos);
    file["claims"] = Json::array();
    EXPECT_NE(refused(file).find("expected one or more claims"), std::string::npos);
    file["schema"]["version"] = 2;
    EXPECT_NE(refused(file).find("schema"), std::string::npos);
}

}  // namespace
}  // namespace equipoise::verify::certificates
