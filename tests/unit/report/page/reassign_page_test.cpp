#include "equipoise/report/page/reassign_page.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/report/page/reassign_page_data.hpp"

namespace equipoise::report {
namespace {

using nlohmann::json;
using reassign::MachineId;
using reassign::Move;

/// Machines "m0", "m1", ...; item i, "i0", "i1", ..., is on m0 and needs i + 1 of "bytes".
ReassignAnswer answer_of(MachineId machines, std::uint32_t items, std::vector<Move> moves) {
    ReassignAnswer answer;
    answer.origin = "items.csv";
    reassign::Problem& problem = answer.problem;
    problem.resources = {{"items"}, {"bytes"}};
    for (MachineId machine = 0; machine < machines; ++machine)
        problem.machines.number_of("m" + std::to_string(machine));
    problem.item_labels.push_back({"item", {}, {}});
    for (std::uint32_t item = 0; item < items; ++item) {
        problem.thing.push_back(problem.things.number_of("i" + std::to_string(item)));
        problem.item_labels[0].of.push_back(
            problem.item_labels[0].values.number_of("i" + std::to_string(item)));
        problem.places.push_back(0);
        problem.amounts.push_back(1);
        problem.amounts.push_back(item + 1);
    }
    problem.capacities.assign(std::size_t{machines} * 2, tokens_max);
    problem.thresholds = problem.capacities;
    problem.drained.assign(machines, false);
    problem.pinned.assign(machines, false);
    problem.speeds.assign(machines, 1);
    problem.apart.push_back({0});
    answer.plan.before = reassign::stand(problem, problem.places);
    answer.plan.replayed = reassign::replay(problem, moves);
    answer.plan.moves = std::move(moves);
    return answer;
}

json data_of(const ReassignAnswer& answer) {
    return json::parse(reassign_page_data(answer));
}

TEST(ReassignPage, HoldsWhatMachinesHoldBeforeAndAfterAndEveryMove) {
    const json data = data_of(answer_of(3, 4, {{0, 3, 0, 2}, {2, 1, 0, 1}}));
    EXPECT_EQ(data["machines"]["before"], json::parse("[[4,0,0],[10,0,0]]"));
    EXPECT_EQ(data["machines"]["after"], json::parse("[[2,1,1],[4,2,4]]"));
    EXPECT_EQ(data["machines"]["capacity"][1], json::parse("[null,null,null]"));
    EXPECT_EQ(data["moves"]["wave"], json::parse("[0,2]"));
    EXPECT_EQ(data["items"], json::parse(R"(["i3","i1"])"));
    EXPECT_EQ(data["moves"]["item"], json::parse("[0,1]"));
    EXPECT_EQ(data["moves"]["from"], json::parse("[0,0]"));
    EXPECT_EQ(data["moves"]["to"], json::parse("[2,1]"));
    EXPECT_EQ(data["moves"]["amounts"], json::parse("[[4,2]]"));
    EXPECT_EQ(data["played"], true);
    EXPECT_EQ(data["machines_left_out"], 0);
}

TEST(ReassignPage, LeavesOutMachinesWithoutMovesWhereThereAreVeryMany) {
    const json data = data_of(answer_of(20'001, 1, {{0, 0, 0, 20'000}}));
    EXPECT_EQ(data["machines"]["name"], json::parse(R"(["m0","m20000"])"));
    EXPECT_EQ(data["moves"]["to"], json::parse("[1]"));
    EXPECT_EQ(data["machines_left_out"], 19'999);
}

TEST(ReassignPage, ListsTheFirstMovesOnlyWhereThereAreVeryMany) {
    std::vector<Move> moves;
    for (std::uint32_t item = 0; item < 200'001; ++item)
        moves.push_back({0, item, 0, 1});
    const json data = data_of(answer_of(2, 200'001, std::move(moves)));
    EXPECT_EQ(data["moves"]["wave"].size(), 1'000);
    EXPECT_EQ(data["moves_left_out"], 199'001);
    EXPECT_EQ(data["played"], false);
    EXPECT_EQ(data["machines"]["after"][0], json::parse("[0,200001]"));
}

TEST(ReassignPage, SetsFiguresApartFromWhatIsProvedOfThem) {
    ReassignAnswer answer = answer_of(2, 4, {{0, 3, 0, 1}});
    answer.plan.at_least.fewest = {1, "A reason."};
    const json data = data_of(answer);
    const json& moves = data["tiles"][0];
    EXPECT_EQ(moves["name"], "moves");
    EXPECT_EQ(moves["value"], "1");
    EXPECT_EQ(moves["note"], "no plan has fewer");
    EXPECT_EQ(data["proofs"], json::parse(R"(["A reason."])"));
}

TEST(ReassignPage, SaysFirstWhatIsWrong) {
    ReassignAnswer answer = answer_of(2, 4, {{0, 3, 0, 1}});
    EXPECT_EQ(data_of(answer)["verdict"], "After 1 wave, all rules, thresholds and levels hold.");
    answer.schedule = "moves.csv";
    answer.fault = "moves.csv:2: m0 does not hold i3";
    const json data = data_of(answer);
    EXPECT_EQ(data["reached"], false);
    EXPECT_EQ(data["verdict"], "Not every move is allowed. moves.csv:2: m0 does not hold i3");
}

TEST(ReassignPage, EscapesAllThatComesFromFiles) {
    ReassignAnswer answer = answer_of(2, 1, {{0, 0, 0, 1}});
    answer.origin = "</script>.csv";
    answer.notes = {"<b>&"};
    const std::string page = reassign_page(answer);
    EXPECT_EQ(page.find("</script>.csv"), std::string::npos);
    EXPECT_EQ(page.find("<b>&"), std::string::npos);
    EXPECT_NE(page.find("\\u003cb\\u003e\\u0026"), std::string::npos);
}

}  // namespace
}  // namespace equipoise::report
