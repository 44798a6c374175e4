#include "equipoise/reassign/checks/standing.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/reassign/checks/givers.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// A label with these values by item or machine; an empty one is no value.
Label label(const char* name, const std::vector<std::string>& of) {
    Label made{name, {}, {}};
    for (const std::string& value : of)
        made.of.push_back(value.empty() ? no_value : made.values.number_of(value));
    return made;
}

/// The rules that the present placement breaks, in words.
std::vector<std::string> broken_words(const Problem& problem) {
    std::vector<std::string> all;
    for (const BrokenRule& broken : stand(problem, problem.places).broken)
        all.push_back(words(problem, broken));
    return all;
}

using Words = std::vector<std::string>;

TEST(ReassignStanding, APlacementThatBreaksNothingAndMovesNothingScoresZero) {
    const Problem problem = test::reassign_problem({0, 1}, {5, 6}, 2);
    const Standing standing = stand(problem, problem.places);
    EXPECT_EQ(standing.score, Score{});
    EXPECT_TRUE(standing.broken.empty());
    EXPECT_EQ(standing.used, (std::vector<Tokens>{1, 5, 1, 6}));
    EXPECT_EQ(standing.moved, (std::vector<Tokens>{0, 0}));
}

TEST(ReassignStanding, MovesAndTheAmountThatIsToBeLeastAreCountedFromThePresentPlaces) {
    Problem problem = test::reassign_problem({0, 0, 1}, {5, 6, 7}, 2);
    problem.fewest = 1;
    const Standing standing = stand(problem, std::vector<MachineId>{1, 0, 0});
    EXPECT_EQ(standing.score.moves, 2);
    EXPECT_EQ(standing.score.fewest, 12);
    EXPECT_EQ(standing.moved, (std::vector<Tokens>{2, 12}));
    EXPECT_EQ(standing.used, (std::vector<Tokens>{2, 13, 1, 5}));
}

TEST(ReassignStanding, CapacitiesAreBrokenByTheAmountAboveThemInWeightedUnits) {
    Problem problem = test::reassign_problem({0, 0}, {30, 40}, 2);
    problem.resources[1].decimals = 1;
    problem.capacities = {1, 60, tokens_max, tokens_max};
    const Standing standing = stand(problem, problem.places);
    ASSERT_EQ(standing.broken.size(), 2U);
    EXPECT_EQ(standing.broken[1].kind, RuleKind::capacity);
    EXPECT_EQ(standing.broken[1].resource, 1U);
    EXPECT_EQ(standing.broken[1].limit, 60);
    EXPECT_EQ(standing.broken[1].by, 10);
    // An item weighs 70 / 2 bytes.
    EXPECT_EQ(standing.score.broken, 1 * 35 + 10);
    EXPECT_EQ(broken_words(problem), (Words{"machine a has 2 items, at most 1 allowed",
                                            "machine a: bytes is 1 above its capacity of 6"}));
}

TEST(ReassignStanding, MissingItemsAndItemsLeftOnDrainedMachinesAreCounted) {
    Problem problem = test::reassign_problem({0, 0, 1}, {3, 4, 5}, 3);
    problem.least_items = {0, 4, 1};
    problem.drained[0] = true;
    EXPECT_EQ(broken_words(problem), (Words{"machine b has 1 item, at least 4 needed",
                                            "machine c has 0 items, at least 1 needed",
                                            "machine a has 2 items, but is to be drained"}));
    // Each counts as much as everything that there is: 12 bytes.
    EXPECT_EQ(stand(problem, problem.places).score.broken, (3 + 1 + 2) * 12);
}

TEST(ReassignStanding, AnItemIsNotAllowedOutsideItsSetNorAwayFromWhereItMustStay) {
    Problem problem = test::reassign_problem({0, 0, 1, 2}, {1, 1, 1, 1}, 5);
    problem.sets = {{false, true, true, true, true}};
    problem.allowed_set = {0, any_machine, any_machine, any_machine};
    problem.stays = {false, true, false, false};
    problem.pinned = {false, false, true, true, false};
    problem.drained[4] = true;
    EXPECT_EQ(broken_words(problem), (Words{"i0 is on machine a, where it is not allowed"}));
    const std::vector<MachineId> ends = {0, 1, 3, 0};
    Words all;
    for (const BrokenRule& broken : stand(problem, ends).broken) {
        EXPECT_EQ(broken.kind, RuleKind::not_allowed);
        all.push_back(words(problem, broken));
    }
    EXPECT_EQ(all, (Words{"i0 is on machine a, where it is not allowed",
                          "i1 is on machine b, but must stay on machine a",
                          "i2 is on machine d, which must not take items",
                          "i3 is on machine a, but must stay on machine c"}));
    // What is on a drained machine is counted there, and not once more.
    const Standing drained = stand(problem, std::vector<MachineId>{4, 0, 1, 2});
    ASSERT_EQ(drained.broken.size(), 1U);
    EXPECT_EQ(drained.broken[0].kind, RuleKind::drained);
}

TEST(ReassignStanding, CopiesAndItemsWithOneValueAreApart) {
    Problem problem = test::reassign_problem({0, 0, 0, 1}, {1, 1, 1, 1}, 2);
    problem.item_labels[0].of = {0, 0, 0, 0};
    problem.item_labels.push_back(label("group", {"web", "", "web", "web"}));
    problem.apart.push_back({1});
    EXPECT_EQ(broken_words(problem),
              (Words{"machine a has 3 copies of i0, at most 1 allowed",
                     "machine a has 2 items of group web, at most 1 allowed"}));
    EXPECT_EQ(stand(problem, problem.places).broken[0].by, 2);
}

TEST(ReassignStanding, ItemsAreSpreadOverAsManyValuesAsAreAskedOrAsThereAreItems) {
    Problem problem = test::reassign_problem({0, 1, 1, 2, 3}, {1, 1, 1, 1, 1}, 4);
    problem.item_labels.push_back(label("group", {"web", "web", "web", "db", "cache"}));
    problem.machine_labels.push_back(label("rack", {"r1", "r1", "r2", ""}));
    problem.spread.push_back({1, 0, 3});
    EXPECT_EQ(broken_words(problem), (Words{"group web is on 1 rack, at least 3 needed",
                                            "group cache is on 0 racks, at least 1 needed"}));
    EXPECT_EQ(stand(problem, problem.places).broken[0].by, 2);
    EXPECT_EQ(stand(problem, problem.places).broken[0].machine_value, no_value);
    problem.spread[0].least = 1;
    EXPECT_EQ(broken_words(problem), (Words{"group cache is on 0 racks, at least 1 needed"}));
}

TEST(ReassignStanding, WithoutANumberItemsAreSpreadOverAllRacksThatTakeItemsAsEvenlyAsCanBe) {
    // Three racks; the fourth has no machine that takes items.
    Problem problem = test::reassign_problem({0, 0, 0, 1}, {1, 1, 1, 1}, 5);
    problem.item_labels[0].of = {0, 0, 0, 0};
    problem.apart.clear();
    problem.machine_labels.push_back(label("rack", {"r1", "r2", "r3", "r4", "r1"}));
    problem.drained[3] = true;
    problem.spread.push_back({0, 0, 0});
    EXPECT_EQ(broken_words(problem), (Words{"i0 is on 2 racks, at least 3 needed",
                                            "rack r1 has 3 copies of i0, at most 2 allowed"}));
    // What is crowded on one rack is missing on others: people are told once.
    const std::vector<BrokenRule> told = told_once(problem, stand(problem, problem.places).broken);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(words(problem, told[0]), "rack r1 has 3 copies of i0, at most 2 allowed");
    EXPECT_EQ(told_once(problem, stand(problem, std::vector<MachineId>{0, 4, 1, 1}).broken).size(),
              1U);
    const auto by_at = [&](const std::vector<MachineId>& places) {
        Tokens sum = 0;
        for (const BrokenRule& broken : stand(problem, places).broken)
            if (broken.kind == RuleKind::spread) sum += broken.by;
        return sum;
    };
    EXPECT_EQ(by_at({0, 4, 1, 2}), 0);
    EXPECT_EQ(by_at({0, 1, 1, 2}), 0);
    EXPECT_EQ(by_at({0, 4, 1, 1}), 1);  // evenly, but a rack is left out
    EXPECT_EQ(by_at({0, 0, 0, 4}), 2 + 2);
}

TEST(ReassignStanding, AServiceIsNearAnotherInEveryZoneWhereItIs) {
    Problem problem = test::reassign_problem({0, 1, 2, 3}, {1, 1, 1, 1}, 5);
    problem.item_labels.push_back(label("service", {"web", "web", "db", "web"}));
    problem.machine_labels.push_back(label("zone", {"z1", "z2", "z1", "", "z2"}));
    problem.near.push_back({1, 0, {{0, 1}}});
    EXPECT_EQ(broken_words(problem),
              (Words{"zone z2 has service web, but not service db, which it needs there",
                     "service web is on a machine without zone, and must be near service db"}));
    EXPECT_EQ(stand(problem, std::vector<MachineId>{0, 2, 2, 0}).score.broken, 0);
    // Where the other one is alone, nothing is missing.
    EXPECT_EQ(stand(problem, std::vector<MachineId>{4, 4, 1, 4}).score.broken, 0);
}

TEST(ReassignStanding, AmountsAboveThresholdsAndLevelsAreAddedInWeightedUnits) {
    Problem problem = test::reassign_problem({0, 0, 0, 1}, {10, 20, 30, 0}, 2);
    problem.thresholds = {1, 50, tokens_max, tokens_max};
    problem.level = {{1, 100'000}, {0, 0}};
    const Score score = stand(problem, problem.places).score;
    EXPECT_EQ(score.over_thresholds, 2 * 15 + 10);
    EXPECT_EQ(score.over_levels, (60 - 33) + 1 * 15);
}

TEST(ReassignStanding, AMachineIsLevelWithASingleItemThatNeedsSomeOfTheResource) {
    Problem problem = test::reassign_problem({0, 0, 1}, {90, 0, 10}, 2);
    problem.level = {{1, 0}};
    EXPECT_EQ(stand(problem, problem.places).score.over_levels, 0);
    problem.amounts[3] = 1;
    EXPECT_EQ(stand(problem, problem.places).score.over_levels, 91 - 51);
    problem.amounts[3] = 0;
    problem.drained[0] = true;
    EXPECT_EQ(stand(problem, problem.places).score.over_levels, 90);
}

TEST(ReassignStanding, PinnedMachinesAreLevelWithWhatTheyHold) {
    Problem problem = test::reassign_problem({0, 0, 1}, {40, 50, 10}, 3);
    problem.level = {{1, 0}};
    problem.pinned[0] = true;
    EXPECT_EQ(stand(problem, problem.places).score.over_levels, 0);
}

TEST(ReassignStanding, AnObjectiveTakesThePlaceOfThresholdsLevelsAndFewest) {
    Problem problem = test::reassign_problem({0, 0, 1}, {3, 4, 5}, 2);
    problem.capacities = {5, 20, 5, 20};
    problem.thresholds = {1, 2, 1, 2};
    problem.level = {{1, 0}};
    problem.item_labels.push_back(label("service", {"web", "web", "db"}));
    problem.objective.given = true;
    const std::vector<MachineId> ends = {1, 1, 0};  // uses: 1 and 5; 2 and 7
    const auto score = [&] { return stand(problem, ends).score; };
    EXPECT_EQ(score().cost, 0);
    EXPECT_EQ(score().over_thresholds, 0);
    EXPECT_EQ(score().over_levels, 0);
    EXPECT_EQ(score().fewest, 0);
    EXPECT_EQ(score().moves, 3);
    problem.objective.over_threshold = {10, 1};
    EXPECT_EQ(score().cost, 10 * (0 + 1) + (3 + 5));
    problem.objective.over_threshold.clear();
    // Free: 4 items and 15 bytes; 3 and 13.
    problem.objective.balances = {{0, 1, 5, 3}};
    EXPECT_EQ(score().cost, 3 * ((5 * 4 - 15) + (5 * 3 - 13)));
    problem.objective.balances.clear();
    problem.objective.move_costs = {100, 20, 3};
    EXPECT_EQ(score().cost, 123);
    problem.objective.move_costs.clear();
    problem.objective.pair_costs = {7, 2, 40, 7};
    problem.objective.pair_weight = 5;
    EXPECT_EQ(score().cost, 5 * (2 + 2 + 40));
    problem.objective.pair_costs.clear();
    problem.objective.most_moved = 6;
    problem.objective.most_moved_label = 1;
    EXPECT_EQ(score().cost, 6 * 2);
}

TEST(ReassignStanding, CostsThatCannotBeCountedAreRefused) {
    Problem problem = test::reassign_problem({0}, {1}, 1);
    problem.objective.given = true;
    problem.objective.balances = {{1, 0, tokens_max, tokens_max}};
    EXPECT_THROW(static_cast<void>(stand(problem, problem.places)), OverflowError);
}

TEST(ReassignStanding, BudgetsBoundAmountsAndWaves) {
    Budget budget;
    EXPECT_TRUE(within(budget, std::vector<Tokens>{9, 9}, 9));
    budget.amounts = {2, tokens_max};
    EXPECT_TRUE(within(budget, std::vector<Tokens>{2, 100}, 9));
    EXPECT_FALSE(within(budget, std::vector<Tokens>{3, 100}, 9));
    budget.waves = 8;
    EXPECT_FALSE(within(budget, std::vector<Tokens>{2, 100}, 9));
    EXPECT_TRUE(within(budget, std::vector<Tokens>{2, 100}));
}

TEST(ReassignStanding, ScoresAreComparedPartByPart) {
    EXPECT_LT((Score{0, 9, 9, 9, 9, 9}), (Score{1, 0, 0, 0, 0, 0}));
    EXPECT_LT((Score{0, 0, 9, 9, 9, 9}), (Score{0, 1, 0, 0, 0, 0}));
    EXPECT_LT((Score{0, 0, 0, 0, 1, 2}), (Score{0, 0, 0, 0, 1, 3}));
}

TEST(ReassignWords, AmountsHaveUnitsUnlessTheyWouldLookTheSame) {
    const Resource bytes{"bytes", 0, Release::after_wave, true};
    AmountWords words = amounts_words(bytes, 2'000'000'000, 1'500'000'000);
    EXPECT_EQ(words.amount, "2.00 GB");
    EXPECT_EQ(words.limit, "1.50 GB");
    words = amounts_words(bytes, 2'000'000'001, 2'000'000'000);
    EXPECT_EQ(words.amount, "2,000,000,001");
    EXPECT_EQ(words.limit, "2,000,000,000");
}

TEST(ReassignWords, EveryKindOfRuleHasTheNameThatJsonPrints) {
    const Words names = {"capacity", "least-items", "drain", "allowed", "apart", "spread", "near"};
    for (std::size_t kind = 0; kind < names.size(); ++kind)
        EXPECT_EQ(to_string(static_cast<RuleKind>(kind)), names[kind]);
}

TEST(ReassignGivers, AreMachinesAboveTheMultipleOfTheirShareOrAThresholdThatAreNotPinned) {
    Problem problem = test::reassign_problem({0, 0, 1, 1, 2, 3}, {30, 30, 26, 26, 44, 44}, 5);
    problem.level = {{1, 100'000}};  // the share is 40
    EXPECT_EQ(givers(problem), (std::vector<bool>{true, true, true, true, true}));
    problem.only_if_above = 1'200'000;
    EXPECT_EQ(givers(problem), (std::vector<bool>{true, true, false, false, false}));
    problem.only_if_above = 1'300'000;  // machine b holds 1.3 times its share, and not more
    EXPECT_EQ(givers(problem), (std::vector<bool>{true, false, false, false, false}));
    problem.thresholds[3 * 2 + 1] = 43;
    EXPECT_EQ(givers(problem), (std::vector<bool>{true, false, false, true, false}));
    problem.pinned[3] = true;
    EXPECT_FALSE(givers(problem)[3]);
    const Problem still = with_givers_only(problem);
    EXPECT_EQ(still.only_if_above, 0U);
    EXPECT_FALSE(still.stays[0]);
    EXPECT_TRUE(still.stays[4]);
}

TEST(ReassignGivers, AreMachinesThatCanMendABrokenRule) {
    Problem problem = test::reassign_problem({0, 0, 1, 2, 3, 3}, {1, 1, 1, 1, 1, 1}, 5);
    problem.only_if_above = 9'000'000;
    problem.item_labels.push_back(label("group", {"", "web", "web", "db", "", ""}));
    problem.machine_labels.push_back(label("zone", {"z1", "z1", "z2", "z2", "z2"}));
    const auto gives = [&] { return givers(problem); };
    EXPECT_EQ(gives(), std::vector<bool>(5, false));
    problem.spread = {{1, 0, 2}};  // web is in z1 only
    EXPECT_EQ(gives(), (std::vector<bool>{true, true, false, false, false}));
    problem.spread.clear();
    problem.near = {{1, 0, {{0, 1}}}};  // web is in z1, db in z2
    EXPECT_EQ(gives(), (std::vector<bool>{true, true, true, false, false}));
    problem.near.clear();
    problem.least_items = {1, 1, 1, 1, 1};
    EXPECT_EQ(gives(), (std::vector<bool>{true, false, false, true, false}));
    problem.least_items.clear();
    problem.capacities[3 * 2] = 1;
    EXPECT_EQ(gives(), (std::vector<bool>{false, false, false, true, false}));
}

}  // namespace
}  // namespace equipoise::reassign
