// Items are lent by weights that are given as ranges or told by functions, as they are levelled.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer::lend_by_weight {
namespace {

using mpi::CollectiveError;

constexpr std::array policies = {Policy::weighted, Policy::keep_order};

double cost_of(const Grain& grain) {
    return static_cast<double>(1 + grain.number % 7 + (grain.number % 11 == 0 ? 40 : 0));
}

std::vector<double> costs_of(const std::vector<Grain>& items) {
    std::vector<double> costs;
    costs.reserve(items.size());
    for (const Grain& item : items)
        costs.push_back(cost_of(item));
    return costs;
}

std::vector<Grain> grains() {
    return make_items(distributions(world_size())[6], make_grain);
}

/// What this rank holds while its items are lent by doubles in the options.
std::vector<Grain> lent_by_options(std::vector<Grain> items, const Options& options) {
    const std::vector<double> costs = costs_of(items);
    const std::vector<Grain> before = items;
    Loan loan = lend(MPI_COMM_WORLD, items, by_weight(options, costs));
    std::vector<Grain> held = items;
    loan.give_back();
    EXPECT_EQ(before, items);
    return held;
}

TEST(LoansByWeight, LendTheSameItemsAsWeightsInOptionsDo) {
    for (const Policy policy : policies) {
        const Options options = {.policy = policy};
        const std::vector<Grain> before = grains();
        const std::vector<Grain> expected = lent_by_options(before, options);
        std::vector<double> costs = costs_of(before);
        const std::vector<float> narrow(costs.begin(), costs.end());
        const auto pair_of = [](const Grain& item) {
            return std::array{cost_of(item), cost_of(item)};
        };
        const std::vector<std::function<Loan(std::vector<Grain>&)>> calls = {
            [&](auto& items) { return lend(MPI_COMM_WORLD, items, cost_of, options); },
            [&](auto& items) { return lend(MPI_COMM_WORLD, items, costs, options); },
            [&](auto& items) { return lend(MPI_COMM_WORLD, items, std::span(narrow), options); },
            [&](auto& items) { return lend(MPI_COMM_WORLD, items, costs_of(items), options); },
            [&](auto& items) { return lend(MPI_COMM_WORLD, std::tie(items), cost_of, options); },
            [&](auto& items) { return begin_lend(MPI_COMM_WORLD, items, cost_of, options); },
            [&](auto& items) { return lend_copies(MPI_COMM_WORLD, items, cost_of, options); },
            [&](auto& items) { return lend_copies(MPI_COMM_WORLD, items, narrow, options); },
            [&](auto& items) { return begin_lend_copies(MPI_COMM_WORLD, items, costs, options); },
        };
        for (const auto& call : calls) {
            std::vector<Grain> items = before;
            Loan loan = call(items);
            loan.wait();
            EXPECT_EQ(expected, items);
            loan.give_back();
            EXPECT_EQ(before, items);
        }
        EXPECT_EQ(costs_of(before), costs);
        std::vector<Grain> items = before;
        Loan by_pairs = lend(MPI_COMM_WORLD, items, pair_of, options);
        if (world_size() > 1) {
            EXPECT_EQ(2U, by_pairs.report().weights_per_item);
        }
        by_pairs.give_back();
        EXPECT_EQ(before, items);
    }
}

TEST(LoansByWeight, AskAFunctionOnceForAnItemOfEachVector) {
    std::vector<Grain> items = grains();
    std::vector<std::int32_t> marks;
    marks.reserve(items.size());
    for (const Grain& item : items)
        marks.push_back(static_cast<std::int32_t>(item.number % 5));
    const std::vector<Grain> items_before = items;
    const std::vector<std::int32_t> marks_before = marks;
    std::vector<std::int64_t> asked;
    const auto both = [&](const Grain& item, std::int32_t mark) {
        asked.push_back(item.number);
        return 1.0 + mark;
    };
    Loan loan = lend(MPI_COMM_WORLD, std::tie(items, marks), both);
    ASSERT_EQ(items.size(), marks.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(items[i].number % 5, marks[i]);
    EXPECT_TRUE(loan.report().by_weight);
    loan.give_back();
    loan.lend_again();
    loan.give_back();
    EXPECT_EQ(items_before, items);
    EXPECT_EQ(marks_before, marks);
    ASSERT_EQ(items.size(), asked.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(items[i].number, asked[i]);
}

TEST(LoansByWeight, TakeSerialisedItems) {
    std::vector<Sack> sacks = make_items(distributions(world_size())[6], make_sack);
    const std::vector<Sack> before = sacks;
    const auto size = [](const Sack& sack) { return 1 + sack.values.size(); };
    Loan loan = lend(MPI_COMM_WORLD, sacks, size, {}, SackSerialiser());
    EXPECT_LE(loan.report().largest, loan.report().largest_before);
    loan.give_back();
    EXPECT_EQ(before, sacks);
}

TEST(LoansByWeight, ArePlannedForItemsThatAreKnownByTheirPlaces) {
    const std::vector<Grain> items = grains();
    const std::vector<double> costs = costs_of(items);
    const auto count = static_cast<Tokens>(items.size());
    for (const Policy policy : policies) {
        const Options options = {.policy = policy};
        const LoanPlan expected = plan_loan(MPI_COMM_WORLD, count, by_weight(options, costs));
        const LoanPlan told = plan_loan(
            MPI_COMM_WORLD, count, [&](std::size_t i) { return costs[i]; }, options);
        const LoanPlan read = plan_loan(MPI_COMM_WORLD, count, costs, options);
        EXPECT_EQ(expected.there.destinations(), told.there.destinations());
        EXPECT_EQ(expected.there.destinations(), read.there.destinations());
        EXPECT_EQ(expected.back.size_after(), told.back.size_after());
    }
}

std::string refusal_of(const std::function<void(std::vector<Grain>&)>& lends) {
    std::vector<Grain> items = grains();
    const std::vector<Grain> before = items;
    try {
        lends(items);
    } catch (const CollectiveError& error) {
        EXPECT_EQ(before, items);
        return error.what();
    }
    return "nothing was thrown";
}

TEST(LoansByWeight, FailOnAllRanksAlikeAndLendNothing) {
    const int last = world_size() - 1;
    if (last == 0) GTEST_SKIP() << "a single rank has no items here";
    const std::string rank = "rank " + std::to_string(last) + ": ";
    const auto throws = [&](const Grain& item) {
        if (world_rank() == last) throw std::runtime_error("no costs today");
        return cost_of(item);
    };
    const auto negative = [&](const Grain& item) {
        return world_rank() == last ? -1.0 : cost_of(item);
    };
    const std::vector<std::function<Loan(std::vector<Grain>&)>> failing = {
        [&](auto& items) { return lend(MPI_COMM_WORLD, items, throws); },
        [&](auto& items) { return lend_copies(MPI_COMM_WORLD, std::tie(items), throws); },
    };
    for (const auto& call : failing) {
        const std::string text = refusal_of(call);
        EXPECT_TRUE(text.starts_with(rank)) << text;
        EXPECT_TRUE(text.ends_with("no costs today")) << text;
    }
    EXPECT_EQ(rank + "bad input: expected weights that are finite and at least 0, found -1",
              refusal_of([&](auto& items) { lend(MPI_COMM_WORLD, items, negative).give_back(); }));
    const std::string lengths = refusal_of([](auto& items) {
        std::vector<int> others(items.size() + (world_rank() == 0 ? 1 : 0));
        const auto one = [](const Grain&, int) { return 1; };
        lend(MPI_COMM_WORLD, std::tie(items, others), one).give_back();
    });
    EXPECT_TRUE(lengths.starts_with("rank 0: bad input: expected vectors of one length, found "))
        << lengths;
    const std::string numbers = refusal_of([](auto& items) {
        const std::vector<float> ones(items.size() + (world_rank() == 0 ? 1 : 0), 1);
        lend(MPI_COMM_WORLD, items, ones).give_back();
    });
    EXPECT_TRUE(numbers.starts_with("rank 0: bad input: expected one weight for each of "))
        << numbers;
}

}  // namespace
}  // namespace equipoise::balancer::lend_by_weight
