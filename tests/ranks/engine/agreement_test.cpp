// Ranks that agree on errors, and on what they must have in common.

#include "equipoise/engine/agreement.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/same_on_ranks.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::engine {
namespace {

using test::thrown_by;

TEST(ErrorsOfRanks, KeepTheirKindAndTextOnEveryRank) {
    test::on_ranks([](Fabric& fabric) {
        const std::vector<std::exception_ptr> errors = {
            std::make_exception_ptr(OverflowError("the sum")),
            std::make_exception_ptr(UnsuitableError("no tree")),
            std::make_exception_ptr(InputError("net.csv:3: expected a number")),
            std::make_exception_ptr(std::bad_alloc()),
            std::make_exception_ptr(std::runtime_error("a full disk")),
        };
        const int failing = fabric.ranks() - 1;
        const std::vector<std::string> expected = {
            "overflow: the sum is too large for the integers that hold it", "unsuitable: no tree",
            "input: net.csv:3: expected a number", "memory",
            fabric.ranks() == 1 ? "other: a full disk"
                                : "other: rank " + std::to_string(failing) + ": a full disk"};
        for (std::size_t i = 0; i < errors.size(); ++i)
            EXPECT_EQ(thrown_by([&] {
                          fabric.agree(fabric.rank() == failing ? errors[i] : std::exception_ptr());
                      }),
                      expected[i]);
        EXPECT_EQ(thrown_by([&] { fabric.agree({}); }), "nothing");
    });
}

TEST(Agree, ThrowsTheErrorOfTheLowestRankThatFailed) {
    test::on_ranks([](Fabric& fabric) {
        for (int failing = 0; failing < fabric.ranks(); ++failing) {
            LocalFailure failure;
            if (fabric.rank() >= failing)
                failure.guard(
                    [&] { throw InputError("broken on " + std::to_string(fabric.rank())); });
            EXPECT_EQ(thrown_by([&] { agree(fabric, failure); }),
                      "input: broken on " + std::to_string(failing));
        }
    });
}

TEST(Agree, ReturnsLargestWordsAndTheSum) {
    test::on_ranks([](Fabric& fabric) {
        Ballot mine;
        mine.must_be_equal = ~std::uint64_t{0};
        mine.maxima = {fabric.rank(), -fabric.rank(), -5, 0};
        mine.sum = fabric.rank();
        mine.sums = {1, fabric.rank(), 0, -1};
        const Ballot all = agree(fabric, {}, mine);
        EXPECT_EQ((std::array<std::int64_t, 4>{fabric.ranks() - 1, 0, -5, 0}), all.maxima);
        const std::int64_t sum = fabric.ranks() * (fabric.ranks() - 1) / 2;
        EXPECT_EQ(sum, all.sum);
        EXPECT_EQ((std::array<std::int64_t, 4>{fabric.ranks(), sum, 0, -fabric.ranks()}), all.sums);
    });
}

TEST(Agree, SaysWhichRankPassesSomethingElse) {
    test::on_ranks([](Fabric& fabric) {
        if (fabric.ranks() == 1) return;
        const int odd = fabric.ranks() - 1;
        Ballot mine;
        mine.must_be_equal = fabric.rank() == odd ? 0x8000000000000000U : 1U;
        EXPECT_EQ(thrown_by([&] { agree(fabric, {}, mine); }),
                  "input: rank 0: the ranks pass different plans or types");
        mine.describe = [&] { return fabric.rank() == odd ? "blue" : "green"; };
        EXPECT_EQ(thrown_by([&] { agree(fabric, {}, mine); }),
                  "input: rank " + std::to_string(odd) + ": blue, but rank 0: green");
        if (fabric.rank() == odd) mine.describe = {};
        EXPECT_EQ(thrown_by([&] { agree(fabric, {}, mine); }),
                  "input: rank " + std::to_string(odd) + ": another call, but rank 0: green");
    });
}

TEST(AgreeOnTries, NamesTheRankIfOthersSucceeded) {
    test::on_ranks([](Fabric& fabric) {
        const auto tried = [&](bool fails) {
            return thrown_by([&] {
                try_together(&fabric, [&] {
                    if (fails) throw InputError("no such file");
                });
            });
        };
        const bool last = fabric.rank() == fabric.ranks() - 1;
        EXPECT_EQ(tried(true), "input: no such file");
        EXPECT_EQ(tried(last),
                  fabric.ranks() == 1
                      ? "input: no such file"
                      : "input: rank " + std::to_string(fabric.ranks() - 1) + ": no such file");
        EXPECT_EQ(tried(false), "nothing");
    });
}

TEST(ExpectSame, NamesTheFirstThingAndTheLowestRankThatDiffers) {
    test::on_ranks([](Fabric& fabric) {
        const auto refusal = [&](std::uint64_t loads, std::uint64_t links) {
            const std::vector<Held> held = {{"options", 1}, {"loads", loads}, {"links", links}};
            return thrown_by([&] { expect_same(fabric, held); });
        };
        const auto rank = static_cast<std::uint64_t>(fabric.rank());
        EXPECT_EQ(refusal(5, 6), "nothing");
        if (fabric.ranks() == 1) return;
        EXPECT_EQ(refusal(rank / 2, rank),
                  fabric.ranks() == 2
                      ? "input: the links differ from rank to rank: those of rank 1 are not those "
                        "of rank 0; expected the same options, and the same files on all machines"
                      : "input: the loads differ from rank to rank: those of rank 2 are not those "
                        "of rank 0; expected the same options, and the same files on all machines");
    });
}

TEST(Gather, BringsBytesOfAnyLengthInTheOrderOfRanks) {
    test::on_ranks([](Fabric& fabric) {
        const auto mine_too = static_cast<std::size_t>(fabric.rank());
        const std::vector<std::byte> mine(1000 * (mine_too % 3), static_cast<std::byte>(mine_too));
        std::vector<std::byte> expected;
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(fabric.ranks()); ++rank)
            expected.insert(expected.end(), 1000 * (rank % 3), static_cast<std::byte>(rank));
        if (fabric.rank() != 0) expected.clear();
        EXPECT_EQ(fabric.gather(mine), expected);
    });
}

TEST(Broadcast, BringsBytesOfAnyLengthFromAnyRank) {
    test::on_ranks([](Fabric& fabric) {
        for (int from = 0; from < fabric.ranks(); ++from)
            for (const std::size_t size : {0U, 1U, 70'000U}) {
                std::vector<std::byte> bytes(size, static_cast<std::byte>(fabric.rank() + 1));
                fabric.broadcast(bytes, from);
                EXPECT_EQ(bytes, std::vector<std::byte>(size, static_cast<std::byte>(from + 1)));
            }
    });
}

}  // namespace
}  // namespace equipoise::engine
