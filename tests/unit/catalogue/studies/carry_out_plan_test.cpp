// Plans for the slots of a Redis Cluster become moves for its servers.

#include "equipoise/catalogue/studies/carry_out_plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/redis/nodes.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

constexpr reassign::MachineId master_a = 0;
constexpr reassign::MachineId master_b = 1;

/// Two masters, the first of which has all slots; slot 7 holds 3 keys. The plan moves slots 7 and 8
/// to the second one, the one after the other.
report::ReassignAnswer two_slots_to_move() {
    report::ReassignAnswer answer;
    redis::Holdings holdings;
    holdings.cluster.masters = {{"aaaa", {"127.0.0.1", 7101}, 1, {}},
                                {"bbbb", {"127.0.0.1", 7102}, 2, {}}};
    holdings.cluster.owners.assign(redis::slot_count, master_a);
    holdings.sizes.keys.assign(redis::slot_count, 0);
    holdings.sizes.bytes.assign(redis::slot_count, 0);
    holdings.sizes.error = {0, 0};
    holdings.sizes.keys[7] = 3;
    holdings.sizes.bytes[7] = 300;
    holdings.states.resize(2);
    reassign::ReadTables read;
    redis::take_slots(holdings, "redis://127.0.0.1:7101", {}, answer.problem, read);
    reassign::no_machine_limits(answer.problem);
    answer.problem.copied = *reassign::find_resource(answer.problem, "bytes");
    answer.holdings = std::move(holdings);
    answer.plan.moves = {{0, 7, master_a, master_b}, {1, 8, master_a, master_b}};
    answer.plan.replayed.allowed = true;
    answer.plan.order.waits_for = {{}, {0}};
    return answer;
}

ReassignRequest request_for_slots() {
    ReassignRequest request;
    request.items = "redis://127.0.0.1:7101";
    return request;
}

TEST(CarryOutPlan, MovesAreThoseOfThePlanWithWhatSlotsHold) {
    const std::vector<redis::PlannedMove> moves = planned_moves(two_slots_to_move());
    ASSERT_EQ(moves.size(), 2U);
    EXPECT_EQ(moves[0].slot, 7U);
    EXPECT_EQ(moves[0].from, master_a);
    EXPECT_EQ(moves[0].to, master_b);
    EXPECT_EQ(moves[0].keys, 3U);
    EXPECT_EQ(moves[0].bytes, 300U);
    EXPECT_EQ(moves[1].slot, 8U);
}

TEST(CarryOutPlan, MovesWaitForOthersOnlyWhereMemoryOrARuleCouldBeBroken) {
    report::ReassignAnswer answer = two_slots_to_move();
    EXPECT_TRUE(planned_moves(answer)[1].waits_for.empty());
    answer.problem.capacities.back() = 1'000'000;
    EXPECT_EQ(planned_moves(answer)[1].waits_for, (std::vector<std::uint32_t>{0}));
    answer = two_slots_to_move();
    answer.plan.detours = 1;
    EXPECT_EQ(planned_moves(answer)[1].waits_for, (std::vector<std::uint32_t>{0}));
    answer.plan.order.waits_for.clear();
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(planned_moves(answer)); }),
              "input: --execute: expected moves that wait for at most 20,000,000 others in all, "
              "found more");
}

TEST(CarryOutPlan, TwoMigratesEndWithinTheSmallestTimeoutOfAServer) {
    report::ReassignAnswer answer = two_slots_to_move();
    const auto timeout = [&] {
        return carry_out_options(request_for_slots(), answer).move.timeout_ms;
    };
    EXPECT_EQ(timeout(), 5000U);
    answer.holdings->states[0].node_timeout = 15;
    EXPECT_EQ(timeout(), 5000U);
    answer.holdings->states[1].node_timeout = 5;
    EXPECT_EQ(timeout(), 2000U);
    answer.holdings->states[1].node_timeout = 0.05;
    EXPECT_EQ(timeout(), 100U);
}

TEST(CarryOutPlan, RatesAndSlotsAtOnceAreThoseAskedFor) {
    report::ReassignAnswer answer = two_slots_to_move();
    ReassignRequest request = request_for_slots();
    EXPECT_EQ(carry_out_options(request, answer).slots_at_once, 128U);
    request.at_once = 3;
    answer.problem.gives_a_second = {1e6, 2e6};
    answer.problem.takes_a_second = {3e6, 4e6};
    redis::CarryOutOptions options = carry_out_options(request, answer);
    EXPECT_EQ(options.slots_at_once, 3U);
    EXPECT_EQ(options.gives_a_second, (std::vector<double>{1e6, 2e6}));
    EXPECT_EQ(options.takes_a_second, (std::vector<double>{3e6, 4e6}));
    answer.problem.half_duplex = true;
    answer.problem.takes_a_second.clear();
    options = carry_out_options(request, answer);
    EXPECT_EQ(options.takes_a_second, options.gives_a_second);
    const auto refusal = [&] {
        return test::thrown_by([&] { expect_instance_to_carry_out("--execute", answer); });
    };
    EXPECT_EQ(refusal(), "nothing");
    answer.problem.copied = *reassign::find_resource(answer.problem, "keys");
    EXPECT_EQ(refusal(),
              "input: --execute: expected rates of bytes, by which moves are paced, found those of "
              "keys (--rates with --fewest)");
}

TEST(CarryOutPlan, CommandsFollowThePlanAndShowNoPassword) {
    ReassignRequest request = request_for_slots();
    request.user = "mover";
    request.password = "secret";
    const std::string text = commands_of_plan(request, two_slots_to_move());
    EXPECT_EQ(text.find("secret"), std::string::npos);
    const std::size_t seven = text.find("# slot 7, 3 keys\n");
    const std::size_t eight = text.find("# slot 8, 0 keys\n");
    ASSERT_NE(seven, std::string::npos);
    ASSERT_NE(eight, std::string::npos);
    EXPECT_LT(seven, eight);
    EXPECT_NE(text.find("CLUSTER SETSLOT 7 IMPORTING aaaa"), std::string::npos);
}

TEST(CarryOutPlan, NothingMovesOnceThePlanWasInterrupted) {
    report::ReassignAnswer answer = two_slots_to_move();
    answer.plan.interrupted = true;
    const redis::CarriedOut done = carry_out_plan(request_for_slots(), answer, {});
    EXPECT_TRUE(done.interrupted);
    EXPECT_EQ(done.slots, 0U);
}

}  // namespace
}  // namespace equipoise::catalogue
