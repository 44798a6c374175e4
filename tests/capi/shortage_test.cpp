// The allocations of a call fail in turn, on the first and on the last rank: the call must then
// fail with the same text on all ranks, and leave all items where they were.

#include "tests/support/shortage.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;

/// What a call is made on: items of which rank 0 has most, and their weights.
struct Held {
    CArray<Grain> items;
    CArray<double> weights;
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;

    explicit Held(const std::vector<Grain>& from)
        : items(from), weights(std::vector<double>(from.size(), 1.5)) {}
};

std::vector<Grain> some_items() {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 3);
    counts[0] = 40;
    return make_items(counts, make_grain);
}

// `moves`: the items have moved if the call succeeds.
void expect_to_survive(const std::function<int(Held&)>& call, bool moves = true) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<Grain> before = some_items();
    for (const int failing : {0, world_size() - 1}) {
        bool any = true;
        // Every one of the first, and then every fifth of those that planning by weights makes.
        for (std::int64_t which = 0; any; which += which < 60 ? 1 : 5) {
            Held held(before);
            int code = 0;
            any = test::falls_short(failing, which, [&] { code = call(held); });
            int sum = code;
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            ASSERT_EQ(code * world_size(), sum) << "allocation " << which;
            held.weights.count = held.items.count;
            if (code == EQUIPOISE_OK) {
                EXPECT_TRUE(balancer::all_there(balancer::all_numbers(held.items.as_vector())));
                if (moves && world_size() > 1) {
                    EXPECT_NE(before.size(), held.items.as_vector().size());
                }
                continue;
            }
            EXPECT_TRUE(any);
            EXPECT_EQ(EQUIPOISE_NO_MEMORY, code) << equipoise_error_text();
            EXPECT_TRUE(same_everywhere(equipoise_error_text())) << equipoise_error_text();
            EXPECT_EQ(before, held.items.as_vector());
            EXPECT_EQ(std::vector<double>(before.size(), 1.5), held.weights.as_vector());
        }
    }
}

int rebalance(Held& held) {
    return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&held.items.items),
                               &held.items.count, sizeof(Grain), &held.options, nullptr);
}

int pack_bytes(const void* item, equipoise_writer* out, void* /*context*/) {
    return equipoise_write(out, item, sizeof(Grain));
}
int unpack_bytes(void* item, equipoise_reader* in, void* /*context*/) {
    return equipoise_read(in, item, sizeof(Grain));
}
constexpr equipoise_packing packing_bytes = {pack_bytes, unpack_bytes, nullptr, nullptr};

TEST(EveryShortageOfMemory, LeavesItemsThatWereToBeLevelled) {
    expect_to_survive(rebalance);
    expect_to_survive([](Held& held) {
        held.options.policy = EQUIPOISE_KEEP_ORDER;
        return rebalance(held);
    });
}

TEST(EveryShortageOfMemory, LeavesItemsThatWereToTravelOverSeveralHops) {
    const std::array ranks = {world_size()};
    const std::array open = {0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ranks.data(), open.data(), 0, &line);
    equipoise_use_neighbours();
    // Allocations of the algorithm are many: only those around it fail here.
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_NEIGHBOURS_ONLY;
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(line, std::ssize(some_items()), &options, &plan));
    expect_to_survive([&](Held& held) {
        return equipoise_plan_replace(plan, static_cast<void*>(&held.items.items),
                                      &held.items.count, sizeof(Grain), nullptr, nullptr);
    });
    equipoise_plan_free(&plan);
    MPI_Comm_free(&line);
}

TEST(EveryShortageOfMemory, LeavesItemsWithTheirWeights) {
    const auto by_weight = [](Held& held) {
        return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&held.items.items),
                                            &held.weights.items, &held.items.count, sizeof(Grain),
                                            &held.options, nullptr);
    };
    expect_to_survive(by_weight);
    expect_to_survive([&](Held& held) {
        held.options.packing = &packing_bytes;
        return by_weight(held);
    });
    // Where the first rank has room for less than its share.
    const std::vector<double> sizes(some_items().size(), 2);
    expect_to_survive([&](Held& held) {
        held.options.sizes = sizes.data();
        if (world_rank() == 0 && world_size() > 1) {
            held.options.items_max = 10;
            held.options.bytes_max = 17;
        }
        return by_weight(held);
    });
}

TEST(EveryShortageOfMemory, LeavesPackedItems) {
    expect_to_survive([](Held& held) {
        held.options.packing = &packing_bytes;
        return rebalance(held);
    });
}

TEST(EveryShortageOfMemory, LeavesArraysThatPlansMove) {
    expect_to_survive(
        [](Held& held) {
            equipoise_plan* plan = nullptr;
            int code = equipoise_plan_make(MPI_COMM_WORLD, held.items.count, nullptr, &plan);
            if (code != EQUIPOISE_OK) return code;
            const std::int64_t after = equipoise_plan_size_after(plan);
            void* const to = std::malloc(static_cast<std::size_t>(after) * sizeof(Grain));
            const equipoise_array array = {held.items.items, to, sizeof(Grain)};
            equipoise_moving* moving = nullptr;
            code = equipoise_plan_begin(plan, &array, 1, &moving);
            if (code == EQUIPOISE_OK) code = equipoise_end(&moving, nullptr);
            if (code == EQUIPOISE_OK)
                code = equipoise_plan_execute_packed(plan, &array, &packing_bytes, nullptr);
            equipoise_plan_free(&plan);
            std::free(to);
            return code;
        },
        false);
}

TEST(EveryShortageOfMemory, IsToldToAllRanksThatAskWhetherAPlanIsWorthIt) {
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_plan_make(MPI_COMM_WORLD, std::ssize(some_items()), nullptr, &plan));
    const equipoise_costs costs = {0, 10, 1e-4, 0};
    const double seconds = 1;
    expect_to_survive(
        [&](Held& /*held*/) {
            return equipoise_plan_worth_it_by_kind(plan, &costs, &seconds, 1, nullptr);
        },
        false);
    equipoise_plan_free(&plan);
}

TEST(EveryShortageOfMemory, LeavesItemsThatWereToBeLentOrSent) {
    expect_to_survive([](Held& held) {
        equipoise_loan* loan = nullptr;
        int code = equipoise_loan_make(MPI_COMM_WORLD, held.items.count, nullptr, &loan);
        if (code == EQUIPOISE_OK)
            code = equipoise_lend(loan, static_cast<void*>(&held.items.items), &held.items.count,
                                  sizeof(Grain), nullptr, nullptr);
        equipoise_loan_free(&loan);
        return code;
    });
    expect_to_survive(
        [](Held& held) {
            std::array<int, 64> parts = {};
            equipoise_advisor* advisor = nullptr;
            equipoise_plan* plan = nullptr;
            equipoise_plan* inverse = nullptr;
            std::array<std::int64_t, 64> wide_parts = {};
            int code = equipoise_relabel(MPI_COMM_WORLD, held.items.count, parts.data(), nullptr,
                                         nullptr, nullptr);
            if (code == EQUIPOISE_OK)
                code = equipoise_relabel64(MPI_COMM_WORLD, held.items.count, wide_parts.data(),
                                           nullptr, nullptr, nullptr);
            if (code == EQUIPOISE_OK)
                code = equipoise_plan_make_to(MPI_COMM_WORLD, held.items.count, parts.data(),
                                              nullptr, &plan);
            if (code == EQUIPOISE_OK) code = equipoise_plan_inverse(plan, &inverse);
            if (code == EQUIPOISE_OK) code = equipoise_advisor_make(MPI_COMM_WORLD, &advisor);
            equipoise_plan_free(&plan);
            equipoise_plan_free(&inverse);
            equipoise_advisor_free(&advisor);
            return code;
        },
        false);
}

TEST(EveryShortageOfMemory, LeavesItemsOfWhichCopiesWereToBeLent) {
    for (const bool begins : {false, true})
        expect_to_survive(
            [begins](Held& held) {
                equipoise_loan* loan = nullptr;
                equipoise_moving* moving = nullptr;
                void* copies = nullptr;
                std::int64_t count = 0;
                int code = equipoise_loan_make(MPI_COMM_WORLD, held.items.count, nullptr, &loan);
                if (code == EQUIPOISE_OK && begins)
                    code = equipoise_lend_copies_begin(loan, held.items.items, held.items.count,
                                                       sizeof(Grain), static_cast<void*>(&copies),
                                                       &count, nullptr, &moving);
                if (code == EQUIPOISE_OK && begins) code = equipoise_end(&moving, nullptr);
                if (code == EQUIPOISE_OK && !begins)
                    code = equipoise_lend_copies(loan, held.items.items, held.items.count,
                                                 sizeof(Grain), static_cast<void*>(&copies), &count,
                                                 nullptr, nullptr);
                EXPECT_EQ(code == EQUIPOISE_OK, copies != nullptr);
                equipoise_loan_free(&loan);
                std::free(copies);
                return code;
            },
            false);
}

TEST(EveryShortageOfMemory, ForTheListsOfAnExchangeIsAnErrorOfThatRankAlone) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_RANDOM_PAIRS}) {
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.policy = policy;
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_plan_make(MPI_COMM_WORLD, pile()[own_rank()], &options, &plan));
        bool any = true;
        int failures = 0;
        for (std::int64_t which = 0; any; ++which) {
            equipoise_exchange* lists = nullptr;
            int code = -1;
            any =
                test::falls_short(0, which, [&] { code = equipoise_plan_exchange(plan, &lists); });
            // Sorting can do without its memory.
            if (code == EQUIPOISE_NO_MEMORY)
                ++failures;
            else
                EXPECT_EQ(EQUIPOISE_OK, code) << which;
            EXPECT_EQ(code == EQUIPOISE_OK, lists != nullptr);
            equipoise_exchange_free(&lists);
        }
        EXPECT_EQ(world_rank() == 0, failures > 0);
        equipoise_plan_free(&plan);
    }
}

}  // namespace
}  // namespace equipoise::capi
