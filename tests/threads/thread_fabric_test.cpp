#include "equipoise/engine/parts/thread_fabric.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::engine {
namespace {

TEST(ThreadFabric, AddsUpTakesMaximaAndGivesAllRanksTheSame) {
    for (const int ranks : {1, 2, 3, 4, 7})
        run_as_threads(ranks, [&](Fabric& fabric) {
            EXPECT_EQ(fabric.ranks(), ranks);
            for (int round = 0; round < 20; ++round) {
                EXPECT_EQ(sum_of(fabric, fabric.rank() + round),
                          ranks * (ranks - 1) / 2 + ranks * round);
                EXPECT_EQ(largest_of(fabric, -fabric.rank() - round), -round);
                std::vector<int> expected(static_cast<std::size_t>(ranks));
                std::iota(expected.begin(), expected.end(), round);
                EXPECT_EQ(all_of(fabric, fabric.rank() + round), expected);
            }
        });
}

TEST(ThreadFabric, BringsMessagesToTheirReceiversInTheOrderOfSending) {
    run_as_threads(3, [](Fabric& fabric) {
        // Two messages from every rank to every other one.
        std::vector<std::array<int, 2>> sent;
        std::vector<std::array<int, 2>> heard(3);
        std::vector<Fabric::Outgoing> out;
        std::vector<Fabric::Incoming> in;
        for (int other = 0; other < 3; ++other)
            sent.push_back({10 * fabric.rank() + other, 100 * fabric.rank() + other});
        for (int other = 0; other < 3; ++other) {
            if (other == fabric.rank()) continue;
            const auto place = static_cast<std::size_t>(other);
            for (const std::size_t which : {0U, 1U}) {
                out.push_back({other, std::as_bytes(std::span(&sent[place][which], 1))});
                in.push_back({other, std::as_writable_bytes(std::span(&heard[place][which], 1))});
            }
        }
        fabric.begin_exchange(out, in);
        fabric.finish_exchange();
        for (int other = 0; other < 3; ++other)
            if (other != fabric.rank()) {
                const std::array<int, 2> expected = {10 * other + fabric.rank(),
                                                     100 * other + fabric.rank()};
                EXPECT_EQ(heard[static_cast<std::size_t>(other)], expected);
            }
    });
}

TEST(ThreadFabric, CarriesParcelsInTheOrderOfSending) {
    run_as_threads(4, [](Fabric& fabric) {
        const int next = (fabric.rank() + 1) % 4;
        for (unsigned char i = 0; i < 50; ++i)
            fabric.send(next, {std::byte{i}});
        unsigned char expected = 0;
        Parcel parcel;
        while (expected < 50)
            if (fabric.receive(parcel)) {
                EXPECT_EQ(parcel.from, (fabric.rank() + 3) % 4);
                EXPECT_EQ(parcel.bytes, std::vector<std::byte>{std::byte{expected++}});
            }
    });
}

TEST(ThreadFabric, EndsEveryRankIfOneEndsOrFailsAlone) {
    const auto wait = [](Fabric& fabric) { static_cast<void>(sum_of(fabric, 1)); };
    EXPECT_THROW(run_as_threads(3,
                                [&](Fabric& fabric) {
                                    wait(fabric);
                                    if (fabric.rank() == 2) throw std::range_error("alone");
                                    wait(fabric);
                                }),
                 std::range_error);
    EXPECT_THROW(run_as_threads(3,
                                [&](Fabric& fabric) {
                                    if (fabric.rank() != 1) wait(fabric);
                                }),
                 std::logic_error);
}

TEST(ThreadFabric, EndsRanksThatLookForParcelsWhenARankFails) {
    const auto wait_for_parcels = [](Fabric& fabric) {
        Parcel parcel;
        while (!fabric.receive(parcel)) {
        }
    };
    EXPECT_THROW(run_as_threads(3,
                                [&](Fabric& fabric) {
                                    if (fabric.rank() == 1) throw std::range_error("alone");
                                    wait_for_parcels(fabric);
                                }),
                 std::range_error);
    // What was sent before is still found if a rank ends without an error.
    run_as_threads(2, [&](Fabric& fabric) {
        if (fabric.rank() == 0)
            fabric.send(1, {std::byte{1}});
        else
            wait_for_parcels(fabric);
    });
}

TEST(ThreadFabric, RefusesMessagesOfOtherLengths) {
    EXPECT_THROW(run_as_threads(2,
                                [](Fabric& fabric) {
                                    std::vector<std::byte> bytes(
                                        static_cast<std::size_t>(fabric.rank()) + 1);
                                    fabric.broadcast(bytes, 0);
                                }),
                 std::logic_error);
    EXPECT_THROW(run_as_threads(2,
                                [](Fabric& fabric) {
                                    std::vector<std::byte> bytes(3);
                                    const Fabric::Incoming in = {0, bytes};
                                    const std::size_t wanted = fabric.rank() == 1 ? 1 : 0;
                                    fabric.begin_exchange({}, {&in, wanted});
                                    fabric.finish_exchange();
                                }),
                 std::logic_error);
}

}  // namespace
}  // namespace equipoise::engine
