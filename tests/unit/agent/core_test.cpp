#include "equipoise/agent/core.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "tests/unit/agent/virtual_fleet.hpp"

namespace equipoise::agent {
namespace {

TEST(Core, LevelsAPairOfSites) {
    VirtualFleet fleet(2, {{0, 1}}, {}, 1);
    fleet.put(0, 1001);
    fleet.run(30 * second);
    EXPECT_EQ(fleet.jobs(), 1001);
    EXPECT_LE(fleet.steepest(), 1);
    EXPECT_TRUE(fleet.core(0).level());
    EXPECT_TRUE(fleet.core(1).level());
}

TEST(Core, LevelsATorusWhoseMessagesAreLostDoubledAndReordered) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        VirtualFleet fleet(9, torus_links(3), {.loss = 200, .doubled = 200, .delay_max = 20'000},
                           seed);
        fleet.put(4, 5'000);
        fleet.run(60 * second);
        EXPECT_EQ(fleet.jobs(), 5'000);
        EXPECT_LE(fleet.steepest(), 1) << "seed " << seed;
    }
}

TEST(Core, LevelsBesideWorkersWhoTakeJobsMeanwhile) {
    VirtualFleet fleet(9, torus_links(3), {.loss = 50, .doubled = 50, .delay_max = 5'000}, 7);
    RandomStream random(7, Purpose::sampling, 1);
    fleet.put(0, 5'000);
    for (int round = 0; round < 2'000; ++round) {
        fleet.run(5'000);
        for (std::size_t at = 0; at < 9; ++at)
            if (random.coin()) fleet.work(at);
        if (round % 10 == 0) fleet.put(random.below(9), 7);
    }
    fleet.run(60 * second);
    EXPECT_EQ(fleet.jobs(), 5'000 + 200 * 7);
    EXPECT_LE(fleet.steepest(), 1);
}

TEST(Core, LevelsAgainAfterAgentsWereKilledInTheMidst) {
    VirtualFleet fleet(9, torus_links(3), {.loss = 50, .doubled = 50, .delay_max = 5'000}, 3);
    RandomStream random(3, Purpose::sampling, 1);
    fleet.put(8, 10'000);
    for (int kill = 0; kill < 50; ++kill) {
        fleet.run(100'000 + random.below(300'000));
        fleet.kill(random.below(9));
    }
    fleet.run(120 * second);
    EXPECT_EQ(fleet.jobs(), 10'000);
    EXPECT_LE(fleet.steepest(), 1);
}

TEST(Core, LevelsFromAnyStateOfItsProgram) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        VirtualFleet fleet(3, {{0, 1}, {1, 2}, {2, 0}}, {}, seed);
        fleet.put(0, 150);
        fleet.run(2 * second);
        RandomStream random(seed, Purpose::sampling, 9);
        for (std::size_t at = 0; at < 3; ++at)
            fleet.core(at).corrupt(random);
        fleet.run(60 * second);
        EXPECT_EQ(fleet.jobs(), 150);
        EXPECT_LE(fleet.steepest(), 1) << "seed " << seed;
    }
}

TEST(Core, StaysQuietWhenLevel) {
    VirtualFleet fleet(9, torus_links(3), {}, 5);
    fleet.put(0, 900);
    fleet.run(120 * second);
    const std::uint64_t before = fleet.messages();
    fleet.run(100 * second);
    // Two messages a link and second at most, over 18 links.
    EXPECT_LE(fleet.messages() - before, 100U * 2U * 18U);
    EXPECT_LE(fleet.steepest(), 1);
}

TEST(Core, IsQuietEightSecondsAfterItIsLevel) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    constexpr std::uint64_t seeds = 10;
    std::uint64_t most = 0;
    std::uint64_t sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        VirtualFleet fleet(9, torus_links(3), {}, seed);
        fleet.put(0, 90);
        while (fleet.steepest() > 1 && fleet.now() < 30 * second)
            fleet.run(10'000);
        ASSERT_LE(fleet.steepest(), 1);
        fleet.run(8 * second);
        const std::uint64_t before = fleet.messages();
        fleet.run(5 * second);
        most = std::max(most, fleet.messages() - before);
        sum += fleet.messages() - before;
    }
    // In five seconds, over 18 links: two a link and second at most, 0.7 on average.
    EXPECT_LE(most, 5U * 2U * 18U);
    EXPECT_LE(10 * sum, 7 * seeds * 5U * 18U);
}

TEST(Core, SendsFewMessagesWhereAnswersAreSlow) {
    VirtualFleet fleet(9, torus_links(3), {.loss = 0, .doubled = 0, .delay_max = 2 * second}, 5);
    fleet.put(0, 90'000);
    fleet.run(10 * second);
    const std::uint64_t before = fleet.messages();
    fleet.run(60 * second);
    // Over 18 links. Tickets that are used again, and asked for, ten times a second make it twice
    // as many.
    EXPECT_LE(fleet.messages() - before, 60U * 18U * 45U);
}

TEST(Core, DealsSoonAgainWhileWorkersEmptyTheOtherEnd) {
    constexpr std::uint64_t seeds = 5;
    Micros sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        VirtualFleet fleet(2, {{0, 1}}, {}, seed);
        fleet.run(30 * second);  // long idle
        fleet.put(0, 3000);
        const Micros start = fleet.now();
        while (fleet.at(0) > 1 && fleet.now() < start + 60 * second) {
            fleet.run(10'000);
            while (fleet.work(1)) {
            }
        }
        sum += fleet.now() - start;
    }
    // Some fifteen deals, each of which waits for a look and several turns.
    EXPECT_LE(sum / seeds, 6 * second);
}

TEST(Core, LevelsSoonThoughNeighboursNeverFallSilent) {
    constexpr std::uint64_t seeds = 20;
    Micros sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        VirtualFleet fleet(3, {{0, 1}, {1, 2}, {2, 0}}, {}, seed);
        fleet.run(30 * second);  // long idle
        fleet.put(0, 3000);
        const Micros start = fleet.now();
        while (fleet.steepest() > 1 && fleet.now() < start + 60 * second)
            fleet.run(10'000);
        EXPECT_LE(fleet.steepest(), 1) << "seed " << seed;
        sum += fleet.now() - start;
    }
    // A second until the jobs are seen, and some ten deals.
    EXPECT_LE(sum / seeds, 2 * second);
}

TEST(Core, CountsJobsThatArriveTwiceOnlyUntilItLooksAgain) {
    constexpr Micros step = 100;
    constexpr Micros look_every = second;  // at most, in this fleet
    constexpr VirtualNetwork network;
    Micros longest = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        VirtualFleet fleet(2, {{0, 1}}, network, seed);
        fleet.put(0, 1000);
        Micros since = 0;
        while (fleet.now() < 10 * second) {
            fleet.run(step);
            const Core& taker = fleet.core(1);
            ASSERT_EQ(fleet.core(0).taken(), 0);  // all goes one way
            // All that was taken is there, and nothing else is to come.
            const bool arrived = taker.taken() == fleet.at(1);
            const Tokens twice = taker.backlog() + taker.incoming() - fleet.at(1);
            if (!arrived || twice <= 0) {
                since = 0;
                continue;
            }
            EXPECT_LE(twice, taker.taken());
            if (since == 0) since = fleet.now();
            longest = std::max(longest, fleet.now() - since);
        }
        EXPECT_EQ(fleet.core(1).backlog() + fleet.core(1).incoming(), fleet.at(1));
        EXPECT_LE(fleet.steepest(), 1);
    }
    EXPECT_GT(longest, 0U);
    EXPECT_LE(longest, network.delay_max + look_every + 2 * step);
}

TEST(Core, ThatBeginsAnewKnowsTheStockOfTheOneBefore) {
    struct Nobody : Core::Actions {
        void post(Port /*port*/, const std::string& /*text*/) override {}
    } nobody;
    Core before({}, {model::LinkEnd::tail}, nobody, 1);
    before.see({1000, 20}, 1, 1);
    before.hold(30, 2);  // 20 of them had been given back
    EXPECT_EQ(before.stock().waiting, 990);
    EXPECT_EQ(before.stock().returned, 0);
    Core after({}, {model::LinkEnd::tail, model::LinkEnd::head}, nobody, 3);
    after.hold(30, 3);
    after.see(before.stock(), 3, 3);
    EXPECT_EQ(after.backlog(), 1020);
    EXPECT_EQ(after.backlog(), before.backlog());
}

TEST(Core, CountsWhatIsNoMessageAndLosesNothing) {
    VirtualFleet fleet(2, {{0, 1}}, {}, 1);
    fleet.put(0, 100);
    fleet.run(second);
    fleet.inject(0, 0, "");
    fleet.inject(0, 0, "[1, 2");
    fleet.inject(0, 0, std::string(5000, ' '));
    fleet.inject(0, 0, R"({"version": 2})");
    EXPECT_EQ(fleet.core(0).counts().malformed, 4U);
    // A well-formed message with a made-up ticket is turned away.
    LinkMessage forged;
    forged.incarnation = 5;
    forged.ticket = 12345;
    forged.message = Message{};
    forged.message->kind = Program::Kind::acknowledgement;
    forged.message->amount = tokens_max;
    fleet.inject(0, 0, written(forged));
    EXPECT_EQ(fleet.core(0).counts().turned_away, 1U);
    fleet.run(30 * second);
    EXPECT_EQ(fleet.jobs(), 100);
    EXPECT_LE(fleet.steepest(), 1);
}

/// A neighbour that knows the tickets, and says whatever it likes.
class Liar : public Core::Actions {
  public:
    void post(Port /*port*/, const std::string& text) override { last_ = text; }
    /// An acknowledgement of 900 jobs, of one label after the other, from a site that says to have
    /// `load`.
    void answer(Core& core, Tokens load, Micros now) {
        const auto sent = read_link_message(last_);
        ASSERT_TRUE(sent.has_value());
        LinkMessage forged;
        forged.incarnation = 5;
        forged.crossed = crossed;
        forged.ticket = sent->tickets.front();
        forged.tickets = {++answers_};
        forged.message = Message{};
        forged.message->kind = Program::Kind::acknowledgement;
        forged.message->amount = 900;
        forged.message->load = load;
        forged.message->stamp.label = static_cast<std::uint8_t>(answers_ % 2);
        forged.message->stamp.bit = answers_ % 4 < 2;
        core.come(0, written(forged), now);
    }
    Crossed crossed;

  private:
    std::string last_;
    std::uint64_t answers_ = 0;
};

TEST(Core, GivesNoMoreThanABatchToAForgedAcknowledgement) {
    Liar liar;
    CoreOptions options;
    options.batch = 10;
    options.seed = 1;
    Core core(options, {model::LinkEnd::tail}, liar, 1);
    core.see({1000, 0}, 1, 1);
    Micros now = 1;
    for (int turn = 0; turn < 200 && core.owed() == 0; ++turn) {
        now += 100'000;
        core.pass(now);
        liar.answer(core, 0, now);
        core.hold(core.wanted(), now);
        EXPECT_LE(core.owed(), 10);
    }
    EXPECT_EQ(core.owed(), 10);
    EXPECT_GT(core.counts().excess, 0U);
}

TEST(Core, GivesNothingToAForgedAcknowledgementOfNoJobs) {
    Liar liar;
    CoreOptions options;
    options.batch = 10;
    options.seed = 1;
    Core core(options, {model::LinkEnd::tail}, liar, 1);
    core.see({1000, 0}, 1, 1);
    Micros now = 1;
    for (int turn = 0; turn < 200; ++turn) {
        now += 100'000;
        core.pass(now);
        liar.answer(core, 1000, now);  // the site is level, and asks for nothing but news
        core.hold(core.wanted(), now);
    }
    EXPECT_EQ(core.owed(), 0);
    EXPECT_GT(core.counts().excess, 900U);
}

TEST(Core, GivesOnceWhatItHadOfferedToANeighbourThatAnswersTooLate) {
    Liar liar;
    CoreOptions options;
    options.batch = 10;
    options.seed = 1;
    Core core(options, {model::LinkEnd::tail}, liar, 1);
    core.see({1000, 0}, 1, 1);
    Micros now = 1;
    for (int turn = 0; turn < 200 && core.held() < 10; ++turn) {
        now += 100'000;
        core.pass(now);
        if (core.offered() == 0) liar.answer(core, 0, now);
        core.hold(core.wanted(), now);
    }
    ASSERT_EQ(core.offered(), 10);
    for (const Micros end = now + 7 * second; now < end; now += second / 10)
        core.pass(now);
    EXPECT_EQ(core.offered(), 0);
    for (int turn = 0; turn < 100; ++turn) {
        now += 100'000;
        core.pass(now);
        liar.answer(core, 1000, now);  // the load of a level neighbour: it is offered nothing new
    }
    EXPECT_EQ(core.owed(), 10);
    EXPECT_GT(core.counts().excess, 0U);
}

TEST(Core, OffersNoneOfTheJobsThatShallBeLeftForOnesThatAreSaidToCome) {
    struct Offers : Liar {
        Tokens most = 0;
        void post(Port port, const std::string& text) override {
            Liar::post(port, text);
            const auto sent = read_link_message(text);
            if (sent && sent->message && offers_jobs(*sent->message))
                most = std::max(most, sent->message->amount);
        }
    } liar;
    liar.crossed = {.given = 50'000, .settled = 0};
    CoreOptions options;
    options.leave_at_least = 990;
    options.seed = 1;
    Core core(options, {model::LinkEnd::tail}, liar, 1);
    core.see({1000, 0}, 1, 1);
    Micros now = 1;
    Tokens wanted = 0;
    for (int turn = 0; turn < 300; ++turn) {
        now += 100'000;
        core.pass(now);
        liar.answer(core, 0, now);
        wanted = std::max(wanted, core.wanted());
        core.hold(core.wanted(), now);
    }
    EXPECT_GE(core.incoming(), 50'000);
    EXPECT_GT(wanted, 10);
    EXPECT_LE(liar.most, 10);
    EXPECT_LE(core.owed(), 10);
}

TEST(Core, EndsItsOffersWhileTheSiteRests) {
    Liar liar;
    CoreOptions options;
    options.seed = 1;
    Core core(options, {model::LinkEnd::tail}, liar, 1);
    core.see({1000, 0}, 1, 1);
    Micros now = 1;
    for (int turn = 0; turn < 200 && core.held() == 0; ++turn) {
        now += 100'000;
        core.pass(now);
        if (core.offered() == 0) liar.answer(core, 0, now);
        core.hold(core.wanted(), now);
    }
    ASSERT_GT(core.held(), 0);
    EXPECT_EQ(core.surplus(false), 0);
    for (const Micros end = now + 7 * second; now < end; now += second / 4)
        core.rest(now);
    EXPECT_EQ(core.offered(), 0);
    EXPECT_EQ(core.surplus(false), core.held());
}

TEST(Core, KeepsWhatShallBeLeft) {
    CoreOptions options;
    options.leave_at_least = 40;
    VirtualFleet fleet(2, {{0, 1}}, {}, 1, options);
    fleet.put(0, 100);
    fleet.run(30 * second);
    // 60 may move; the other site keeps what it gets, but offers none of its first 40.
    EXPECT_GE(fleet.at(0), 40);
    EXPECT_EQ(fleet.jobs(), 100);
}

TEST(Core, LeavesThoughANeighbourIsSilent) {
    struct Nobody : Core::Actions {
        void post(Port /*port*/, const std::string& /*text*/) override {}
    } nobody;
    Core core({}, {model::LinkEnd::tail, model::LinkEnd::head}, nobody, 1);
    core.see({0, 0}, 1, 1);
    core.leave(second);
    for (Micros now = second; now < 5 * second; now += second / 10)
        core.pass(now);
    EXPECT_FALSE(core.left());  // they may still answer
    for (Micros now = 5 * second; now < 12 * second; now += second / 10)
        core.pass(now);
    EXPECT_TRUE(core.left());
}

TEST(Core, HandsEverythingOverWhenItLeaves) {
    VirtualFleet fleet(3, {{0, 1}, {1, 2}}, {}, 1);
    fleet.put(1, 3000);
    fleet.run(30 * second);
    fleet.core(1).leave(fleet.now());
    fleet.run(60 * second);
    EXPECT_TRUE(fleet.core(1).left());
    EXPECT_EQ(fleet.at(1), 0);
    EXPECT_EQ(fleet.jobs(), 3000);
}

}  // namespace
}  // namespace equipoise::agent
