// Failures are injected on one rank after another: every rank must throw the same exception, and
// all items must be where they were.

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;
using mpi::Failure;

std::size_t own_rank() {
    return static_cast<std::size_t>(world_rank());
}

// Everything on rank 0, so that others have to make room and rank 0 to pack.
std::vector<Tokens> pile() {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts[0] = 60;
    return counts;
}

// `action(failing here)` must throw the same on all ranks, whichever rank from `first` on fails.
void expect_alike(Failure kind, int first, const std::function<void(bool)>& action) {
    for (int failing = first; failing < world_size(); ++failing) {
        try {
            action(world_rank() == failing);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const CollectiveError& error) {
            EXPECT_EQ(kind, error.failure()) << error.what();
            EXPECT_EQ(failing, error.rank()) << error.what();
            const std::hash<std::string> digest;
            engine::Ballot mine;
            mine.must_be_equal = digest(error.what());
            EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine));
        }
    }
}

TEST(BadOptions, AreThrownOnEveryRank) {
    const std::vector<Options> bad = {
        {.speed = -1},
        {.speed = std::numeric_limits<double>::quiet_NaN()},
        {.pinned = 1000},
        {.pinned = -1},
        {.message_bytes_max = 0},
    };
    const std::vector<Grain> before = make_items(pile(), make_grain);
    for (const Options& options : bad) {
        std::vector<Grain> items = before;
        expect_alike(Failure::input, 0, [&](bool here) {
            rebalance(MPI_COMM_WORLD, items, here ? options : Options{});
        });
        EXPECT_EQ(before, items);
    }
}

TEST(BadOptions, AreNamedWithWhatWasFound) {
    std::vector<Grain> items;
    try {
        rebalance(MPI_COMM_WORLD, items, {.speed = world_rank() == 0 ? -2.5 : 1});
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CollectiveError& error) {
        EXPECT_STREQ(
            "rank 0: bad input: expected a speed that is finite and at least 0, found -2.5",
            error.what());
    }
}

TEST(BadWeights, AreThrownOnEveryRank) {
    std::vector<Grain> items = make_items(pile(), make_grain);
    const std::vector<double> right(items.size(), 1);
    const std::vector<double> wrong(items.size() + 1, 1);
    const auto weighted = [&](const std::vector<double>& weights) {
        rebalance(MPI_COMM_WORLD, items, {.policy = Policy::weighted, .weights = weights});
    };
    expect_alike(Failure::input, 0, [&](bool here) { weighted(here ? wrong : right); });
    expect_alike(Failure::input, 0, [&](bool here) {
        rebalance(MPI_COMM_WORLD, items, {.weights = std::span(wrong).first(here ? 1 : 0)});
    });
    EXPECT_EQ(make_items(pile(), make_grain), items);
}

TEST(BadWeights, AreNamedAsWeightsWithHowToKeepThemInStep) {
    std::vector<Grain> items(3);
    std::vector<double> weights(5, 1);
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { rebalance(MPI_COMM_WORLD, items, weights); },
             [&] {
                 rebalance(MPI_COMM_WORLD, items, {.policy = Policy::weighted, .weights = weights});
             }}) {
        try {
            call();
            ADD_FAILURE() << "nothing was thrown";
        } catch (const CollectiveError& error) {
            EXPECT_STREQ(
                "rank 0: bad input: expected one weight for each of 3 items (weights move with the "
                "items where rebalance is given their vector), found 5 weights",
                error.what());
        }
    }
    EXPECT_EQ(items.size(), 3U);
    EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, weights, {.policy = Policy::keep_order}),
                 CollectiveError);
}

TEST(SpeedsOfZero, AreRefusedIfNoRankIsLeft) {
    std::vector<Grain> items = make_items(pile(), make_grain);
    EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, {.speed = 0}), CollectiveError);
    EXPECT_EQ(make_items(pile(), make_grain), items);
}

TEST(DifferingOptions, AreThrownOnEveryRank) {
    const std::vector<Options> other = {
        {.policy = Policy::keep_order},
        {.machine = 1},
        {.message_bytes_max = 1024},
    };
    std::vector<Grain> items = make_items(pile(), make_grain);
    for (const Options& options : other)
        expect_alike(Failure::differing, 1, [&](bool here) {
            rebalance(MPI_COMM_WORLD, items, here ? options : Options{});
        });
    EXPECT_EQ(make_items(pile(), make_grain), items);
}

TEST(NeighboursOnly, RefusesWhatItCannotPlanOnEveryRank) {
    std::vector<Grain> items = make_items(pile(), make_grain);
    if (world_size() == 1) return;
    const auto expect_refusal = [&](MPI_Comm communicator, const Options& options,
                                    const std::string& text) {
        try {
            rebalance(communicator, items, options);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const CollectiveError& error) {
            EXPECT_NE(std::string::npos, std::string(error.what()).find(text)) << error.what();
        }
    };
    expect_refusal(MPI_COMM_WORLD, neighbours_only(), "topology");
    expect_refusal(MPI_COMM_WORLD, {.policy = Policy::neighbours_only},
                   "made by neighbours_only()");
    expect_refusal(MPI_COMM_WORLD, {.policy = Policy::random_pairs, .speed = 2},
                   "no pinned items or speeds");
    MPI_Comm line = MPI_COMM_NULL;
    const int size = world_size();
    const int periodic = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &line);
    expect_refusal(line, neighbours_only("deal-agrement-2"), "deal-agreement-2");
    expect_refusal(line, neighbours_only("deal-agreement-1"), "fractions of items");
    MPI_Comm_free(&line);
    EXPECT_EQ(make_items(pile(), make_grain), items);
}

TEST(DifferingTypes, AreThrownOnEveryRank) {
    const Plan plan = make_plan(MPI_COMM_WORLD, pile()[own_rank()]);
    std::vector<char> small(static_cast<std::size_t>(pile()[own_rank()]));
    std::vector<double> large(small.size());
    expect_alike(Failure::differing, 1, [&](bool here) {
        if (here)
            plan.execute(large);
        else
            plan.execute(small);
    });
}

TEST(WrongSizes, AreThrownOnEveryRank) {
    const Plan plan = make_plan(MPI_COMM_WORLD, pile()[own_rank()]);
    expect_alike(Failure::input, 0, [&](bool here) {
        std::vector<int> items(static_cast<std::size_t>(pile()[own_rank()] + (here ? 1 : 0)));
        plan.execute(items);
    });
}

TEST(MemoryShortage, LeavesAllItemsWhereTheyWere) {
    using Refusing = RefusingAllocator<Grain>;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order}) {
        const std::vector<Grain> before = make_items(pile(), make_grain);
        // Rank 0 only gives: it needs no memory.
        expect_alike(Failure::memory, 1, [&](bool here) {
            std::vector<Grain, Refusing> items(before.begin(), before.end());
            Refusing::refuses = here;
            try {
                rebalance(MPI_COMM_WORLD, items, {.policy = policy});
            } catch (...) {
                Refusing::refuses = false;
                EXPECT_TRUE(std::equal(before.begin(), before.end(), items.begin(), items.end()));
                throw;
            }
        });
    }
}

struct BreakingSerialiser : SackSerialiser {
    bool breaks_saving = false;
    bool breaks_loading = false;
    bool runs_out = false;

    void save(const Sack& sack, ByteWriter& out) const {
        if (breaks_saving && sack.number == 59) throw std::runtime_error("cannot save");
        SackSerialiser::save(sack, out);
    }
    [[nodiscard]] Sack load(ByteReader& in) const {
        if (breaks_loading) throw 7;
        if (runs_out) (void)in.take_bytes(1000);
        return SackSerialiser::load(in);
    }
};

TEST(ThrowingSerialisers, LeaveAllItemsWhereTheyWere) {
    const std::vector<Sack> before = make_items(pile(), make_sack);
    if (world_size() == 1) return;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order}) {
        std::vector<Sack> items = before;
        BreakingSerialiser saving;
        saving.breaks_saving = true;
        try {
            rebalance(MPI_COMM_WORLD, items, {.policy = policy}, saving);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const CollectiveError& error) {
            EXPECT_STREQ("rank 0: the caller's code threw: cannot save", error.what());
        }
        EXPECT_EQ(before, items);
        expect_alike(Failure::user_code, 1, [&](bool here) {
            BreakingSerialiser loading;
            loading.breaks_loading = here;
            rebalance(MPI_COMM_WORLD, items, {.policy = policy}, loading);
        });
        EXPECT_EQ(before, items);
        expect_alike(Failure::input, 1, [&](bool here) {
            BreakingSerialiser loading;
            loading.runs_out = here;
            rebalance(MPI_COMM_WORLD, items, {.policy = policy}, loading);
        });
        EXPECT_EQ(before, items);
    }
}

TEST(ThrowingSerialisers, LeaveWeightsWithTheirItems) {
    const std::vector<Sack> before = make_items(pile(), make_sack);
    const std::vector<double> weights_before(before.size(), 1.5);
    if (world_size() == 1) return;
    std::vector<Sack> items = before;
    std::vector<double> weights = weights_before;
    expect_alike(Failure::user_code, 1, [&](bool here) {
        BreakingSerialiser loading;
        loading.breaks_loading = here;
        rebalance(MPI_COMM_WORLD, items, weights, {}, loading);
    });
    EXPECT_EQ(before, items);
    EXPECT_EQ(weights_before, weights);
}

TEST(BadCostModels, AreThrownOnEveryRank) {
    const Plan plan = make_plan(MPI_COMM_WORLD, pile()[own_rank()]);
    expect_alike(Failure::input, 0, [&](bool here) {
        (void)plan.worth_it({.seconds_per_item = here ? -1.0 : 1.0, .steps = 1});
    });
}

TEST(AfterAnError, TheNextCallWorks) {
    std::vector<Grain> items = make_items(pile(), make_grain);
    EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, {.speed = -1}), CollectiveError);
    rebalance(MPI_COMM_WORLD, items);
    EXPECT_TRUE(all_there(all_numbers(items)));
}

}  // namespace
}  // namespace equipoise::balancer
