#include "equipoise/engine/parts/thread_fabric.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/ranks/transport.hpp"

namespace equipoise::engine {
namespace {

TEST(ThreadFabric, AddsUpTakesMaximaAndTellsAllRanksAlike) {
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

TEST(ThreadFabric, BringsMessagesToWhomTheyAreForInTheOrderOfSending) {
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
        Transport& transport = *fabric.transport();
        const int next = (fabric.rank() + 1) % 4;
        for (unsigned char i = 0; i < 50; ++i)
            transport.send(next, {std::byte{i}});
        unsigned char expected = 0;
        Parcel parcel;
        while (expected < 50)
            if (transport.receive(parcel)) {
                EXPECT_EQ(parcel.from, (fabric.rank() + 3) % 4);
                EXPECT_EQ(parcel.bytes, std::vector<std::byte>{std::byte{expected++}});
            }
    });
}

TEST(ThreadFabric, EndsEveryRankWhereOneEndsOrFailsAlone) {
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

}  // namespace
}  // namespace equipoise::engine
