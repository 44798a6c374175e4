// What is wrong is refused also where loads are level and nothing has to move: a program finds out
// in its first step, not in the first that is not level.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;

/// A communicator whose ranks are on a line, or on a ring.
class CartRanks {
  public:
    explicit CartRanks(bool closed = false) {
        const int ranks = world_size();
        const int periodic = closed ? 1 : 0;
        MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &comm_);
    }
    CartRanks(const CartRanks&) = delete;
    CartRanks& operator=(const CartRanks&) = delete;
    ~CartRanks() { MPI_Comm_free(&comm_); }

    [[nodiscard]] MPI_Comm comm() const { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What a call throws on all ranks alike; empty: nothing.
std::string thrown(const std::function<void()>& call) {
    std::string text;
    try {
        call();
    } catch (const CollectiveError& error) {
        text = error.what();
    }
    engine::Ballot mine;
    mine.must_be_equal = mpi::digest_of(text);
    EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine)) << text;
    return text;
}

/// As many items on every rank, or one more on rank 0, or all of them on rank 0.
const std::array<Tokens, 3> more_on_first = {0, 1, 60};

std::string refusal(MPI_Comm comm, const Options& options, Tokens more) {
    std::vector<Grain> items(static_cast<std::size_t>(4 + (world_rank() == 0 ? more : 0)));
    return thrown([&] { rebalance(comm, items, options); });
}

TEST(LevelLoads, DoNotHideThatThereIsNoTopology) {
    for (const Tokens more : more_on_first)
        EXPECT_EQ(
            "rank 0: bad input: expected a communicator with a topology, one from MPI_Cart_create, "
            "MPI_Graph_create or MPI_Dist_graph_create, found one without",
            refusal(MPI_COMM_WORLD, neighbours_only(), more));
    EXPECT_NE("",
              thrown([] { static_cast<void>(make_plan(MPI_COMM_WORLD, 4, neighbours_only())); }));
}

TEST(LevelLoads, DoNotHideAlgorithmsThatCannotPlan) {
    const CartRanks line;
    for (const Tokens more : more_on_first) {
        EXPECT_EQ(
            "rank 0: bad input: neighbours-only: unknown algorithm \"deal-agrement-2\": did you "
            "mean \"deal-agreement-2\"?",
            refusal(line.comm(), neighbours_only("deal-agrement-2"), more));
        EXPECT_EQ("", refusal(line.comm(), neighbours_only(), more));
        EXPECT_NE(std::string::npos, refusal(line.comm(), neighbours_only("deal-agreement-1"), more)
                                         .find("uses fractions of items"));
    }
}

TEST(LevelLoads, DoNotHideATopologyThatAnAlgorithmCannotUse) {
    if (world_size() < 3) return;
    const CartRanks line;
    const CartRanks ring(true);
    for (const Tokens more : more_on_first) {
        EXPECT_EQ(
            "rank 0: bad input: neighbours-only: the topology is not a ring: expected one cycle of "
            "three ranks or more",
            refusal(line.comm(), neighbours_only("async-ring-distribution"), more));
        EXPECT_EQ("", refusal(ring.comm(), neighbours_only("async-ring-distribution"), more));
    }
    // A topology in two parts.
    const int rank = world_rank();
    const int ranks = world_size();
    const int other = rank < ranks / 2 ? (rank + 1) % (ranks / 2)
                                       : ranks / 2 + (rank + 1 - ranks / 2) % (ranks - ranks / 2);
    const int degree = other == rank ? 0 : 1;
    MPI_Comm parts = MPI_COMM_NULL;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                          0, &parts);
    for (const Tokens more : more_on_first)
        EXPECT_EQ(
            "rank 0: bad input: neighbours-only: the topology is not connected: expected one "
            "component",
            refusal(parts, neighbours_only(), more));
    MPI_Comm_free(&parts);
}

// Whatever the catalogue refuses, it says so in words of MPI: no nodes, tokens and networks, no
// specs and options of the command line.
TEST(NeighboursOnly, SpeaksOfRanksAndItems) {
    const CartRanks line;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms()) {
        std::vector<Grain> items(static_cast<std::size_t>(world_rank() == 0 ? 9 : 2));
        const std::string text =
            thrown([&] { rebalance(line.comm(), items, neighbours_only(algorithm.name)); });
        for (const char* word : {"token ", "tokens", " node", "network", ":n=", "--", "mesh:"})
            EXPECT_EQ(std::string::npos, text.find(word)) << algorithm.name << ": " << text;
    }
    std::vector<Grain> items(4);
    const double speed = world_rank() == 0 ? 1.5 : 1;
    EXPECT_NE(std::string::npos,
              thrown([&] {
                  Options options = neighbours_only();
                  options.speed = speed;
                  rebalance(line.comm(), items, options);
              }).find("expected speeds that are whole numbers from 1 to 10^9, found 1.5"));
}

TEST(LevelLoads, DoNotHideItemsOfDifferentTypes) {
    if (world_size() == 1) return;
    for (const Tokens more : more_on_first) {
        const std::size_t count = 4 + static_cast<std::size_t>(world_rank() == 0 ? more : 0);
        const bool odd = world_rank() == world_size() - 1;
        const std::string differing =
            "rank " + std::to_string(world_size() - 1) + ": different calls: ";
        std::vector<std::int32_t> narrow(count);
        std::vector<std::int64_t> wide(count);
        EXPECT_EQ(differing +
                      "items of 4 bytes, policy minimum-moves, but rank 0: items of 8 bytes, "
                      "policy minimum-moves",
                  thrown([&] {
                      odd ? rebalance(MPI_COMM_WORLD, narrow) : rebalance(MPI_COMM_WORLD, wide);
                  }));
        // Sent as bytes here, by a serialiser there.
        std::vector<Grain> grains(count);
        std::vector<Sack> sacks(count);
        EXPECT_TRUE(thrown([&] {
                        if (odd)
                            rebalance(MPI_COMM_WORLD, sacks, {}, SackSerialiser());
                        else
                            rebalance(MPI_COMM_WORLD, grains);
                    }).starts_with(differing));
        // With weights that move along, or with weights that are only read.
        std::vector<double> weights(count, 1);
        EXPECT_TRUE(thrown([&] {
                        if (odd)
                            rebalance(MPI_COMM_WORLD, wide, weights);
                        else
                            rebalance(MPI_COMM_WORLD, wide,
                                      {.policy = Policy::weighted, .weights = weights});
                    }).starts_with(differing));
    }
}

TEST(TooManyItems, AreRefusedHoweverTheyAreSpread) {
    if (world_size() == 1) return;
    const std::string text =
        "rank 0: bad input: expected at most 2^61 - 1 items on all ranks together, found more";
    for (const Policy policy :
         {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical, Policy::random_pairs})
        for (const Tokens less : {Tokens{0}, Tokens{5}})
            EXPECT_EQ(text, thrown([&] {
                          const Tokens count = tokens_max - (world_rank() == 0 ? less : 0);
                          static_cast<void>(make_plan(MPI_COMM_WORLD, count, {.policy = policy}));
                      }));
}

}  // namespace
}  // namespace equipoise::balancer
