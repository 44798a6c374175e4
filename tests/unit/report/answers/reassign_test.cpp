#include "equipoise/report/answers/reassign.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::report {
namespace {

using nlohmann::json;
using reassign::Move;

/// An answer whose plan makes these moves; nothing is proved about it.
ReassignAnswer answer_of(reassign::Problem problem, std::vector<Move> moves) {
    ReassignAnswer answer;
    answer.origin = "shards.csv";
    answer.problem = std::move(problem);
    answer.plan.before = stand(answer.problem, answer.problem.places);
    answer.plan.moves = std::move(moves);
    answer.plan.replayed = replay(answer.problem, answer.plan.moves);
    return answer;
}

void give_racks(reassign::Problem& problem, const std::vector<std::string>& racks) {
    reassign::Label& label = problem.machine_labels.emplace_back();
    label.name = "rack";
    for (const std::string& rack : racks)
        label.of.push_back(rack.empty() ? reassign::no_value : label.values.number_of(rack));
}

/// Six shards on three machines in two racks; the third is new. Two moves leave the first one above
/// its level.
ReassignAnswer two_moves() {
    reassign::Problem problem = test::reassign_problem({0, 0, 0, 0, 1, 1}, {8, 4, 4, 3, 3, 2}, 3);
    problem.resources[1].in_bytes = true;
    give_racks(problem, {"r1", "r1", "r2"});
    problem.level.push_back({1, 200'000});
    problem.at_once = 1;
    ReassignAnswer answer = answer_of(std::move(problem), {{0, 1, 0, 2}, {1, 2, 0, 2}});
    answer.plan.at_least.fewest = {2, "a must give 2 items"};
    answer.plan.at_least.moves = answer.plan.at_least.fewest;
    answer.plan.at_least.waves = {1, ""};
    return answer;
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(ReassignText, ShowsMachinesByRackThenAimsAndProofs) {
    EXPECT_EQ(reassign_text(two_moves(), {"moves.csv", ""}, true),
              R"(shards.csv: 6 items on 3 machines

bytes
machine  before  after  share  peak
-------  ------  -----  -----  ----  -----------
rack r1    24 B   16 B   16 B
  a        19 B   11 B    8 B  19 B  above level
  b         5 B    5 B    8 B   5 B
rack r2     0 B    8 B    8 B
  c         0 B    8 B    8 B   8 B

items
machine  before  after  share  peak
-------  ------  -----  -----  ----
rack r1       6      4      4
  a           4      2      2     4
  b           2      2      2     2
rack r2       0      2      2
  c           0      2      2     2
peak: the most that a node or machine holds at any moment on the way.

  level            bytes: 1 machine above 1.2 times the share, by 2 B
                   (another plan may be more level)
  moves            2  (no plan has fewer)
  bytes moved      8 B
  across racks     2 moves, 8 B
  waves            2  (every plan has at least 1)
  rules            all hold
  schedule         written to moves.csv

Reasons for the bounds:
  moves            a must give 2 items
)");
}

TEST(ReassignText, SaysThatNoPlanIsMoreLevelWhereThatIsProved) {
    ReassignAnswer answer = two_moves();
    answer.plan.at_least.over_levels = {answer.plan.replayed.end.score.over_levels, "why not"};
    const std::string text = reassign_text(answer, {}, true);
    EXPECT_NE(text.find("(no plan is more level)"), std::string::npos) << text;
    EXPECT_NE(text.find("  level            why not\n"), std::string::npos) << text;
}

TEST(ReassignText, StaysWithinEightyColumns) {
    reassign::Problem problem = test::reassign_problem({0, 0, 1}, {8, 8, 1}, 2);
    give_racks(problem, {"r1", "r2"});
    problem.level.push_back({1, 100'000});
    problem.capacities = {10, 12, 10, 20};
    problem.thresholds = {tokens_max, 11, tokens_max, tokens_max};
    ReassignAnswer answer = answer_of(std::move(problem), {});
    answer.plan.at_least.over_levels = {1,
                                        "one machine must hold more, since all others are full "
                                        "of items that may not leave them before the end"};
    const std::string text = reassign_text(answer, {}, true);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin);
        EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
        begin = end + 1;
    }
    EXPECT_NE(text.find("above capacity"), std::string::npos) << text;
    EXPECT_NE(text.find("Rules broken before:"), std::string::npos) << text;
    EXPECT_NE(text.find("Rules broken at the end:"), std::string::npos) << text;
}

TEST(ReassignText, OfManyMachinesShowsThoseThatStandOutAndCountsTheRest) {
    std::vector<reassign::MachineId> places;
    std::vector<Tokens> bytes;
    for (reassign::MachineId machine = 0; machine < 26; ++machine) {
        places.insert(places.end(), {machine, machine});
        bytes.insert(bytes.end(), {5, machine == 12 ? 60 : 5});
    }
    reassign::Problem problem = test::reassign_problem(places, bytes, 26);
    problem.level.push_back({1, 100'000});
    problem.drained[20] = true;
    const ReassignAnswer answer = answer_of(std::move(problem), {{0, 6, 3, 7}, {0, 40, 20, 8}});
    const std::string text = reassign_text(answer, {}, true, 8);
    EXPECT_NE(text.find("\n18 machines not shown; --csv FILE writes all of them.\n"),
              std::string::npos)
        << text;
    for (const char* shown : {"\nm ", "\nd ", "\nh ", "\ni ", "\nu "})
        EXPECT_EQ(count_of(text, shown), 2U) << shown << text;
    EXPECT_EQ(count_of(text, "to empty"), 2U) << text;
    EXPECT_EQ(count_of(reassign_text(answer, {}, true, 26), "not shown"), 0U);
}

TEST(ReassignText, MachinesStandInTheOrderInWhichPeopleCount) {
    reassign::Problem problem = test::reassign_problem({0, 0, 0, 0}, {1, 1, 1, 1}, 4);
    problem.machines = NameTable();
    for (const char* name : {"b10", "b9", "b2", "a1"})
        problem.machines.number_of(name);
    give_racks(problem, {"r10", "", "r9", "r9"});
    const std::string text = reassign_text(answer_of(std::move(problem), {}), {}, true);
    std::size_t last = 0;
    for (const char* line :
         {"\nrack r9 ", "\n  a1 ", "\n  b2 ", "\nrack r10 ", "\n  b10 ", "\nno rack ", "\n  b9 "}) {
        const std::size_t at = text.find(line);
        ASSERT_NE(at, std::string::npos) << line << text;
        EXPECT_GT(at + 1, last) << line << text;
        last = at + 1;
    }
}

TEST(ReassignText, NamesWhatIsMissingAndWhatWouldDo) {
    ReassignAnswer answer = two_moves();
    answer.plan.conflicts.push_back(
        {{}, 3, "machine a: bytes: 3 more capacity", "the capacity of bytes of a: 13", false});
    EXPECT_NE(reassign_text(answer, {}, true).find(R"(
No plan was found in which all rules hold. What is missing:
  machine a: bytes: 3 more capacity
This change would do:
  the capacity of bytes of a: 13
)"),
              std::string::npos);
    answer.plan.conflicts.front().proved = true;
    EXPECT_NE(reassign_text(answer, {}, true).find("The rules cannot all hold. What is missing:"),
              std::string::npos);
}

TEST(ReassignText, SaysThatTheWayFailsAndNamesItemsThatAreTooLargeForIt) {
    reassign::Problem problem = test::reassign_problem({0, 0}, {9, 2}, 2);
    problem.drained[0] = true;
    problem.copied = 1;
    problem.gives = {4, 4};
    problem.takes = {9, 9};
    ReassignAnswer answer = answer_of(problem, {{0, 1, 0, 1}});
    EXPECT_NE(reassign_text(answer, {}, true).find(R"(
No waves were found after which all rules hold: rates, --at-once, capacities on
the way, items that must be apart or the budget stand against them.
  i0 has 9, and machine a gives at most 4 in a wave
)"),
              std::string::npos)
        << reassign_text(answer, {}, true);
    answer.problem.budget.waves = 1;
    EXPECT_NE(reassign_text(answer, {}, true)
                  .find("No plan of so few waves was found after which all rules hold."),
              std::string::npos);
    answer.schedule = "moves.csv";
    EXPECT_EQ(reassign_text(answer, {}, true).find("No plan"), std::string::npos);
}

TEST(ReassignText, BlamesTheTimeForWhatWavesDoNotReachWhereItEnded) {
    reassign::Problem problem = test::reassign_problem({0, 0}, {9, 2}, 2);
    problem.drained[0] = true;
    ReassignAnswer answer = answer_of(problem, {{0, 1, 0, 1}});
    answer.plan.waves_cut_short = true;
    std::string text = reassign_text(answer, {}, true);
    EXPECT_NE(text.find("\nThe time ended before waves were found after which all rules hold.\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("stand against"), std::string::npos) << text;
    answer.problem.given_ends = {1, 1};
    answer.plan.missed = 1;
    text = reassign_text(answer, {}, true);
    EXPECT_NE(
        text.find("\nThe time ended before waves were found that lead where the target says.\n"
                  "  i0 ends on a, not on b: nothing stands in its way"),
        std::string::npos)
        << text;
    EXPECT_EQ(text.find("stand against"), std::string::npos) << text;
}

TEST(ReassignText, ABoundOnAllResourcesStandsBesideNoSingleOne) {
    reassign::Problem problem = test::reassign_problem({0, 0, 0, 1}, {8, 4, 4, 3}, 2);
    problem.level = {{1, 0}, {reassign::items_resource, 0}};
    for (const std::size_t machine : {0U, 1U})
        problem.thresholds[machine * 2 + 1] = problem.thresholds[machine * 2] = 2;
    const std::string text = reassign_text(answer_of(std::move(problem), {}), {}, true);
    EXPECT_NE(text.find("  all levels       not reached  (another plan may be more level)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  all thresholds   exceeded  (another plan may exceed them less)\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(count_of(text, "another plan may be more level"), 1U);
    EXPECT_EQ(count_of(text, "another plan may exceed them less"), 1U);
}

TEST(ReassignText, OfAJudgedScheduleSaysWhatAPlanSaysOrItsFault) {
    ReassignAnswer answer = two_moves();
    answer.schedule = "moves.csv";
    const std::string text = reassign_text(answer, {}, true);
    EXPECT_EQ(
        text.find("moves.csv: 2 moves in 2 waves, all allowed; the end is not as asked for\n"), 0U)
        << text;
    EXPECT_EQ(text.find("schedule"), std::string::npos) << text;
    EXPECT_NE(text.find("\nrack r1 "), std::string::npos) << text;
    answer.fault = "moves.csv:2: machine a does not hold x";
    EXPECT_EQ(reassign_text(answer, {}, true), "moves.csv:2: machine a does not hold x\n");
    EXPECT_FALSE(answer.reached());
}

TEST(ReassignJson, HoldsWhatTheTextSays) {
    const json object = json::parse(reassign_json(two_moves()));
    EXPECT_EQ(object["schema"]["name"], "equipoise-reassign");
    EXPECT_EQ(object["reached"], false);
    EXPECT_EQ(object["totals"],
              json::parse(R"({"moves": 2, "bytes": 8, "resources": {"bytes": 8}, "waves": 2,
                              "detours": 0})"));
    EXPECT_EQ(object["at_least"], json::parse(R"({"moves": 2, "waves": 1, "reasons": {
                              "fewest": "a must give 2 items",
                              "moves": "a must give 2 items"}})"));
    EXPECT_EQ(
        object["across"],
        json::parse(R"({"label": "rack", "moves": 2, "bytes": 8, "resources": {"bytes": 8}})"));
    EXPECT_EQ(object["machines"][2],
              json::parse(R"({"machine": "c", "labels": {"rack": "r2"}, "drained": false,
                  "pinned": false, "resources": {
                  "items": {"before": 0, "after": 2, "share": 2.0, "peak": 2, "capacity": null,
                            "threshold": null},
                  "bytes": {"before": 0, "after": 8, "share": 8.0, "peak": 8, "capacity": null,
                            "threshold": null}}})"));
    EXPECT_EQ(object["moves"], json::parse(R"([{"wave": 0, "item": "i1", "from": "a", "to": "c"},
                              {"wave": 1, "item": "i2", "from": "a", "to": "c"}])"));
}

TEST(ReassignJson, AmountsHaveTheDecimalsOfTheirColumn) {
    reassign::Problem problem = test::reassign_problem({0, 0}, {125, 300}, 2);
    problem.resources[1] = {"cpu", 2, reassign::Release::after_wave, false};
    problem.fewest = 1;
    ReassignAnswer answer = answer_of(std::move(problem), {{0, 0, 0, 1}});
    answer.plan.at_least.fewest = {50, ""};
    const json object = json::parse(reassign_json(answer));
    EXPECT_EQ(object["totals"]["resources"]["cpu"], 1.25);
    EXPECT_EQ(object["at_least"]["resources"]["cpu"], 0.5);
    EXPECT_FALSE(object["totals"].contains("bytes"));
    EXPECT_EQ(object["machines"][1]["resources"]["cpu"]["share"], 2.125);
    EXPECT_EQ(reassign_csv(answer),
              R"(machine,drained,resource,before,after,share,peak,capacity,threshold
a,false,items,2,1,1.0,2,,
a,false,cpu,4.25,3,2.125,4.25,,
b,false,items,0,1,1.0,1,,
b,false,cpu,0,1.25,2.125,1.25,,
)");
}

TEST(ReassignJson, OfAJudgedScheduleNamesItAndItsFault) {
    ReassignAnswer answer = two_moves();
    answer.schedule = "moves.csv";
    EXPECT_EQ(json::parse(reassign_json(answer))["allowed"], true);
    answer.fault = "moves.csv:2: machine a does not hold x";
    const json object = json::parse(reassign_json(answer));
    EXPECT_EQ(object["allowed"], false);
    EXPECT_EQ(object["fault"], answer.fault);
    EXPECT_FALSE(object.contains("effort"));
}

}  // namespace
}  // namespace equipoise::report
