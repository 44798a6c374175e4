// Perfect from any state, on the plain host: lost and duplicated packets, counts and marks.

#include "equipoise/programs/perfect_self_stabilising.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/bad_links.hpp"
#include "tests/support/reference_host.hpp"

namespace equipoise::programs {
namespace {

using Labelled = LabelledLinkOf<TreeOffer>;
using Perfect = PerfectSelfStabilising<Labelled>;
using test::BothWays;

TEST(PerfectSelfStabilising, IsPerfectOverUnreliableLinks) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const std::vector<Tokens> loads = {30, 0, 0, 7, 1};
    const Perfect program(Labelled(1), 5);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        test::ReferenceHost host(program, graph, loads);
        test::run_over_bad_links(host, 1, seed, 60'000);
        std::vector<Tokens> end = host.loads();
        std::sort(end.begin(), end.end());
        EXPECT_EQ(end, (std::vector<Tokens>{7, 7, 8, 8, 8})) << seed;
        EXPECT_EQ(host.held_and_on_the_way(), 38);
    }
}

TEST(PerfectSelfStabilising, AnArbitraryStartMayHaveEveryBitOfEveryFieldSetOrClear) {
    const Perfect program(Labelled(1), 5);
    RandomStream random(1, Purpose::fault);
    std::vector<BothWays> words(20);
    BothWays flags;
    const auto see_report = [&](std::size_t at, const TreeReport& report) {
        words[at].see(report.root);
        words[at + 1].see(report.tokens);
        words[at + 2].see(report.share);
        words[at + 3].see(report.distance);
        words[at + 4].see(report.nodes);
        words[at + 5].see(report.extras);
    };
    for (int draw = 0; draw < 4000; ++draw) {
        Perfect::State state;
        std::vector<Perfect::PortState> ports(1);
        program.corrupt(random, state, ports);
        const Perfect::PortState& port = ports.front();
        EXPECT_GT(port.suspect, 0U);
        EXPECT_EQ(port.rest, -1);
        const Perfect::Message message = program.arbitrary_message(random);
        see_report(0, port.heard);
        see_report(6, message.offer.report);
        words[12].see(port.beyond);
        words[13].see(message.offer.amount);
        words[14].see(message.deal);
        words[15].see(state.draws);
        words[16].see(state.received);
        words[17].see(port.sender.offer.amount);
        words[18].see(port.receiver.deal);
        words[19].see(port.receiver.collected);
        std::uint64_t set = 0;
        unsigned bit = 0;
        for (const bool flag :
             {port.heard.child, port.heard.assigned, port.heard.mark, port.heard.echo, port.mark,
              port.counted, port.closed, message.offer.closing,
              message.kind == Perfect::Kind::packet, port.sender.open})
            set |= (flag ? std::uint64_t{1} : 0) << bit++;
        flags.see(set);
        flags.see(set | ~std::uint64_t{0} << bit);
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        EXPECT_TRUE(words[i].all()) << "word " << i;
    EXPECT_TRUE(flags.all());
}

TEST(PerfectSelfStabilising, MovesOnlyWhatARootHasAssigned) {
    // Three nodes on a path, loads that are perfect already: whoever is the root, nothing moves.
    const network::Network path(3, {{0, 1}, {1, 2}});
    const PerfectSelfStabilising program(SequenceLinkOf<TreeOffer>(), 3);
    test::ReferenceHost host(program, path, std::vector<Tokens>{4, 4, 4});
    for (int choice = 0; choice < 500; ++choice) {
        const auto open = host.choices();
        host.take(open[static_cast<std::size_t>(choice * 7) % open.size()]);
        EXPECT_EQ(host.loads(), (std::vector<Tokens>{4, 4, 4}));
    }
}

/// A message of a node says how many bits it takes: those of its numbers.
TEST(PerfectSelfStabilising, AReportTakesTheBitsOfItsNumbers) {
    TreeReport report;
    report.root = 5;
    report.tokens = 9;
    report.distance = 2;
    report.nodes = 3;
    EXPECT_EQ(report.bits(), 3U + 5U + 1U + 2U + 2U + 0U + 4U);
}

}  // namespace
}  // namespace equipoise::programs
