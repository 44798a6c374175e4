// Plans as lists: an exchange of the caller's own does what execute() does.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers numbers_of(const std::vector<Tokens>& counts) {
    Numbers numbers;
    for (const Grain& grain : make_items(counts, make_grain))
        numbers.push_back(grain.number);
    return numbers;
}

// What a program does that moves its items itself.
Numbers exchanged(const Plan& plan, const Numbers& items) {
    const Exchange<int> exchange = plan.exchange();
    Numbers leaving;
    for (const Tokens place : exchange.send_order)
        leaving.push_back(items[static_cast<std::size_t>(place)]);
    Numbers arrived(exchange.receive_places.size());
    MPI_Alltoallv(leaving.data(), exchange.send_counts.data(), exchange.send_offsets.data(),
                  MPI_INT64_T, arrived.data(), exchange.receive_counts.data(),
                  exchange.receive_offsets.data(), MPI_INT64_T, MPI_COMM_WORLD);
    Numbers after(static_cast<std::size_t>(plan.size_after()), -1);
    for (const placement::Run& run : exchange.kept)
        std::copy_n(items.begin() + run.from, run.items, after.begin() + run.to);
    for (std::size_t i = 0; i < arrived.size(); ++i)
        after[static_cast<std::size_t>(exchange.receive_places[i])] = arrived[i];
    return after;
}

// The items that all ranks hold, each with the rank that holds it, by number.
std::vector<int> holders_of(const Numbers& items) {
    std::int64_t largest = items.empty() ? -1 : *std::max_element(items.begin(), items.end());
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    std::vector<int> holders(static_cast<std::size_t>(largest + 1), -1);
    for (const std::int64_t item : items)
        holders[static_cast<std::size_t>(item)] = world_rank();
    MPI_Allreduce(MPI_IN_PLACE, holders.data(), static_cast<int>(holders.size()), MPI_INT, MPI_MAX,
                  MPI_COMM_WORLD);
    return holders;
}

void expect_as_executed(const Plan& plan, const Numbers& before) {
    Numbers executed = before;
    plan.execute(executed);
    EXPECT_EQ(executed, exchanged(plan, before));
    const std::vector<int> holders = holders_of(executed);
    const std::vector<int> destinations = plan.destinations();
    ASSERT_EQ(before.size(), destinations.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(holders[static_cast<std::size_t>(before[i])], destinations[i]);
    EXPECT_EQ(before, exchanged(plan.inverse(), executed));
}

TEST(AnExchangeOfOnesOwn, DoesWhatExecuteDoesUnderEveryPolicy) {
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy : {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical,
                                    Policy::random_pairs, Policy::weighted}) {
            const Numbers before = numbers_of(counts);
            std::vector<double> weights(before.size());
            for (std::size_t i = 0; i < weights.size(); ++i)
                weights[i] = static_cast<double>(before[i] % 7);
            Options options;
            options.policy = policy;
            if (policy == Policy::weighted) options.weights = weights;
            expect_as_executed(
                make_plan(MPI_COMM_WORLD, static_cast<Tokens>(before.size()), options), before);
        }
}

TEST(AnExchangeOfOnesOwn, DoesWhatExecuteDoesForItemsThatHopOverLinks) {
    MPI_Comm line = MPI_COMM_NULL;
    const int size = world_size();
    const int open = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &line);
    for (const auto& counts : distributions(size)) {
        const Numbers before = numbers_of(counts);
        expect_as_executed(
            make_plan(line, static_cast<Tokens>(before.size()), neighbours_only("discrepancy-1")),
            before);
    }
    MPI_Comm_free(&line);
}

TEST(AnExchangeOfOnesOwn, DoesWhatExecuteDoesForItemsSentToAnyRanks) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        RandomStream random(seed, Purpose::loads, static_cast<std::uint64_t>(world_rank()));
        Numbers before(random.below(100));
        std::iota(before.begin(), before.end(), 100 * world_rank());
        std::vector<int> to(before.size());
        for (int& rank : to)
            rank = static_cast<int>(random.below(static_cast<std::uint64_t>(world_size())));
        const Plan plan = plan_to(MPI_COMM_WORLD, to);
        EXPECT_EQ(to, plan.destinations());
        expect_as_executed(plan, before);
        // The same ranks in numbers of other sizes.
        const std::vector<std::int64_t> wide(to.begin(), to.end());
        EXPECT_EQ(to, plan_to(MPI_COMM_WORLD, wide).destinations());
        const std::vector<std::uint16_t> narrow(to.begin(), to.end());
        EXPECT_EQ(to, plan_to(MPI_COMM_WORLD, narrow).destinations());
    }
}

TEST(PlanTo, RefusesRanksThatWouldBeRightIfTheyWereCut) {
    const std::int64_t wrong = std::int64_t{1} << 32;  // its lower half is rank 0
    for (int failing = 0; failing < world_size(); ++failing) {
        const std::vector<std::int64_t> to(3, world_rank() == failing ? wrong : 0);
        try {
            static_cast<void>(plan_to(MPI_COMM_WORLD, to));
            ADD_FAILURE() << "a rank was cut";
        } catch (const mpi::CollectiveError& error) {
            EXPECT_EQ(failing, error.rank());
            EXPECT_NE(std::string::npos,
                      std::string(error.what()).find("found one for rank 4294967296"));
        }
    }
    const std::vector<std::uint64_t> huge = {0, std::uint64_t{1} << 63U};
    try {
        static_cast<void>(plan_to(MPI_COMM_WORLD, huge));
        ADD_FAILURE() << "a rank was cut";
    } catch (const mpi::CollectiveError& error) {
        EXPECT_STREQ("rank 0: bad input: expected ranks below 2^63, found 9223372036854775808",
                     error.what());
    }
}

TEST(AnExchangeOfOnesOwn, RefusesCountsAboveThoseOfItsTypeOnAllRanksAlike) {
    if (world_size() == 1) return;
    // Nobody has such items; their lists are not made either.
    const Tokens many = Tokens{1} << 33;
    for (const Policy policy : {Policy::minimum_moves, Policy::random_pairs}) {
        const Plan plan =
            make_plan(MPI_COMM_WORLD, world_rank() == 0 ? many : 0, {.policy = policy});
        EXPECT_THROW(static_cast<void>(plan.exchange()), InputError);
        EXPECT_THROW(static_cast<void>(plan.inverse().exchange<std::int32_t>()), InputError);
    }
}

}  // namespace
}  // namespace equipoise::balancer
