// The calls of C do what those of C++ do.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;
using balancer::Options;
using balancer::Policy;
using balancer::Report;

void expect_same_report(const Report& expected, const equipoise_report& found) {
    EXPECT_EQ(to_string(expected.policy), std::string(found.policy));
    EXPECT_EQ(expected.ranks, found.ranks);
    EXPECT_EQ(expected.moved, found.moved);
    EXPECT_EQ(expected.minimum.value_or(-1), found.minimum);
    EXPECT_EQ(static_cast<std::int64_t>(expected.messages), found.messages);
    EXPECT_EQ(static_cast<std::int64_t>(expected.rounds), found.rounds);
    EXPECT_EQ(expected.between_machines, found.between_machines);
    EXPECT_EQ(expected.before.least, found.before.least);
    EXPECT_EQ(expected.before.most, found.before.most);
    EXPECT_EQ(expected.before.average, found.before.average);
    EXPECT_EQ(expected.after.least, found.after.least);
    EXPECT_EQ(expected.after.most, found.after.most);
    EXPECT_EQ(expected.weight_after.most, found.weight_after.most);
    EXPECT_EQ(expected.largest_before, found.largest_before);
    EXPECT_EQ(expected.largest, found.largest);
    EXPECT_EQ(expected.largest_at_least, found.largest_at_least);
    EXPECT_EQ(expected.moved_at_least, found.moved_at_least);
    EXPECT_EQ(expected.bytes_moved, found.bytes_moved);
    EXPECT_EQ(expected.bytes_at_least, found.bytes_at_least);
    EXPECT_EQ(static_cast<std::int64_t>(expected.weights_per_item), found.weights_per_item);
    EXPECT_EQ(expected.by_bytes, found.by_bytes != 0);
    EXPECT_EQ(expected.machines_first, found.machines_first != 0);
    EXPECT_GT(found.seconds_planning, 0);
}

void expect_as_in_cpp(MPI_Comm comm, const Options& options, const equipoise_options& in_c) {
    for (const auto& counts : balancer::distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        CArray<Grain> array(items);
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance(comm, static_cast<void*>(&array.items),
                                                    &array.count, sizeof(Grain), &in_c, &report))
            << equipoise_error_text();
        const Report expected = balancer::rebalance(comm, items, options);
        EXPECT_EQ(items, array.as_vector());
        expect_same_report(expected, report);
    }
}

TEST(Rebalance, DoesInCAsInCppUnderEveryPolicyOfCounts) {
    expect_as_in_cpp(MPI_COMM_WORLD, {}, EQUIPOISE_OPTIONS_INIT);
    equipoise_options in_c = EQUIPOISE_OPTIONS_INIT;
    in_c.policy = EQUIPOISE_KEEP_ORDER;
    expect_as_in_cpp(MPI_COMM_WORLD, {.policy = Policy::keep_order}, in_c);
    in_c.policy = EQUIPOISE_RANDOM_PAIRS;
    expect_as_in_cpp(MPI_COMM_WORLD, {.policy = Policy::random_pairs}, in_c);
    in_c.policy = EQUIPOISE_HIERARCHICAL;
    expect_as_in_cpp(MPI_COMM_WORLD, {.policy = Policy::hierarchical}, in_c);
    in_c.machine = world_rank() / 4;
    in_c.socket = world_rank() / 2;
    expect_as_in_cpp(
        MPI_COMM_WORLD,
        {.policy = Policy::hierarchical, .machine = in_c.machine, .socket = in_c.socket}, in_c);
}

TEST(Rebalance, TakesSpeedsPinnedItemsAndShortMessages) {
    equipoise_options in_c = EQUIPOISE_OPTIONS_INIT;
    in_c.speed = 1 + world_rank();
    in_c.message_bytes_max = 100;
    expect_as_in_cpp(MPI_COMM_WORLD, {.speed = in_c.speed, .message_bytes_max = 100}, in_c);
    std::vector<Grain> items = make_items(pile(), make_grain);
    CArray<Grain> array(items);
    equipoise_options pinning = EQUIPOISE_OPTIONS_INIT;
    pinning.pinned = world_rank() == 0 ? 50 : 0;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                &array.count, sizeof(Grain), &pinning, nullptr));
    balancer::rebalance(MPI_COMM_WORLD, items, {.pinned = pinning.pinned});
    EXPECT_EQ(items, array.as_vector());
}

TEST(Rebalance, PlansOverTheLinksOfATopology) {
    const std::array ranks = {world_size()};
    const std::array open = {0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ranks.data(), open.data(), 0, &line);
    equipoise_options in_c = EQUIPOISE_OPTIONS_INIT;
    in_c.policy = EQUIPOISE_NEIGHBOURS_ONLY;
    equipoise_use_neighbours();
    expect_as_in_cpp(line, balancer::neighbours_only(), in_c);
    in_c.algorithm = "discrepancy-1";
    expect_as_in_cpp(line, balancer::neighbours_only("discrepancy-1"), in_c);
    MPI_Comm_free(&line);
}

TEST(Rebalance, MovesWeightsWithTheirItems) {
    for (const auto& counts : balancer::distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        std::vector<double> costs;
        for (const Grain& item : items)
            costs.push_back(1 + static_cast<double>(item.number % 7));
        CArray<Grain> array(items);
        CArray<double> weights(costs);
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance_weighted(
                                    MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                    &weights.items, &array.count, sizeof(Grain), nullptr, &report))
            << equipoise_error_text();
        const Report expected = balancer::rebalance(MPI_COMM_WORLD, items, costs);
        weights.count = array.count;
        EXPECT_EQ(items, array.as_vector());
        EXPECT_EQ(costs, weights.as_vector());
        expect_same_report(expected, report);
    }
}

TEST(Rebalance, TakesATolerancePhasesSizesAndMachinesForWeights) {
    for (const auto& counts : balancer::distributions(world_size())) {
        const std::vector<Grain> given = make_items(counts, make_grain);
        std::vector<double> costs;
        std::vector<double> sizes;
        for (const Grain& item : given) {  // two phases
            costs.push_back(1 + static_cast<double>(item.number % 7));
            costs.push_back(1 + static_cast<double>(item.number % 5));
            sizes.push_back(static_cast<double>(8 * (1 + item.number % 3)));
        }
        equipoise_options in_c = EQUIPOISE_OPTIONS_INIT;
        in_c.weights_per_item = 2;
        in_c.tolerance = 0.1;
        in_c.sizes = sizes.data();
        in_c.machine = world_rank() / 2;
        in_c.machines_first = 1;
        CArray<Grain> array(given);
        CArray<double> weights(costs);
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance_weighted(
                                    MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                    &weights.items, &array.count, sizeof(Grain), &in_c, &report))
            << equipoise_error_text();
        std::vector<Grain> items = given;
        const balancer::Plan plan = balancer::make_plan(MPI_COMM_WORLD, std::ssize(items),
                                                        {.policy = Policy::weighted,
                                                         .weights = costs,
                                                         .weights_per_item = 2,
                                                         .tolerance = 0.1,
                                                         .sizes = sizes,
                                                         .machines_first = true,
                                                         .machine = world_rank() / 2});
        plan.execute(items);
        EXPECT_EQ(items, array.as_vector());
        expect_same_report(plan.report(), report);
        for (std::int64_t i = 0; i < array.count; ++i) {
            EXPECT_EQ(1 + array.items[i].number % 7, weights.items[2 * i]);
            EXPECT_EQ(1 + array.items[i].number % 5, weights.items[2 * i + 1]);
        }
        std::string said(equipoise_report_describe(&report, nullptr, 0) + 1, '?');
        equipoise_report_describe(&report, said.data(), said.size());
        Report timed = plan.report();
        timed.seconds_planning = report.seconds_planning;
        timed.seconds_moving = report.seconds_moving;
        EXPECT_EQ(timed.describe(), said.data());
    }
}

TEST(Rebalance, ResizesTheOneArrayOfTheCaller) {
    // Resizes the one array that it knows, and notes how large that was.
    struct Pool {
        void* array = nullptr;
        std::size_t most = 0;
        int calls = 0;
    } pool;
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.reallocate_context = &pool;
    options.reallocate = [](void* memory, std::size_t bytes, void* context) -> void* {
        auto* const known = static_cast<Pool*>(context);
        EXPECT_EQ(known->array, memory);
        known->most = std::max(known->most, bytes);
        ++known->calls;
        if (bytes > 0) return known->array = std::realloc(memory, bytes);
        std::free(memory);
        return known->array = nullptr;
    };
    const std::vector<Grain> given = make_items(pile(), make_grain);
    CArray<Grain> array(given);
    pool.array = array.items;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                &array.count, sizeof(Grain), &options, nullptr));
    EXPECT_EQ(world_size() == 1 ? 0 : 1, pool.calls);
    EXPECT_EQ(world_size() == 1 ? 0 : static_cast<std::size_t>(array.count) * sizeof(Grain),
              pool.most);
}

TEST(Rebalance, ServesProgramsThatWereCompiledWithAnOlderHeader) {
    // The fields up to `speed`; what follows in memory is none of the library's business.
    equipoise_options old = EQUIPOISE_OPTIONS_INIT;
    old.struct_bytes = offsetof(equipoise_options, pinned);
    old.pinned = -5;
    old.speed = 1 + world_rank();
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    report.struct_bytes = offsetof(equipoise_report, moved);
    report.moved = -17;
    CArray<Grain> array(make_items(pile(), make_grain));
    ASSERT_EQ(EQUIPOISE_OK, equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                &array.count, sizeof(Grain), &old, &report))
        << equipoise_error_text();
    EXPECT_EQ(world_size(), report.ranks);
    EXPECT_EQ(-17, report.moved);
}

TEST(Plans, MoveSeveralArraysTogether) {
    for (const auto& counts : balancer::distributions(world_size())) {
        const std::vector<Grain> given = make_items(counts, make_grain);
        std::vector<std::int32_t> numbers;
        for (const Grain& item : given)
            numbers.push_back(static_cast<std::int32_t>(item.number));
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_plan_make(MPI_COMM_WORLD, std::ssize(given), nullptr, &plan));
        EXPECT_EQ(std::ssize(given), equipoise_plan_size_before(plan));
        const auto after = static_cast<std::size_t>(equipoise_plan_size_after(plan));
        std::vector<Grain> grains(after);
        std::vector<std::int32_t> moved_numbers(after);
        const std::array<equipoise_array, 2> arrays = {
            {{given.data(), grains.data(), sizeof(Grain)},
             {numbers.data(), moved_numbers.data(), sizeof(std::int32_t)}}};
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_execute(plan, arrays.data(), 2, &report))
            << equipoise_error_text();
        EXPECT_EQ(report.moved, report.minimum);
        std::vector<Grain> expected = given;
        balancer::rebalance(MPI_COMM_WORLD, expected);
        EXPECT_EQ(expected, grains);
        // Begun and ended, the same.
        std::vector<Grain> again(after);
        const equipoise_array array = {given.data(), again.data(), sizeof(Grain)};
        equipoise_moving* moving = nullptr;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_begin(plan, &array, 1, &moving));
        ASSERT_EQ(EQUIPOISE_OK, equipoise_end(&moving, &report));
        EXPECT_EQ(nullptr, moving);
        EXPECT_EQ(expected, again);
        for (std::size_t i = 0; i < after; ++i)
            EXPECT_EQ(grains[i].number, moved_numbers[i]);
        equipoise_plan_free(&plan);
        EXPECT_EQ(nullptr, plan);
    }
}

TEST(Plans, SayWhatTheyDo) {
    equipoise_plan* plan = nullptr;
    const Tokens count = pile()[own_rank()];
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, count, nullptr, &plan));
    const balancer::Plan expected = balancer::make_plan(MPI_COMM_WORLD, count);
    std::string text(equipoise_plan_describe(plan, nullptr, 0) + 1, '?');
    EXPECT_EQ(text.size() - 1, equipoise_plan_describe(plan, text.data(), text.size()));
    text.pop_back();
    EXPECT_EQ(expected.describe(), text);
    std::array<char, 5> cut = {};
    EXPECT_EQ(text.size(), equipoise_plan_describe(plan, cut.data(), cut.size()));
    EXPECT_EQ(text.substr(0, 4), cut.data());
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_report(plan, &report));
    expect_same_report(expected.report(), report);
    std::string said(equipoise_report_describe(&report, nullptr, 0) + 1, '?');
    equipoise_report_describe(&report, said.data(), said.size());
    EXPECT_EQ(expected.report().describe(), said.data());

    const auto transfers = static_cast<std::size_t>(equipoise_plan_transfers(plan, nullptr, 0));
    ASSERT_EQ(expected.transfers().size(), transfers);
    std::vector<equipoise_transfer> found(transfers);
    equipoise_plan_transfers(plan, found.data(), std::ssize(found));
    for (std::size_t i = 0; i < transfers; ++i) {
        EXPECT_EQ(expected.transfers()[i].from, found[i].from);
        EXPECT_EQ(expected.transfers()[i].to, found[i].to);
        EXPECT_EQ(expected.transfers()[i].items, found[i].items);
    }
    equipoise_plan_free(&plan);
}

TEST(Plans, SayWhetherMovingPays) {
    equipoise_plan* plan = nullptr;
    const Tokens count = pile()[own_rank()];
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, count, nullptr, &plan));
    const equipoise_costs costs = {1e-3, 10, 1e-4, 0};
    equipoise_verdict verdict = {-1, 0, 0};
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_worth_it(plan, &costs, &verdict));
    const balancer::Verdict expected =
        balancer::make_plan(MPI_COMM_WORLD, count)
            .worth_it({.seconds_per_item = 1e-3, .steps = 10, .seconds_per_item_moved = 1e-4});
    EXPECT_EQ(expected.worth ? 1 : 0, verdict.worth);
    EXPECT_EQ(expected.seconds_saved, verdict.seconds_saved);
    EXPECT_EQ(expected.seconds_spent, verdict.seconds_spent);
    equipoise_plan_free(&plan);
}

TEST(Plans, CountTheSecondsOfEveryKindOfWeight) {
    const std::vector<double> weights(8, own_rank() == 0 ? 2 : 1);
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_WEIGHTED;
    options.weights = weights.data();
    options.weights_per_item = 2;
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, 4, &options, &plan));
    const equipoise_costs costs = {0, 10, 1e-4, 0};
    const std::array<double, 2> by_kind = {1, 0.5};
    equipoise_verdict verdict = {-1, 0, 0};
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_worth_it_by_kind(plan, &costs, by_kind.data(),
                                                            by_kind.size(), &verdict));
    const balancer::Verdict expected =
        balancer::make_plan(
            MPI_COMM_WORLD, 4,
            {.policy = balancer::Policy::weighted, .weights = weights, .weights_per_item = 2})
            .worth_it({.steps = 10, .seconds_per_item_moved = 1e-4, .seconds_by_kind = {1, 0.5}});
    EXPECT_EQ(expected.worth ? 1 : 0, verdict.worth);
    EXPECT_EQ(expected.seconds_saved, verdict.seconds_saved);
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_worth_it(plan, &costs, &verdict));
    equipoise_plan_free(&plan);
}

// An empty array is no array afterwards, whether the rank gave all away or nobody moved anything.
TEST(Rebalance, LeavesNoArrayOnARankWithoutItemsWhetherOrNotSomethingMoved) {
    const Tokens none = 0;
    for (const Tokens on_first : {none, Tokens{1}})
        for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_RANDOM_PAIRS}) {
            const bool has = world_rank() == 0 && on_first > 0;
            CArray<std::int64_t> items;
            items.items = static_cast<std::int64_t*>(std::malloc(64));
            items.items[0] = 5;
            items.count = has ? on_first : none;
            equipoise_options options = EQUIPOISE_OPTIONS_INIT;
            options.policy = policy;
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                          &items.count, sizeof(std::int64_t), &options, nullptr));
            EXPECT_EQ(has ? 1 : 0, items.count);
            EXPECT_EQ(has, items.items != nullptr);
        }
    // All leave; and a plan that moves nothing.
    for (const int to : {0, world_rank()}) {
        const std::vector<int> ranks(world_rank() == 0 ? 0 : 1, to);
        CArray<std::int64_t> items;
        items.items = static_cast<std::int64_t*>(std::malloc(64));
        items.items[0] = 5;
        items.count = std::ssize(ranks);
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make_to(MPI_COMM_WORLD, items.count, ranks.data(),
                                                       nullptr, &plan));
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_plan_replace(plan, static_cast<void*>(&items.items), &items.count,
                                         sizeof(std::int64_t), nullptr, nullptr));
        EXPECT_EQ(items.count > 0, items.items != nullptr);
        equipoise_plan_free(&plan);
    }
}

}  // namespace
}  // namespace equipoise::capi
