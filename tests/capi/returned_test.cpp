// What the caller holds after a call: the same whether or not anything moved on this rank.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;

/// Memory that knows its blocks.
class Pool {
  public:
    ~Pool() { EXPECT_TRUE(blocks_.empty()) << "memory is lost"; }

    [[nodiscard]] equipoise_options options() {
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.reallocate = reallocate;
        options.reallocate_context = this;
        return options;
    }
    template <class T>
    T* filled(const std::vector<T>& from) {
        const std::size_t bytes = from.size() * sizeof(T);
        void* const made = bytes == 0 ? nullptr : reallocate(nullptr, bytes, this);
        if (bytes > 0) std::memcpy(made, from.data(), bytes);
        return static_cast<T*>(made);
    }
    /// The array is a block of this memory with room for its items, and none for no items.
    template <class T>
    void expect(const T* items, std::int64_t count) const {
        EXPECT_EQ(count == 0, items == nullptr);
        if (items == nullptr) return;
        const auto found = blocks_.find(items);
        ASSERT_NE(blocks_.end(), found);
        EXPECT_GE(found->second, static_cast<std::size_t>(count) * sizeof(T));
    }
    void expect_blocks(std::size_t count) const { EXPECT_EQ(count, blocks_.size()); }
    void free(void* memory) { reallocate(memory, 0, this); }

  private:
    static void* reallocate(void* memory, std::size_t bytes, void* context) {
        std::map<const void*, std::size_t>& blocks = static_cast<Pool*>(context)->blocks_;
        if (memory != nullptr) {
            EXPECT_EQ(1U, blocks.erase(memory)) << "a block of somebody else";
        }
        if (bytes == 0) {
            std::free(memory);
            return nullptr;
        }
        void* const moved = std::realloc(memory, bytes);
        blocks[moved] = bytes;
        return moved;
    }

    std::map<const void*, std::size_t> blocks_;
};

int pack_grain(const void* item, equipoise_writer* out, void* /*context*/) {
    return equipoise_write(out, item, sizeof(Grain));
}
int unpack_grain(void* item, equipoise_reader* in, void* /*context*/) {
    return equipoise_read(in, item, sizeof(Grain));
}
constexpr equipoise_packing packed_grains = {pack_grain, unpack_grain, nullptr, nullptr};

TEST(Returned, ArraysAreOfTheCallersMemoryOnEveryRank) {
    for (const auto& counts : balancer::distributions(world_size()))
        for (const char* policy :
             {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER, EQUIPOISE_RANDOM_PAIRS})
            for (const equipoise_packing* packing :
                 {static_cast<const equipoise_packing*>(nullptr), &packed_grains}) {
                Pool pool;
                equipoise_options options = pool.options();
                options.policy = policy;
                options.packing = packing;
                const std::vector<Grain> given = make_items(counts, make_grain);
                std::int64_t count = std::ssize(given);
                Grain* items = pool.filled(given);
                ASSERT_EQ(EQUIPOISE_OK,
                          equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items), &count,
                                              sizeof(Grain), &options, nullptr))
                    << equipoise_error_text();
                pool.expect(items, count);
                pool.expect_blocks(count > 0 ? 1 : 0);
                pool.free(items);
            }
}

TEST(Returned, WeightsAreOfTheCallersMemoryOnEveryRank) {
    for (const auto& counts : balancer::distributions(world_size())) {
        Pool pool;
        const equipoise_options options = pool.options();
        const std::vector<Grain> given = make_items(counts, make_grain);
        std::int64_t count = std::ssize(given);
        Grain* items = pool.filled(given);
        double* weights = pool.filled(std::vector<double>(given.size(), 1.5));
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&items), &weights,
                                               &count, sizeof(Grain), &options, nullptr))
            << equipoise_error_text();
        pool.expect(items, count);
        pool.expect(weights, count);
        pool.expect_blocks(count > 0 ? 2 : 0);
        pool.free(items);
        pool.free(weights);
    }
}

TEST(Returned, CopiesAreNewArraysOnEveryRankAndThoseGivenBackTheCallersOwn) {
    for (const auto& counts : balancer::distributions(world_size()))
        for (const bool begins : {false, true}) {
            Pool pool;
            const equipoise_options options = pool.options();
            const std::vector<Grain> given = make_items(counts, make_grain);
            std::int64_t count = std::ssize(given);
            equipoise_loan* loan = nullptr;
            ASSERT_EQ(EQUIPOISE_OK, equipoise_loan_make(MPI_COMM_WORLD, count, nullptr, &loan));
            Grain* copies = nullptr;
            std::int64_t copy_count = -1;
            if (begins) {
                equipoise_moving* moving = nullptr;
                ASSERT_EQ(EQUIPOISE_OK,
                          equipoise_lend_copies_begin(loan, given.data(), count, sizeof(Grain),
                                                      static_cast<void*>(&copies), &copy_count,
                                                      &options, &moving));
                EXPECT_EQ(nullptr, copies) << "it is set by equipoise_end";
                EXPECT_EQ(-1, copy_count);
                ASSERT_EQ(EQUIPOISE_OK, equipoise_end(&moving, nullptr));
                EXPECT_EQ(nullptr, moving);
            } else {
                ASSERT_EQ(EQUIPOISE_OK,
                          equipoise_lend_copies(loan, given.data(), count, sizeof(Grain),
                                                static_cast<void*>(&copies), &copy_count, &options,
                                                nullptr));
            }
            pool.expect(copies, copy_count);
            EXPECT_TRUE(balancer::all_there(
                balancer::all_numbers(std::vector<Grain>(copies, copies + copy_count))));
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_give_back(loan, static_cast<void*>(&copies), &copy_count,
                                          sizeof(Grain), &options, nullptr));
            pool.expect(copies, copy_count);
            pool.expect_blocks(copy_count > 0 ? 1 : 0);
            EXPECT_EQ(given, std::vector<Grain>(copies, copies + copy_count));
            pool.free(copies);
            equipoise_loan_free(&loan);
        }
}

TEST(Returned, CopiesThatCannotBeginAreAnErrorOfAllRanksAndLeaveNothing) {
    equipoise_loan* loan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_loan_make(MPI_COMM_WORLD, world_rank() == 0 ? 40 : 3, nullptr, &loan));
    const std::vector<double> items(world_rank() == 0 ? 40 : 3, 1.5);
    const auto begin = [&](std::int64_t count, bool somewhere, bool handle) {
        Pool pool;
        const equipoise_options options = pool.options();
        void* copies = nullptr;
        std::int64_t copy_count = -1;
        equipoise_moving* moving = nullptr;
        const int code =
            equipoise_lend_copies_begin(loan, items.data(), count, sizeof(double),
                                        somewhere ? static_cast<void*>(&copies) : nullptr,
                                        &copy_count, &options, handle ? &moving : nullptr);
        EXPECT_EQ(nullptr, copies);
        EXPECT_EQ(nullptr, moving);
        EXPECT_EQ(-1, copy_count);
        pool.expect_blocks(0);
        return code;
    };
    const std::int64_t count = std::ssize(items);
    expect_alike(EQUIPOISE_BAD_INPUT, 0,
                 [&](bool here) { return begin(here ? count - 1 : count, true, true); });
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) { return begin(count, !here, true); });
    expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) { return begin(count, true, !here); });
    equipoise_loan_free(&loan);
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_lend_copies_begin(nullptr, nullptr, 0, 1, nullptr,
                                                               nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace equipoise::capi
