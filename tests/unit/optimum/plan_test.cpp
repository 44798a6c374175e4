// Plans with everything that people who move shards ask for.

#include "equipoise/optimum/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/exchanges/cheapest_exchanges.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/step_search.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Problem problem_of(const Network& network, const load::Loads& loads) {
    return {&network, loads, floor_or_ceiling(loads), {}, {}, {}};
}

/// Whether tokens go round in a circle within a step (a swap is a circle of two), if every node
/// sends at most one.
bool goes_in_circles(const Schedule& schedule, NodeId nodes) {
    for (std::size_t first = 0; first < schedule.size();) {
        std::vector<NodeId> next(nodes, no_node);
        std::size_t last = first;
        for (; last < schedule.size() && schedule[last].step == schedule[first].step; ++last)
            next[schedule[last].from] = schedule[last].to;
        for (NodeId start = 0; start < nodes; ++start) {
            NodeId at = next[start];
            for (NodeId hops = 0; hops < nodes && at != no_node && at != start; ++hops)
                at = next[at];
            if (at == start) return true;
        }
        first = last;
    }
    return false;
}

/// Makes a plan and checks its schedule and its certificate.
Plan proved(const Problem& problem, const PlanOptions& options = {}) {
    Plan plan = make_plan(problem, options);
    EXPECT_TRUE(plan.schedule_written);
    const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_LE(verdict.steps, *plan.at_most);
    EXPECT_EQ(verdict.exchanges, plan.exchanges);
    EXPECT_GE(plan.exchanges, plan.exchanges_fewest);
    EXPECT_GE(plan.exchanges_fewest, plan.moves);
    if (problem.ports.empty() && problem.delays.empty()) {
        EXPECT_FALSE(goes_in_circles(plan.schedule, problem.network->node_count()));
    }
    if (!plan.certificate.empty()) {
        EXPECT_EQ(check_certificate(problem, plan.certificate), "");
    }
    return plan;
}

TEST(Plan, NeedsNodes) {
    const network::Network empty;
    const Problem problem = {&empty, {}, {}, {}, {}, {}};
    EXPECT_THROW(static_cast<void>(make_plan(problem)), InputError);
}

TEST(Plan, SaysWhetherTimeOrSomebodyEndedTheSearch) {
    const Network mesh = test::stored_network("mesh:30x30");
    load::Loads loads(900, 0);
    for (const NodeId node : {0U, 1U, 30U, 31U})
        loads[node] = 2250;
    const Problem problem = problem_of(mesh, loads);
    std::stop_source stop;
    stop.request_stop();
    const TimedStop late({}, TimedStop::Clock::now());
    const TimedStop interrupted(stop.get_token(), {});
    for (const auto& [end, said] :
         {std::pair(&late, "the time allowed ran out"), std::pair(&interrupted, "interrupted")}) {
        PlanOptions options;
        options.end = end;
        const Plan plan = make_plan(problem, options);
        EXPECT_FALSE(plan.exact());
        EXPECT_EQ(plan.open, said);
    }
}

TEST(Plan, NeverExceedsCapacitiesAndIsAsShortAsASearchFinds) {
    for (const Network& network : test::connected_graphs(4))
        test::for_all_loads(4, 5, [&](const load::Loads& loads) {
            Problem problem = problem_of(network, loads);
            problem.capacities.assign(4, 2);
            for (NodeId node = 0; node < 4; ++node)
                problem.capacities[node] = std::max<Tokens>(2, loads[node]);
            // A search in which a step that fills a node too far leads nowhere.
            const auto fits = [&](const load::Loads& at) {
                for (NodeId node = 0; node < 4; ++node)
                    if (at[node] > problem.capacities[node]) return false;
                return true;
            };
            const Step searched = test::fewest_steps_by_search(
                network, loads, [&](const load::Loads& end) { return problem.target.allows(end); },
                fits);
            const Plan plan = proved(problem);
            EXPECT_TRUE(plan.exact());
            EXPECT_EQ(plan.at_least, searched);
        });
}

TEST(Plan, TokensTakeAsLongAsTheirLinks) {
    const Network path = test::stored_network("path:n=3");
    Problem problem = problem_of(path, {6, 0, 0});
    problem.delays = {1, 5};
    // Two tokens must leave the middle for the last node: the second is sent at step 2 at the
    // earliest and takes 5 steps.
    const Plan plan = proved(problem);
    EXPECT_EQ(plan.at_least, 7U);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.bound, 4U);
}

TEST(Plan, MorePortsMakeItShorter) {
    const Network star = test::stored_network("star:leaves=7");
    Problem problem = problem_of(star, test::corner_loads(8, 16));
    EXPECT_EQ(proved(problem).at_least, 14U);
    problem.ports.assign(8, 3);
    EXPECT_EQ(proved(problem).at_least, 5U);
    problem.ports[0] = 7;
    EXPECT_EQ(proved(problem).at_least, 2U);
}

TEST(Plan, PinnedNodesNeitherGiveNorTakeNorPassOn) {
    const Network cycle = test::stored_network("cycle:n=5");
    const std::vector<bool> pinned = {false, true, false, false, false};
    const load::Loads loads = {8, 3, 0, 0, 0};
    Problem problem{&cycle, loads, floor_or_ceiling(loads, {}, pinned), {1, 0, 1, 1, 1}, {}, {}};
    const Plan plan = proved(problem);
    EXPECT_TRUE(plan.exact());
    for (const Move& move : plan.schedule) {
        EXPECT_NE(move.from, 1U);
        EXPECT_NE(move.to, 1U);
    }
    problem.ports[4] = 0;  // node 0 is cut off
    EXPECT_THROW(static_cast<void>(make_plan(problem)), UnsuitableError);
}

TEST(Plan, SpeedsSayWhoGetsHowMuch) {
    const Network path = test::stored_network("path:n=3");
    const load::Loads loads = {10, 0, 0};
    const std::vector<std::uint64_t> speeds = {1, 0, 3};
    Problem problem = problem_of(path, loads);
    problem.target = floor_or_ceiling(loads, speeds);
    const Plan plan = proved(problem);
    const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
    EXPECT_EQ(verdict.loads[1], 0);
    EXPECT_TRUE(verdict.loads[2] == 7 || verdict.loads[2] == 8);
    EXPECT_EQ(plan.exchanges, 14);
}

TEST(Plan, FewTokensInFlightAreEnclosed) {
    RandomStream random(7, Purpose::sampling);
    for (int i = 0; i < 25; ++i) {
        const auto [network, loads] = test::random_distribution(12, random);
        Problem problem = problem_of(network, loads);
        if (i % 2 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        problem.all_ports = i % 4 == 2;
        for (const Tokens most : {1, 2, 5}) {
            PlanOptions options;
            options.in_flight_max = most;
            const Plan plan = proved(problem, options);
            EXPECT_LE(check_schedule(problem, plan.schedule).in_flight_max, most);
            EXPECT_LE(plan.at_least, *plan.at_most);
            if (most == 1 && plan.moves > 0) {
                const Tokens occupied = cheapest_exchanges(problem, ExchangeCost::delay).exchanges;
                EXPECT_GE(plan.at_least, static_cast<Step>(occupied));
            }
        }
    }
}

TEST(Plan, WithAllPortsFewTokensInFlightGoOverAllLinks) {
    const Network star = test::stored_network("star:leaves=10");
    load::Loads loads(11, 0);
    loads[0] = 110;
    Problem problem = problem_of(star, loads);
    problem.all_ports = true;
    PlanOptions options;
    options.in_flight_max = 9;
    EXPECT_EQ(proved(problem, options).at_most, 12U);  // 100 tokens, nine a step
}

TEST(Plan, NodesThatMayHoldNothingTakeNoPart) {
    const Network cycle = test::stored_network("cycle:n=5");
    Problem problem{&cycle, {6, 0, 0, 0, 0}, {{3, 0, 3, 0, 0}, {}, 0}, {}, {6, 0, 9, 9, 9}, {}};
    PlanOptions options;
    options.in_flight_max = 1;
    const Plan plan = proved(problem, options);
    EXPECT_EQ(plan.exchanges, 9);  // the long way round, since node 1 cannot hold a token
    EXPECT_EQ(plan.exchanges_fewest, 9);
    ASSERT_TRUE(plan.limited_by_flight);
    EXPECT_EQ(plan.limited_by_flight->steps_under_way, 9);
    problem.capacities = {6, 0, 9, 9, 0};
    EXPECT_THROW(static_cast<void>(make_plan(problem)), UnsuitableError);
}

TEST(Plan, SearchesForTheFewestExchangesEndWhenTheyAreStopped) {
    const Network mesh = test::stored_network("mesh:20x20");
    load::Loads loads(400, 0);
    loads[0] = 4000;
    const Problem problem = problem_of(mesh, loads);
    EXPECT_FALSE(cheapest_exchanges_until([] { return true; }, problem));
    const auto found = cheapest_exchanges_until([] { return false; }, problem);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->exchanges, cheapest_exchanges(problem).exchanges);
    std::stop_source stop;
    stop.request_stop();
    MinimumStepsOptions limits;
    limits.stop = stop.get_token();
    EXPECT_FALSE(fewest_exchanges_within(problem, 5000, limits));
}

TEST(Plan, NothingIsBuiltForCheapestFlowsOnceTheSearchIsStopped) {
    // So small that the solver would be done before it asks.
    const Network path = test::stored_network("path:n=3");
    const Problem problem = problem_of(path, {3, 0, 0});
    EXPECT_FALSE(cheapest_exchanges_until([] { return true; }, problem));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(fewest_exchanges_within(problem, 2, {.stop = stop.get_token()}));
    EXPECT_TRUE(fewest_exchanges_within(problem, 2));
    // The second question comes after the network is made, before the solver's copy is.
    int asked = 0;
    EXPECT_FALSE(cheapest_exchanges_until([&] { return ++asked == 2; }, problem));
}

TEST(Plan, FewTokensInFlightEndWithTheTimeOrWhenSomebodyInterrupts) {
    const Network mesh = test::stored_network("mesh:40x40");
    const Problem problem = problem_of(mesh, test::corner_loads(1600, 16'000));
    std::stop_source stop;
    stop.request_stop();
    const TimedStop late({}, TimedStop::Clock::now());
    const TimedStop interrupted(stop.get_token(), {});
    for (const auto& [end, said] :
         {std::pair(&late, "the time allowed ran out"), std::pair(&interrupted, "interrupted")}) {
        PlanOptions options;
        options.in_flight_max = 1;
        options.end = end;
        const Plan plan = make_plan(problem, options);
        EXPECT_FALSE(plan.at_most);
        EXPECT_FALSE(plan.schedule_written);
        EXPECT_EQ(plan.open, said);
    }
}

TEST(Plan, WithFewTokensInFlightFiguresStandWhereMovesAreTooMany) {
    const Network cycle = test::stored_network("cycle:n=12");
    load::Loads loads(12, 0);
    std::fill_n(loads.begin(), 4, 9000);
    PlanOptions options;
    options.in_flight_max = 5;
    options.memory_bytes_max = 2U << 20U;
    const Plan plan = make_plan(problem_of(cycle, loads), options);
    EXPECT_GT(plan.at_least, 0U);
    EXPECT_FALSE(plan.at_most);
    EXPECT_FALSE(plan.schedule_written);
    EXPECT_NE(plan.open.find(" moves, more than the 65536 that half of --memory (2 MiB) holds: "
                             "expected --memory "),
              std::string::npos)
        << plan.open;
}

TEST(Plan, IsAFlowOverTimeWhereMovesAreTooManyAlsoWithCapacitiesOrDelays) {
    const Network path = test::stored_network("path:n=3");
    for (const bool with_delays : {false, true}) {
        Problem problem = problem_of(path, {90, 0, 0});
        problem.ports.assign(3, 10);
        if (with_delays)
            problem.delays = {1, 3};
        else
            problem.capacities = {90, 40, 90};
        PlanOptions options;
        options.moves_max = 20;
        const Plan plan = make_plan(problem, options);
        EXPECT_TRUE(plan.exact());
        EXPECT_EQ(plan.at_least, make_plan(problem).at_least);
        EXPECT_FALSE(plan.schedule_written);
        ASSERT_TRUE(plan.flow);
        const FlowVerdict verdict = check_flow(problem, *plan.flow);
        EXPECT_EQ(verdict.fault, "");
        EXPECT_LE(verdict.steps, plan.at_least);
        EXPECT_EQ(verdict.exchanges, plan.exchanges);
    }
}

TEST(Plan, SaysWhyExchangesMayNotBeTheFewestThoughThatWasAskedFor) {
    const Network mesh = test::stored_network("mesh:6x6");
    const Problem problem = problem_of(mesh, test::corner_loads(36, 360));
    PlanOptions options;
    options.memory_bytes_max = 1U << 20U;
    EXPECT_EQ(make_plan(problem, options).exchanges_open, "");
    options.fewest_exchanges = true;
    const Plan open = make_plan(problem, options);
    EXPECT_FALSE(open.exchanges_fewest_in_these_steps);
    EXPECT_EQ(open.exchanges_open.rfind("to find them takes ", 0), 0U) << open.exchanges_open;
    options.memory_bytes_max = 1U << 30U;
    const Plan fewest = make_plan(problem, options);
    EXPECT_TRUE(fewest.exchanges_fewest_in_these_steps);
    EXPECT_EQ(fewest.exchanges_open, "");
}

TEST(Plan, NamesTheLimitOnMovesThatIsExceeded) {
    const MovesLimit limit{.memory_bytes = 1U << 20U, .written_max = 100'000};
    EXPECT_EQ(limit.most(), 32'768U);
    EXPECT_TRUE(limit.allows(32'768));
    EXPECT_FALSE(limit.allows(32'769));
    EXPECT_EQ(limit.exceeded_by(32'769),
              "more than the 32768 that half of --memory (1 MiB) holds: expected --memory 2");
    EXPECT_EQ(limit.exceeded_by(100'001), "more than the 100000 that are written out one by one");
    EXPECT_EQ((MovesLimit{.memory_bytes = 2U << 20U}.exceeded_by(65'537)),
              "more than the 65536 that half of --memory (2 MiB) holds: expected --memory 3");
}

TEST(Plan, WritesNoMoreMovesThanHalfOfTheMemoryHolds) {
    const Network path = test::stored_network("path:n=4");
    const Problem problem = problem_of(path, {100'000, 0, 0, 0});
    PlanOptions options;
    options.memory_bytes_max = 1U << 20U;
    const Plan plan = make_plan(problem, options);
    EXPECT_EQ(plan.exchanges, 150'000);
    EXPECT_FALSE(plan.schedule_written);
    EXPECT_TRUE(plan.flow);
    options.memory_bytes_max = 8U << 20U;
    EXPECT_TRUE(make_plan(problem, options).schedule_written);
}

TEST(Plan, FewTokensInFlightNeedMemoryForACheapestFlow) {
    const Network complete = test::stored_network("complete:n=100");
    load::Loads loads(100, 0);
    loads[0] = 1000;
    PlanOptions options;
    options.in_flight_max = 5;
    options.memory_bytes_max = 1U << 20U;
    EXPECT_THROW(static_cast<void>(make_plan(problem_of(complete, loads), options)), InputError);
    options.memory_bytes_max = 4U << 20U;
    EXPECT_EQ(make_plan(problem_of(complete, loads), options).at_most, 990U);
}

TEST(Plan, HasTheFewestExchangesOfItsLengthOnSmallNetworks) {
    const Network cycle = test::stored_network("cycle:n=6");
    const Plan plan = proved(problem_of(cycle, {6, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(plan.exchanges_fewest_in_these_steps);
    EXPECT_EQ(plan.exchanges, 9);
    EXPECT_EQ(plan.exchanges_fewest, 9);
}

TEST(Plan, FewestExchangesOfAllAreTheFewestInTheseStepsEvenIfNotSearchedFor) {
    const Network cycle = test::stored_network("cycle:n=12");
    load::Loads loads(12, 0);
    loads[0] = 60000;
    Problem problem = problem_of(cycle, loads);
    const Plan plan = proved(problem);
    EXPECT_FALSE(fewest_exchanges_within(problem, *plan.at_most, {.memory_bytes_max = 8U << 20U}));
    EXPECT_EQ(plan.exchanges, plan.exchanges_fewest);
    EXPECT_TRUE(plan.exchanges_fewest_in_these_steps);
}

/// Fewest exchanges of all schedules of at most `steps` steps, by trying all.
Tokens fewest_exchanges_by_search(const Problem& problem, Step steps) {
    std::map<load::Loads, Tokens> cheapest = {{problem.loads, 0}};
    for (Step step = 0; step < steps; ++step) {
        std::map<load::Loads, Tokens> next;
        for (const auto& before : cheapest)
            test::for_each_step_with_moves(*problem.network, before.first,
                                           [&](const load::Loads& after, Tokens moves) {
                                               const Tokens cost = before.second + moves;
                                               const auto at = next.try_emplace(after, cost).first;
                                               at->second = std::min(at->second, cost);
                                           });
        cheapest = std::move(next);
    }
    Tokens fewest = tokens_max;
    for (const auto& [loads, cost] : cheapest)
        if (problem.target.allows(loads)) fewest = std::min(fewest, cost);
    return fewest;
}

TEST(Plan, TradesStepsForExchangesAsASearchDoes) {
    for (const Network& network : test::connected_graphs(4))
        test::for_all_loads(4, 5, [&](const load::Loads& loads) {
            const Problem problem = problem_of(network, loads);
            const Plan plan = proved(problem);
            EXPECT_TRUE(plan.exchanges_fewest_in_these_steps);
            EXPECT_EQ(plan.exchanges, fewest_exchanges_by_search(problem, plan.at_least));
            const auto relaxed = fewest_exchanges_within(problem, plan.at_least + 1);
            ASSERT_TRUE(relaxed);
            EXPECT_EQ(relaxed->exchanges, fewest_exchanges_by_search(problem, plan.at_least + 1));
            if (plan.at_least > 0) {
                EXPECT_FALSE(fewest_exchanges_within(problem, plan.at_least - 1));
            }
        });
}

TEST(Plan, GivesAnIntervalIfMemoryRunsOut) {
    const auto [network, loads] = test::figure_2(4);
    Problem problem{&network, loads, exact_up_to(loads, 0), {}, {}, {}};
    MinimumStepsOptions little;
    little.memory_bytes_max = 1;
    const EnclosedSteps nothing = minimum_steps(problem, little);
    EXPECT_FALSE(nothing.exact());
    EXPECT_FALSE(nothing.at_most);
    EXPECT_EQ(nothing.at_least, 17U);
    std::uint64_t memory = 1U << 12U;
    bool enclosed = false;
    for (EnclosedSteps found = nothing; !found.exact(); memory += memory / 8) {
        little.memory_bytes_max = memory;
        found = minimum_steps(problem, little);
        EXPECT_LE(found.at_least, 21U);
        if (found.at_most) {
            EXPECT_GE(*found.at_most, 21U);
        }
        enclosed = enclosed || (found.at_most && !found.exact());
    }
    EXPECT_TRUE(enclosed);
}

TEST(ScheduleCheck, FindsEveryKindOfFault) {
    const Network path = test::stored_network("path:n=3");
    Problem problem{&path, {3, 0, 0}, at_most(3, 1), {}, {}, {}};
    const Schedule good = {{0, 0, 1}, {1, 0, 1}, {1, 1, 2}};
    EXPECT_TRUE(check_schedule(problem, good).holds);
    const auto fault_of = [&](const Schedule& schedule) {
        const ScheduleVerdict verdict = check_schedule(problem, schedule);
        EXPECT_FALSE(verdict.holds);
        return verdict.fault;
    };
    EXPECT_EQ(fault_of({{0, 0, 2}}), "step 0: there is no link from node 0 to node 2");
    EXPECT_EQ(fault_of({{0, 0, 3}}), "step 0: a move names a node that does not exist");
    EXPECT_EQ(fault_of({{0, 0, 1}, {0, 0, 1}}), "step 0: node 0 sends too much");
    EXPECT_EQ(fault_of({{0, 1, 2}}), "step 0: node 1 sends a token that it does not hold");
    EXPECT_EQ(fault_of({{0, 0, 1}, {0, 1, 2}}),
              "step 0: node 1 sends a token that it does not hold");
    EXPECT_EQ(fault_of({{1, 0, 1}, {0, 0, 1}}), "step 0: comes after a later one");
    EXPECT_EQ(fault_of({{0, 0, 1}}), "the end is not in the target");
    problem.capacities = {3, 1, 3};
    EXPECT_TRUE(check_schedule(problem, good).holds);
    EXPECT_EQ(fault_of({{0, 0, 1}, {1, 0, 1}}), "step 1: node 1 holds more than its capacity");
    problem = {&path, {1, 1, 1}, at_most(3, 3), {}, {}, {}};
    EXPECT_EQ(fault_of({{0, 0, 1}, {0, 2, 1}}), "step 0: node 1 receives too much");
}

TEST(CertificateCheck, RefusesCutsThatLeak) {
    const Network path = test::stored_network("path:n=3");
    const Problem problem{&path, {3, 0, 0}, at_most(3, 1), {}, {}, {}};
    const Certificate good = make_plan(problem).certificate;
    EXPECT_EQ(check_certificate(problem, good), "");
    Certificate leaking = good;
    leaking.zones.front().senders.clear();
    leaking.zones.front().receivers.clear();
    EXPECT_NE(check_certificate(problem, leaking), "");
    Certificate longer = good;
    longer.steps += 1;
    EXPECT_NE(check_certificate(problem, longer), "");
    longer.zones.back().steps += 1;
    longer.crossings += 1;
    EXPECT_EQ(check_certificate(problem, longer), "the gates let enough pass");
}

TEST(FatSteps, HalvesShareWhatEveryNodeSendsAndReceives) {
    RandomStream random(9, Purpose::sampling);
    for (int i = 0; i < 50; ++i) {
        constexpr NodeId nodes = 9;
        FatStep whole{64, {}};
        for (NodeId from = 0; from < nodes; ++from)
            for (NodeId to = 0; to < nodes; ++to)
                if (from != to && random.coin())
                    whole.moves.push_back({from, to, static_cast<Tokens>(1 + random.below(8))});
        FatStep first;
        FatStep second;
        halve(whole, nodes, first, second);
        const auto degrees = [](const FatStep& step) {
            std::vector<Tokens> degree(std::size_t{2} * nodes, 0);
            for (const FatMove& move : step.moves) {
                degree[move.from] += move.tokens;
                degree[nodes + move.to] += move.tokens;
            }
            return degree;
        };
        const auto all = degrees(whole);
        const auto one = degrees(first);
        const auto other = degrees(second);
        for (std::size_t end = 0; end < all.size(); ++end) {
            EXPECT_EQ(one[end] + other[end], all[end]);
            EXPECT_LE(std::abs(one[end] - other[end]), 1);
        }
    }
}

TEST(FatSteps, CyclesGoAndLoadsStay) {
    RandomStream random(10, Purpose::sampling);
    for (int i = 0; i < 50; ++i) {
        constexpr NodeId nodes = 8;
        FatStep step{64, {}};
        for (NodeId from = 0; from < nodes; ++from)
            for (NodeId to = 0; to < nodes; ++to)
                if (from != to && random.below(3) == 0)
                    step.moves.push_back({from, to, static_cast<Tokens>(1 + random.below(5))});
        const auto balance = [&] {
            std::vector<Tokens> net(nodes, 0);
            for (const FatMove& move : step.moves) {
                net[move.from] -= move.tokens;
                net[move.to] += move.tokens;
            }
            return net;
        };
        const auto before = balance();
        cancel_cycles(step, nodes);
        EXPECT_EQ(balance(), before);
        // Without cycles nodes can be taken away one after the other, each without a move to it.
        std::vector<FatMove> left = step.moves;
        for (NodeId round = 0; round < nodes; ++round)
            std::erase_if(left, [&, all = left](const FatMove& move) {
                return std::none_of(all.begin(), all.end(),
                                    [&](const FatMove& other) { return other.to == move.from; });
            });
        EXPECT_TRUE(left.empty());
    }
}

}  // namespace
}  // namespace equipoise::optimum
