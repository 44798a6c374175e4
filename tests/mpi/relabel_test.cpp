#include "equipoise/balancer/relabel.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/random.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

// New parts of the items of every rank; the same on all ranks.
struct Partition {
    std::vector<std::vector<int>> part;
    std::vector<std::vector<Tokens>> bytes;

    explicit Partition(std::uint64_t seed, int parts) {
        RandomStream random(seed, Purpose::loads);
        const auto ranks = static_cast<std::size_t>(world_size());
        part.resize(ranks);
        bytes.resize(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const std::uint64_t items = random.below(3) == 0 ? 0 : random.below(40);
            for (std::uint64_t i = 0; i < items; ++i) {
                part[rank].push_back(
                    static_cast<int>(random.below(static_cast<std::uint64_t>(parts))));
                bytes[rank].push_back(static_cast<Tokens>(random.below(100)));
            }
        }
    }
    [[nodiscard]] const std::vector<int>& my_part() const {
        return part[static_cast<std::size_t>(world_rank())];
    }
    [[nodiscard]] const std::vector<Tokens>& my_bytes() const {
        return bytes[static_cast<std::size_t>(world_rank())];
    }
    [[nodiscard]] std::vector<placement::Holding> holdings() const {
        std::vector<placement::Holding> all;
        for (std::size_t rank = 0; rank < part.size(); ++rank)
            for (int some = 0; some < 100; ++some) {
                Tokens sum = 0;
                for (std::size_t i = 0; i < part[rank].size(); ++i)
                    if (part[rank][i] == some) sum += bytes[rank][i];
                if (sum > 0) all.push_back({static_cast<int>(rank), some, sum});
            }
        return all;
    }
};

TEST(Relabel, FindsOnEveryRankWhatIsCertifiedToMoveTheFewestBytes) {
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        for (const int a_rank : {1, 3}) {
            const int parts = world_size() * a_rank - static_cast<int>(seed % 2);
            if (parts == 0) continue;
            const Partition partition(seed, parts);
            const bool machines_first = seed % 3 == 0;
            RelabelOptions options = {.parts = parts, .parts_a_rank = a_rank};
            std::vector<int> machines;
            if (machines_first) {
                options.machines_first = true;
                options.machine = world_rank() / 2;
                for (int rank = 0; rank < world_size(); ++rank)
                    machines.push_back(rank / 2);
            }
            const Relabelled found =
                relabel(MPI_COMM_WORLD, partition.my_part(), partition.my_bytes(), options);
            const std::vector<placement::Holding> holdings = partition.holdings();
            const placement::RelabelProblem problem = {parts, world_size(), a_rank, holdings,
                                                       machines};
            EXPECT_EQ("", placement::fault_of(found, problem));
            EXPECT_EQ(placement::fewest_bytes(problem).rank_of_part, found.rank_of_part);
            EXPECT_LE(found.between_machines, found.between_machines_by_identity);
            EXPECT_TRUE(machines_first || found.moved <= found.moved_by_identity);
        }
}

TEST(RelabelInPlace, NamesTheRanksToWhichItemsThenGo) {
    const Partition partition(7, world_size());
    std::vector<int> part = partition.my_part();
    const Relabelled found = relabel_in_place(MPI_COMM_WORLD, part, partition.my_bytes());
    for (std::size_t i = 0; i < part.size(); ++i)
        EXPECT_EQ(part[i], found.rank_of_part[static_cast<std::size_t>(partition.my_part()[i])]);
    std::vector<int> parts_of_items = partition.my_part();
    plan_to(MPI_COMM_WORLD, part).execute(parts_of_items);
    for (const int some : parts_of_items)
        EXPECT_EQ(world_rank(), found.rank_of_part[static_cast<std::size_t>(some)]);
}

TEST(Relabel, MovesNothingIfPartsOnlyHaveOtherNames) {
    const int other = (world_rank() + 1) % world_size();
    const std::vector<int> part(50, other);
    const Relabelled found = relabel(MPI_COMM_WORLD, part);
    EXPECT_EQ(0, found.moved);
    EXPECT_EQ(50 * world_size(), found.bytes);
    EXPECT_EQ(world_size() == 1 ? 0 : found.bytes, found.moved_by_identity);
    EXPECT_EQ(world_rank(), found.rank_of_part[static_cast<std::size_t>(other)]);
    EXPECT_EQ(0, relabel(MPI_COMM_WORLD, {}).moved);
}

template <class Number>
void expect_the_same_of() {
    const Partition partition(1, world_size());
    std::vector<int> narrow = partition.my_part();
    std::vector<Number> wide(narrow.begin(), narrow.end());
    const Relabelled expected = relabel_in_place(MPI_COMM_WORLD, narrow, partition.my_bytes());
    const Relabelled found =
        relabel(MPI_COMM_WORLD, std::span<const Number>(wide), partition.my_bytes());
    EXPECT_EQ(expected.rank_of_part, found.rank_of_part);
    relabel_in_place(MPI_COMM_WORLD, wide, partition.my_bytes());
    EXPECT_EQ(std::vector<Number>(narrow.begin(), narrow.end()), wide);
}

TEST(Relabel, TakesPartsOfAnyWholeNumbersAndCutsNone) {
    expect_the_same_of<std::int64_t>();
    expect_the_same_of<std::uint64_t>();
    expect_the_same_of<long long>();
    expect_the_same_of<std::uint32_t>();
    const std::vector<std::int8_t> small(3, 0);
    EXPECT_EQ(world_size() * 3, relabel(MPI_COMM_WORLD, small).bytes);
    for (const std::int64_t part :
         {std::int64_t{1} << 32U, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
        std::vector<std::int64_t> bad = {0, part};
        EXPECT_THROW(relabel_in_place(MPI_COMM_WORLD, bad), mpi::CollectiveError);
        EXPECT_EQ((std::vector<std::int64_t>{0, part}), bad);
    }
    std::vector<std::uint64_t> huge = {0, std::uint64_t{1} << 63U};
    try {
        relabel_in_place(MPI_COMM_WORLD, huge);
        ADD_FAILURE() << "a part was cut";
    } catch (const mpi::CollectiveError& error) {
        EXPECT_STREQ("rank 0: bad input: expected parts below 2^63, found 9223372036854775808",
                     error.what());
    }
}

TEST(Relabel, SaysThatBytesAreTheFewestOnlyWhereNothingComesBefore) {
    const std::vector<int> part(8, world_rank());
    const std::string all = std::to_string(8 * world_size());
    EXPECT_EQ("moves 0 bytes of " + all +
                  ", the fewest possible; leaving part p on rank p would move 0\n",
              relabel(MPI_COMM_WORLD, part).describe());
    EXPECT_EQ("moves 0 bytes of " + all +
                  ", the fewest that keep those between machines fewest; leaving part p on "
                  "rank p would move 0\n"
                  "between machines: 0 bytes, the fewest possible; with part p on rank p: 0\n",
              relabel(MPI_COMM_WORLD, part, {}, {.machines_first = true}).describe());
}

TEST(Relabel, RefusesBadInputOnAllRanksAlike) {
    const std::vector<int> part = {0, 0};
    const std::vector<Tokens> sizes = {1, 2};
    const std::vector<Tokens> negative = {1, -2};
    const std::vector<Tokens> few = {1};
    const std::vector<int> minus = {-1};
    const std::vector<int> many = {world_size()};
    const auto thrown = [](const std::function<void(bool)>& call) {
        try {
            call(world_rank() == world_size() - 1);
        } catch (const mpi::CollectiveError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string rank = "rank " + std::to_string(world_size() - 1) + ": bad input: ";
    const auto with = [&](const auto& bad_part, const auto& bad_bytes) {
        return thrown([&](bool here) {
            static_cast<void>(
                relabel(MPI_COMM_WORLD, here ? bad_part : part, here ? bad_bytes : sizes));
        });
    };
    EXPECT_EQ(rank + "expected sizes of 0 to 2^61 - 1 bytes, found -2", with(part, negative));
    EXPECT_EQ(rank + "expected one size for each of 2 items, found 1", with(part, few));
    EXPECT_EQ(rank + "expected parts of at least 0, found -1", with(minus, few));
    EXPECT_EQ("rank 0: bad input: expected at most 1 part for each of " +
                  std::to_string(world_size()) + (world_size() == 1 ? " rank" : " ranks") +
                  ", found " + std::to_string(world_size() + 1) + " parts",
              with(many, few));
    EXPECT_EQ(
        rank + "expected at least 1 part a rank, found 0", thrown([&](bool here) {
            static_cast<void>(relabel(MPI_COMM_WORLD, part, sizes, {.parts_a_rank = here ? 0 : 1}));
        }));
    // Refused before memory is taken for so many.
    const std::vector<int> last = {0, std::numeric_limits<int>::max() - 1};
    EXPECT_EQ("rank 0: bad input: expected at most 16,777,216 parts, found 2,147,483,647",
              thrown([&](bool here) {
                  static_cast<void>(relabel(MPI_COMM_WORLD, here ? last : part, sizes,
                                            {.parts_a_rank = std::numeric_limits<int>::max()}));
              }));
    if (world_size() == 1) return;
    EXPECT_EQ("rank 0: bad input: expected sizes of the items of all ranks or of none",
              with(part, std::vector<Tokens>()));
    EXPECT_NE("", thrown([&](bool here) {
                  static_cast<void>(relabel(MPI_COMM_WORLD, part, sizes, {.parts = here ? 1 : 2}));
              }));
}

TEST(Relabel, FailsOnAllRanksIfOneHasNoMemory) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    const Partition partition(3, world_size());
    for (const bool machines_first : {false, true}) {
        RelabelOptions options;
        options.machines_first = machines_first;
        if (machines_first) options.machine = world_rank() % 2;
        int failures = 0;
        for (bool any = true; any; ++failures) {
            bool threw = false;
            any = test::falls_short(world_size() - 1, failures, [&] {
                try {
                    static_cast<void>(relabel(MPI_COMM_WORLD, partition.my_part(),
                                              partition.my_bytes(), options));
                } catch (const mpi::CollectiveError&) {
                    threw = true;
                }
            });
            EXPECT_EQ(any, threw);
        }
        EXPECT_GT(failures, 5);
    }
}

}  // namespace
}  // namespace equipoise::balancer
