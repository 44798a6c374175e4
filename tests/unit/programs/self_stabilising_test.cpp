// Algorithm 5 on the plain host, step by step: lost and duplicated packets.

#include "equipoise/programs/self_stabilising.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/bad_links.hpp"
#include "tests/support/reference_host.hpp"

namespace equipoise::programs {
namespace {

constexpr unsigned capacity = 1;
using Program = SelfStabilising<LabelledLink>;
using test::BothWays;

TEST(SelfStabilising, LevelsOverUnreliableLinks) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const std::vector<Tokens> loads = {30, 0, 0, 7, 1};
    const Program program{LabelledLink(capacity)};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        test::ReferenceHost host(program, graph, loads);
        test::run_over_bad_links(host, capacity, seed, 30'000);
        EXPECT_LE(load::local_imbalance(graph, host.loads()), 1);
        EXPECT_EQ(load::total(host.loads()), 38);
        EXPECT_EQ(host.held_and_on_the_way(), 38);
    }
}

TEST(SelfStabilising, AnArbitraryStartMayHaveEveryBitOfEveryFieldSetOrClear) {
    const Program program{LabelledLink(capacity)};
    RandomStream random(1, Purpose::fault);
    std::vector<BothWays> words(13);
    BothWays labels;
    BothWays flags;
    for (int draw = 0; draw < 2000; ++draw) {
        Program::State state;
        std::vector<Program::PortState> ports(1);
        program.corrupt(random, state, ports);
        const auto& [sender, receiver, view, heard, closed, suspect] = ports.front();
        EXPECT_GT(suspect, 0U);
        const Program::Message message = program.arbitrary_message(random);
        words[0].see(state.draws);
        words[1].see(state.received);
        words[2].see(sender.offer.amount);
        words[3].see(sender.offer.level);
        words[4].see(sender.deal);
        words[5].see(sender.acknowledged);
        words[6].see(receiver.offer.amount);
        words[7].see(receiver.deal);
        words[8].see(receiver.collected);
        words[9].see(view);
        words[10].see(message.amount);
        words[11].see(message.level);
        words[12].see(message.load);
        labels.see(message.stamp.label | ~std::uint64_t{255});
        labels.see(std::uint64_t{message.stamp.label});
        std::uint64_t set = 0;
        unsigned bit = 0;
        for (const bool flag : {sender.bit, sender.open, sender.offer.closing, receiver.last,
                                receiver.offer.closing, heard, closed, message.stamp.bit,
                                message.closing, message.kind == Program::Kind::packet})
            set |= (flag ? std::uint64_t{1} : 0) << bit++;
        flags.see(set);
        flags.see(set | ~std::uint64_t{0} << bit);
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        EXPECT_TRUE(words[i].all()) << "word " << i;
    EXPECT_TRUE(labels.all());
    EXPECT_TRUE(flags.all());
}

TEST(SelfStabilising, AnOfferLeavesItsTokensAsideUntilItIsAnswered) {
    const network::Network pair(2, {{0, 1}});
    const SelfStabilising program{SequenceLink()};
    test::ReferenceHost host(program, pair, std::vector<Tokens>{10, 0});
    Tokens before = 10;
    for (int choice = 0; choice < 200; ++choice) {
        const auto open = host.choices();
        host.take(open[static_cast<std::size_t>(choice) % open.size()]);
        const std::vector<Tokens> loads = host.loads();
        // The taker books first, so both may hold a token for a while, but nobody loses one.
        EXPECT_GE(loads[0] + loads[1], 10);
        EXPECT_LE(loads[0], before);
        before = loads[0];
    }
    EXPECT_EQ(host.loads(), (std::vector<Tokens>{5, 5}));
}

}  // namespace
}  // namespace equipoise::programs
