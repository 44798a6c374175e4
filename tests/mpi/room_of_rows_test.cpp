// Rows that move within arrays of the caller.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/balancer/room.hpp"
#include "equipoise/base/random.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/plan_cases.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

constexpr std::byte untouched{0xA5};

/// An array of rows with gaps, and with bytes behind it that must stay as they are.
struct Gapped {
    std::vector<std::byte> bytes;
    std::size_t row_bytes;
    std::size_t stride;
    Tokens room;

    Gapped(std::size_t row, std::size_t gap, Tokens rows)
        : bytes(static_cast<std::size_t>(rows) * (row + gap) + 64, untouched),
          row_bytes(row),
          stride(row + gap),
          room(rows) {}

    // Byte `i` of the row that belongs to this number.
    [[nodiscard]] static std::byte content(std::int64_t number, std::size_t i) {
        return static_cast<std::byte>(number * 7 + static_cast<std::int64_t>(i) * 13 + number / 64);
    }
    void fill(const std::vector<Grain>& items) {
        for (std::size_t row = 0; row < items.size(); ++row)
            for (std::size_t i = 0; i < row_bytes; ++i)
                bytes[row * stride + i] = content(items[row].number, i);
    }
    void expect(const std::vector<Grain>& items) const {
        bool right = true;
        for (std::size_t row = 0; row < items.size(); ++row)
            for (std::size_t i = 0; i < row_bytes; ++i)
                right = right && bytes[row * stride + i] == content(items[row].number, i);
        EXPECT_TRUE(right) << "rows of " << row_bytes << " bytes, " << stride << " apart";
        bool gaps_right = true;
        for (std::size_t row = 0; row < static_cast<std::size_t>(room); ++row)
            for (std::size_t i = row_bytes; i < stride; ++i)
                gaps_right = gaps_right && bytes[row * stride + i] == untouched;
        for (std::size_t i = static_cast<std::size_t>(room) * stride; i < bytes.size(); ++i)
            gaps_right = gaps_right && bytes[i] == untouched;
        EXPECT_TRUE(gaps_right) << "between and behind rows of " << row_bytes << " bytes";
    }
    [[nodiscard]] Rows rows(std::size_t held) {
        return {.data = bytes.data(),
                .held = static_cast<Tokens>(held),
                .room = room,
                .row_bytes = row_bytes,
                .stride = stride};
    }
};

// What all ranks throw, the same on each; "" if nothing is thrown.
std::string refusal_of_all(const std::function<void()>& call) {
    std::string text;
    try {
        call();
    } catch (const mpi::CollectiveError& error) {
        text = error.what();
    }
    engine::Ballot mine;
    mine.must_be_equal = mpi::digest_of(text);
    EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine)) << text;
    return text;
}

std::vector<Grain> pile_on(int rank, Tokens items) {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts[static_cast<std::size_t>(rank)] = items;
    return make_items(counts, make_grain);
}

TEST(RowsInPlace, EndWhereVectorsHaveThem) {
    for_plan_cases(
        [](const Plan& plan, const std::vector<Grain>& before, const std::vector<Grain>& after) {
            // Exactly the room that is needed.
            const Tokens room = std::max(plan.size_before(), plan.size_after());
            std::vector<Grain> grains = before;
            grains.resize(static_cast<std::size_t>(room));
            std::array gapped = {Gapped(8, 0, room), Gapped(3, 4, room), Gapped(1, 0, room + 5)};
            std::vector<Rows> rows = {rows_of(grains, before.size())};
            for (Gapped& array : gapped) {
                array.fill(before);
                rows.push_back(array.rows(before.size()));
            }
            const Report report = begin_rows(plan, rows).end();
            EXPECT_EQ(plan.moved(), report.moved);
            grains.resize(after.size());
            EXPECT_EQ(after, grains);
            for (const Gapped& array : gapped)
                array.expect(after);
        });
}

TEST(RowsInPlace, MayComeBackInAnotherOrder) {
    if (world_size() < 3) return;
    // The last two items of rank 0 visit ranks 1 and 2, and come back the second one first.
    auto data = std::make_shared<Plan::Data>(mpi::Communicator(MPI_COMM_WORLD));
    const std::array<std::vector<Transfer>, 2> rounds = {
        {{{0, 1, 1}, {0, 2, 1}}, {{2, 0, 1}, {1, 0, 1}}}};
    data->message_bytes_max = 1000;
    data->size_before = world_rank() == 0 ? 10 : 5;
    Tokens size = data->size_before;
    for (const std::vector<Transfer>& round : rounds) {
        data->rounds.push_back(placement::moves_at_end(round, world_rank(), size));
        size = data->rounds.back().size_after;
        data->transfers.insert(data->transfers.end(), round.begin(), round.end());
        data->round_ends.push_back(data->transfers.size());
    }
    data->report.moved = 4;
    const Plan plan = Plan::of(std::move(data));
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(plan.size_before()));
    std::iota(numbers.begin(), numbers.end(), 100 * world_rank());
    std::vector<std::int64_t> expected = numbers;
    plan.execute(expected);
    if (world_rank() == 0) {
        ASSERT_EQ(9, expected[8]);
    }
    const std::array rows = {rows_of(numbers, numbers.size())};
    static_cast<void>(move_rows(plan, rows));
    EXPECT_EQ(expected, numbers);
}

TEST(RowsInPlace, AreLevelledAsVectorsAre) {
    struct Padded {
        Grain grain;
        double other = 0.25;
    };
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy : {Policy::minimum_moves, Policy::keep_order}) {
            std::vector<Grain> items = make_items(counts, make_grain);
            const std::size_t held = items.size();
            std::vector<Padded> padded(2000);
            for (std::size_t i = 0; i < held; ++i)
                padded[i].grain = items[i];
            std::vector<double> numbers(2000, -1);
            for (std::size_t i = 0; i < held; ++i)
                numbers[i] = static_cast<double>(items[i].number);
            std::array rows = {rows_of(&padded.front().grain, held, padded.size(), sizeof(Padded)),
                               rows_of(numbers, held)};
            const Report report = rebalance_rows(MPI_COMM_WORLD, rows, {.policy = policy});
            EXPECT_EQ(rebalance(MPI_COMM_WORLD, items, {.policy = policy}).moved, report.moved);
            for (const Rows& array : rows)
                ASSERT_EQ(static_cast<Tokens>(items.size()), array.held);
            for (std::size_t i = 0; i < items.size(); ++i) {
                EXPECT_EQ(items[i], padded[i].grain);
                EXPECT_EQ(static_cast<double>(items[i].number), numbers[i]);
            }
            EXPECT_TRUE(std::all_of(padded.begin(), padded.end(),
                                    [](const Padded& some) { return some.other == 0.25; }));
        }
}

TEST(RowsInPlace, TakeTheirWeightsWithThemIfTheseAreAnArray) {
    const std::vector<Grain> before = pile_on(0, 200);
    std::vector<Grain> grains(300);
    std::copy(before.begin(), before.end(), grains.begin());
    std::vector<double> weights(300);
    for (std::size_t i = 0; i < before.size(); ++i)
        weights[i] = before[i].weight;
    std::array rows = {rows_of(grains, before.size()), rows_of(weights, before.size())};
    rebalance_rows(
        MPI_COMM_WORLD, rows,
        {.policy = Policy::weighted, .weights = View<double>(weights.data(), before.size())});
    grains.resize(static_cast<std::size_t>(rows[0].held));
    EXPECT_TRUE(all_there(all_numbers(grains)));
    for (std::size_t i = 0; i < grains.size(); ++i)
        EXPECT_EQ(grains[i].weight, weights[i]);
}

TEST(TooLittleRoom, IsTheSameErrorOnAllRanksAndLeavesAllRows) {
    if (world_size() == 1) return;
    for (int full = 0; full < world_size(); ++full) {
        const int pile = (full + 1) % world_size();
        const std::vector<Grain> before = pile_on(pile, Tokens{2000} * world_size());
        // A first array with room shows that none of them has moved.
        std::vector<Grain> grains = before;
        grains.resize(before.size() + 2000);
        std::vector<std::int64_t> numbers;
        numbers.reserve(before.size());
        for (const Grain& item : before)
            numbers.push_back(item.number);
        const std::vector<std::int64_t> numbers_before = numbers;
        if (world_rank() != pile) numbers.resize(world_rank() == full ? 1203 : 2000);
        std::array rows = {rows_of(grains, before.size()), rows_of(numbers, before.size())};
        EXPECT_EQ("rank " + std::to_string(full) +
                      ": bad input: expected room for 2,000 items, found room for 1,203",
                  refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, rows); }));
        EXPECT_EQ(static_cast<Tokens>(before.size()), rows[1].held);
        EXPECT_TRUE(std::equal(before.begin(), before.end(), grains.begin()));
        EXPECT_TRUE(std::equal(numbers_before.begin(), numbers_before.end(), numbers.begin()));

        // As items_max, the room is kept to.
        rebalance_rows(MPI_COMM_WORLD, rows, {.items_max = rows[1].room});
        EXPECT_LE(rows[1].held, rows[1].room);
        grains.resize(static_cast<std::size_t>(rows[0].held));
        EXPECT_TRUE(all_there(all_numbers(grains)));
    }
}

TEST(RowsInPlace, AreRefusedOnAllRanksIfTheyAreWrongOnOne) {
    std::array<double, 20> memory = {};
    const Rows right = rows_of(memory, 10);
    const auto with = [&](const std::function<void(Rows&)>& change) {
        Rows wrong = right;
        change(wrong);
        return wrong;
    };
    const std::string here = "rank " + std::to_string(world_size() - 1) + ": bad input: ";
    const std::vector<std::pair<Rows, std::string>> cases = {
        {with([](Rows& rows) { rows.row_bytes = 0; }),
         "expected rows of at least 1 byte, found rows of 0 bytes"},
        {with([](Rows& rows) { rows.stride = 7; }),
         "expected a stride of at least 8 bytes, found 7"},
        {with([](Rows& rows) { rows.held = -1; }), "expected at least 0 rows, found -1"},
        {with([](Rows& rows) { rows.room = 9; }),
         "expected room for the 10 rows of an array, found room for 9"},
        {with([](Rows& rows) { rows.room = tokens_max; }),
         "expected room within memory, found room for 2,305,843,009,213,693,951 rows, 8 bytes "
         "apart"},
        {with([](Rows& rows) { rows.data = nullptr; }),
         "expected an array with room for 20 rows, found a null pointer"},
    };
    for (const auto& [wrong, text] : cases) {
        std::array rows = {world_rank() == world_size() - 1 ? wrong : right};
        EXPECT_EQ(here + text, refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, rows); }));
        const Plan plan = make_plan(MPI_COMM_WORLD, 10);
        EXPECT_EQ(here + text, refusal_of_all([&] { static_cast<void>(move_rows(plan, rows)); }));
    }
    std::array twice = {right, right};
    EXPECT_EQ(
        "rank 0: bad input: expected arrays that share no bytes, found that array 1 shares some "
        "with array 0",
        refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, twice); }));
    std::array<float, 20> others = {};
    std::array longer = {right, rows_of(others, 11)};
    EXPECT_EQ(
        "rank 0: bad input: expected arrays that hold as many rows as each other, found 10 "
        "and 11 rows",
        refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, longer); }));
    EXPECT_EQ("rank 0: bad input: expected at least one array, found none",
              refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, {}); }));
    const Plan plan = make_plan(MPI_COMM_WORLD, 10);
    EXPECT_EQ("rank 0: bad input: expected arrays of the planned size 10, found 11",
              refusal_of_all([&] { static_cast<void>(move_rows(plan, longer)); }).substr(0, 200));
}

// Whether two arrays share a byte, byte by byte.
bool share_bytes(const Rows& one, const Rows& other) {
    std::vector<const std::byte*> bytes;
    for (const Rows& rows : {one, other})
        for (Tokens row = 0; row < rows.room; ++row)
            for (std::size_t i = 0; i < rows.row_bytes; ++i)
                bytes.push_back(rows.data + static_cast<std::size_t>(row) * rows.stride + i);
    std::sort(bytes.begin(), bytes.end());
    return std::adjacent_find(bytes.begin(), bytes.end()) != bytes.end();
}

TEST(RowsInPlace, AreRefusedIfAndOnlyIfTheyShareBytes) {
    RandomStream random(17, Purpose::loads, 0);  // the same on all ranks
    std::vector<std::byte> memory(200);
    const auto draw = [&] {
        Rows rows;
        rows.row_bytes = 1 + random.below(5);
        rows.stride = rows.row_bytes + random.below(7);
        rows.data = memory.data() + random.below(60);
        rows.room = static_cast<Tokens>(random.below(9));
        return rows;
    };
    int shared = 0;
    for (int round = 0; round < 400; ++round) {
        std::array rows = {draw(), draw()};
        const bool share = share_bytes(rows[0], rows[1]);
        shared += share ? 1 : 0;
        // No rank holds a row: nothing moves.
        const std::string text = refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, rows); });
        ASSERT_EQ(share, text.find("share no bytes") != std::string::npos)
            << rows[0].data - memory.data() << ": " << rows[0].room << " rows of "
            << rows[0].row_bytes << " every " << rows[0].stride << "; "
            << rows[1].data - memory.data() << ": " << rows[1].room << " rows of "
            << rows[1].row_bytes << " every " << rows[1].stride;
    }
    EXPECT_GT(shared, 100);
    EXPECT_LT(shared, 300);
}

TEST(RowsInPlace, AreRefusedIfRanksPassDifferentOnes) {
    if (world_size() == 1) return;
    std::array<double, 20> memory = {};
    std::array<float, 20> narrow = {};
    const bool first = world_rank() == 0;
    std::array rows = {first ? rows_of(narrow, 10) : rows_of(memory, 10)};
    const std::string text = refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, rows); });
    EXPECT_NE(std::string::npos, text.find("in place, arrays of 4 bytes a row")) << text;
    const Plan plan = make_plan(MPI_COMM_WORLD, 10);
    EXPECT_NE("", refusal_of_all([&] { static_cast<void>(move_rows(plan, rows)); }));
    std::array named = {rows_of(memory, 10)};
    named[0].type = first ? "metres" : "feet";
    EXPECT_NE("", refusal_of_all([&] { rebalance_rows(MPI_COMM_WORLD, named); }));
    // Others move vectors.
    std::vector<double> items(10);
    EXPECT_NE("", refusal_of_all([&] {
                  if (first)
                      rebalance(MPI_COMM_WORLD, items);
                  else
                      rebalance_rows(MPI_COMM_WORLD, rows);
              }));
}

TEST(EveryShortageOfMemory, LeavesRowsInPlace) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 3);
    counts[0] = 400;
    const std::vector<Grain> before = make_items(counts, make_grain);
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order})
        for (const int failing : {0, world_size() - 1}) {
            bool any = true;
            for (std::int64_t which = 0; any; ++which) {
                std::vector<Grain> grains = before;
                grains.resize(500);
                Gapped gapped(3, 2, 500);
                gapped.fill(before);
                std::array rows = {rows_of(grains, before.size()), gapped.rows(before.size())};
                std::optional<mpi::Failure> failure;
                any = test::falls_short(failing, which, [&] {
                    try {
                        rebalance_rows(MPI_COMM_WORLD, rows, {.policy = policy});
                    } catch (const mpi::CollectiveError& error) {
                        failure = error.failure();
                    }
                });
                int failed = failure ? 1 : 0;
                MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
                ASSERT_EQ(failure ? world_size() : 0, failed) << "allocation " << which;
                grains.resize(static_cast<std::size_t>(rows[0].held));
                gapped.expect(grains);
                if (failure) {
                    EXPECT_TRUE(any);
                    EXPECT_EQ(mpi::Failure::memory, *failure);
                    EXPECT_EQ(before, grains);
                } else {
                    EXPECT_TRUE(all_there(all_numbers(grains)));
                }
            }
        }
}

}  // namespace
}  // namespace equipoise::balancer
