// Weights of any type of numbers: in vectors that move, in ranges that are read, and told by
// functions.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer::weight_types {
namespace {

using mpi::CollectiveError;
using mpi::Failure;

constexpr std::array policies = {Policy::weighted, Policy::keep_order};

template <class Number = double, class Item>
Number cost_of(const Item& item) {
    return static_cast<Number>(1 + item.number % 7 + (item.number % 11 == 0 ? 40 : 0));
}

template <class Number, class Item>
std::vector<Number> costs_of(const std::vector<Item>& items) {
    std::vector<Number> costs;
    costs.reserve(items.size());
    for (const Item& item : items)
        costs.push_back(cost_of<Number>(item));
    return costs;
}

template <class Number, class Item>
std::vector<std::array<Number, 2>> rows_of(const std::vector<Item>& items) {
    std::vector<std::array<Number, 2>> rows;
    rows.reserve(items.size());
    for (const Item& item : items)
        rows.push_back({cost_of<Number>(item), static_cast<Number>(item.number % 3)});
    return rows;
}

std::vector<Tokens> staircase() {
    return distributions(world_size())[6];
}

/// The items of this rank after levelling by doubles, and what was reported.
struct ByDoubles {
    std::vector<Grain> items;
    Report report;

    ByDoubles(const std::vector<Grain>& from, const Options& options) : items(from) {
        std::vector<double> costs = costs_of<double>(items);
        report = rebalance(MPI_COMM_WORLD, items, costs, options);
    }
    /// Whether others were levelled in the same way.
    [[nodiscard]] bool agrees(const std::vector<Grain>& others, const Report& found) const {
        return items == others && report.largest == found.largest && report.moved == found.moved &&
               report.policy == found.policy && report.largest_at_least == found.largest_at_least &&
               report.by_weight == found.by_weight;
    }
};

template <class T>
class WeightsOfType : public testing::Test {};
using Types = testing::Types<float, double, long double, std::int8_t, std::uint8_t, std::int16_t,
                             std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(WeightsOfType, Types);

TYPED_TEST(WeightsOfType, MoveWithTheirItemsAndLevelAsDoublesDo) {
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy : policies) {
            const std::vector<Grain> before = make_items(counts, make_grain);
            const ByDoubles expected(before, {.policy = policy});
            std::vector<Grain> items = before;
            std::vector<TypeParam> costs = costs_of<TypeParam>(items);
            const Report report = rebalance(MPI_COMM_WORLD, items, costs, {.policy = policy});
            EXPECT_TRUE(expected.agrees(items, report));
            EXPECT_EQ(costs_of<TypeParam>(items), costs);
        }
}

TYPED_TEST(WeightsOfType, AreReadFromRangesThatStay) {
    for (const Policy policy : policies) {
        const Options options = {.policy = policy};
        const std::vector<Grain> before = make_items(staircase(), make_grain);
        const ByDoubles expected(before, options);
        const std::vector<TypeParam> costs = costs_of<TypeParam>(before);
        std::vector<std::function<Report(std::vector<Grain>&)>> calls = {
            [&](auto& items) { return rebalance(MPI_COMM_WORLD, items, costs, options); },
            [&](auto& items) {
                return rebalance(MPI_COMM_WORLD, items, std::span(costs), options);
            },
            [&](auto& items) {
                return rebalance(MPI_COMM_WORLD, items, costs_of<TypeParam>(items), options);
            },
            [&](auto& items) {
                return rebalance(MPI_COMM_WORLD, items, by_weight(options, costs));
            },
            [&](auto& items) {
                return rebalance(MPI_COMM_WORLD, items, {.policy = policy, .weights = costs});
            },
            [&](auto& items) {
                return rebalance(MPI_COMM_WORLD, items, cost_of<TypeParam, Grain>, options);
            },
        };
        for (const auto& call : calls) {
            std::vector<Grain> items = before;
            EXPECT_TRUE(expected.agrees(items, call(items)));
            EXPECT_EQ(costs_of<TypeParam>(before), costs);
        }
    }
}

TYPED_TEST(WeightsOfType, MayBeSeveralAnItem) {
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    for (const Policy policy : policies) {
        const std::vector<Grain> before = make_items(staircase(), make_grain);
        std::vector<Grain> expected = before;
        std::vector<double> doubles;
        for (const auto& row : rows_of<double>(before))
            doubles.insert(doubles.end(), row.begin(), row.end());
        std::vector<TypeParam> flat(doubles.begin(), doubles.end());
        const Options two = {.policy = policy, .weights_per_item = 2};
        const Report report = rebalance(MPI_COMM_WORLD, expected, doubles, two);

        std::vector<Grain> items = before;
        std::vector<std::array<TypeParam, 2>> rows = rows_of<TypeParam>(items);
        EXPECT_EQ(report.largest,
                  rebalance(MPI_COMM_WORLD, items, rows, {.policy = policy}).largest);
        EXPECT_EQ(expected, items);
        EXPECT_EQ(rows_of<TypeParam>(items), rows);

        items = before;
        EXPECT_EQ(report.largest, rebalance(MPI_COMM_WORLD, items, flat, two).largest);
        EXPECT_EQ(expected, items);
        EXPECT_EQ(std::vector<TypeParam>(doubles.begin(), doubles.end()), flat);

        items = before;
        const auto told = [](const Grain& item) {
            return rows_of<TypeParam>(std::vector{item})[0];
        };
        EXPECT_EQ(report.weights_per_item,
                  rebalance(MPI_COMM_WORLD, items, told, two).weights_per_item);
        EXPECT_EQ(expected, items);
    }
}

TEST(Functions, AreAskedOnceForEachItemOfThisRank) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        const ByDoubles expected(items, {});
        std::vector<std::int64_t> asked;
        const std::vector<std::int64_t> own = [&] {
            std::vector<std::int64_t> numbers;
            numbers.reserve(items.size());
            for (const Grain& item : items)
                numbers.push_back(item.number);
            return numbers;
        }();
        const Report report = rebalance(MPI_COMM_WORLD, items, [&](const Grain& item) {
            asked.push_back(item.number);
            return cost_of<float>(item);
        });
        EXPECT_EQ(own, asked);
        EXPECT_TRUE(expected.agrees(items, report));
    }
}

TEST(Functions, TellWhatItemsCostBesideSerialisersAndSeveralVectors) {
    const Options options = {.policy = Policy::keep_order};
    const std::vector<Tokens> counts = staircase();
    std::vector<Sack> sacks = make_items(counts, make_sack);
    std::vector<Grain> grains = make_items(counts, make_grain);
    const ByDoubles expected(grains, options);
    rebalance(
        MPI_COMM_WORLD, sacks, [](const Sack& sack) { return cost_of<int>(sack); }, options,
        SackSerialiser());
    EXPECT_EQ(all_numbers(expected.items), all_numbers(sacks));

    sacks = make_items(counts, make_sack);
    rebalance(
        MPI_COMM_WORLD, std::tie(sacks, grains),
        [](const Sack& sack, const Grain& grain) {
            EXPECT_EQ(sack.number, grain.number);
            return cost_of<std::int64_t>(grain);
        },
        options, SackSerialiser());
    EXPECT_EQ(expected.items, grains);
    EXPECT_EQ(all_numbers(grains), all_numbers(sacks));
    // The call without weights is another.
    rebalance(MPI_COMM_WORLD, sacks, options, SackSerialiser());
    EXPECT_TRUE(counts_up(all_numbers(sacks)));
}

TEST(Functions, MayBeMembersOfItems) {
    struct Task {
        int seconds;
        [[nodiscard]] float cost() const { return static_cast<float>(seconds); }
    };
    std::vector<Task> tasks(world_rank() == 0 ? 60 : 0, Task{2});
    std::vector<Task> others = tasks;
    const Report report = rebalance(MPI_COMM_WORLD, tasks, &Task::seconds);
    EXPECT_DOUBLE_EQ(120.0 / world_size(), report.weight_after.average);
    EXPECT_EQ(report.largest, rebalance(MPI_COMM_WORLD, others, &Task::cost).largest);
}

TEST(Plans, AreMadeByWeightsOfAnyType) {
    for (const Policy policy : policies) {
        const std::vector<Grain> items = make_items(staircase(), make_grain);
        const std::vector<double> doubles = costs_of<double>(items);
        const std::vector<std::int32_t> whole = costs_of<std::int32_t>(items);
        const Tokens count = std::ssize(items);
        const Options options = {.policy = policy};
        const Plan expected = make_plan(MPI_COMM_WORLD, count, by_weight(options, doubles));
        const std::vector<int> to = expected.destinations();
        EXPECT_EQ(to, make_plan(MPI_COMM_WORLD, count, whole, options).destinations());
        EXPECT_EQ(
            to,
            make_plan(MPI_COMM_WORLD, count, {.policy = policy, .weights = whole}).destinations());
        std::size_t asked = 0;
        const auto cost = [&](std::size_t i) {
            EXPECT_EQ(asked++, i);
            return whole[i];
        };
        EXPECT_EQ(to, make_plan(MPI_COMM_WORLD, count, cost, options).destinations());
        EXPECT_EQ(items.size(), asked);
        EXPECT_EQ(Policy::weighted, make_plan(MPI_COMM_WORLD, count, whole).report().policy);
        const LoanPlan loan = plan_loan(MPI_COMM_WORLD, count, by_weight(options, whole));
        EXPECT_EQ(to, loan.there.destinations());
    }
}

/// The error that all ranks get, and its kind; the items must be where they were.
struct Refusal {
    std::string text;
    Failure kind = Failure::none;
};
template <class Call>
Refusal refusal_of(const Call& call) {
    const std::vector<Grain> before = make_items(staircase(), make_grain);
    std::vector<Grain> items = before;
    try {
        call(items);
    } catch (const CollectiveError& error) {
        EXPECT_EQ(before, items);
        return {error.what(), error.failure()};
    }
    return {"nothing was thrown", Failure::none};
}

/// Weights of 1, of which the first on the last rank, which has most items, is another.
template <class Number>
std::vector<Number> ones_but(const std::vector<Grain>& items, Number other) {
    std::vector<Number> ones(items.size(), 1);
    if (world_rank() == world_size() - 1 && !ones.empty()) ones.front() = other;
    return ones;
}

TEST(WrongWeights, AreRefusedOnAllRanksWithWhatWasFound) {
    if (world_size() == 1) GTEST_SKIP() << "a single rank has no items here";
    const std::string rank = "rank " + std::to_string(world_size() - 1) + ": bad input: expected ";
    const std::string finite = rank + "weights that are finite and at least 0, found ";
    const auto by = [](auto other) {
        return [other](std::vector<Grain>& items) {
            auto weights = ones_but(items, other);
            const auto before = weights;
            try {
                rebalance(MPI_COMM_WORLD, items, weights);
            } catch (...) {
                EXPECT_EQ(before.size(), weights.size());
                throw;
            }
        };
    };
    EXPECT_EQ(finite + "nan", refusal_of(by(std::numeric_limits<float>::quiet_NaN())).text);
    EXPECT_EQ(finite + "inf", refusal_of(by(std::numeric_limits<float>::infinity())).text);
    EXPECT_EQ(finite + "-1", refusal_of(by(std::int32_t{-1})).text);
    EXPECT_EQ(finite + "-128", refusal_of(by(std::int8_t{-128})).text);
    const std::string equal =
        rank +
        "weights that a double can equal (all whole numbers up to 2^53, and larger ones of "
        "at most 53 digits in binary), found 9007199254740993";
    EXPECT_EQ(equal, refusal_of(by((std::int64_t{1} << 53U) + 1)).text);
    EXPECT_EQ(equal, refusal_of([&](auto& items) {
                         const auto weights = ones_but(items, (std::uint64_t{1} << 53U) + 1);
                         rebalance(MPI_COMM_WORLD, items, [&](const Grain& item) {
                             return weights[static_cast<std::size_t>(&item - items.data())];
                         });
                     }).text);
    EXPECT_EQ("nothing was thrown", refusal_of([&](auto& items) {
                                        rebalance(MPI_COMM_WORLD, items,
                                                  ones_but(items, std::int64_t{1} << 53U));
                                    }).text);
}

TEST(WrongWeights, OfAnotherNumberThanItemsAreRefused) {
    const auto refused = refusal_of([](auto& items) {
        rebalance(MPI_COMM_WORLD, items,
                  std::vector<float>(items.size() + (world_rank() == 0 ? 1 : 0), 1));
    });
    EXPECT_TRUE(refused.text.starts_with("rank 0: bad input: expected one weight for each of "));
    EXPECT_NE(std::string::npos, refused.text.find("found 1 weight")) << refused.text;
    const auto rows = refusal_of([](auto& items) {
        rebalance(MPI_COMM_WORLD, items, rows_of<float>(items), {.weights_per_item = 3});
    });
    if (world_size() > 1) {
        EXPECT_NE(std::string::npos, rows.text.find("3 weights for each of ")) << rows.text;
    }
}

TEST(WrongWeights, OfAnotherTypeOnOneRankAreRefusedWhereTheyMove) {
    if (world_size() == 1) return;
    const auto refused = refusal_of([](auto& items) {
        std::vector<float> floats(items.size(), 1);
        std::vector<std::int32_t> whole(items.size(), 1);
        if (world_rank() == 0)
            rebalance(MPI_COMM_WORLD, items, floats);
        else
            rebalance(MPI_COMM_WORLD, items, whole);
    });
    EXPECT_EQ(Failure::differing, refused.kind);
    EXPECT_NE(std::string::npos, refused.text.find("their weights (float)")) << refused.text;
    EXPECT_NE(std::string::npos, refused.text.find("their weights (int32)")) << refused.text;
}

TEST(ThrowingFunctions, FailOnAllRanksAlike) {
    if (world_size() == 1) GTEST_SKIP() << "a single rank has no items here";
    const auto failing = [](const std::function<void()>& fail, Policy policy) {
        return refusal_of([&](auto& items) {
            rebalance(MPI_COMM_WORLD, items,
                      [&](const Grain& item) {
                          if (world_rank() == world_size() - 1 && &item == &items.back()) fail();
                          return 1;
                      },
                      {.policy = policy});
        });
    };
    const std::string rank = "rank " + std::to_string(world_size() - 1);
    for (const Policy policy : {Policy::minimum_moves, Policy::weighted, Policy::keep_order}) {
        const Refusal user = failing([] { throw std::runtime_error("no clock"); }, policy);
        EXPECT_EQ(Failure::user_code, user.kind);
        EXPECT_TRUE(user.text.starts_with(rank)) << user.text;
        EXPECT_NE(std::string::npos, user.text.find("no clock")) << user.text;
        EXPECT_EQ(Failure::memory, failing([] { throw std::bad_alloc(); }, policy).kind);
        EXPECT_EQ(Failure::user_code, failing([] { throw 7; }, policy).kind);  // NOLINT
    }
    const auto planned = refusal_of([&](auto& items) {
        static_cast<void>(make_plan(MPI_COMM_WORLD, std::ssize(items), [](std::size_t i) {
            if (world_rank() == world_size() - 1 && i == 2) throw std::runtime_error("no clock");
            return 1.5F;
        }));
    });
    EXPECT_EQ(Failure::user_code, planned.kind);
}

TEST(NumbersOfItems, ThatAreNegativeAskNoFunction) {
    try {
        static_cast<void>(make_plan(MPI_COMM_WORLD, world_rank() == 0 ? -1 : 0, [](std::size_t) {
            ADD_FAILURE() << "asked";
            return 1;
        }));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CollectiveError& error) {
        EXPECT_STREQ("rank 0: bad input: expected a number of items between 0 and 2^61, found -1",
                     error.what());
    }
}

// Every allocation of a call fails in turn on one rank. `move`: the weights move with their items.
void expect_to_survive(bool move,
                       const std::function<void(std::vector<Grain>&, std::vector<float>&)>& call) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    for (const int failing : {0, world_size() - 1}) {
        std::int64_t which = 0;
        for (bool any = true; any; which += which < 60 ? 1 : 5) {
            std::vector<Grain> items = make_items(staircase(), make_grain);
            std::vector<float> costs = costs_of<float>(items);
            const std::vector<Grain> before = items;
            bool threw = false;
            any = test::falls_short(failing, which, [&] {
                try {
                    call(items, costs);
                } catch (const CollectiveError&) {
                    threw = true;
                }
            });
            if (threw) {
                EXPECT_EQ(before, items);
            }
            EXPECT_EQ(costs_of<float>(move ? items : before), costs);
            EXPECT_TRUE(all_there(all_numbers(items)));
        }
        EXPECT_GT(which, 10);
    }
}

TEST(WeightsOfAnyType, SurviveEveryShortageOfMemory) {
    for (const Policy policy : policies) {
        const Options options = {.policy = policy};
        expect_to_survive(true, [&](auto& items, auto& costs) {
            rebalance(MPI_COMM_WORLD, items, costs, options);
        });
        expect_to_survive(false, [&](auto& items, auto& /*costs*/) {
            rebalance(MPI_COMM_WORLD, items, cost_of<int, Grain>, options);
        });
        expect_to_survive(false, [&](auto& items, auto& costs) {
            make_plan(MPI_COMM_WORLD, std::ssize(items), costs, options).execute(items);
        });
    }
}

}  // namespace
}  // namespace equipoise::balancer::weight_types
