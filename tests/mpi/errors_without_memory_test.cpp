// Errors that ranks throw together although one of them has no memory for the text.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/mpi/error.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer::errors_without_memory {
namespace {

// What a call threw, kept without memory.
struct Thrown {
    int failure = -1;
    int rank = -1;
    std::array<char, 4000> text = {};

    void note(const mpi::CollectiveError& error) noexcept {
        failure = static_cast<int>(error.failure());
        rank = error.rank();
        std::strncpy(text.data(), error.what(), text.size() - 1);
    }
    friend bool operator==(const Thrown&, const Thrown&) = default;
};

// Whether all ranks threw what rank 0 threw.
bool same_on_all(const Thrown& mine) {
    Thrown first = mine;
    MPI_Bcast(&first, static_cast<int>(sizeof(first)), MPI_BYTE, 0, MPI_COMM_WORLD);
    int same = first == mine ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same != 0;
}

struct Refusal {
    const char* what;
    std::function<Options()> options;
};

const std::vector<double>& ones() {
    static const std::vector<double> weights(40, 1.0);
    return weights;
}
constexpr std::size_t items = 40;  // on each rank

// Options that are refused for want of room, or because they are wrong.
std::vector<Refusal> refusals() {
    const auto weighted = [](Policy policy) {
        return Options{.policy = policy, .weights = ones()};
    };
    std::vector<Refusal> all;
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical})
        all.push_back({"too little room for items",
                       [=] { return Options{.policy = policy, .items_max = 39}; }});
    for (const Policy policy : {Policy::weighted, Policy::keep_order}) {
        all.push_back({"too little room for weighted items", [=] {
                           Options options = weighted(policy);
                           options.items_max = 39;
                           return options;
                       }});
        all.push_back({"too little room for bytes", [=] {
                           Options options = weighted(policy);
                           options.sizes = ones();
                           options.bytes_max = 39;
                           return options;
                       }});
        all.push_back({"items that are larger than any room", [=] {
                           static const std::vector<double> sizes = [] {
                               std::vector<double> made(items, 0.0);
                               made[7] = 100;
                               return made;
                           }();
                           Options options = weighted(policy);
                           options.sizes = sizes;
                           options.bytes_max = 90;
                           return options;
                       }});
        all.push_back({"room for all bytes, but not in whole items", [=] {
                           static const std::vector<double> sizes = [] {
                               std::vector<double> made(items, 0.0);
                               made[3] = made[5] = made[9] = 50;
                               return made;
                           }();
                           Options options = weighted(policy);
                           options.sizes = sizes;
                           options.bytes_max = 149;
                           return options;
                       }});
    }
    all.push_back({"a bad figure on the last rank",
                   [] { return Options{.speed = world_rank() == world_size() - 1 ? -1.0 : 1.0}; }});
    if (world_size() > 1)
        all.push_back({"different calls", [] {
                           return Options{.policy = world_rank() == 0 ? Policy::keep_order
                                                                      : Policy::minimum_moves};
                       }});
    return all;
}

Thrown thrown_by(const Options& options, std::vector<std::uint32_t>& numbers) noexcept {
    Thrown thrown;
    try {
        rebalance(MPI_COMM_WORLD, numbers, options);
    } catch (const mpi::CollectiveError& error) {
        thrown.note(error);
    } catch (...) {
        thrown.failure = -2;
    }
    return thrown;
}

TEST(ErrorsWithoutMemory, AreTheSameOnAllRanksWhicheverAllocationFails) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    std::vector<std::uint32_t> numbers(items, 7);
    const std::vector<std::uint32_t> before = numbers;
    std::size_t number = 0;
    for (const Refusal& refusal : refusals()) {
        if (!test::plays_case(world_size(), number++)) continue;
        const Options options = refusal.options();
        const Thrown with_memory = thrown_by(options, numbers);
        ASSERT_GE(with_memory.failure, 0) << refusal.what;
        ASSERT_TRUE(same_on_all(with_memory)) << refusal.what;
        for (const int failing : {0, world_size() - 1})
            for (const test::Shortage shortage : {test::Shortage::passes, test::Shortage::lasts}) {
                int told_without_memory = 0;
                for (std::int64_t which = 0;; ++which) {
                    Thrown thrown;
                    const bool any = test::falls_short(
                        failing, which, [&] { thrown = thrown_by(options, numbers); }, shortage);
                    ASSERT_TRUE(same_on_all(thrown))
                        << refusal.what << ", allocation " << which << ": " << thrown.failure
                        << ": " << thrown.text.data();
                    ASSERT_GE(thrown.failure, 0) << refusal.what << ", allocation " << which;
                    ASSERT_EQ(before, numbers);
                    if (!any) break;
                    if (thrown == with_memory) ++told_without_memory;
                }
                // The last allocations are those for the texts.
                EXPECT_GT(told_without_memory, 0) << refusal.what;
            }
    }
}

TEST(ErrorsWithoutMemory, HaveTheWholeTextIfItFits) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    const auto text_of = [](std::string_view text, std::int64_t which) {
        Thrown thrown;
        std::atomic<bool> failed = false;
        {
            const test::FailingMemory memory(which, failed, test::Shortage::lasts);
            const mpi::CollectiveError error(mpi::Failure::memory, 12'345, text);
            const mpi::CollectiveError copy = error;
            thrown.note(copy);
        }
        EXPECT_EQ(which >= 0, failed);
        return std::string(thrown.text.data());
    };
    const std::string plain(300, 'x');
    EXPECT_EQ("rank 12345: out of memory: " + plain, text_of(plain, -1));
    EXPECT_EQ(text_of(plain, -1), text_of(plain, 0));
    EXPECT_EQ("rank 12345: out of memory: one two", text_of("one\ttwo", 0));
    const std::string accents = [] {
        std::string made;
        while (made.size() < 3000)
            made += "\xC3\xA9";  // an accented e
        return made;
    }();
    const std::string cut = text_of(accents, 0);
    EXPECT_LE(cut.size(), mpi::CollectiveError::text_max);
    EXPECT_GE(cut.size(), mpi::CollectiveError::text_max - 1);
    EXPECT_EQ(cut, text_of(accents, -1).substr(0, cut.size()));
    EXPECT_EQ('\xA9', cut.back());
}

}  // namespace
}  // namespace equipoise::balancer::errors_without_memory
