// The body that keeps announcements equals the reference body bit for bit, in every size of words.
#include "equipoise/engine/bodies/announced_deals.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"

namespace equipoise::engine {
namespace {

using network::Network;
using protocols::Acceptance;
using protocols::DealAgreement2;
using protocols::DealAgreement3;

/// Loads of which many are equal, extreme or close to each other.
load::Loads awkward_loads(NodeId nodes, Tokens most, RandomStream& random) {
    const Tokens near = most / 2;
    load::Loads loads(nodes);
    for (Tokens& load : loads) {
        const std::uint64_t kind = random.below(6);
        const auto wild = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most) + 1));
        const auto close = std::min(most, near + static_cast<Tokens>(random.below(4)));
        load = kind == 0 ? 0 : kind == 1 ? most : kind < 4 ? wild : close;
    }
    return loads;
}

template <model::DealRule R>
void expect_agreement(const R& rule, const Network& network, const load::Loads& loads,
                      int threads) {
    RoundOptions options;
    options.items_per_thread_min = 1;
    options.body = Body::reference;
    DealRounds<R> reference(rule, loads, network, options);
    options.body = Body::fast;
    options.threads = threads;
    DealRounds<R> fast(rule, loads, network, options);
    for (int round = 0; round < 8; ++round) {
        reference.step();
        fast.step();
        ASSERT_TRUE(std::ranges::equal(reference.loads(), fast.loads())) << "round " << round;
        ASSERT_EQ(reference.costs(), fast.costs()) << "round " << round;
    }
}

const std::array<std::string, 9> specs = {
    "random-regular:n=60,d=8", "complete:n=9", "complete:n=20", "cycle:n=17",      "star:leaves=64",
    "star:leaves=65",          "path:n=2",     "hypercube:d=5", "random-tree:n=40"};

class AnnouncedDealsOf : public testing::TestWithParam<std::string> {};

TEST_P(AnnouncedDealsOf, EqualTheReferenceForEveryRuleAndSizeOfLoadsOnOneToThreeThreads) {
    const auto made = network::generate(GetParam(), 3);
    const Network& network = *made.stored();
    RandomStream random(7, Purpose::sampling);
    for (const Tokens most :
         {Tokens{1}, Tokens{40}, Tokens{1000}, NarrowDeals::load_max, NarrowDeals::load_max + 1,
          MediumDeals::load_max, MediumDeals::load_max + 1, WideDeals::load_max,
          WideDeals::load_max + 1})
        for (int threads = 1; threads <= 3; ++threads) {
            const load::Loads loads = awkward_loads(network.node_count(), most, random);
            SCOPED_TRACE(testing::Message() << "loads up to " << most << ", threads " << threads);
            expect_agreement(DealAgreement2{}, network, loads, threads);
            for (const Acceptance acceptance :
                 {Acceptance::residual_drain, Acceptance::minimal_repair, Acceptance::as_printed})
                // The printed rule hands over token by token.
                if (acceptance != Acceptance::as_printed || most <= 1000)
                    expect_agreement(DealAgreement3(acceptance), network, loads, threads);
        }
}

INSTANTIATE_TEST_SUITE_P(Networks, AnnouncedDealsOf, testing::ValuesIn(specs));

/// Whether announcements are played if the engine may choose any body.
bool announces(const DealAgreement3& rule, const std::string& network, const load::Loads& loads) {
    const auto made = network::generate(network, 1);
    return DealRounds<DealAgreement3>(rule, loads, *made.stored(), {}).body() ==
           AnnouncedBody<DealAgreement3>::name;
}

TEST(AnnouncedDeals, DeclineWhatTheirWordsCannotHold) {
    const DealAgreement3 rule;
    EXPECT_TRUE(announces(rule, "cycle:n=4", {0, 1, 2, 3}));
    EXPECT_TRUE(announces(rule, "star:leaves=64", load::Loads(65, 1)));
    EXPECT_FALSE(announces(rule, "cycle:n=4", {0, 1, 2, WideDeals::load_max + 1}));
    EXPECT_FALSE(announces(rule, "star:leaves=65", load::Loads(66, 1)));
    EXPECT_FALSE(announces(DealAgreement3(Acceptance::as_printed), "cycle:n=4", {0, 1, 2, 3}));
}

}  // namespace
}  // namespace equipoise::engine
