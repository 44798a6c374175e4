#include "equipoise/protocols/distant_deal_agreement.hpp"

#include <gtest/gtest.h>

namespace {

using namespace equipoise;
using protocols::DistantDealAgreement;
using NodeState = DistantDealAgreement::NodeState;

TEST(DistantDealAgreement, TakesFourStepsForEachLinkOfTheDistance) {
    EXPECT_EQ(DistantDealAgreement(1).phases(), 4U);
    EXPECT_EQ(DistantDealAgreement(3).phases(), 12U);
}

TEST(DistantDealAgreement, BeginsEveryRoundWithoutMemory) {
    const DistantDealAgreement rule(2);
    NodeState state;
    state.way.fill(7);
    state.accepted.fill(1);
    rule.before_step(state, 9, {8, 0});
    const NodeState fresh = {.low = 9, .next = 9};
    EXPECT_EQ(state, fresh);
}

TEST(DistantDealAgreement, HearsOfTheEmptiestNodeOverTheFirstOfSeveralLinksInAnyOrder) {
    const DistantDealAgreement rule(1);
    NodeState empty;
    NodeState fuller = {.low = 4, .next = 4};
    for (const bool turned : {false, true}) {
        NodeState own = {.low = 9, .next = 9};
        const DistantDealAgreement::LinkState first = {turned ? 5U : 3U, 0};
        const DistantDealAgreement::LinkState second = {turned ? 3U : 5U, 0};
        rule.merge(own, empty, first, model::LinkEnd::tail, 0);
        rule.merge(own, fuller, {1, 0}, model::LinkEnd::tail, 0);
        rule.merge(own, empty, second, model::LinkEnd::head, 0);
        EXPECT_EQ(own.next, 0);
        EXPECT_EQ(own.way[1], 3U);
    }
}

TEST(DistantDealAgreement, SendsTokensOnlyOnTheWayOfAnAcceptedProposal) {
    const DistantDealAgreement rule(1);
    NodeState giver;
    giver.proposal[1] = 4;
    giver.way[1] = 3;
    const NodeState taker;
    const auto flow = [&](std::uint64_t slot) {
        return rule.evaluate({9, 1, 1, giver}, {1, 1, 1, taker}, {}, {3, 0, slot}).flow;
    };
    EXPECT_EQ(flow(2), 0);
    giver.accepted[1] = 1;
    EXPECT_EQ(flow(2), 4);
    EXPECT_EQ(flow(1), 0);
}

}  // namespace
