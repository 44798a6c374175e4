// Scenarios that name rules and networks that the caller gives.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/given_rule.hpp"
#include "equipoise/catalogue/studies/grid.hpp"
#include "equipoise/catalogue/studies/scenario.hpp"
#include "equipoise/catalogue/studies/sweep.hpp"
#include "equipoise/network/any_network.hpp"
#include "tests/support/contents.hpp"
#include "tests/support/sweeps.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using test::contents;
using test::rows_of;
using test::thrown_by;

/// What crosses a link: nothing below a difference, one token from it on.
struct Apart {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    Tokens least = 2;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        const Tokens apart = tail.load - head.load;
        return {apart >= least ? 1 : apart <= -least ? -1 : 0};
    }
};

struct Failing : Apart {
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        if (tail.load == 13) throw std::runtime_error("thirteen");
        return Apart::evaluate(tail, head, link, at);
    }
};

template <class Rule>
std::shared_ptr<const Algorithm> algorithm(Rule rule) {
    return std::make_shared<const Algorithm>(
        given_algorithm("two-apart", rule, GivenLinks::colours));
}

Given mine(Tokens least = 2, const std::string& version = "") {
    Given given;
    given.rules["mine"] = algorithm(Apart{.least = least});
    given.version = version;
    return given;
}

Scenario study(Given given, const std::string& networks = R"(["path:n=6", "torus:4x4"])") {
    return parse_scenario(R"({"networks": )" + networks +
                              R"(, "loads": ["spike:tokens=40", "uniform:tokens=30"],
                               "seeds": "1..3", "algorithms": ["threshold-2", "mine"]})",
                          "s.json", std::move(given));
}

class GivenSweepTest : public test::SweepTest {};

TEST_F(GivenSweepTest, PlaysAGivenRuleBesideThoseOfTheCatalogueOnAnyNumberOfThreads) {
    for (const int threads : {1, 4}) {
        EXPECT_EQ(sweep(study(mine()), options(threads)).ran, 2U * 2 * 3 * 2);
        const auto rows = rows_of(contents(csv_));
        ASSERT_EQ(rows.size(), 24U);
        for (std::size_t i = 0; i < rows.size(); i += 2) {
            EXPECT_EQ(rows[i].at("algorithm"), "threshold-2");
            EXPECT_EQ(rows[i].at("given_rule"), "false");
            EXPECT_EQ(rows[i + 1].at("algorithm"), "mine");
            EXPECT_EQ(rows[i + 1].at("given_rule"), "true");
            for (const char* same :
                 {"network", "loads", "seed", "steps", "exchanges", "discrepancy"})
                EXPECT_EQ(rows[i].at(same), rows[i + 1].at(same)) << same << " of row " << i;
            EXPECT_EQ(rows[i + 1].at("guaranteed_discrepancy"), "");
        }
    }
}

TEST_F(GivenSweepTest, OtherSweepsHaveNoColumnForGivenRules) {
    const Scenario scenario = parse_scenario(
        R"({"networks": ["path:n=3"], "loads": ["staircase"], "algorithms": ["threshold-2"]})",
        "s.json");
    static_cast<void>(sweep(scenario, options()));
    EXPECT_TRUE(contents(csv_).starts_with("network,loads,seed,algorithm,parameters,nodes,"));
}

TEST_F(GivenSweepTest, PlaysRowsOfGivenRulesAgainUnlessTheirVersionIsTheSame) {
    const auto resumed = [&](const Given& before, const Given& now) {
        end_after(12, study(before));  // every second one of "mine"
        const SweepOutcome outcome = sweep(study(now), options());
        EXPECT_EQ(outcome.resumed + outcome.ran, 24U);
        EXPECT_EQ(outcome.resumed + outcome.dropped, 12U);
        EXPECT_TRUE(outcome.complete);
        return outcome.resumed;
    };
    EXPECT_EQ(resumed(mine(), mine()), 6U);
    EXPECT_EQ(resumed(mine(2, "a"), mine(2, "a")), 12U);
    EXPECT_EQ(resumed(mine(2, "a"), mine(3, "b")), 6U);
    EXPECT_EQ(resumed(mine(2, "a"), mine()), 6U);
    EXPECT_EQ(resumed(mine(), mine(2, "a")), 6U);
    // The rule of now, whatever was played before.
    end_after(12, study(mine(2)));
    static_cast<void>(sweep(study(mine(9)), options()));
    const std::string found = contents(csv_);
    static_cast<void>(sweep(study(mine(9)), options()));
    const auto fresh = rows_of(contents(csv_));
    const auto kept = rows_of(found);
    for (std::size_t i = 0; i < fresh.size(); ++i)
        EXPECT_EQ(fresh[i].at("exchanges"), kept[i].at("exchanges"));
}

TEST_F(GivenSweepTest, PassesOnWhatARuleThrowsWithTheRowAndWritesNoFile) {
    Given given;
    given.rules["mine"] = algorithm(Failing{});
    SweepOptions some = options();
    std::string row;
    some.failed = [&](const std::string& name, const std::exception_ptr& thrown) {
        row = name;
        EXPECT_NE(thrown, nullptr);
    };
    EXPECT_EQ(thrown_by([&] { static_cast<void>(sweep(study(given), some)); }), "other: thirteen");
    EXPECT_EQ(row, "mine, spike:tokens=40 on path:n=6, seed 1");
    EXPECT_FALSE(std::filesystem::exists(csv_));
    // What was whole before stays.
    EXPECT_EQ(sweep(study(mine()), options()).resumed, 1U);
}

TEST_F(GivenSweepTest, CallsTheCallerOnEveryThreadThatPlays) {
    SweepOptions some = options(3);
    std::atomic<int> threads = 0;
    some.on_thread = [&](const std::function<void()>& play) {
        ++threads;
        play();
    };
    EXPECT_TRUE(sweep(study(mine()), some).complete);
    EXPECT_EQ(threads, 3);
}

TEST_F(GivenSweepTest, PlaysOnGivenNetworksAndKeepsOnlyRowsOfTheSameOnes) {
    const auto given = [](NodeId last) {
        Given all = mine(2, "a");
        all.networks["triangle"] = std::make_shared<const network::AnyNetwork>(
            network::Network(4, std::vector<Ends>{{0, 1}, {0, 2}, {1, 2}, {last, 3}}));
        return all;
    };
    const std::string names = R"(["triangle", "path:n=6"])";
    static_cast<void>(sweep(study(given(0), names), options()));
    const auto rows = rows_of(contents(csv_));
    EXPECT_EQ(rows.front().at("network"), "triangle");
    EXPECT_EQ(rows.front().at("nodes"), "4");
    EXPECT_EQ(rows.front().at("links"), "4");
    EXPECT_EQ(rows.back().at("network"), "path:n=6");
    end_after(5, study(given(0), names));
    EXPECT_EQ(sweep(study(given(0), names), options()).resumed, 5U);
    end_after(5, study(given(0), names));
    EXPECT_EQ(sweep(study(given(1), names), options()).dropped, 5U);
}

TEST_F(GivenSweepTest, SearchesForTheWorstLoadsOfGivenRules) {
    const Scenario scenario = parse_scenario(
        R"({"verb": "worst", "networks": ["path:n=3"], "algorithms": ["mine", "threshold-2"],
            "options": {"beside": "mine", "most": 3},
            "columns": ["equal", "played"]})",
        "s.json", mine());
    static_cast<void>(sweep(scenario, options()));
    EXPECT_EQ(contents(csv_),
              "network,loads,seed,algorithm,parameters,given_rule,beside,most,equal,played,"
              "left_out_because\n"
              "path:n=3,,0,mine,,true,mine,3,37,37,\n"
              "path:n=3,,0,threshold-2,,true,mine,3,37,37,\n");
    const Scenario twice = parse_scenario(
        R"({"verb": "worst", "networks": ["path:n=3"], "algorithms": ["threshold-2"],
            "options": {"beside": "mine", "quantity": "exchanges/optimum"},
            "columns": ["played"]})",
        "s.json", mine());
    EXPECT_EQ(thrown_by([&] { static_cast<void>(sweep(twice, options())); }),
              "input: threshold-2, beside=mine, quantity=exchanges/optimum, path:n=3, seed 0: "
              "--quantity exchanges/optimum compares with the best possible: expected no --beside "
              "with it");
}

std::string refused(const std::string& text, Given given) {
    return thrown_by([&] {
        static_cast<void>(make_grid(parse_scenario('{' + text + '}', "s.json", std::move(given))));
    });
}

TEST(Given, NamesThatMeanSomethingElseAreRefused) {
    const auto named = [](const std::string& name) {
        Given given;
        given.rules[name] = algorithm(Apart{});
        return refused(
            R"("networks": ["path:n=3"], "loads": ["staircase"], "algorithms": [")" + name + "\"]",
            given);
    };
    for (const char* const known : {"threshold-2", "coin-matching"})
        EXPECT_EQ(named(known), "input: there is an algorithm \"" + std::string(known) +
                                    "\" already: expected another name for the given rule");
    EXPECT_EQ(named("all"),
              "input: \"all\" stands for all algorithms: expected another name for the given rule");
    EXPECT_TRUE(
        named("2 apart").starts_with("input: expected a rule's name of at most 64 letters"));
    Given given;
    given.networks["torus:4x4"] = std::make_shared<const network::AnyNetwork>();
    EXPECT_EQ(refused("", given),
              "input: \"torus:4x4\" is the spec of a generator: expected another name for the "
              "given network");
    given.networks.clear();
    given.networks["a{n}"] = std::make_shared<const network::AnyNetwork>();
    EXPECT_EQ(refused("", given),
              "input: expected a name without braces for the given network, found \"a{n}\"");
}

TEST(Given, UnknownNamesAreAnsweredWithGivenOnesToo) {
    const auto asked = [](const std::string& name) {
        return refused(
            R"("networks": ["path:n=3"], "loads": ["staircase"], "algorithms": [")" + name + "\"]",
            mine());
    };
    EXPECT_EQ(asked("mnie"),
              "input: s.json: algorithms[0]: unknown algorithm \"mnie\": did you mean \"mine\"?");
    EXPECT_EQ(asked("treshold-2"),
              "input: s.json: algorithms[0]: unknown algorithm \"treshold-2\": did you mean "
              "\"threshold-2\"?; given: mine");
    EXPECT_EQ(asked("threshold-2"),
              "input: s.json: expected the given algorithm \"mine\" among the algorithms, found "
              "other names only");
}

TEST(Given, NetworksThatNoRowNamesAreRefused) {
    Given given;
    given.networks["mine"] =
        std::make_shared<const network::AnyNetwork>(network::Network(2, std::vector<Ends>{{0, 1}}));
    EXPECT_EQ(refused(R"("networks": ["path:n=3"], "loads": ["staircase"],
                         "algorithms": ["threshold-2"])",
                      given),
              "input: s.json: expected the given network \"mine\" among the networks, found other "
              "names only");
}

}  // namespace
}  // namespace equipoise::catalogue
