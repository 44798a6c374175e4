// How many collective calls of MPI a plan makes, and that plans do not depend on whether votes
// bring words.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "equipoise/balancer/order_planner.hpp"
#include "equipoise/balancer/weight_planner.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/weighted_case.hpp"

namespace equipoise::balancer::collective_calls {
namespace {

struct Calls {
    int reductions = 0;
    int gatherings = 0;
    int broadcasts = 0;

    [[nodiscard]] int all() const { return reductions + gatherings + broadcasts; }
};
Calls calls;

}  // namespace
}  // namespace equipoise::balancer::collective_calls

using equipoise::balancer::collective_calls::calls;

// These stand before those of MPI.
extern "C" int MPI_Allreduce(const void* mine, void* all, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
    ++calls.reductions;
    return PMPI_Allreduce(mine, all, count, type, operation, communicator);
}
extern "C" int MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int of_each,
                             MPI_Datatype type_of_all, MPI_Comm communicator) {
    ++calls.gatherings;
    return PMPI_Allgather(mine, count, type, all, of_each, type_of_all, communicator);
}
extern "C" int MPI_Allgatherv(const void* mine, int count, MPI_Datatype type, void* all,
                              const int counts[], const int begins[], MPI_Datatype type_of_all,
                              MPI_Comm communicator) {
    ++calls.gatherings;
    return PMPI_Allgatherv(mine, count, type, all, counts, begins, type_of_all, communicator);
}
extern "C" int MPI_Bcast(void* bytes, int count, MPI_Datatype type, int root,
                         MPI_Comm communicator) {
    ++calls.broadcasts;
    return PMPI_Bcast(bytes, count, type, root, communicator);
}

namespace equipoise::balancer::collective_calls {
namespace {

/// A communicator of all ranks whose votes bring words, or do not.
class World {
  public:
    explicit World(bool brings_words) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        const int before = mpi::bring_words_up_to(brings_words ? world_size() : 0);
        EXPECT_EQ(brings_words, mpi::Communicator(comm_).votes_bring_words());
        mpi::bring_words_up_to(before);
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World() { MPI_Comm_free(&comm_); }

    [[nodiscard]] MPI_Comm comm() const { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

template <class Act>
Calls calls_of(const Act& act) {
    calls = {};
    act();
    return calls;
}

/// Items on all ranks, most on rank 0, that level only if they move: too many to gather all, or
/// few. With sizes if `sized`.
Case uneven(std::size_t items, std::size_t kinds, bool sized) {
    RandomStream random(items + kinds, Purpose::loads, 0);
    Case made;
    made.common.weights_per_item = kinds;
    for (int rank = 0; rank < world_size(); ++rank) {
        const std::size_t own = rank == 0 ? items : items / 20;
        auto& weights = made.weights.emplace_back();
        for (std::size_t i = 0; i < own * kinds; ++i)
            weights.push_back(1 + random.unit());
        if (!sized) continue;
        auto& sizes = made.sizes.emplace_back();
        for (std::size_t i = 0; i < own; ++i)
            sizes.push_back(1 + static_cast<double>(random.below(100)));
    }
    return made;
}

Plan plan_of(const Case& given, const World& world) {
    return make_plan(world.comm(), given.counts()[here()], given.options());
}

constexpr std::size_t many = 30'000;
constexpr std::size_t very_many = 400'000;
constexpr std::size_t few = 40;

TEST(PlansByWeights, MakeAtMostSixCollectiveCalls) {
    std::size_t which = 0;
    for (const bool brings_words : {false, true}) {
        const World world(brings_words);
        for (const std::size_t items : {few, many})
            for (const std::size_t kinds :
                 {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{12}})
                for (const bool sized : {false, true}) {
                    if (!test::plays_case(world_size(), which++)) continue;
                    const Case given = uneven(items, kinds, sized);
                    const Calls made = calls_of([&] { plan_of(given, world); });
                    EXPECT_LE(made.all(), 6) << kinds << " kinds of " << items << " items";
                    EXPECT_EQ(2, made.reductions);
                }
    }
}

// As on ranks so many that the first message of each is short.
TEST(PlansByWeights, MakeNoFurtherCallsForManyKindsOnManyRanks) {
    const std::size_t before = set_first_words(0);
    const World world(true);
    for (const std::size_t kinds : {std::size_t{1}, std::size_t{16}, std::size_t{64}})
        for (const std::size_t items : {few, many / 10}) {
            const Case given = uneven(items, kinds, false);
            EXPECT_LE(calls_of([&] { plan_of(given, world); }).all(), 6)
                << kinds << " kinds of " << items << " items";
        }
    set_first_words(before);
}

TEST(PlansByWeights, MakeOneToFourCallsMoreWithLimits) {
    const World world(true);
    for (const std::size_t items : {few, many})
        for (const bool breaks : {false, true}) {
            const Case given = uneven(items, 2, true);
            Options options = given.options();
            options.items_max = static_cast<Tokens>(2 * items);
            // Rank 0 has more than it has room for, and so have the others after planning.
            if (breaks) options.items_max = static_cast<Tokens>(items / 2 + items / 20);
            if (world_size() == 1) options.items_max = static_cast<Tokens>(items);
            const Calls made = calls_of([&] {
                static_cast<void>(make_plan(world.comm(), given.counts()[here()], options));
            });
            EXPECT_LE(made.all(), breaks ? 10 : 7) << items << " items";
        }
}

/// What a plan in order of uneven items takes.
Calls calls_in_order(std::size_t items, std::size_t kinds, double tolerance, const World& world) {
    Case given = uneven(items, kinds, false);
    given.common.policy = Policy::keep_order;
    given.common.tolerance = tolerance;
    return calls_of([&] { plan_of(given, world); });
}

// What docs/reference/balancer.md says of each kind of items.
TEST(PlansInOrder, MakeAtMostSixCollectiveCalls) {
    std::size_t which = 0;
    for (const bool brings_words : {false, true}) {
        const World world(brings_words);
        for (const std::size_t kinds : {std::size_t{1}, std::size_t{3}})
            for (const double tolerance : {0.0, 0.1, 100.0}) {
                if (!test::plays_case(world_size(), which++)) continue;
                EXPECT_EQ(4, calls_in_order(few, kinds, tolerance, world).all());
                for (const std::size_t items : {many, very_many}) {
                    const Calls made = calls_in_order(items, kinds, tolerance, world);
                    EXPECT_EQ(2, made.reductions);
                    EXPECT_EQ(0, made.broadcasts);
                    EXPECT_LE(made.gatherings, 4);
                    EXPECT_GE(made.gatherings, 3);
                    if (tolerance == 100 || world_size() == 1) {  // all may stay
                        EXPECT_EQ(3, made.gatherings);
                    }
                }
            }
    }
}

TEST(PlansInOrder, TakePassesThroughTheRanksWithoutASketch) {
    if (world_size() == 1) GTEST_SKIP() << "all items stay";
    const std::size_t before = set_sketch_words(0);
    const World world(true);
    for (const double tolerance : {0.0, 0.1}) {
        const Calls made = calls_in_order(many, 1, tolerance, world);
        EXPECT_EQ(2, made.reductions);
        EXPECT_EQ(5, made.gatherings);
        EXPECT_GE(made.broadcasts, 2);
        EXPECT_LE(made.broadcasts, 9);
    }
    set_sketch_words(before);
}

TEST(PlansByCounts, MakeTwoCollectiveCallsWhereVotesBringWords) {
    const World bringing(true);
    const World not_bringing(false);
    const Tokens count = world_rank() == 0 ? 100 : 3;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order, Policy::random_pairs})
        for (const double speed : {1.0, 2.0}) {
            const Options options = {.policy = policy,
                                     .speed = policy == Policy::random_pairs ? 1.0 : speed};
            const auto plan = [&](const World& world) {
                return [&] { static_cast<void>(make_plan(world.comm(), count, options)); };
            };
            const bool level = world_size() == 1 && options.speed == 1;
            EXPECT_EQ(level ? 1 : 2, calls_of(plan(bringing)).all());
            EXPECT_EQ(level ? 1 : 3, calls_of(plan(not_bringing)).all());
        }
    EXPECT_EQ(1, calls_of([&] { static_cast<void>(make_plan(bringing.comm(), 5)); }).all());
}

TEST(Rebalancing, MakesNoFurtherCollectiveCallsThanItsPlan) {
    const World world(true);
    const auto level = [&] {
        std::vector<Grain> items =
            make_items(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 0), make_grain);
        items.resize(world_rank() == 0 ? 50 : 1);
        rebalance(world.comm(), items);
    };
    level();  // finds out who may copy from whom
    EXPECT_EQ(world_size() == 1 ? 1 : 2, calls_of(level).all());
}

/// Whether two plans are the same in all that callers see, except for the time.
bool same(const Plan& one, const Plan& other) {
    Report left = one.report();
    Report right = other.report();
    left.seconds_planning = right.seconds_planning = 0;
    return one.destinations() == other.destinations() && left.describe() == right.describe() &&
           left.moved_at_least == right.moved_at_least &&
           left.bytes_at_least == right.bytes_at_least &&
           left.largest_at_least == right.largest_at_least &&
           std::ranges::equal(one.transfers(), other.transfers());
}

TEST(VotesWithoutWords, LeadToTheSamePlans) {
    const World bringing(true);
    const World not_bringing(false);
    for (const Policy policy : {Policy::weighted, Policy::keep_order})
        for (const bool machines_first : {false, true})
            for (const std::size_t kinds : {std::size_t{1}, std::size_t{2}, std::size_t{9}}) {
                Case given = uneven(policy == Policy::weighted ? many : 200, kinds, false);
                given.common.policy = policy;
                given.common.machines_first = machines_first;
                for (int rank = 0; rank < world_size(); ++rank)
                    given.speeds.push_back(1 + rank % 2);
                EXPECT_TRUE(same(plan_of(given, bringing), plan_of(given, not_bringing)));
            }
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy :
             {Policy::minimum_moves, Policy::hierarchical, Policy::keep_order}) {
            const auto plan = [&](const World& world) {
                const Tokens count = counts[here()];
                return make_plan(world.comm(), count,
                                 {.policy = policy,
                                  .speed = 1.0 + world_rank(),
                                  .pinned = policy == Policy::keep_order ? 0 : count / 2,
                                  .items_max = 2 * count + 100});
            };
            EXPECT_TRUE(same(plan(bringing), plan(not_bringing)));
        }
}

TEST(VotesWithoutWords, AddUpWhatMustLeaveAllRanks) {
    for (const bool brings_words : {false, true}) {
        const World world(brings_words);
        for (const bool sized : {false, true}) {
            const Case given = uneven(many, 1, sized);
            const Plan plan = plan_of(given, world);
            const placement::Placement placed =
                placement::place(given.ranks(), given.place_options());
            EXPECT_EQ(placed.moved_at_least, plan.report().moved_at_least);
            EXPECT_DOUBLE_EQ(placed.bytes_at_least, plan.report().bytes_at_least);
            EXPECT_EQ(0, plan.inverse().report().moved_at_least);
            const LoanPlan loan = plan_loan(world.comm(), given.counts()[here()], given.options());
            EXPECT_EQ(placed.moved_at_least, loan.there.report().moved_at_least);
            EXPECT_EQ(0, loan.back.report().moved_at_least);
        }
    }
}

TEST(VotesWithoutWords, TellAllRanksTheSameError) {
    const World world(false);
    const auto error_of = [&](const Options& options, Tokens count) {
        try {
            static_cast<void>(make_plan(world.comm(), count, options));
        } catch (const mpi::CollectiveError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ("rank 0: bad input: expected a number of items between 0 and 2^61, found -1",
              error_of({}, world_rank() == 0 ? -1 : 4));
    if (world_size() == 1) return;
    const Options differing = {.policy =
                                   world_rank() == 0 ? Policy::minimum_moves : Policy::keep_order};
    EXPECT_NE(std::string::npos, error_of(differing, 4).find("keep-order"));
}

TEST(VotesWithoutWords, SurviveShortagesOfMemory) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const World world(false);
    for (const std::size_t items : {few, std::size_t{17'000}}) {
        const Case given = uneven(items, 1, false);
        const Options options = given.options();
        const Tokens count = given.counts()[here()];
        for (const int failing : {0, world_size() - 1}) {
            std::int64_t which = 0;
            for (bool any = true; any; which += which < 60 ? 1 : 7) {
                int threw = 0;
                any = test::falls_short(failing, which, [&] {
                    try {
                        static_cast<void>(make_plan(world.comm(), count, options));
                    } catch (const mpi::CollectiveError&) {
                        threw = 1;
                    }
                });
                MPI_Allreduce(MPI_IN_PLACE, &threw, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
                ASSERT_TRUE(threw == 0 || threw == world_size()) << "allocation " << which;
            }
            EXPECT_GT(which, 10);
        }
    }
}

}  // namespace
}  // namespace equipoise::balancer::collective_calls
