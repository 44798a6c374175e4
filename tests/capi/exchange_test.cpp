// Plans as lists in C: an MPI_Alltoallv of one's own does what a plan does.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers executed(const equipoise_plan* plan, const Numbers& items) {
    Numbers after(static_cast<std::size_t>(equipoise_plan_size_after(plan)), -1);
    const equipoise_array array = {items.data(), after.data(), sizeof(std::int64_t)};
    EXPECT_EQ(EQUIPOISE_OK, equipoise_plan_execute(plan, &array, 1, nullptr))
        << equipoise_error_text();
    return after;
}

// What a program in C does that moves its items itself.
Numbers exchanged(const equipoise_plan* plan, const Numbers& items) {
    equipoise_exchange* lists = nullptr;
    EXPECT_EQ(EQUIPOISE_OK, equipoise_plan_exchange(plan, &lists)) << equipoise_error_text();
    EXPECT_EQ(world_size(), lists->ranks);
    Numbers leaving;
    for (std::int64_t i = 0; i < lists->sent; ++i)
        leaving.push_back(items[static_cast<std::size_t>(lists->send_order[i])]);
    Numbers arrived(static_cast<std::size_t>(lists->received));
    MPI_Alltoallv(leaving.data(), lists->send_counts, lists->send_offsets, MPI_INT64_T,
                  arrived.data(), lists->receive_counts, lists->receive_offsets, MPI_INT64_T,
                  MPI_COMM_WORLD);
    for (int rank = 0; rank < world_size(); ++rank) {
        EXPECT_EQ(lists->send_counts[rank], lists->send_counts64[rank]);
        EXPECT_EQ(lists->send_offsets[rank], lists->send_offsets64[rank]);
        EXPECT_EQ(lists->receive_counts[rank], lists->receive_counts64[rank]);
        EXPECT_EQ(lists->receive_offsets[rank], lists->receive_offsets64[rank]);
    }
    Numbers after(static_cast<std::size_t>(equipoise_plan_size_after(plan)), -1);
    for (std::int64_t i = 0; i < lists->kept_runs; ++i)
        std::copy_n(items.begin() + lists->kept[i].from, lists->kept[i].items,
                    after.begin() + lists->kept[i].to);
    for (std::int64_t i = 0; i < lists->received; ++i)
        after[static_cast<std::size_t>(lists->receive_places[i])] =
            arrived[static_cast<std::size_t>(i)];
    equipoise_exchange_free(&lists);
    EXPECT_EQ(nullptr, lists);
    return after;
}

Numbers own_numbers(Tokens count) {
    Numbers items(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i] = 1000 * world_rank() + static_cast<std::int64_t>(i);
    return items;
}

TEST(AnExchangeInC, DoesWhatExecuteDoesUnderEveryPolicyOfCounts) {
    for (const auto& counts : balancer::distributions(world_size()))
        for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER,
                                   EQUIPOISE_HIERARCHICAL, EQUIPOISE_RANDOM_PAIRS}) {
            const Numbers items = own_numbers(counts[own_rank()]);
            equipoise_options options = EQUIPOISE_OPTIONS_INIT;
            options.policy = policy;
            equipoise_plan* plan = nullptr;
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_plan_make(MPI_COMM_WORLD, std::ssize(items), &options, &plan));
            const Numbers after = executed(plan, items);
            EXPECT_EQ(after, exchanged(plan, items));
            equipoise_plan* back = nullptr;
            ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_inverse(plan, &back));
            EXPECT_EQ(items, exchanged(back, after));
            equipoise_plan_free(&back);
            equipoise_plan_free(&plan);
        }
}

TEST(AnExchangeInC, ListsTheDestinationsThatWereGivenInEitherSize) {
    const std::vector<int> ranks = {0, world_size() - 1, world_rank(), world_size() / 2, 0};
    const std::vector<std::int64_t> wide(ranks.begin(), ranks.end());
    for (const bool narrow : {true, false}) {
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK, narrow ? equipoise_plan_make_to(MPI_COMM_WORLD, std::ssize(ranks),
                                                                ranks.data(), nullptr, &plan)
                                       : equipoise_plan_make_to64(MPI_COMM_WORLD, std::ssize(wide),
                                                                  wide.data(), nullptr, &plan));
        std::vector<int> found(ranks.size(), -1);
        ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_destinations(plan, found.data()));
        EXPECT_EQ(ranks, found);
        const Numbers items = own_numbers(std::ssize(ranks));
        EXPECT_EQ(executed(plan, items), exchanged(plan, items));
        equipoise_plan_free(&plan);
    }
}

TEST(AnExchangeInC, RefusesRanksThatWouldBeRightIfTheyWereCut) {
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [](bool fails) {
        const std::vector<std::int64_t> ranks(3, fails ? std::int64_t{1} << 32 : 0);
        equipoise_plan* plan = nullptr;
        return equipoise_plan_make_to64(MPI_COMM_WORLD, 3, ranks.data(), nullptr, &plan);
    });
}

TEST(AnExchangeInC, HasCountsOf64BitsAlone) {
    equipoise_plan* plan = nullptr;
    const Tokens count = pile()[own_rank()];
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, count, nullptr, &plan));
    equipoise_exchange* lists = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_exchange64(plan, &lists));
    EXPECT_EQ(nullptr, lists->send_counts);
    EXPECT_EQ(nullptr, lists->receive_offsets);
    std::int64_t sent = 0;
    for (int rank = 0; rank < world_size(); ++rank)
        sent += lists->send_counts64[rank];
    EXPECT_EQ(lists->sent, sent);
    EXPECT_EQ(count - sent + lists->received, equipoise_plan_size_after(plan));
    equipoise_exchange_free(&lists);
    equipoise_plan_free(&plan);
}

TEST(AnExchangeInC, IsRefusedWithTheSameTextOnAllRanksIfCountsWouldBeCut) {
    if (world_size() == 1) return;
    equipoise_plan* plan = nullptr;
    const Tokens count = world_rank() == 0 ? Tokens{1} << 33 : 0;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, count, nullptr, &plan));
    equipoise_exchange* lists = nullptr;
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_exchange(plan, &lists));
    EXPECT_EQ(nullptr, lists);
    EXPECT_TRUE(same_everywhere(equipoise_error_text())) << equipoise_error_text();
    equipoise_plan_free(&plan);
}

TEST(AnExchangeInC, NeedsAPlanAndWhereToPutIt) {
    equipoise_exchange* lists = nullptr;
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_exchange(nullptr, &lists));
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_destinations(nullptr, nullptr));
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, 2, nullptr, &plan));
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_exchange(plan, nullptr));
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_destinations(plan, nullptr));
    equipoise_plan_free(&plan);
    equipoise_exchange_free(&lists);
    equipoise_exchange_free(nullptr);
}

}  // namespace
}  // namespace equipoise::capi
