// What the caller's vectors are after a call: the same whether or not anything moved on this rank.

#include <cstddef>
#include <memory_resource>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

/// Memory that counts the bytes that are taken from it.
class Counting final : public std::pmr::memory_resource {
  public:
    [[nodiscard]] std::size_t taken() const { return taken_; }

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        taken_ += bytes;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        taken_ -= bytes;
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::size_t taken_ = 0;
};

/// The vector still takes its memory from there, all that was taken belongs to it, and it holds the
/// items of its size.
template <class Item>
void expect_own(const std::pmr::vector<Item>& items, const Counting& memory, Tokens size) {
    EXPECT_EQ(&memory, items.get_allocator().resource());
    EXPECT_EQ(memory.taken(), items.capacity() * sizeof(Item));
    EXPECT_EQ(size, std::ssize(items));
}

template <class Item, class Call>
void expect_vectors_to_stay_themselves(Item (*make)(std::int64_t, int), const Call& call) {
    for (const auto& counts : distributions(world_size())) {
        const auto made = make_items(counts, make);
        for (const Policy policy :
             {Policy::minimum_moves, Policy::keep_order, Policy::random_pairs}) {
            Counting memory;
            std::pmr::vector<Item> items(made.begin(), made.end(), &memory);
            const Tokens size = call(items, Options{.policy = policy});
            expect_own(items, memory, size);
            EXPECT_TRUE(all_there(all_numbers(std::vector<Item>(items.begin(), items.end()))));
        }
    }
}

TEST(Returned, VectorsKeepTheirAllocatorAndNobodyElseTakesItsMemory) {
    expect_vectors_to_stay_themselves<Grain>(make_grain, [](auto& items, const Options& options) {
        const Plan plan = make_plan(MPI_COMM_WORLD, std::ssize(items), options);
        static_assert(std::is_same_v<Report, decltype(rebalance(MPI_COMM_WORLD, items, options))>);
        rebalance(MPI_COMM_WORLD, items, options);
        return plan.size_after();
    });
}

TEST(Returned, SerialisedVectorsDoSo) {
    expect_vectors_to_stay_themselves<Sack>(make_sack, [](auto& items, const Options& options) {
        const Plan plan = make_plan(MPI_COMM_WORLD, std::ssize(items), options);
        plan.execute(items, SackSerialiser());
        return plan.size_after();
    });
}

TEST(Returned, SeveralVectorsDoSo) {
    expect_vectors_to_stay_themselves<Grain>(make_grain, [](auto& items, const Options& options) {
        const Plan plan = make_plan(MPI_COMM_WORLD, std::ssize(items), options);
        Counting memory;
        std::pmr::vector<double> others(items.size(), 0.5, &memory);
        plan.execute(std::tie(items, others));
        expect_own(others, memory, plan.size_after());
        return plan.size_after();
    });
}

TEST(Returned, LentVectorsComeHomeWithTheirAllocator) {
    for (const bool copies : {false, true})
        expect_vectors_to_stay_themselves<Grain>(
            make_grain, [copies](auto& items, const Options& options) {
                const Tokens home = std::ssize(items);
                Loan loan = copies ? lend_copies(MPI_COMM_WORLD, items, options)
                                   : lend(MPI_COMM_WORLD, items, options);
                EXPECT_EQ(loan.size_lent(), std::ssize(items));
                loan.give_back();
                return home;
            });
}

}  // namespace
}  // namespace equipoise::balancer
