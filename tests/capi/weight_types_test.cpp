// Weights of every type that equipoise.h knows.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "tests/capi/calls.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;

template <class T>
struct TypeOf;
template <>
struct TypeOf<double> {
    static constexpr std::int32_t number = EQUIPOISE_DOUBLE;
};
template <>
struct TypeOf<float> {
    static constexpr std::int32_t number = EQUIPOISE_FLOAT;
};
template <>
struct TypeOf<std::int32_t> {
    static constexpr std::int32_t number = EQUIPOISE_INT32;
};
template <>
struct TypeOf<std::int64_t> {
    static constexpr std::int32_t number = EQUIPOISE_INT64;
};

/// Two weights for each item.
template <class T>
std::vector<T> rows_of(const std::vector<Grain>& items) {
    std::vector<T> rows;
    for (const Grain& item : items) {
        rows.push_back(static_cast<T>(1 + item.number % 7));
        rows.push_back(static_cast<T>(1 + item.number % 3));
    }
    return rows;
}

template <class T>
equipoise_options options_with(const char* policy) {
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = policy;
    options.weights_per_item = 2;
    options.weights_type = TypeOf<T>::number;
    return options;
}

template <class T>
int rebalance(CArray<Grain>& items, CArray<T>& weights, const equipoise_options& options,
              equipoise_report* report = nullptr) {
    return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                        static_cast<void*>(&weights.items), &items.count,
                                        sizeof(Grain), &options, report);
}

template <class T>
class WeightsOfType : public testing::Test {};
using Types = testing::Types<double, float, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(WeightsOfType, Types);

TYPED_TEST(WeightsOfType, MoveWithTheirItemsAndLevelAsInCpp) {
    for (const auto& counts : balancer::distributions(world_size()))
        for (const char* policy : {EQUIPOISE_WEIGHTED, EQUIPOISE_KEEP_ORDER}) {
            std::vector<Grain> items = make_items(counts, make_grain);
            CArray<Grain> array(items);
            CArray<TypeParam> weights(rows_of<TypeParam>(items));
            const equipoise_options options = options_with<TypeParam>(policy);
            equipoise_report report = EQUIPOISE_REPORT_INIT;
            ASSERT_EQ(EQUIPOISE_OK, rebalance(array, weights, options, &report))
                << equipoise_error_text();
            const balancer::Report expected = balancer::rebalance(
                MPI_COMM_WORLD, items, rows_of<double>(items),
                {.policy = balancer::policy_from_word(policy), .weights_per_item = 2});
            EXPECT_EQ(items, array.as_vector());
            EXPECT_EQ(expected.largest, report.largest);
            EXPECT_EQ(expected.moved, report.moved);
            weights.count = 2 * array.count;
            EXPECT_EQ(rows_of<TypeParam>(items), weights.as_vector());
        }
}

TYPED_TEST(WeightsOfType, ArePlannedByWhereTheyStay) {
    const std::vector<Grain> items = make_items(pile(), make_grain);
    const std::vector<TypeParam> weights = rows_of<TypeParam>(items);
    for (const char* policy : {EQUIPOISE_WEIGHTED, EQUIPOISE_KEEP_ORDER}) {
        equipoise_options options = options_with<TypeParam>(policy);
        options.weights = weights.data();
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_plan_make(MPI_COMM_WORLD, std::ssize(items), &options, &plan));
        std::vector<int> to(items.size());
        ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_destinations(plan, to.data()));
        const balancer::Plan expected = balancer::make_plan(
            MPI_COMM_WORLD, std::ssize(items), rows_of<double>(items),
            {.policy = balancer::policy_from_word(policy), .weights_per_item = 2});
        EXPECT_EQ(expected.destinations(), to);
        equipoise_plan_free(&plan);
        equipoise_loan* loan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_loan_make(MPI_COMM_WORLD, std::ssize(items), &options, &loan));
        EXPECT_EQ(expected.size_after(), equipoise_plan_size_after(equipoise_loan_there(loan)));
        equipoise_loan_free(&loan);
    }
}

/// `spoil(options, weights)` on one rank after the other makes the call fail on all of them.
template <class T, class Spoil>
void expect_refusal(int code, int first, std::string_view text, const Spoil& spoil) {
    const std::vector<Grain> before(static_cast<std::size_t>(4 + world_rank()));
    expect_alike(code, first, [&](bool here) {
        CArray<Grain> items(before);
        std::vector<T> ones(2 * before.size(), 1);
        equipoise_options options = options_with<T>(EQUIPOISE_WEIGHTED);
        if (here) spoil(options, ones);
        CArray<T> weights(ones);
        const int found = rebalance(items, weights, options);
        EXPECT_NE(std::string_view::npos, std::string_view(equipoise_error_text()).find(text))
            << equipoise_error_text();
        EXPECT_EQ(before, items.as_vector());
        return found;
    });
}

TEST(WrongWeights, AreTheSameErrorOnEveryRankAndMoveNothing) {
    expect_refusal<double>(EQUIPOISE_BAD_INPUT, 0,
                           "expected EQUIPOISE_DOUBLE, EQUIPOISE_FLOAT, EQUIPOISE_INT32 or "
                           "EQUIPOISE_INT64 as the type of weights, found 7",
                           [](auto& options, auto& /*weights*/) { options.weights_type = 7; });
    expect_refusal<float>(EQUIPOISE_BAD_INPUT, 0, "finite and at least 0, found nan",
                          [](auto& /*options*/, auto& weights) {
                              weights.back() = std::numeric_limits<float>::quiet_NaN();
                          });
    expect_refusal<std::int32_t>(EQUIPOISE_BAD_INPUT, 0, "finite and at least 0, found -3",
                                 [](auto& /*options*/, auto& weights) { weights.front() = -3; });
    expect_refusal<std::int64_t>(
        EQUIPOISE_BAD_INPUT, 0, "that a double can equal",
        [](auto& /*options*/, auto& weights) { weights[1] = (std::int64_t{1} << 53U) + 1; });
    // Of the same size, but not of the same type: the bytes would be taken for others.
    expect_refusal<std::int64_t>(
        EQUIPOISE_DIFFERENT_CALLS, 1, "16 bytes a row (int64)",
        [](auto& options, auto& /*weights*/) { options.weights_type = EQUIPOISE_DOUBLE; });
}

TEST(WeightsThatStay, MayBeOfAnotherTypeOnEveryRank) {
    const bool whole = world_rank() % 2 == 0;
    const std::vector<std::int32_t> ints(10, 3);
    const std::vector<float> floats(10, 3);
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_WEIGHTED;
    options.weights = whole ? static_cast<const void*>(ints.data()) : floats.data();
    options.weights_type = whole ? EQUIPOISE_INT32 : EQUIPOISE_FLOAT;
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, 10, &options, &plan));
    EXPECT_EQ(10, equipoise_plan_size_after(plan));
    equipoise_plan_free(&plan);
}

// Programs that were compiled before there were types have weights of double.
TEST(StructsWithoutAType, HaveWeightsOfDouble) {
    const std::vector<double> weights = {2.5, 2.5};
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_WEIGHTED;
    options.weights = weights.data();
    options.struct_bytes = offsetof(equipoise_options, weights_type);
    options.weights_type = 7;  // behind the end
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, 2, &options, &plan))
        << equipoise_error_text();
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    equipoise_plan_report(plan, &report);
    EXPECT_EQ(5, report.largest);
    equipoise_plan_free(&plan);
}

TEST(EveryShortageOfMemory, LeavesWeightsOfEveryType) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<Grain> before = make_items(pile(), make_grain);
    const std::vector<float> rows = rows_of<float>(before);
    for (const char* policy : {EQUIPOISE_WEIGHTED, EQUIPOISE_KEEP_ORDER})
        for (const int failing : {0, world_size() - 1}) {
            std::int64_t which = 0;
            for (bool any = true; any; which += which < 60 ? 1 : 5) {
                CArray<Grain> items(before);
                CArray<float> weights(rows);
                const equipoise_options options = options_with<float>(policy);
                int code = 0;
                any = test::falls_short(failing, which,
                                        [&] { code = rebalance(items, weights, options); });
                weights.count = 2 * items.count;
                EXPECT_EQ(rows_of<float>(items.as_vector()), weights.as_vector());
                EXPECT_TRUE(balancer::all_there(balancer::all_numbers(items.as_vector())));
                if (code != EQUIPOISE_OK) {
                    EXPECT_EQ(EQUIPOISE_NO_MEMORY, code) << equipoise_error_text();
                    EXPECT_EQ(before, items.as_vector());
                }
            }
            EXPECT_GT(which, 10);
        }
}

}  // namespace
}  // namespace equipoise::capi
