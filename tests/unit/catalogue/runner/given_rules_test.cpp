// Rules that the caller gives run, are recorded and are checked like those of the catalogue.

#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

using model::BulkDealRule;
using model::BulkEdgeRule;
using model::LinkEnd;

using Flow = std::function<Tokens(Tokens tail, Tokens head)>;

BulkEdgeRule rule_of(const Flow& flow) {
    BulkEdgeRule rule;
    rule.name = "mine";
    rule.evaluate = [flow](model::BulkLinks& links, std::span<Tokens> flows) {
        for (std::size_t i = 0; i < flows.size(); ++i)
            flows[i] = flow(links.loads(LinkEnd::tail)[i], links.loads(LinkEnd::head)[i]);
    };
    return rule;
}

BulkEdgeRule threshold_2() {
    return rule_of(
        [](Tokens tail, Tokens head) { return protocols::threshold_flow(tail, head, 2); });
}

/// One token to every lower neighbour, never more than there are.
BulkDealRule token_to_lower() {
    BulkDealRule rule;
    rule.name = "mine";
    rule.propose = [](model::BulkSurroundings& here, std::span<Tokens> out) {
        for (std::size_t port = 0; port < out.size(); ++port) {
            const auto node = static_cast<std::size_t>(here.owners()[port]);
            const Tokens steepness = here.loads()[node] - here.neighbour_loads()[port];
            out[port] = steepness > 2 * here.degrees()[node] ? 1 : 0;
        }
    };
    return rule;
}

Outcome play(const Algorithm& algorithm, const std::string& network, const std::string& loads,
             RunOptions options = {}) {
    const network::AnyNetwork made = network::generate(network, 1);
    options.record_level = model::RecordLevel::full;
    const NetworkFacts facts(made);
    return run(algorithm, facts, make_loads(loads, made, 1), options);
}

/// Options with some that are set.
template <class Set>
RunOptions options_with(const Set& set) {
    RunOptions options;
    set(options);
    return options;
}

RunOptions at_most(Step steps) {
    return options_with([&](RunOptions& options) { options.steps_max = steps; });
}

std::string error_of(const Algorithm& algorithm, const RunOptions& options = {}) {
    try {
        static_cast<void>(play(algorithm, "path:n=4", "spike:tokens=9", options));
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(GivenRules, GiveTheRunOfTheSameRuleInTheCatalogue) {
    for (const char* network :
         {"torus:5x6", "path:n=17", "random-regular:n=20,d=3", "star:leaves=6"})
        for (const char* loads : {"spike:tokens=300", "zipf:tokens=500", "uniform:tokens=90"}) {
            const Outcome mine =
                play(given_algorithm(threshold_2(), GivenLinks::colours), network, loads);
            const Outcome own = play(find_algorithm("threshold-2"), network, loads);
            EXPECT_EQ(mine.record.costs, own.record.costs) << network << ' ' << loads;
            EXPECT_EQ(mine.record.final_loads, own.record.final_loads);
            EXPECT_EQ(mine.record.transfers, own.record.transfers);
            EXPECT_EQ(mine.record.stopped_because, own.record.stopped_because);
            EXPECT_EQ(mine.record.model, own.record.model);
        }
}

TEST(GivenRules, LeaveRecordsThatVerifyPassesAndThatSayWhoseTheRuleWas) {
    const BulkEdgeRule smoothing =
        rule_of([](Tokens tail, Tokens head) { return (tail - head) / 5; });
    for (const std::string& links : given_links_words()) {
        const Outcome outcome = play(given_algorithm(smoothing, given_links_from_word(links)),
                                     "torus:4x4", "spike:tokens=64", at_most(200));
        const model::Record read =
            model::record_from_json(model::to_json(outcome.record), "a record");
        EXPECT_TRUE(read.given_rule);
        const verify::Report report = verify::verify(read);
        for (const verify::Check& check : report.checks)
            EXPECT_TRUE(check.passed) << links << ": " << check.name << ": " << check.detail;
    }
    const Outcome deals = play(given_algorithm(token_to_lower()), "torus:4x4", "spike:tokens=64");
    EXPECT_GT(deals.exchanges(), 0U);
    EXPECT_TRUE(verify::verify(deals.record).passed());
}

TEST(GivenRules, HaveRecordsThatMayClaimNoTheoremAndNoNameOfTheCatalogue) {
    const Outcome outcome =
        play(given_algorithm(threshold_2(), GivenLinks::colours), "torus:4x4", "spike:tokens=64");
    const auto passes = [&](const auto& change) {
        model::Record record = outcome.record;
        change(record);
        return verify::verify(record).passed();
    };
    EXPECT_TRUE(passes([](model::Record&) {}));
    EXPECT_FALSE(passes([](model::Record& r) { r.given_rule = false; }));
    EXPECT_FALSE(passes([](model::Record& r) { r.algorithm = "threshold-2"; }));
    EXPECT_FALSE(passes([](model::Record& r) { r.guarantee = {4, {}, "a theorem"}; }));
    EXPECT_FALSE(passes([](model::Record& r) { r.one_token_a_link = true; }));
    EXPECT_FALSE(passes([](model::Record& r) { r.model = "single-token"; }));
    EXPECT_FALSE(passes([](model::Record& r) { r.parameters["p"] = "1"; }));
}

TEST(GivenRules, AreReplayedOnlyWithTheRule) {
    const Algorithm mine = given_algorithm(threshold_2(), GivenLinks::colours);
    const Outcome outcome = play(mine, "torus:4x4", "spike:tokens=64");
    EXPECT_TRUE(replay(outcome.record, mine).same);
    const Algorithm other = given_algorithm(
        rule_of([](Tokens tail, Tokens head) { return (tail - head) / 2; }), GivenLinks::colours);
    EXPECT_FALSE(replay(outcome.record, other).same);
    try {
        static_cast<void>(replay(outcome.record));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "the rule of this run, \"mine\", was given by the caller: expected the same "
                     "rule again, to replay the run");
    }
}

TEST(GivenRules, RunWhileTokensAndNodesComeAndGo) {
    const Outcome outcome = play(given_algorithm(threshold_2(), GivenLinks::colours), "torus:4x4",
                                 "spike:tokens=64", options_with([](RunOptions& options) {
                                     options.steps_max = 60;
                                     options.arrivals = "poisson:rate=0.2,consume=0.2";
                                     options.churn = "random:nodes=0.05,links=0.05,back=0.3";
                                 }));
    EXPECT_TRUE(verify::verify(outcome.record).passed());
}

TEST(GivenRules, ThatTakeWhatIsNotThereAreRefusedInOneLine) {
    EXPECT_EQ(error_of(given_algorithm(rule_of([](Tokens tail, Tokens) { return tail + 1; }),
                                       GivenLinks::colours)),
              "mine: step 0, node 0: expected to be left with 0 tokens or more, found -1 (it held "
              "9)");
    EXPECT_EQ(error_of(given_algorithm(rule_of([](Tokens, Tokens) { return 1; }), GivenLinks::all)),
              "mine: step 9, node 0: expected to be left with 0 tokens or more, found -1 (it held "
              "0)");
    EXPECT_EQ(error_of(given_algorithm(
                  rule_of([](Tokens, Tokens) { return std::numeric_limits<Tokens>::min(); }),
                  GivenLinks::all)),
              "mine: step 0, link 0 -- 1: expected a number of tokens, found "
              "-9223372036854775808");
    BulkDealRule greedy = token_to_lower();
    greedy.propose = [](model::BulkSurroundings& here, std::span<Tokens> out) {
        for (std::size_t port = 0; port < out.size(); ++port)
            out[port] = here.loads()[static_cast<std::size_t>(here.owners()[port])] - 1;
    };
    EXPECT_EQ(error_of(given_algorithm(greedy)),
              "mine: step 0, link 1 -- 0: expected a proposal of 0 tokens or more, found -1");
    BulkDealRule taking = token_to_lower();
    taking.accept = [](model::BulkSurroundings& /*here*/, std::span<const Tokens> offered,
                       std::span<Tokens> taken) {
        for (std::size_t port = 0; port < taken.size(); ++port)
            taken[port] = offered[port] + 1;
    };
    EXPECT_EQ(error_of(given_algorithm(taking)),
              "mine: step 0, link 1 -- 0: expected to take 0 to 0 tokens, as many as are offered, "
              "found 1");
}

TEST(GivenRules, ThatMayOweGoBelowZeroAndAreRecordedSo) {
    BulkEdgeRule owing = rule_of([](Tokens tail, Tokens head) { return tail == 0 && head == 0; });
    owing.may_owe = true;
    const Outcome outcome =
        play(given_algorithm(owing, GivenLinks::colours), "path:n=4", "spike:tokens=9", at_most(3));
    EXPECT_EQ(outcome.loads(), (load::Loads{9, 0, -1, 1}));
    EXPECT_TRUE(outcome.record.loads_may_be_negative);
    EXPECT_TRUE(verify::verify(outcome.record).passed());
}

TEST(GivenRules, ThatLookAtOtherLinksAreFound) {
    BulkEdgeRule nosy = threshold_2();
    nosy.evaluate = [](model::BulkLinks& links, std::span<Tokens> flows) {
        for (std::size_t i = 0; i < flows.size(); ++i)
            flows[i] = links.loads(LinkEnd::tail)[i] > links.loads(LinkEnd::tail)[0] ? 1 : 0;
    };
    BulkEdgeRule forgetful = threshold_2();
    forgetful.evaluate = [calls = 0](model::BulkLinks& /*links*/, std::span<Tokens> flows) mutable {
        ++calls;
        for (Tokens& flow : flows)
            flow = calls % 2 == 0 ? 1 : 0;
    };
    const network::AnyNetwork grid = network::generate("torus:4x4", 1);
    load::Loads loads(16);
    for (std::size_t i = 0; i < 16; ++i)
        loads[i] = static_cast<Tokens>(100 + i * i % 7);
    for (const BulkEdgeRule& rule : {nosy, forgetful}) {
        const NetworkFacts facts(grid);
        try {
            static_cast<void>(run(given_algorithm(rule, GivenLinks::colours), facts, loads));
            FAIL();
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("expected the same number"), std::string::npos)
                << error.what();
        }
    }
}

TEST(GivenRules, HaveANameOfTheirOwn) {
    const auto error_for = [](const std::string& name) -> std::string {
        BulkEdgeRule rule = threshold_2();
        rule.name = name;
        try {
            static_cast<void>(given_algorithm(rule, GivenLinks::all));
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(error_for("diffusion"),
              "there is an algorithm \"diffusion\" already: expected another name for the given "
              "rule");
    EXPECT_NE(error_for("").find("expected a rule's name"), std::string::npos);
    EXPECT_NE(error_for("two words").find("expected a rule's name"), std::string::npos);
    EXPECT_EQ(error_for("my_rule-2.0"), "none");
    EXPECT_THROW(static_cast<void>(given_links_from_word("edges")), InputError);
}

TEST(GivenRules, AreRefusedWhatTheyDoNotTake) {
    EXPECT_NE(error_of(given_algorithm(threshold_2(), GivenLinks::all),
                       options_with([](RunOptions& o) { o.parameters["threshold"] = "3"; })),
              "none");
    EXPECT_NE(error_of(given_algorithm(threshold_2(), GivenLinks::all),
                       options_with([](RunOptions& o) { o.with_deviation = true; })),
              "none");
    EXPECT_NE(error_of(given_algorithm(threshold_2(), GivenLinks::all),
                       options_with([](RunOptions& o) { o.asynchrony.delays = "random"; })),
              "none");
}

}  // namespace
}  // namespace equipoise::catalogue
