// Messages that the receiver copies out of the sender's memory, and what happens where the system
// refuses.

#include "equipoise/mpi/direct_messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/direct_copy.hpp"
#include "equipoise/mpi/messages.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::mpi {
namespace {

using balancer::world_rank;
using balancer::world_size;

// A communicator of its own, whose ranks have yet to find out about each other. They copy directly
// even if there are more of them than processors.
class OwnWorld {
  public:
    OwnWorld() {
        setenv("EQUIPOISE_DIRECT_COPIES", "on", 0);
        MPI_Comm_dup(MPI_COMM_WORLD, &own_);
    }
    OwnWorld(const OwnWorld&) = delete;
    OwnWorld& operator=(const OwnWorld&) = delete;
    ~OwnWorld() { MPI_Comm_free(&own_); }
    [[nodiscard]] MPI_Comm raw() const { return own_; }

  private:
    MPI_Comm own_ = MPI_COMM_NULL;
};

// Until it goes, this many bytes may be copied directly.
class CopiesUntil {
  public:
    explicit CopiesUntil(std::uint64_t bytes) { refuse_direct_copies_after(bytes); }
    CopiesUntil(const CopiesUntil&) = delete;
    CopiesUntil& operator=(const CopiesUntil&) = delete;
    ~CopiesUntil() { refuse_direct_copies_after(std::numeric_limits<std::uint64_t>::max()); }
};

bool switched_off() {
    return direct_copies_wanted() == DirectCopies::off;
}

std::vector<std::byte> pattern(std::size_t bytes, int from, int to) {
    std::vector<std::byte> made(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        made[i] = static_cast<std::byte>((i * 31 + i / 251 + static_cast<std::size_t>(from) * 7 +
                                          static_cast<std::size_t>(to) * 13) %
                                         256);
    return made;
}

// Every rank sends every other a message of each length; half of them are taken piece by piece.
void exchange_all(const Communicator& world, std::span<const std::size_t> lengths) {
    constexpr std::size_t piece = 100'000;  // no divisor of the lengths
    std::vector<std::vector<std::byte>> sent;
    std::vector<std::vector<std::byte>> received;
    std::vector<std::vector<std::byte>> rooms;
    std::vector<TakeBytes> takes;
    const std::size_t messages = lengths.size() * static_cast<std::size_t>(world.size());
    for (auto* all : {&sent, &received, &rooms})
        all->reserve(messages);
    takes.reserve(messages);
    Messages under_way(world, message_bytes_default, Within::directly);
    for (int other = 0; other < world.size(); ++other) {
        if (other == world.rank()) continue;
        for (const std::size_t bytes : lengths) {
            std::vector<std::byte>& arrived = received.emplace_back();
            const bool taken = received.size() % 2 == 0 &&
                               (bytes < direct_bytes_min || under_way.directly(other, bytes));
            sent.push_back(pattern(bytes, world.rank(), other));
            if (taken) {
                rooms.emplace_back(bytes < direct_bytes_min ? bytes : piece);
                takes.emplace_back([&arrived](std::span<const std::byte> some) {
                    arrived.insert(arrived.end(), some.begin(), some.end());
                });
                under_way.receive(other, bytes, rooms.back(), takes.back());
            } else {
                arrived.resize(bytes);
                under_way.receive(other, arrived);
            }
            under_way.send(other, sent.back());
        }
    }
    under_way.wait();
    std::size_t next = 0;
    for (int other = 0; other < world.size(); ++other) {
        if (other == world.rank()) continue;
        for (const std::size_t bytes : lengths) {
            EXPECT_EQ(pattern(bytes, other, world.rank()), received[next++])
                << bytes << " bytes from " << other;
        }
    }
}

constexpr std::array<std::size_t, 7> lengths = {
    0, 1, direct_bytes_min - 1, direct_bytes_min, 262'144, 262'145, 1'234'567};

TEST(DirectMessages, AreOfferedBetweenAllRanksOfAMachineUnlessSwitchedOff) {
    const OwnWorld own;
    const Communicator world(own.raw());
    const Messages before(world, message_bytes_default, Within::directly);
    for (int rank = 0; rank < world.size(); ++rank)
        EXPECT_FALSE(before.directly(rank, direct_bytes_min)) << "not found out yet";
    world.find_direct_partners();
    const Messages after(world, message_bytes_default, Within::directly);
    const Messages through_mpi(world, message_bytes_default);
    for (int rank = 0; rank < world.size(); ++rank) {
        EXPECT_EQ(rank != world.rank() && !switched_off(), after.directly(rank, direct_bytes_min));
        EXPECT_FALSE(after.directly(rank, direct_bytes_min - 1));
        EXPECT_FALSE(through_mpi.directly(rank, direct_bytes_min));
    }
}

TEST(DirectMessages, AreNotOfferedIfOneRankOfTheMachineIsRefused) {
    const OwnWorld own;
    const Communicator world(own.raw());
    if (world.size() == 1) GTEST_SKIP() << "needs other ranks";
    {
        const CopiesUntil refused(world.rank() == world.size() - 1 ? 0 : 1'000'000);
        world.find_direct_partners();
    }
    for (int rank = 0; rank < world.size(); ++rank)
        EXPECT_EQ(0, world.direct_partner(rank));
    EXPECT_TRUE(world.shares_machine(0));
    exchange_all(world, lengths);
}

TEST(DirectMessages, ArriveWholeInAnyMixtureOfLengths) {
    const OwnWorld own;
    const Communicator world(own.raw());
    world.find_direct_partners();
    exchange_all(world, lengths);
    exchange_all(world, lengths);
}

TEST(DirectMessages, ArriveWholeIfTheSystemRefusesHalfWay) {
    const OwnWorld own;
    const Communicator world(own.raw());
    world.find_direct_partners();
    for (const std::uint64_t allowed : {0, 1, 50'000, 300'000, 2'000'000}) {
        // Some ranks are refused, others are not; and all at once.
        for (const int step : {1, 2}) {
            const CopiesUntil refused(
                world.rank() % step == 0 ? allowed : std::numeric_limits<std::uint64_t>::max());
            exchange_all(world, lengths);
        }
    }
}

struct Brick {
    std::uint64_t number = 0;
    std::array<std::uint32_t, 7> sides = {};  // 40 bytes: no divisor of a piece
    friend bool operator==(const Brick&, const Brick&) = default;
};
Brick make_brick(std::uint64_t number) {
    Brick brick;
    brick.number = number;
    for (std::size_t i = 0; i < brick.sides.size(); ++i)
        brick.sides[i] = static_cast<std::uint32_t>(number * (i + 3));
    return brick;
}

// Moves many bricks by a policy, and checks that each is somewhere once, whole.
void move_bricks(MPI_Comm comm, const std::vector<Tokens>& counts, balancer::Policy policy) {
    std::uint64_t number = 0;
    for (int rank = 0; rank < world_rank(); ++rank)
        number += static_cast<std::uint64_t>(counts[static_cast<std::size_t>(rank)]);
    std::vector<Brick> bricks;
    for (Tokens i = 0; i < counts[static_cast<std::size_t>(world_rank())]; ++i)
        bricks.push_back(make_brick(number++));
    const auto total = std::accumulate(counts.begin(), counts.end(), Tokens{0});
    balancer::rebalance(comm, bricks, {.policy = policy});
    const auto share = static_cast<std::size_t>(total / world_size());
    EXPECT_TRUE(bricks.size() == share || bricks.size() == share + 1);
    if (policy == balancer::Policy::keep_order) {
        for (std::size_t i = 1; i < bricks.size(); ++i)
            ASSERT_EQ(bricks[i - 1].number + 1, bricks[i].number);
    }
    std::vector<std::uint64_t> mine(static_cast<std::size_t>(total), 0);
    for (const Brick& brick : bricks) {
        ASSERT_EQ(make_brick(brick.number), brick);
        ++mine[brick.number];
    }
    std::vector<std::uint64_t> all(mine.size());
    MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    EXPECT_EQ(std::vector<std::uint64_t>(all.size(), 1), all);
}

std::vector<std::vector<Tokens>> long_distributions() {
    const auto ranks = static_cast<std::size_t>(world_size());
    RandomStream stream(7, Purpose::loads);
    std::vector<std::vector<Tokens>> all;
    all.emplace_back(ranks, 0);
    all.back().front() = 60'000;
    all.emplace_back(ranks, 0);
    all.back().back() = 60'000;
    all.emplace_back(ranks, 9'000);  // short and long messages at once
    all.back().front() = 20'000;
    all.back().back() = 8'900;
    for (int i = 0; i < 3; ++i) {
        all.emplace_back();
        for (std::size_t rank = 0; rank < ranks; ++rank)
            all.back().push_back(static_cast<Tokens>(stream.below(20'000)));
    }
    return all;
}

TEST(DirectMoves, BringEveryItemWholeByEveryPolicy) {
    const OwnWorld own;
    for (const auto policy : {balancer::Policy::minimum_moves, balancer::Policy::keep_order})
        for (const std::vector<Tokens>& counts : long_distributions())
            move_bricks(own.raw(), counts, policy);
}

TEST(DirectMoves, BringEveryItemWholeIfTheSystemRefusesHalfWay) {
    const OwnWorld own;
    move_bricks(own.raw(), long_distributions().front(), balancer::Policy::minimum_moves);
    for (const std::uint64_t allowed : {0, 1, 41, 300'000, 700'000}) {
        const CopiesUntil refused(allowed);
        for (const auto policy : {balancer::Policy::minimum_moves, balancer::Policy::keep_order})
            for (const std::vector<Tokens>& counts : long_distributions())
                move_bricks(own.raw(), counts, policy);
    }
}

TEST(DirectMoves, FillAVectorWithoutMakingItLongerThanItsMemory) {
    std::vector<Brick> bricks(world_rank() == 0 ? 50'000 : 10);
    bricks.reserve(world_rank() == 0 ? 0 : 60'000);
    const Brick* const before = bricks.data();
    balancer::rebalance(MPI_COMM_WORLD, bricks, {});
    if (world_rank() == 0) return;
    EXPECT_EQ(before, bricks.data());
}

#if defined(__linux__)
TEST(DirectCopies, AreMadeWhereEveryProcessMayHaveAProcessorOfItsOwn) {
    const std::vector<int> two = {0, 1};
    const std::vector<int> first = {0};
    const std::vector<int> second = {1};
    const std::vector<int> unknown;
    const auto suffice = [](const std::vector<std::vector<int>>& machine) {
        std::vector<Processors> processes;
        for (const std::vector<int>& numbers : machine)
            processes.push_back(processors_of(numbers));
        return processors_suffice(processes);
    };
    EXPECT_TRUE(suffice({two}));
    EXPECT_TRUE(suffice({two, two}));
    EXPECT_FALSE(suffice({two, two, two}));
    EXPECT_TRUE(suffice({first, second}));
    EXPECT_FALSE(suffice({first, first}));
    EXPECT_FALSE(suffice({first, first, second}));
    EXPECT_FALSE(suffice({unknown, unknown}));
}

TEST(DirectCopies, AreSwitchedOffByEveryUsualWord) {
    constexpr const char* name = "EQUIPOISE_DIRECT_COPIES";
    const char* const before = std::getenv(name);
    const std::string kept = before == nullptr ? "" : before;
    for (const char* word : {"off", "OFF", "0", "no", "False"}) {
        ASSERT_EQ(setenv(name, word, 1), 0);
        EXPECT_EQ(direct_copies_wanted(), DirectCopies::off) << word;
    }
    for (const char* word : {"on", "ON", "1", "Yes", "true"}) {
        ASSERT_EQ(setenv(name, word, 1), 0);
        EXPECT_EQ(direct_copies_wanted(), DirectCopies::on) << word;
    }
    for (const char* word : {"", "auto"}) {
        ASSERT_EQ(setenv(name, word, 1), 0);
        EXPECT_EQ(direct_copies_wanted(), DirectCopies::if_processors_suffice) << word;
    }
    if (before == nullptr) {
        unsetenv(name);
        EXPECT_EQ(direct_copies_wanted(), DirectCopies::if_processors_suffice);
    } else {
        setenv(name, kept.c_str(), 1);
    }
}
#endif

}  // namespace
}  // namespace equipoise::mpi
