#include "equipoise/balancer/columns.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

/// Arrays made by `move_columns`.
struct Arrays {
    std::vector<std::vector<std::byte>> of;

    [[nodiscard]] AllocateColumn allocate() {
        return [this](std::size_t column, std::uint64_t bytes) {
            EXPECT_EQ(column, of.size());
            return of.emplace_back(bytes).data();
        };
    }
    template <class T>
    [[nodiscard]] std::vector<T> as(std::size_t column) const {
        std::vector<T> values(of[column].size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), of[column].data(), of[column].size());
        return values;
    }
};

template <class T>
Column column_of(const std::vector<T>& items) {
    return {std::as_bytes(std::span(items)), sizeof(T)};
}

std::vector<std::int64_t> numbers_of(const std::vector<Grain>& items) {
    std::vector<std::int64_t> numbers;
    for (const Grain& item : items)
        numbers.push_back(item.number);
    return numbers;
}

void expect_as_vectors(MPI_Comm communicator, const Options& options) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        const std::vector<Grain> given = items;
        const std::vector<std::int64_t> numbers = numbers_of(items);
        const std::array columns = {column_of(given), column_of(numbers)};
        Arrays arrays;
        const Plan plan = make_plan(communicator, static_cast<Tokens>(given.size()), options);
        const Report moved = move_columns(plan, columns, arrays.allocate());
        const Report report = rebalance(communicator, items, options);
        EXPECT_EQ(report.moved, moved.moved);
        if (arrays.of.empty()) {  // nothing came, and nothing left
            EXPECT_EQ(items, given);
        } else {
            EXPECT_EQ(items, arrays.as<Grain>(0));
            EXPECT_EQ(numbers_of(items), arrays.as<std::int64_t>(1));
        }
        EXPECT_EQ(numbers, numbers_of(given));
    }
}

TEST(Columns, ArriveAsVectorsDoRowByRow) {
    expect_as_vectors(MPI_COMM_WORLD, {});
    expect_as_vectors(MPI_COMM_WORLD, {.policy = Policy::keep_order});
    expect_as_vectors(MPI_COMM_WORLD,
                      {.policy = Policy::hierarchical, .machine = world_rank() / 2});
    expect_as_vectors(MPI_COMM_WORLD, {.message_bytes_max = 100});
}

TEST(Columns, TravelOverSeveralHops) {
    const std::array ranks = {world_size()};
    const std::array open = {0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ranks.data(), open.data(), 0, &line);
    expect_as_vectors(line, neighbours_only("discrepancy-1"));
    MPI_Comm_free(&line);
}

TEST(Columns, StayWhereTheyWereIfOneRankHasNoMemory) {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts.front() = 1000;
    const std::vector<Grain> given = make_items(counts, make_grain);
    const std::array columns = {column_of(given)};
    const bool fails = world_rank() == world_size() - 1;
    Arrays arrays;
    const AllocateColumn allocate = arrays.allocate();
    const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(given.size()));
    const auto move = [&] {
        static_cast<void>(move_columns(plan, columns, [&](std::size_t column, std::uint64_t bytes) {
            if (fails) throw std::bad_alloc();
            return allocate(column, bytes);
        }));
    };
    if (world_size() == 1) return move();  // nothing comes, nothing leaves
    EXPECT_THROW(move(), mpi::CollectiveError);
    EXPECT_EQ(given, make_items(counts, make_grain));
}

TEST(Columns, AreRefusedIfTheyAreNotAsPlanned) {
    const std::vector<std::int64_t> given(10, world_rank());
    const Plan plan = make_plan(MPI_COMM_WORLD, 10);
    Arrays arrays;
    const std::vector<std::int64_t> longer(11, 0);
    const std::array columns = {column_of(given), column_of(world_rank() == 0 ? longer : given)};
    EXPECT_THROW(static_cast<void>(move_columns(plan, columns, arrays.allocate())),
                 mpi::CollectiveError);
    const std::array empty = {Column{}};
    EXPECT_THROW(static_cast<void>(move_columns(plan, empty, arrays.allocate())),
                 mpi::CollectiveError);
    if (world_size() == 1) return;
    const std::vector<std::int32_t> narrow(10, world_rank());
    const std::array differing = {world_rank() == 0 ? column_of(narrow) : column_of(given)};
    Arrays others;
    EXPECT_THROW(static_cast<void>(move_columns(plan, differing, others.allocate())),
                 mpi::CollectiveError);
}

}  // namespace
}  // namespace equipoise::balancer
