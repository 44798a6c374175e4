// Items that are lent return to their places with what was done to them, whatever fails.

#include "equipoise/balancer/lend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;

const std::vector<Tokens>& staircase() {
    static const std::vector<Tokens> counts = distributions(world_size())[6];
    return counts;
}
std::vector<Grain> grains() {
    return make_items(staircase(), make_grain);
}

// The work on an item: it depends on the item alone, and every bit of it.
double worked(double value, std::int64_t number) {
    for (int i = 0; i < 3; ++i)
        value = std::sin(value * 1.7 + static_cast<double>(number));
    return value;
}
void work(std::vector<Grain>& items) {
    for (Grain& item : items)
        item.weight = worked(item.weight, item.number);
}
void work(std::vector<Sack>& items) {
    for (Sack& item : items) {
        item.values.push_back(worked(1, item.number));
        item.name += "*";
    }
}

// A line of all ranks.
struct Line {
    MPI_Comm communicator = MPI_COMM_NULL;
    Line() {
        const int size = world_size();
        const int open = 0;
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &communicator);
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() { MPI_Comm_free(&communicator); }
};

std::vector<double> weights_of(std::size_t items) {
    std::vector<double> weights(items);
    for (std::size_t i = 0; i < items; ++i)
        weights[i] = (i + static_cast<std::size_t>(world_rank())) % 4 == 0 ? 5 : 1;
    return weights;
}

// Calls `lends(communicator, options)` for every policy.
void with_every_policy(std::size_t items,
                       const std::function<void(MPI_Comm, const Options&)>& lends) {
    const Line line;
    const std::vector<double> weights = weights_of(items);
    for (const Policy policy :
         {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical, Policy::random_pairs})
        lends(MPI_COMM_WORLD, {.policy = policy});
    lends(MPI_COMM_WORLD, {.speed = world_rank() % 2 == 0 ? 1.0 : 2.5});
    lends(MPI_COMM_WORLD, {.policy = Policy::weighted, .weights = weights});
    const std::vector<double> sizes(items, 24);
    Options few_bytes = {.policy = Policy::weighted, .weights = weights};
    few_bytes.tolerance = 0.1;
    few_bytes.sizes = sizes;
    lends(MPI_COMM_WORLD, few_bytes);
    lends(line.communicator, neighbours_only());
    lends(MPI_COMM_WORLD, {.message_bytes_max = 100});
}

template <class T, class... Allocator>
std::vector<std::vector<T, Allocator...>> with_and_without_capacity(
    const std::vector<T, Allocator...>& items) {
    std::vector<std::vector<T, Allocator...>> both = {items, items};
    both[0].shrink_to_fit();
    both[1].reserve(10000);
    return both;
}

TEST(Lend, BringsEveryItemHomeWithItsResultsStepAfterStep) {
    for (const auto& counts : distributions(world_size())) {
        const std::vector<Grain> before = make_items(counts, make_grain);
        with_every_policy(before.size(), [&](MPI_Comm communicator, const Options& options) {
            for (std::vector<Grain> items : with_and_without_capacity(before)) {
                std::vector<Grain> expected = before;
                std::optional<Loan> loan;
                for (int step = 0; step < 3; ++step) {
                    if (loan)
                        loan->lend_again();
                    else
                        loan = lend(communicator, items, options);
                    EXPECT_EQ(loan->size_lent(), static_cast<Tokens>(items.size()));
                    EXPECT_TRUE(all_there(all_numbers(items)));
                    work(items);
                    loan->give_back();
                    work(expected);
                    EXPECT_EQ(expected, items);
                }
                Options copy = options;
                EXPECT_EQ(make_plan(communicator, static_cast<Tokens>(before.size()), copy).moved(),
                          loan->report().moved);
            }
        });
    }
}

TEST(Lend, TakesVectorsOfSeveralTypesAndBringsResultsHome) {
    const std::vector<Grain> before = grains();
    with_every_policy(before.size(), [&](MPI_Comm communicator, const Options& options) {
        std::vector<Grain> items = before;
        std::vector<char> letters(items.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            letters[i] = static_cast<char>('a' + before[i].number % 26);
        const std::vector<char> letters_before = letters;
        Loan loan = lend(communicator, std::tie(items, letters), options);
        std::vector<std::array<double, 3>> results;
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < items.size(); ++i) {
            EXPECT_EQ(letters[i], static_cast<char>('a' + items[i].number % 26));
            letters[i] = static_cast<char>(letters[i] + 1);
            results.push_back({worked(1, items[i].number), 0, 1});
            numbers.push_back(items[i].number);
        }
        work(items);
        loan.give_back(results, numbers);
        std::vector<Grain> expected = before;
        work(expected);
        EXPECT_EQ(expected, items);
        ASSERT_EQ(results.size(), before.size());
        ASSERT_EQ(numbers.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            EXPECT_EQ(letters_before[i] + 1, letters[i]);
            EXPECT_EQ(worked(1, before[i].number), results[i][0]);
            EXPECT_EQ(before[i].number, numbers[i]);
        }
    });
}

TEST(LendCopies, BringsOnlyResultsHomeAndLeavesWhatWasLentAsItWas) {
    const std::vector<Grain> before = grains();
    with_every_policy(before.size(), [&](MPI_Comm communicator, const Options& options) {
        for (std::vector<Grain> items : with_and_without_capacity(before)) {
            std::vector<double> weights(items.size(), 0.5);
            Loan loan = lend_copies(communicator, std::tie(items, weights), options);
            for (int step = 0; step < 2; ++step) {
                std::vector<double> results;
                for (const Grain& item : items)
                    results.push_back(worked(item.weight, item.number));
                // The owners do not see what borrowers write.
                const Places stays = loan.staying();
                for (std::size_t i = 0; i < items.size(); ++i) {
                    const auto place = static_cast<Tokens>(i);
                    if (place < stays.first || place >= stays.first + stays.count) items[i] = {};
                }
                loan.give_back(results);
                EXPECT_EQ(before, items);
                EXPECT_EQ(std::vector<double>(before.size(), 0.5), weights);
                ASSERT_EQ(before.size(), results.size());
                for (std::size_t i = 0; i < before.size(); ++i)
                    EXPECT_EQ(worked(before[i].weight, before[i].number), results[i]);
                if (step == 0) loan.lend_again();
            }
        }
    });
}

TEST(Lend, TakesSerialisedItemsAndResults) {
    const std::vector<Sack> before = make_items(staircase(), make_sack);
    with_every_policy(before.size(), [&](MPI_Comm communicator, const Options& options) {
        std::vector<Sack> items = before;
        std::vector<Sack> expected = before;
        Loan loan = lend(communicator, items, options, SackSerialiser());
        for (int step = 0; step < 2; ++step) {
            std::vector<double> results;
            for (const Sack& item : items)
                results.push_back(worked(2, item.number));
            work(items);
            work(expected);
            loan.give_back(results);
            EXPECT_EQ(expected, items);
            ASSERT_EQ(before.size(), results.size());
            for (std::size_t i = 0; i < before.size(); ++i)
                EXPECT_EQ(worked(2, before[i].number), results[i]);
            if (step == 0) loan.lend_again();
        }
    });
}

TEST(Lend, LeavesWhatStaysToUseWhileTheRestTravels) {
    const std::vector<Grain> before = grains();
    with_every_policy(before.size(), [&](MPI_Comm communicator, const Options& options) {
        for (std::vector<Grain> items : with_and_without_capacity(before)) {
            Loan loan = begin_lend(communicator, items, options);
            const auto first = static_cast<std::size_t>(loan.staying().first);
            const auto count = static_cast<std::size_t>(loan.staying().count);
            const std::vector<Tokens> lent = loan.lent();
            EXPECT_EQ(before.size(), count + lent.size());
            for (std::size_t i = first; i < first + count; ++i)
                items[i].weight = worked(items[i].weight, items[i].number);
            loan.wait();
            for (std::size_t i = 0; i < items.size(); ++i)
                if (i < first || i >= first + count)
                    items[i].weight = worked(items[i].weight, items[i].number);
            std::vector<Grain> expected = before;
            work(expected);
            loan.begin_give_back();
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (std::binary_search(lent.begin(), lent.end(), static_cast<Tokens>(i))) continue;
                EXPECT_EQ(expected[i], items[i]);
                items[i].maker = -1;
                expected[i].maker = -1;
            }
            loan.wait();
            EXPECT_EQ(expected, items);
        }
    });
}

TEST(PlanLoan, MovesColumnsWhoseRowsAreKnownOnlyAtRunTime) {
    const std::vector<Grain> before = grains();
    const LoanPlan plan = plan_loan(MPI_COMM_WORLD, static_cast<Tokens>(before.size()));
    const auto moved = [](const Plan& way, const std::vector<Grain>& rows) {
        std::vector<Grain> fresh = rows;
        const std::array columns = {Column{std::as_bytes(std::span(rows)), sizeof(Grain)}};
        static_cast<void>(move_columns(way, columns, [&](std::size_t, std::uint64_t bytes) {
            fresh.resize(bytes / sizeof(Grain));
            return std::as_writable_bytes(std::span(fresh)).data();
        }));
        return fresh;
    };
    std::vector<Grain> items = moved(plan.there, before);
    work(items);
    std::vector<Grain> expected = before;
    work(expected);
    EXPECT_EQ(expected, moved(plan.back, items));
}

// All ranks must have thrown the same.
void expect_alike(const std::string& what) {
    engine::Ballot mine;
    mine.must_be_equal = std::hash<std::string>()(what);
    EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine)) << what;
}

template <class Action>
std::string thrown_by(const Action& action) {
    try {
        action();
    } catch (const CollectiveError& error) {
        return error.what();
    }
    return "";
}

TEST(ALoan, IsUsedInTurnOrRefusedOnAllRanks) {
    std::vector<Grain> items = grains();
    const std::vector<Grain> before = items;
    Loan loan = lend(MPI_COMM_WORLD, items);
    EXPECT_EQ("rank 0: bad input: expected items at home, found items that are lent",
              thrown_by([&] { loan.lend_again(); }));
    loan.begin_give_back();
    std::vector<Grain> results = items;
    EXPECT_NE("", thrown_by([&] { loan.give_back(results); }));
    EXPECT_NE("", thrown_by([&] { loan.lend_again(); }));
    loan.wait();
    EXPECT_EQ(before, items);
    EXPECT_EQ("rank 0: bad input: expected items that are lent, found items at home",
              thrown_by([&] { loan.give_back(); }));
    loan.wait();
    EXPECT_EQ(before, items);
}

TEST(ALoan, CanBeKeptInOtherPlaces) {
    std::vector<Grain> items = grains();
    const std::vector<Grain> before = items;
    std::vector<Loan> loans;
    loans.push_back(begin_lend(MPI_COMM_WORLD, items));
    loans.front().wait();
    loans.front().begin_give_back();
    std::vector<Grain> others = before;
    Loan second = begin_lend(MPI_COMM_WORLD, others);
    loans.push_back(std::move(second));
    loans.front().wait();
    loans.back().wait();
    loans.front() = std::move(loans.back());
    loans.pop_back();
    loans.front().give_back();
    EXPECT_EQ(before, items);
    EXPECT_EQ(before, others);
}

TEST(ALoan, RefusesVectorsOfOtherSizesOnAllRanks) {
    std::vector<Grain> items = grains();
    std::vector<double> longer(items.size() + (world_rank() == world_size() - 1 ? 1 : 0));
    std::string text =
        thrown_by([&] { static_cast<void>(lend(MPI_COMM_WORLD, std::tie(items, longer))); });
    EXPECT_NE(std::string::npos, text.find("expected vectors of one length, found ")) << text;
    expect_alike(text);
    EXPECT_EQ(grains(), items);

    Loan loan = lend(MPI_COMM_WORLD, items);
    std::vector<double> results(items.size() + (world_rank() == 0 ? 2 : 0));
    text = thrown_by([&] { loan.give_back(results); });
    EXPECT_NE(std::string::npos, text.find("expected a vector of the planned size ")) << text;
    expect_alike(text);
    EXPECT_TRUE(all_there(all_numbers(items)));
    results.resize(items.size());
    loan.give_back(results);
    EXPECT_EQ(grains(), items);
    if (world_rank() == 0) items.push_back({});
    text = thrown_by([&] { loan.lend_again(); });
    EXPECT_NE(std::string::npos, text.find("expected a vector of the planned size ")) << text;
    expect_alike(text);
}

TEST(ALoan, RefusesAVectorThatIsGivenTwiceOnAllRanks) {
    const std::string expected =
        "rank 0: bad input: expected vectors that differ from each other, found one of them twice";
    std::vector<Grain> items = grains();
    EXPECT_EQ(expected,
              thrown_by([&] { static_cast<void>(lend(MPI_COMM_WORLD, std::tie(items, items))); }));
    EXPECT_EQ(grains(), items);
    Loan loan = lend(MPI_COMM_WORLD, items);
    EXPECT_EQ(static_cast<Tokens>(grains().size()), loan.size_at_home());
    EXPECT_EQ(static_cast<Tokens>(items.size()), loan.size_lent());
    EXPECT_EQ(expected, thrown_by([&] { loan.give_back(items); }));
    std::vector<double> results(items.size());
    EXPECT_EQ(expected, thrown_by([&] { loan.give_back(results, results); }));
    loan.give_back(results);
    EXPECT_EQ(grains(), items);
}

TEST(Rebalance, RefusesItemsThatAreTheirOwnVectorOfWeights) {
    std::vector<double> costs(world_rank() == 0 ? 12 : 0, 1.0);
    const std::vector<double> before = costs;
    const std::string text = thrown_by([&] { rebalance(MPI_COMM_WORLD, costs, costs); });
    EXPECT_NE(std::string::npos, text.find("the weights in a vector of their own")) << text;
    EXPECT_EQ(before, costs);
    rebalance(MPI_COMM_WORLD, costs, by_weight({}, costs));
    EXPECT_LE(static_cast<int>(costs.size()), (12 + world_size() - 1) / world_size());
}

struct FailingSerialiser : SackSerialiser {
    static inline bool breaks_saving = false;
    static inline bool breaks_loading = false;

    static void save(const Sack& sack, ByteWriter& out) {
        if (breaks_saving) throw std::runtime_error("cannot save");
        SackSerialiser::save(sack, out);
    }
    [[nodiscard]] static Sack load(ByteReader& in) {
        if (breaks_loading) throw std::runtime_error("cannot load");
        return SackSerialiser::load(in);
    }
};

TEST(SerialisersThatThrow, LeaveLoansAsTheyWereInBothDirections) {
    const std::vector<Sack> before = make_items(staircase(), make_sack);
    const std::array<bool*, 2> ways = {&FailingSerialiser::breaks_saving,
                                       &FailingSerialiser::breaks_loading};
    for (bool* const breaks : ways)
        for (int failing = 0; failing < world_size(); ++failing) {
            const auto broken = [&](const auto& action) {
                *breaks = world_rank() == failing;
                const std::string text = thrown_by(action);
                *breaks = false;
                expect_alike(text);
                return !text.empty();
            };
            std::vector<Sack> items = before;
            std::optional<Loan> loan;
            if (broken(
                    [&] { loan = lend(MPI_COMM_WORLD, items, Options(), FailingSerialiser()); })) {
                EXPECT_EQ(before, items);
                loan = lend(MPI_COMM_WORLD, items, Options(), FailingSerialiser());
            }
            const std::vector<Sack> lent = items;
            const std::vector<std::int64_t> results_lent(items.size(), world_rank());
            std::vector<std::int64_t> results = results_lent;
            if (broken([&] { loan->give_back(results); })) {
                EXPECT_EQ(lent, items);
                EXPECT_EQ(results_lent, results);
                loan->give_back(results);
            }
            EXPECT_EQ(before, items);
            EXPECT_EQ(before.size(), results.size());
        }
}

// Lends, works, gives back and checks, while allocation number `which` of the first or the second
// way fails on rank `failing`. Returns whether it failed.
template <class Item, class Lends>
bool survives(std::int64_t which, bool second_way, int failing, const std::vector<Item>& before,
              const Lends& lends) {
    std::vector<Item> items = before;
    std::optional<Loan> loan;
    bool failed = false;
    const auto under_pressure = [&](bool second, const auto& action) {
        std::string text;
        failed |= test::falls_short(failing, second == second_way ? which : -1,
                                    [&] { text = thrown_by(action); });
        expect_alike(text);
        return !text.empty();
    };
    if (under_pressure(false, [&] { loan = lends(items); })) {
        EXPECT_EQ(before, items);
        loan = lends(items);
    }
    work(items);
    std::vector<double> results;
    for (const Item& item : items)
        results.push_back(static_cast<double>(item.number));
    const std::vector<Item> items_lent = items;
    const std::vector<double> results_lent = results;
    if (under_pressure(true, [&] { loan->give_back(results); })) {
        EXPECT_EQ(items_lent, items);
        EXPECT_EQ(results_lent, results);
        loan->give_back(results);
    }
    std::vector<Item> expected = before;
    work(expected);
    EXPECT_EQ(expected, items);
    EXPECT_EQ(before.size(), results.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(static_cast<double>(before[i].number), results[i]);
    return failed;
}

template <class Item, class Lends>
void expect_to_survive_every_shortage(const std::vector<Item>& before, const Lends& lends) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    for (const int failing : {0, world_size() - 1})
        for (const bool second_way : {false, true}) {
            std::int64_t which = 0;
            while (survives(which, second_way, failing, before, lends))
                ++which;
            EXPECT_GT(which, 2);
        }
}

TEST(AShortageOfMemory, LosesNoItemThatIsLent) {
    expect_to_survive_every_shortage(
        grains(), [](std::vector<Grain>& items) { return lend(MPI_COMM_WORLD, items); });
    expect_to_survive_every_shortage(grains(), [](std::vector<Grain>& items) {
        return lend(MPI_COMM_WORLD, items, {.policy = Policy::keep_order});
    });
}

TEST(AShortageOfMemory, LosesNoSerialisedItemThatIsLent) {
    expect_to_survive_every_shortage(
        make_items(staircase(), make_sack), [](std::vector<Sack>& items) {
            return lend(MPI_COMM_WORLD, items, Options(), SackSerialiser());
        });
}

}  // namespace
}  // namespace equipoise::balancer
