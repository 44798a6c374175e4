#include "equipoise/report/answers/plan.hpp"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::report {
namespace {

TEST(Plan, GivesTheReasonInWords) {
    const network::AnyNetwork star = network::generate("star:leaves=7", 0);
    const network::Network stored(8, network::all_links(star));
    const load::Loads loads = test::corner_loads(8, 16);
    const optimum::Problem problem = {&stored, loads, optimum::floor_or_ceiling(loads), {}, {}, {}};
    const std::string text = explain(optimum::make_plan(problem), problem, star);
    EXPECT_NE(text.find("node 0 holds 14 tokens too many, and at most 1 can leave it in a step."),
              std::string::npos)
        << text;
}

TEST(Plan, NamesNoGatesOfASetThatHasNone) {
    const network::AnyNetwork path = network::generate("path:n=6", 0);
    const network::Network stored(6, network::all_links(path));
    optimum::Problem problem;
    problem.network = &stored;
    problem.loads = {6, 0, 0, 0, 0, 6};
    problem.target = optimum::floor_or_ceiling(problem.loads);
    optimum::Plan plan;
    plan.at_least = 1;
    plan.certificate.surplus = 8;
    plan.certificate.zones.emplace_back().nodes = {0, 5};
    plan.certificate.last_zone = {0, 5};
    EXPECT_EQ(explain(plan, problem, path),
              "No schedule is shorter than 1 step: these 2 nodes hold 8 tokens too many.\n"
              "  The nodes: 0, 5.\n");
}

/// All tokens on two leaves of a star, with a made-up cut whose gate opens late: what leaves the
/// two leaves and the centre is sent by the centre, from step 1 on.
struct Star {
    network::AnyNetwork named = network::generate("star:leaves=7", 0);
    network::Network stored{8, network::all_links(named)};
    optimum::Problem problem;
    optimum::Plan plan;

    Star() {
        problem.network = &stored;
        problem.loads = {0, 8, 8, 0, 0, 0, 0, 0};
        problem.target = optimum::floor_or_ceiling(problem.loads);
        plan.at_least = 11;
        plan.at_most = 12;
        plan.open = "nothing better was found";
        plan.cut.emplace();
        plan.cut->steps = 10;
        plan.cut->nodes.resize(8);
        plan.cut->nodes[0] = {1, 1, 10, 0, 0};
        plan.cut->nodes[1].inside = 0;
        plan.cut->nodes[2].inside = 0;
        plan.cut->surplus = 10;
        plan.cut->crossings = 9;
        plan.flow = {12, {{1, 0, 0, 12, 6}, {2, 0, 0, 12, 6}, {0, 3, 1, 11, 2}}};
    }
};

TEST(Plan, TellsWhatProvesALargePlanInWords) {
    Star star;
    EXPECT_EQ(
        explain(star.plan, star.problem, star.named),
        "No schedule is shorter than 11 steps: in 10 steps 10 tokens must leave a set of nodes, "
        "and at most 9 can.\n"
        "  2 nodes are in the set from the beginning: 1, 2; 1 more joins as the first tokens can "
        "get "
        "there, the last before step 1.\n"
        "  All that leaves is sent by 1 node; these gates are open for 9 steps together, "
        "since none opens before the first token can be there.\n"
        "12 steps are enough: in 3 windows, in each of which a node sends tokens over one link at "
        "a constant rate (0.182 to 0.5 a step, for 11 to 12 steps).\n"
        "  A checker that knows nothing of the search has added up all rates as fractions: no node "
        "ever sends or receives more than its ports allow, every node holds what it sends when a "
        "step begins, all tokens have arrived after 12 steps, and all nodes end in the target.\n"
        "  All these limits are whole numbers, so whole tokens can do the same in as many steps: "
        "where a flow in fractions exists, one in whole numbers does.\n"
        "The bounds do not meet: nothing better was found.\n");
    star.problem.all_ports = true;
    EXPECT_NE(explain(star.plan, star.problem, star.named)
                  .find("  All that leaves crosses a link, one token a step"),
              std::string::npos);
}

/// The line of a plan's text with a name.
std::string line_of(const std::string& name, const std::string& text) {
    const std::size_t at = text.find("  " + name + "  ");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(Plan, SaysWhatBecameOfFilesThatWereAskedFor) {
    Star star;
    const auto line = [&](const std::string& name, const PlanWords& words) {
        return line_of(name, plan_text(star.plan, star.problem, star.named, words));
    };
    const std::string schedule = "  schedule         ";
    const std::string windows = "  windows          ";
    EXPECT_EQ(line("schedule", {}), schedule + "not written (use --schedule FILE.csv)");
    EXPECT_EQ(line("schedule", {.schedule = "m.csv"}), schedule + "written to m.csv");
    EXPECT_EQ(line("schedule", {.schedule = "m.csv", .no_schedule = true}),
              schedule + "not written (see below)");
    EXPECT_EQ(line("windows", {}), windows + "3, not written (use --windows FILE.json)");
    EXPECT_EQ(line("windows", {.windows = "w.json"}), windows + "3, written to w.json");
    EXPECT_EQ(line("windows", {.windows = "w.json", .no_windows = true}),
              windows + "3, not written (see below)");
    star.plan.exchanges = 30'000'000;
    EXPECT_EQ(line("schedule", {.schedule = "m.csv", .no_schedule = true}),
              schedule + "not written (more than 20,000,000 moves)");
    star.plan.at_most.reset();
    EXPECT_EQ(line("schedule", {}), schedule + "none was found");
    EXPECT_EQ(line("schedule", {.schedule = "m.csv", .no_schedule = true}),
              schedule + "none was found");
}

TEST(Plan, SaysWhatIsKnownOfTheFewestExchanges) {
    Star star;
    const auto exchanges = [&] {
        return line_of("exchanges", plan_text(star.plan, star.problem, star.named, {}));
    };
    star.plan.exchanges = 14;
    EXPECT_EQ(exchanges(), "  exchanges        14");
    star.plan.exchanges_open = "to find them takes 9 MiB";
    EXPECT_EQ(exchanges(),
              "  exchanges        14  (perhaps not the fewest in these steps: to find them takes 9 "
              "MiB)");
    star.plan.exchanges_fewest = 12;
    EXPECT_EQ(exchanges(),
              "  exchanges        14  (perhaps not the fewest in these steps: to find them takes 9 "
              "MiB; 12 in any number of steps)");
    star.plan.exchanges_open.clear();
    star.plan.exchanges_fewest_in_these_steps = true;
    EXPECT_EQ(exchanges(),
              "  exchanges        14  (the fewest in these steps; 12 in any number of steps)");
    star.plan.exchanges_fewest = 14;
    EXPECT_EQ(exchanges(), "  exchanges        14  (no schedule of any length has fewer)");
}

TEST(Plan, ListsNodesThatJoinACutAndItsGates) {
    const Star star;
    const auto json =
        parse_json(plan_json(star.plan, star.problem, star.named, "floor-ceil"), "plan");
    const auto& certificate = json.at("certificate");
    EXPECT_EQ(certificate.at("kind"), "growing-cut");
    EXPECT_EQ(certificate.at("nodes").dump(), "[1,2]");
    EXPECT_EQ(certificate.at("joins").dump(), "[[0,1]]");
    EXPECT_EQ(certificate.at("last_zone").dump(), "[0,1,2]");
    EXPECT_EQ(certificate.at("send_gates").dump(), "[[0,1,10]]");
    EXPECT_EQ(certificate.at("receive_gates").dump(), "[]");
    EXPECT_EQ(certificate.at("matching"), 1);
    EXPECT_EQ(json.at("windows_count"), 3);
    EXPECT_EQ(json.at("windows").dump(), "[[1,0,0,12,6],[2,0,0,12,6],[0,3,1,11,2]]");
}

TEST(Plan, ListsNodesByTheirNamesEvenInPairs) {
    Star star;
    for (NodeId node = 0; node < 8; ++node)
        star.named.labels().names.push_back("node " + std::to_string(node));
    const auto json =
        parse_json(plan_json(star.plan, star.problem, star.named, "floor-ceil"), "plan");
    EXPECT_EQ(json.at("certificate").at("joins").dump(), "[[\"node 0\",1]]");
    EXPECT_EQ(json.at("windows")[2].dump(), "[\"node 0\",\"node 3\",1,11,2]");
}

}  // namespace
}  // namespace equipoise::report
