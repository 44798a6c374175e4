#include "equipoise/agent/tickets.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::agent {
namespace {

TEST(Gate, AdmitsNoMoreOldMessagesThanItsCapacityWhateverComes) {
    for (unsigned capacity = 1; capacity <= 4; ++capacity) {
        Gate gate(1, 0, capacity);
        RandomStream random(capacity, Purpose::sampling);
        // Everything that was ever sent, with any ticket that the gate ever named.
        std::vector<std::uint64_t> sent;
        for (int round = 0; round < 200; ++round) {
            sent.insert(sent.end(), gate.tickets().begin(), gate.tickets().end());
            const std::uint64_t ticket = sent[random.below(sent.size())];
            static_cast<void>(gate.admits(ticket));
        }
        // From now on nothing new is sent: of all copies, only `capacity` get in.
        sent.insert(sent.end(), gate.tickets().begin(), gate.tickets().end());
        unsigned admitted = 0;
        for (int copies = 0; copies < 3; ++copies)
            for (const std::uint64_t ticket : sent)
                if (gate.admits(ticket)) ++admitted;
        EXPECT_EQ(admitted, capacity);
    }
}

TEST(Gate, NamesNoTicketZero) {
    Gate gate(7, 3, 8);
    for (const std::uint64_t ticket : gate.tickets())
        EXPECT_NE(ticket, 0U);
    EXPECT_FALSE(gate.admits(0));
}

TEST(Purse, UsesATicketOnceAndAgainAfterItsPatience) {
    Purse purse(100);
    EXPECT_EQ(purse.take(0), 0U);
    const std::array<std::uint64_t, 2> tickets = {5, 6};
    purse.fill(tickets);
    EXPECT_EQ(purse.take(10), 5U);
    EXPECT_EQ(purse.take(10), 6U);
    EXPECT_EQ(purse.take(50), 0U);
    purse.fill(tickets);  // an old message names them again
    EXPECT_EQ(purse.take(60), 0U);
    EXPECT_EQ(purse.take(110), 5U);
    EXPECT_EQ(purse.take(110), 6U);
    EXPECT_EQ(purse.take(309), 0U);  // twice as long
    EXPECT_EQ(purse.take(310), 5U);
}

TEST(Purse, UsesATicketThatIsNotAnsweredEverLessOften) {
    Purse purse(100);
    purse.fill(std::array<std::uint64_t, 1>{5});
    int used = 0;
    for (std::uint64_t now = 0; now < 10'000; now += 10)
        if (purse.take(now) != 0) ++used;
    EXPECT_EQ(used, 15);  // at 0, 100, 300, 700, 1500, 2300, 3100, ..., 9500
    purse.fill(std::array<std::uint64_t, 1>{7});
    EXPECT_EQ(purse.take(10'000), 7U);
    EXPECT_EQ(purse.take(10'100), 7U);
}

}  // namespace
}  // namespace equipoise::agent
