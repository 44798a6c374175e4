// Loans, plans to given ranks, their inverses and the advisor, in C.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/advisor.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/relabel.hpp"
#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;

std::vector<double> costs_of(const std::vector<Grain>& items) {
    std::vector<double> costs;
    costs.reserve(items.size());
    for (const Grain& item : items)
        costs.push_back(item.maker == 0 ? 5 : 1);
    return costs;
}

TEST(Loans, BringEveryItemHomeWithItsResults) {
    for (const auto& counts : balancer::distributions(world_size())) {
        const std::vector<Grain> home = make_items(counts, make_grain);
        const std::vector<double> costs = costs_of(home);
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.policy = EQUIPOISE_WEIGHTED;
        options.weights = costs.data();
        equipoise_loan* loan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_loan_make(MPI_COMM_WORLD, std::ssize(home), &options, &loan))
            << equipoise_error_text();
        CArray<Grain> items(home);
        for (const int step : {1, 2}) {  // the same loan serves twice
            equipoise_report report = EQUIPOISE_REPORT_INIT;
            ASSERT_EQ(EQUIPOISE_OK, equipoise_lend(loan, static_cast<void*>(&items.items),
                                                   &items.count, sizeof(Grain), nullptr, &report))
                << equipoise_error_text();
            EXPECT_EQ(items.count, equipoise_plan_size_after(equipoise_loan_there(loan)));
            EXPECT_LE(report.weight_after.most, report.weight_before.most);
            std::vector<double> found;
            for (std::int64_t i = 0; i < items.count; ++i) {
                items.items[i].weight += step;
                found.push_back(static_cast<double>(items.items[i].number) * step);
            }
            CArray<double> results(found);
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_give_back(loan, static_cast<void*>(&items.items), &items.count,
                                          sizeof(Grain), nullptr, nullptr));
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_give_back(loan, static_cast<void*>(&results.items), &results.count,
                                          sizeof(double), nullptr, nullptr));
            ASSERT_EQ(std::ssize(home), items.count);
            ASSERT_EQ(std::ssize(home), results.count);
            for (std::size_t i = 0; i < home.size(); ++i) {
                EXPECT_EQ(home[i].number, items.items[i].number);
                const int added = step * (step + 1) / 2;
                EXPECT_EQ(home[i].weight + added, items.items[i].weight);
                EXPECT_EQ(static_cast<double>(home[i].number) * step, results.items[i]);
            }
        }
        equipoise_loan_free(&loan);
        EXPECT_EQ(nullptr, loan);
    }
}

TEST(Loans, FailAlikeOnEveryRankAndLeaveItemsWhereTheyAre) {
    const std::vector<Grain> home = make_items(pile(), make_grain);
    equipoise_loan* loan = nullptr;
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.speed = here ? -1 : 1;
        return equipoise_loan_make(MPI_COMM_WORLD, std::ssize(home), &options, &loan);
    });
    EXPECT_EQ(nullptr, loan);
    ASSERT_EQ(EQUIPOISE_OK, equipoise_loan_make(MPI_COMM_WORLD, std::ssize(home), nullptr, &loan));
    CArray<Grain> items(home);
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        std::int64_t count = items.count + (here ? -1 : 0);
        if (here && items.count == 0) count = 1;
        return equipoise_lend(loan, static_cast<void*>(&items.items), &count, sizeof(Grain),
                              nullptr, nullptr);
    });
    EXPECT_EQ(home, items.as_vector());
    equipoise_loan_free(&loan);
    EXPECT_EQ(EQUIPOISE_BAD_INPUT,
              equipoise_give_back(nullptr, nullptr, nullptr, 1, nullptr, nullptr));
    equipoise_loan_free(&loan);
    equipoise_loan_free(nullptr);
}

TEST(PlansToGivenRanks, BringEveryItemWhereTheCallerSaysAndBack) {
    const std::vector<Grain> home = make_items(pile(), make_grain);
    std::vector<int> ranks;
    ranks.reserve(home.size());
    for (const Grain& item : home)
        ranks.push_back(static_cast<int>(item.number) % world_size());
    equipoise_plan* there = nullptr;
    equipoise_plan* back = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make_to(MPI_COMM_WORLD, std::ssize(home), ranks.data(),
                                                   nullptr, &there))
        << equipoise_error_text();
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_inverse(there, &back));
    CArray<Grain> items(home);
    const auto replace = [&](const equipoise_plan* plan) {
        return equipoise_plan_replace(plan, static_cast<void*>(&items.items), &items.count,
                                      sizeof(Grain), nullptr, nullptr);
    };
    ASSERT_EQ(EQUIPOISE_OK, replace(there)) << equipoise_error_text();
    for (std::int64_t i = 0; i < items.count; ++i)
        EXPECT_EQ(world_rank(), items.items[i].number % world_size());
    EXPECT_TRUE(balancer::all_there(balancer::all_numbers(items.as_vector())));
    ASSERT_EQ(EQUIPOISE_OK, replace(back)) << equipoise_error_text();
    EXPECT_EQ(home, items.as_vector());
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_report(there, &report));
    std::vector<char> text(equipoise_report_describe(&report, nullptr, 0) + 1);
    equipoise_report_describe(&report, text.data(), text.size());
    EXPECT_EQ(0, std::string(text.data()).find("given on ")) << text.data();
    equipoise_plan_free(&there);
    equipoise_plan_free(&back);
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        const int to = here ? world_size() : 0;
        return equipoise_plan_make_to(MPI_COMM_WORLD, 1, &to, nullptr, &there);
    });
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        const int to = 0;
        return equipoise_plan_make_to(MPI_COMM_WORLD, 1, here ? nullptr : &to, nullptr, &there);
    });
}

TEST(Relabelling, GivesPartsTheRanksThatMoveTheFewestBytes) {
    // Part p is held by rank (p + 1) mod P, except for one item of every rank.
    const int parts = world_size();
    const int own = (world_rank() + parts - 1) % parts;
    std::vector<int> labels(10, own);
    labels.back() = world_rank();
    const std::vector<std::int64_t> bytes(10, 8);
    std::vector<int> expected = labels;
    const balancer::Relabelled right = balancer::relabel_in_place(
        MPI_COMM_WORLD, expected, bytes, {.parts = parts, .machines_first = true, .machine = 1});
    std::vector<int> rank_of_part(static_cast<std::size_t>(parts) + 1, -7);
    equipoise_relabel_options options = EQUIPOISE_RELABEL_OPTIONS_INIT;
    options.parts = parts;
    options.machines_first = 1;
    options.machine = 1;
    equipoise_relabelling found = EQUIPOISE_RELABELLING_INIT;
    found.rank_of_part = rank_of_part.data();
    found.room = parts + 1;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_relabel(MPI_COMM_WORLD, 10, labels.data(), bytes.data(), &options, &found))
        << equipoise_error_text();
    EXPECT_EQ(expected, labels);
    EXPECT_EQ(-7, rank_of_part.back());
    rank_of_part.pop_back();
    EXPECT_EQ(right.rank_of_part, rank_of_part);
    EXPECT_EQ(parts, found.parts);
    EXPECT_EQ(80 * parts, found.bytes);
    EXPECT_EQ(right.moved, found.moved);
    EXPECT_EQ(right.moved_by_identity, found.moved_by_identity);
    EXPECT_EQ(0, found.between_machines);

    const std::vector<int> before = labels;
    const auto relabel = [&](std::int64_t count, int* to, const equipoise_relabel_options& with) {
        return equipoise_relabel(MPI_COMM_WORLD, count, to, nullptr, &with, nullptr);
    };
    const equipoise_relabel_options plain = EQUIPOISE_RELABEL_OPTIONS_INIT;
    expect_alike(EQUIPOISE_BAD_INPUT, 0,
                 [&](bool here) { return relabel(10, here ? nullptr : labels.data(), plain); });
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        equipoise_relabel_options bad = plain;
        if (here) bad.struct_bytes = 1;
        return relabel(10, labels.data(), bad);
    });
    expect_alike(EQUIPOISE_DIFFERENT_CALLS, 1, [&](bool here) {
        equipoise_relabel_options other = plain;
        if (here) other.parts_a_rank = 2;
        return relabel(10, labels.data(), other);
    });
    EXPECT_EQ(before, labels);
}

TEST(Relabelling, OfPartsOf64BitsIsTheSameAndCutsNone) {
    const int parts = world_size();
    std::vector<int> narrow(10, (world_rank() + parts - 1) % parts);
    std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
    equipoise_relabelling found = EQUIPOISE_RELABELLING_INIT;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_relabel(MPI_COMM_WORLD, 10, narrow.data(), nullptr, nullptr, nullptr));
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_relabel64(MPI_COMM_WORLD, 10, wide.data(), nullptr, nullptr, &found));
    EXPECT_EQ(std::vector<std::int64_t>(narrow.begin(), narrow.end()), wide);
    EXPECT_EQ(0, found.moved);
    for (const std::int64_t part :
         {std::int64_t{1} << 32U, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
        std::vector<std::int64_t> bad = wide;
        // Too many parts are noticed on all ranks, and are an error of the first.
        const int code = [&] {
            if (world_rank() == 0) bad.back() = part;
            return equipoise_relabel64(MPI_COMM_WORLD, 10, bad.data(), nullptr, nullptr, nullptr);
        }();
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, code) << equipoise_error_text();
        EXPECT_EQ(0, equipoise_error_rank());
        EXPECT_TRUE(same_everywhere(equipoise_error_text())) << equipoise_error_text();
    }
}

TEST(Advisors, AdviseInCAsInCpp) {
    equipoise_advisor* advisor = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_advisor_make(MPI_COMM_WORLD, &advisor));
    balancer::Advisor expected(MPI_COMM_WORLD);
    int balances = 0;
    for (int step = 1; step <= 40; ++step) {
        const double seconds = world_rank() == 0 ? 1 + 0.05 * (step % 10) : 1;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_advisor_step(advisor, seconds));
        expected.step(seconds);
        equipoise_advice advice = {-1, 0, 0, 0};
        const int worth = equipoise_advisor_worth_it(advisor, &advice);
        const balancer::Advice right = expected.worth_it();
        EXPECT_EQ(right.worth_it ? 1 : 0, worth);
        EXPECT_EQ(worth, advice.worth_it);
        EXPECT_EQ(right.gain, advice.gain);
        EXPECT_EQ(right.cost.value_or(-1), advice.cost);
        EXPECT_EQ(right.break_even_step.value_or(0), advice.break_even_step);
        if (worth == 0) continue;
        ++balances;
        ASSERT_EQ(EQUIPOISE_OK, equipoise_advisor_balanced(advisor, 0.125));
        expected.balanced(0.125);
    }
    EXPECT_TRUE(world_size() == 1 || balances > 0);
    expect_alike(EQUIPOISE_BAD_INPUT, 0,
                 [&](bool here) { return equipoise_advisor_step(advisor, here ? -1 : 1); });
    equipoise_advisor_free(&advisor);
    EXPECT_EQ(nullptr, advisor);
    EXPECT_EQ(0, equipoise_advisor_worth_it(nullptr, nullptr));
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_advisor_step(nullptr, 1));
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
        equipoise_advisor* made = nullptr;
        const int error = equipoise_advisor_make(MPI_COMM_WORLD, here ? nullptr : &made);
        equipoise_advisor_free(&made);
        return error;
    });
}

TEST(Loans, OfCopiesLeaveTheItemsWhereTheyAre) {
    for (const auto& counts : balancer::distributions(world_size())) {
        const std::vector<Grain> home = make_items(counts, make_grain);
        equipoise_loan* loan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_loan_make(MPI_COMM_WORLD, std::ssize(home), nullptr, &loan));
        std::vector<Grain> items = home;
        CArray<Grain> copies;
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_lend_copies(loan, items.data(), std::ssize(items), sizeof(Grain),
                                        static_cast<void*>(&copies.items), &copies.count, nullptr,
                                        &report))
            << equipoise_error_text();
        EXPECT_EQ(home, items);
        EXPECT_EQ(copies.count, equipoise_plan_size_after(equipoise_loan_there(loan)));
        EXPECT_EQ(copies.count == 0, copies.items == nullptr);
        EXPECT_TRUE(balancer::all_there(balancer::all_numbers(copies.as_vector())));
        std::vector<std::int64_t> found;
        for (const Grain& copy : copies.as_vector())
            found.push_back(copy.number * 3);
        CArray<std::int64_t> results(found);
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_give_back(loan, static_cast<void*>(&results.items), &results.count,
                                      sizeof(std::int64_t), nullptr, nullptr));
        ASSERT_EQ(std::ssize(home), results.count);
        for (std::size_t i = 0; i < home.size(); ++i)
            EXPECT_EQ(home[i].number * 3, results.items[i]);
        equipoise_loan_free(&loan);
    }
}

TEST(Loans, OfCopiesFailOnAllRanksIfOneCannotTakeThem) {
    equipoise_loan* loan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_loan_make(MPI_COMM_WORLD, world_rank() == 0 ? 40 : 3, nullptr, &loan));
    const std::vector<double> items(world_rank() == 0 ? 40 : 3, 1.5);
    equipoise_options packed = EQUIPOISE_OPTIONS_INIT;
    const equipoise_packing packing = {};
    packed.packing = &packing;
    const auto lend = [&](std::int64_t count, bool somewhere, const equipoise_options* options) {
        void* copies = nullptr;
        std::int64_t copy_count = 0;
        const int code = equipoise_lend_copies(loan, items.data(), count, sizeof(double),
                                               somewhere ? static_cast<void*>(&copies) : nullptr,
                                               &copy_count, options, nullptr);
        EXPECT_EQ(nullptr, copies);
        return code;
    };
    const std::int64_t count = std::ssize(items);
    expect_alike(EQUIPOISE_BAD_INPUT, 0,
                 [&](bool here) { return lend(here ? count - 1 : count, true, nullptr); });
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) { return lend(count, !here, nullptr); });
    expect_alike(EQUIPOISE_BAD_INPUT, 0,
                 [&](bool here) { return lend(count, true, here ? &packed : nullptr); });
    equipoise_loan_free(&loan);
}

TEST(Relabel, GivesThePricesThatCertifyIt) {
    const int ranks = world_size();
    for (const bool machines_first : {false, true}) {
        std::vector<int> labels(10, (world_rank() + 1) % ranks);
        labels[0] = 0;
        const std::vector<std::int64_t> bytes(10, std::int64_t{1} << 50);
        const balancer::Relabelled right = balancer::relabel(
            MPI_COMM_WORLD, labels, bytes, {.parts = ranks, .machines_first = machines_first});
        equipoise_relabel_options options = EQUIPOISE_RELABEL_OPTIONS_INIT;
        options.parts = ranks;
        options.machines_first = machines_first ? 1 : 0;
        const auto size = static_cast<std::size_t>(ranks);
        std::vector<equipoise_int128> of_parts(size, {7, 7});
        std::vector<equipoise_int128> of_ranks(size, {7, 7});
        equipoise_relabelling found = EQUIPOISE_RELABELLING_INIT;
        found.part_prices = of_parts.data();
        found.rank_prices = of_ranks.data();
        found.room = 0;
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_relabel(MPI_COMM_WORLD, 10, labels.data(),
                                                         bytes.data(), &options, &found));
        found.room = std::max(1, ranks - 1);
        ASSERT_EQ(EQUIPOISE_OK, equipoise_relabel(MPI_COMM_WORLD, 10, labels.data(), bytes.data(),
                                                  &options, &found))
            << equipoise_error_text();
        const auto number = [](const equipoise_int128& price) {
            return static_cast<Int128>(price.high) * (Int128{1} << 64) +
                   static_cast<Int128>(price.low);
        };
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_TRUE(right.rank_prices[i] == number(of_ranks[i]));
            if (i < static_cast<std::size_t>(found.room)) {
                EXPECT_TRUE(right.part_prices[i] == number(of_parts[i]));
            }
        }
        if (ranks > 1) {
            EXPECT_EQ(7U, of_parts.back().low) << "there was no room";
        }
    }
}

}  // namespace
}  // namespace equipoise::capi
