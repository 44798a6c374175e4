// Numbers of items that 32 bits cannot hold. Plans need no items: most tests hold none, or fewer
// than they plan for. Those that hold them have a byte each, and are long.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "equipoise/balancer/room.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer::many_items {
namespace {

constexpr Tokens two_to_31 = Tokens{1} << 31U;
constexpr Tokens two_to_32 = Tokens{1} << 32U;
constexpr Tokens two_to_40 = Tokens{1} << 40U;

std::size_t here() {
    return static_cast<std::size_t>(world_rank());
}
std::size_t ranks() {
    return static_cast<std::size_t>(world_size());
}

// What rank r holds of these; those behind the last hold the last number.
std::vector<Tokens> repeated(const std::vector<Tokens>& counts) {
    std::vector<Tokens> all = counts;
    all.resize(ranks(), counts.back());
    return all;
}

std::vector<std::vector<Tokens>> distributions() {
    return {repeated({two_to_31, two_to_31 - 1, two_to_31 + 1}), repeated({two_to_32 + 3, 3}),
            repeated({3, two_to_40, 0}), repeated({0, two_to_31 + 7, two_to_40 + 1, 0}),
            repeated({Tokens{1} << 57U, 0})};
}

std::vector<Tokens> after(const std::vector<Tokens>& before, const Plan& plan) {
    std::vector<Tokens> counts = before;
    for (const Transfer& transfer : plan.transfers()) {
        EXPECT_GT(transfer.items, 0);
        counts[static_cast<std::size_t>(transfer.from)] -= transfer.items;
        counts[static_cast<std::size_t>(transfer.to)] += transfer.items;
    }
    return counts;
}

Tokens sum(const std::vector<Tokens>& counts) {
    return std::accumulate(counts.begin(), counts.end(), Tokens{0});
}

// The items that leave their rank if each rank gets consecutive ones.
Tokens moved_in_order(const std::vector<Tokens>& before, const std::vector<Tokens>& counts) {
    Tokens moved = 0;
    Tokens old_first = 0;
    Tokens new_first = 0;
    for (std::size_t rank = 0; rank < before.size(); ++rank) {
        const Tokens last = std::min(old_first + before[rank], new_first + counts[rank]);
        moved += before[rank] - std::max(Tokens{0}, last - std::max(old_first, new_first));
        old_first += before[rank];
        new_first += counts[rank];
    }
    return moved;
}

// The text of an error that all ranks throw; "" if none does.
std::string refusal_of_all(const std::function<void()>& call) {
    std::string text;
    try {
        call();
    } catch (const mpi::CollectiveError& error) {
        text = error.what();
    } catch (const InputError& error) {
        text = error.what();
    }
    engine::Ballot mine;
    mine.must_be_equal = mpi::digest_of(text);
    EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine)) << text;
    return text;
}

TEST(PlansOfManyItems, LevelNumbersBeyond32Bits) {
    for (const std::vector<Tokens>& before : distributions())
        for (const Policy policy : {Policy::minimum_moves, Policy::hierarchical, Policy::keep_order,
                                    Policy::random_pairs}) {
            const Plan plan = make_plan(MPI_COMM_WORLD, before[here()], {.policy = policy});
            const std::vector<Tokens> counts = after(before, plan);
            ASSERT_EQ(sum(before), sum(counts));
            EXPECT_EQ(counts[here()], plan.size_after());
            const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
            if (policy != Policy::random_pairs) {
                EXPECT_LE(*most - *least, 1);
            }
            EXPECT_EQ(*most, plan.report().after.most);
            if (policy == Policy::keep_order) {
                EXPECT_EQ(moved_in_order(before, counts), plan.moved());
            }
            if (policy == Policy::minimum_moves || policy == Policy::hierarchical) {
                EXPECT_EQ(plan.report().minimum, plan.moved());
            }
            const Plan back = plan.inverse();
            EXPECT_EQ(before, after(counts, back));
            EXPECT_EQ(before[here()], back.size_after());
        }
}

TEST(PlansOfManyItems, FollowSpeedsBeyond32Bits) {
    const std::vector<Tokens> before = repeated({two_to_40 + 5, 0, two_to_31});
    Tokens speeds = 0;
    for (Tokens rank = 0; rank < world_size(); ++rank)
        speeds += 1 + rank;
    const Plan plan = make_plan(MPI_COMM_WORLD, before[here()], {.speed = 1.0 + world_rank()});
    const std::vector<Tokens> counts = after(before, plan);
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        const Int128 share = static_cast<Int128>(sum(before)) * (static_cast<Tokens>(rank) + 1);
        EXPECT_LE(counts[rank], static_cast<Tokens>(share / speeds) + 1);
        EXPECT_GE(counts[rank], static_cast<Tokens>(share / speeds) - world_size());
    }
}

TEST(PlansOfManyItems, KeepRoomBeyond32Bits) {
    for (const std::vector<Tokens>& before : distributions())
        for (const Policy policy :
             {Policy::minimum_moves, Policy::hierarchical, Policy::keep_order}) {
            // Room for less than a share on every second rank, and for all on the others.
            const Tokens share = sum(before) / world_size();
            const auto most = [&](std::size_t rank) {
                return rank % 2 == 1 ? share - share / 3 : sum(before);
            };
            const Plan plan = make_plan(MPI_COMM_WORLD, before[here()],
                                        {.policy = policy, .items_max = most(here())});
            const std::vector<Tokens> counts = after(before, plan);
            ASSERT_EQ(sum(before), sum(counts));
            const Tokens largest = *std::max_element(counts.begin(), counts.end());
            for (std::size_t rank = 0; rank < ranks(); ++rank) {
                EXPECT_LE(counts[rank], most(rank));
                if (counts[rank] < most(rank)) {
                    EXPECT_GE(counts[rank], largest - 1);
                }
            }
        }
}

TEST(PlansOfManyItems, SayHowManyHaveNoRoom) {
    const std::vector<Tokens> before = repeated({two_to_40, 0});
    const Tokens room = world_size() * (two_to_31 + 1);
    for (const Policy policy : {Policy::minimum_moves, Policy::hierarchical, Policy::keep_order}) {
        EXPECT_EQ(
            "all ranks: bad input: expected room for 1,099,511,627,776 items on ranks with a "
            "speed above 0, found room for " +
                grouped(room) + ": " + grouped(two_to_40 - room) + " too few",
            refusal_of_all([&] {
                static_cast<void>(make_plan(MPI_COMM_WORLD, before[here()],
                                            {.policy = policy, .items_max = two_to_31 + 1}));
            }));
    }
}

TEST(PlansOfManyItems, AreNotNarrowedToCountsThatCannotHoldThem) {
    if (world_size() == 1) return;
    for (const Tokens moved : {two_to_31 - 1, two_to_31, two_to_32, two_to_40 + 1}) {
        // Rank 0 has no speed: all its items go to the last rank.
        const Tokens count = world_rank() == 0 ? moved : 0;
        const bool last = world_rank() == world_size() - 1;
        const Plan plan = make_plan(MPI_COMM_WORLD, count, {.speed = last ? 1.0 : 0.0});
        EXPECT_EQ(moved, plan.moved());
        const std::string text = "expected at most " +
                                 std::to_string(std::numeric_limits<std::int16_t>::max()) +
                                 " items that a rank sends or receives, for counts of this type, "
                                 "found " +
                                 std::to_string(moved);
        EXPECT_EQ(text, refusal_of_all([&] { static_cast<void>(plan.exchange<std::int16_t>()); }));
        if (moved == two_to_31 - 1) continue;  // fits, and would take memory
        EXPECT_NE("", refusal_of_all([&] { static_cast<void>(plan.exchange<int>()); }));
    }
}

TEST(PlansOfManyItems, AreNarrowedUpToTheLastCountThatFits) {
    if (world_size() == 1) return;
    for (const Tokens moved : {Tokens{127}, Tokens{128}}) {
        const Tokens count = world_rank() == 0 ? moved : 0;
        const bool last = world_rank() == world_size() - 1;
        const Plan plan = make_plan(MPI_COMM_WORLD, count, {.speed = last ? 1.0 : 0.0});
        const auto wide = plan.exchange<std::int64_t>();
        if (moved == 128) {
            EXPECT_NE("", refusal_of_all([&] { static_cast<void>(plan.exchange<std::int8_t>()); }));
            continue;
        }
        const auto narrow = plan.exchange<std::int8_t>();
        EXPECT_TRUE(std::ranges::equal(wide.send_counts, narrow.send_counts));
        EXPECT_TRUE(std::ranges::equal(wide.receive_offsets, narrow.receive_offsets));
        EXPECT_EQ(wide.send_order, narrow.send_order);
    }
}

TEST(PlansOfManyItems, AreNotCarriedOutOnVectorsOfTheSameLower32Bits) {
    const Plan plan = make_plan(MPI_COMM_WORLD, two_to_32 + 10 * (1 + world_rank()));
    std::vector<std::uint8_t> items(static_cast<std::size_t>(10 * (1 + world_rank())));
    std::vector<std::uint16_t> others(items.size());
    std::array rows = {rows_of(items, items.size())};
    const std::string text = "rank 0: bad input: expected ";
    const std::string found = "the planned size 4294967306, found 10";
    for (const std::function<void()>& call : std::initializer_list<std::function<void()>>{
             [&] { plan.execute(items); },
             [&] { plan.execute(std::tie(items, others)); },
             [&] { static_cast<void>(plan.begin(items).end()); },
             [&] { static_cast<void>(plan.begin(std::tie(items, others)).end()); },
             [&] { static_cast<void>(move_rows(plan, rows)); },
             [&] { static_cast<void>(begin_rows(plan, rows).end()); },
         }) {
        const std::string refused = refusal_of_all(call);
        EXPECT_TRUE(refused.starts_with(text)) << refused;
        EXPECT_NE(std::string::npos, refused.find(found)) << refused;
    }
}

TEST(PlansOfManyItems, AreRefusedWithWeightsForTheirLower32Bits) {
    const std::vector<double> weights(3, 1.0);
    for (const Policy policy : {Policy::weighted, Policy::keep_order}) {
        EXPECT_EQ(
            "rank 0: bad input: expected one weight for each of 4,294,967,295 items "
            "(weights move with the items where rebalance is given their vector), found 3 "
            "weights",
            refusal_of_all([&] {
                static_cast<void>(make_plan(MPI_COMM_WORLD, two_to_32 - 1,
                                            {.policy = policy, .weights = weights}));
            }));
    }
}

// Address space that nobody may read.
class Unreadable {
  public:
    explicit Unreadable(std::size_t numbers) : numbers_(numbers) {
        void* const memory = mmap(nullptr, numbers * sizeof(double), PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) numbers_at_ = static_cast<double*>(memory);
    }
    Unreadable(const Unreadable&) = delete;
    Unreadable& operator=(const Unreadable&) = delete;
    ~Unreadable() {
        if (numbers_at_ != nullptr) munmap(numbers_at_, numbers_ * sizeof(double));
    }
    [[nodiscard]] bool there() const { return numbers_at_ != nullptr; }
    template <class Number = double>
    [[nodiscard]] std::span<const Number> numbers() const {
        return {static_cast<const Number*>(static_cast<const void*>(numbers_at_)), numbers_};
    }

  private:
    std::size_t numbers_;
    double* numbers_at_ = nullptr;
};

TEST(PlansOfManyItems, AreRefusedWhereWeightedItemsCannotBeNumbered) {
    const Unreadable weights(static_cast<std::size_t>(two_to_32));
    int there = weights.there() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (there == 0) GTEST_SKIP() << "there is no such address space";
    const bool last = world_rank() == world_size() - 1;
    const Options options = {.policy = Policy::weighted,
                             .weights = last ? weights.numbers() : std::span<const double>()};
    EXPECT_EQ("rank " + std::to_string(world_size() - 1) +
                  ": bad input: expected at most 2^32 - 1 weighted items on a rank, found "
                  "4294967296",
              refusal_of_all([&] {
                  static_cast<void>(make_plan(MPI_COMM_WORLD, last ? two_to_32 : 0, options));
              }));
}

TEST(PlansOfManyItems, AreRefusedBeforeWeightsAreAskedForOrCopied) {
    const std::string found = std::to_string(world_size() - 1) + ": bad input: expected ";
    const bool last = world_rank() == world_size() - 1;
    const auto weight = [](std::size_t i) {
        throw std::runtime_error("item " + std::to_string(i) + " was asked for");
        return 1.0;
    };
    for (const auto& [count, text] :
         {std::pair<Tokens, std::string>{two_to_32,
                                         "at most 2^32 - 1 weighted items on a rank, "
                                         "found 4294967296"},
          {tokens_max + 1,
           "a number of items between 0 and 2^61, found " + std::to_string(tokens_max + 1)},
          {-1, "a number of items between 0 and 2^61, found -1"}})
        EXPECT_EQ("rank " + found + text, refusal_of_all([&, count = count] {
                      static_cast<void>(make_plan(MPI_COMM_WORLD, last ? count : 0, weight));
                  }));
    EXPECT_EQ(
        "rank " + found + "a number of items between 0 and 2^61, found -1", refusal_of_all([&] {
            static_cast<void>(
                plan_loan(MPI_COMM_WORLD, last ? -1 : 0, weight, {.policy = Policy::keep_order}));
        }));
    // Sizes that would be copied, as other numbers than doubles are.
    const Unreadable sizes(static_cast<std::size_t>(two_to_32));
    if (!sizes.there()) return;
    const std::vector<double> weights(1, 1.0);
    Options options = {.policy = Policy::weighted, .weights = weights};
    if (last) options.sizes = sizes.numbers<std::int64_t>();
    EXPECT_EQ("rank " + found + "one size for each of 1 item, found 4,294,967,296 sizes",
              refusal_of_all([&] { static_cast<void>(make_plan(MPI_COMM_WORLD, 1, options)); }));
}

TEST(PlansOfManyItems, LendAndTakeBackNumbersBeyond32Bits) {
    for (const std::vector<Tokens>& before : distributions()) {
        const LoanPlan loan = plan_loan(MPI_COMM_WORLD, before[here()]);
        const std::vector<Tokens> lent = after(before, loan.there);
        EXPECT_EQ(lent[here()], loan.back.size_before());
        EXPECT_EQ(before, after(lent, loan.back));
        EXPECT_EQ(before[here()], loan.back.size_after());
    }
}

TEST(PlansOfManyItems, MoveNothingWhereRanksAreLevel) {
    for (const Tokens count : {two_to_31, two_to_32, two_to_40}) {
        const Plan plan = make_plan(MPI_COMM_WORLD, count + world_rank() % 2);
        EXPECT_EQ(0, plan.moved());
        EXPECT_TRUE(plan.settled());
        EXPECT_EQ(count + world_rank() % 2, plan.size_after());
        EXPECT_EQ(count, plan.report().before.least);
    }
}

// A byte that tells items apart which are 2^8, 2^16, 2^31 or 2^32 places from each other.
std::uint8_t content(std::uint64_t number) {
    return static_cast<std::uint8_t>((number * 0x9e3779b97f4a7c15U) >> 56U);
}

template <class Items>
std::uint64_t wrong_ones(const Items& items, std::uint64_t salt) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < items.size(); ++i)
        wrong += items[i] == static_cast<typename Items::value_type>(content(i) + salt) ? 0U : 1U;
    return wrong;
}

template <class Item>
std::vector<Item> many(Tokens count, std::uint64_t salt) {
    std::vector<Item> items(static_cast<std::size_t>(world_rank() == 0 ? count : 0));
    for (std::uint64_t i = 0; i < items.size(); ++i)
        items[i] = static_cast<Item>(content(i) + salt);
    return items;
}

constexpr Tokens many_bytes = two_to_31 + (Tokens{1} << 20U) + 7;

// Rank 1 gets everything.
Options all_to_rank_1(Policy policy) {
    return {.policy = policy, .speed = static_cast<double>(world_rank())};
}

TEST(ItemsBeyondTwoToThe31Long, TravelTogetherInSeveralArrays) {
    if (world_size() != 2) GTEST_SKIP() << "for 2 ranks";
    auto bytes = many<std::uint8_t>(many_bytes, 0);
    auto others = many<std::int8_t>(many_bytes, 3);
    const Report report =
        rebalance(MPI_COMM_WORLD, std::tie(bytes, others), all_to_rank_1(Policy::keep_order));
    EXPECT_EQ(many_bytes, report.moved);
    const auto held = static_cast<std::size_t>(world_rank() == 1 ? many_bytes : 0);
    ASSERT_EQ(held, bytes.size());
    ASSERT_EQ(held, others.size());
    EXPECT_EQ(0U, wrong_ones(bytes, 0));
    EXPECT_EQ(0U, wrong_ones(others, 3));
}

TEST(ItemsBeyondTwoToThe31Long, TravelInTwoCallsAndComeHomeWithResults) {
    if (world_size() != 2) GTEST_SKIP() << "for 2 ranks";
    auto bytes = many<std::uint8_t>(many_bytes, 0);
    Loan loan = begin_lend(MPI_COMM_WORLD, bytes, all_to_rank_1(Policy::minimum_moves));
    loan.wait();
    EXPECT_EQ(world_rank() == 1 ? many_bytes : 0, static_cast<Tokens>(bytes.size()));
    EXPECT_EQ(0U, wrong_ones(bytes, 0));
    std::vector<std::uint8_t> results = bytes;
    for (std::uint8_t& result : results)
        result = static_cast<std::uint8_t>(result + 9);
    loan.begin_give_back(results);
    loan.wait();
    const auto held = static_cast<std::size_t>(world_rank() == 0 ? many_bytes : 0);
    ASSERT_EQ(held, bytes.size());
    ASSERT_EQ(held, results.size());
    EXPECT_EQ(0U, wrong_ones(bytes, 0));
    EXPECT_EQ(0U, wrong_ones(results, 9));
}

TEST(ItemsBeyondTwoToThe31Long, ArePackedByFunctionsOfTheCaller) {
    if (world_size() != 2) GTEST_SKIP() << "for 2 ranks";
    std::vector<std::uint8_t> memory = many<std::uint8_t>(many_bytes, 0);
    memory.resize(static_cast<std::size_t>(many_bytes));
    std::uint64_t packed_rows = 0;
    std::uint64_t unpacked_rows = 0;
    // One copy each: this plan asks for places in a row.
    const auto in_a_row = [](std::span<const Tokens> places) {
        const auto count = static_cast<Tokens>(places.size());
        EXPECT_EQ(count, places.back() - places.front() + 1);
    };
    const DeviceMemory device = {
        .stream = &packed_rows,
        .pack =
            [&](void* stream, const std::byte* rows, std::size_t stride, std::size_t row_bytes,
                std::span<const Tokens> places, std::byte* packed) {
                EXPECT_EQ(1U, stride * row_bytes);
                in_a_row(places);
                std::memcpy(packed, rows + places.front(), places.size());
                *static_cast<std::uint64_t*>(stream) += places.size();
            },
        .unpack =
            [&](void* /*stream*/, const std::byte* packed, std::span<const Tokens> places,
                std::byte* rows, std::size_t /*stride*/, std::size_t /*row_bytes*/) {
                in_a_row(places);
                std::memcpy(rows + places.front(), packed, places.size());
                unpacked_rows += places.size();
            }};
    std::array rows = {rows_of(memory, world_rank() == 0 ? many_bytes : 0)};
    rows[0].device = &device;
    rebalance_rows(MPI_COMM_WORLD, rows, all_to_rank_1(Policy::minimum_moves));
    const auto all = static_cast<std::uint64_t>(many_bytes);
    EXPECT_EQ(world_rank() == 1 ? many_bytes : 0, rows[0].held);
    EXPECT_EQ(world_rank() == 0 ? all : 0, packed_rows);
    EXPECT_EQ(world_rank() == 1 ? all : 0, unpacked_rows);
    if (world_rank() == 1) {
        EXPECT_EQ(0U, wrong_ones(memory, 0));
    }
}

TEST(ItemsBeyondTwoToThe31Long, HaveADestinationEach) {
    if (world_size() != 2) GTEST_SKIP() << "for 2 ranks";
    constexpr Tokens stay = two_to_31 + 3;
    constexpr Tokens leave = 5;
    const bool first = world_rank() == 0;
    std::vector<int> ranks;
    {
        // By counts: the last items leave.
        const Plan plan =
            make_plan(MPI_COMM_WORLD, first ? stay + leave : 0,
                      {.speed = static_cast<double>(world_rank()), .pinned = first ? stay : 0});
        EXPECT_EQ(leave, plan.moved());
        ranks = plan.destinations();
        ASSERT_EQ(first ? stay + leave : 0, static_cast<Tokens>(ranks.size()));
        EXPECT_EQ(first ? leave : 0, std::count(ranks.begin(), ranks.end(), 1));
        if (first) {
            EXPECT_EQ(1, ranks[static_cast<std::size_t>(stay)]);
        }
        const Exchange<int> exchange = plan.exchange();
        if (first) {
            EXPECT_EQ((std::vector<Tokens>{stay, stay + 1, stay + 2, stay + 3, stay + 4}),
                      exchange.send_order);
        }
    }
    // To given ranks: those that leave are scattered over all places.
    const std::vector<Tokens> leaving = {0, two_to_31 - 1, two_to_31, stay, stay + leave - 1};
    if (first) {
        std::fill(ranks.end() - leave, ranks.end(), 0);
        for (const Tokens place : leaving)
            ranks[static_cast<std::size_t>(place)] = 1;
    }
    const Plan plan = plan_to(MPI_COMM_WORLD, std::span<const int>(ranks));
    ranks = {};  // 8 GiB
    EXPECT_EQ(first ? stay : leave, plan.size_after());
    const Exchange<int> exchange = plan.exchange();
    EXPECT_EQ(first ? leaving : std::vector<Tokens>(), exchange.send_order);
    ranks = plan.destinations();
    EXPECT_EQ(first ? leave : 0, std::count(ranks.begin(), ranks.end(), 1));
    for (std::size_t i = 0; first && i < leaving.size(); ++i)
        EXPECT_EQ(1, ranks[static_cast<std::size_t>(leaving[i])]);
}

}  // namespace
}  // namespace equipoise::balancer::many_items
