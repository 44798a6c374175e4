// Certificates that nobody has made: what proves nothing is refused, whatever its sums.

#include "equipoise/optimum/schedule_check.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/plan.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

constexpr Step steps_most = std::numeric_limits<Step>::max();

TEST(CertificateChecks, AZoneOfNoStepsMayOnlyAddNodes) {
    const network::Network path = test::stored_network("path:n=3");
    const Problem problem{&path, {6, 0, 0}, at_most(3, 2), {}, {}, {}};
    const std::vector<NodeId> all = {0, 1, 2};
    Certificate forged{
        1'000'000, {{0, 0, all, {}, {}, {}}, {0, 1'000'000, {}, {}, {}, {}}}, {}, 6, 0};
    EXPECT_EQ(check_certificate(problem, forged), "step 0: node 0 leaves a zone that has no steps");
    forged.zones.front().senders = all;
    forged.zones.front().receivers = all;
    EXPECT_NE(check_certificate(problem, forged), "");
    // After the zones of some steps, and at the end.
    Certificate late{5, {{0, 5, {}, {}, {}, {}}, {5, 0, all, {}, {}, {}}}, {}, 0, 0};
    EXPECT_EQ(check_certificate(problem, late), "step 5: node 0 leaves a zone that has no steps");
    late.zones.front().nodes = all;
    EXPECT_EQ(check_certificate(problem, late), "step 4: node 0 leaves a zone without a gate");

    const Certificate good = make_plan(problem).certificate;
    ASSERT_EQ(check_certificate(problem, good), "");
    Certificate longer = good;
    longer.zones.insert(longer.zones.begin(), {0, 0, good.zones.front().nodes, {}, {}, {}});
    longer.zones.push_back({good.steps, 0, good.last_zone, {}, {}, {}});
    EXPECT_EQ(check_certificate(problem, longer), "");
    longer.zones.front().nodes.clear();
    longer.surplus -= 6;  // now all that it begins with is added later
    EXPECT_EQ(check_certificate(problem, longer), "the gates let enough pass");
}

TEST(CertificateChecks, SumsThatLeave64BitsAreRefused) {
    const network::Network network(8, {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}});
    Problem problem{&network, {6, 6, 6, 6, 0, 0, 0, 0}, at_most(8, 3), {}, {}, {}};
    const std::vector<NodeId> full = {0, 1, 2, 3};
    const std::vector<NodeId> takers = {4, 5, 6, 7};
    Certificate forged{1'000'000, {{0, 1'000'000, full, full, {}, {}}}, full, 12, 0};
    problem.ports.assign(8, Tokens{1} << 62U);
    EXPECT_THROW(static_cast<void>(check_certificate(problem, forged)), OverflowError);
    forged.zones.front().senders.clear();
    forged.zones.front().receivers = takers;
    EXPECT_THROW(static_cast<void>(check_certificate(problem, forged)), OverflowError);
    problem.ports.clear();
    problem.capacities.assign(8, Tokens{1} << 62U);
    forged.zones.front().receivers.clear();
    forged.zones.front().dropped = takers;
    EXPECT_THROW(static_cast<void>(check_certificate(problem, forged)), OverflowError);
}

TEST(CertificateChecks, StepsThatGoRoundAreRefused) {
    const network::Network path = test::stored_network("path:n=2");
    const Problem problem{&path, {6, 0}, at_most(2, 3), {}, {}, {}};
    const Zone first{0, steps_most, {0}, {0}, {}, {}};
    Certificate forged{1, {first, {steps_most, 2, {0}, {0}, {}, {}}}, {0}, 3, 1};
    EXPECT_EQ(check_certificate(problem, forged), "zones do not add up to the number of steps");
    forged.steps = steps_most;
    EXPECT_EQ(check_certificate(problem, forged), "there are too many steps");
    forged = {1, {{0, 1, {0}, {0}, {}, {}}}, {0}, 3, 1};
    EXPECT_EQ(check_certificate(problem, forged), "");
}

TEST(CertificateChecks, ListsThatAreNoneAreRefused) {
    const network::Network path = test::stored_network("path:n=2");
    Problem problem{&path, {6, 0}, at_most(2, 3), {}, {}, {}};
    const Certificate good{1, {{0, 1, {0}, {0}, {}, {}}}, {0}, 3, 1};
    ASSERT_EQ(check_certificate(problem, good), "");
    const std::string expected = "expected nodes of the network in ascending order";
    for (const std::vector<NodeId>& nodes :
         {std::vector<NodeId>{0, 0}, {1, 0}, {2}, {0, no_node}}) {
        Certificate forged = good;
        forged.zones.front().nodes = nodes;
        EXPECT_EQ(check_certificate(problem, forged), expected);
        forged = good;
        forged.last_zone = nodes;
        EXPECT_EQ(check_certificate(problem, forged), expected);
    }
    Certificate forged = good;
    forged.zones.front().dropped = {1};
    EXPECT_NE(check_certificate(problem, forged), "");
    problem.all_ports = true;
    EXPECT_EQ(check_certificate(problem, good), "its gates are ports, but links are the limit");
}

/// The same cut with a zone for each step.
Certificate step_by_step(const Certificate& whole) {
    Certificate parts = whole;
    parts.zones.clear();
    for (const Zone& zone : whole.zones)
        for (Step step = 0; step < zone.steps; ++step) {
            parts.zones.push_back(zone);
            parts.zones.back().first += step;
            parts.zones.back().steps = 1;
        }
    return parts;
}

TEST(CertificateChecks, LongZonesAreJudgedAsTheirStepsAre) {
    RandomStream random(5, Purpose::sampling);
    int proofs = 0;
    for (int round = 0; round < 20'000; ++round) {
        const auto drawn = test::random_distribution(5, random);
        const network::Network& network = drawn.first;
        Problem problem;
        problem.network = &network;
        problem.loads = drawn.second;
        problem.target = floor_or_ceiling(problem.loads);
        if (random.coin())
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(4));
        const auto some = [&](std::uint64_t of_four) {
            std::vector<NodeId> nodes;
            for (NodeId node = 0; node < network.node_count(); ++node)
                if (random.below(4) < of_four) nodes.push_back(node);
            return nodes;
        };
        Certificate cut;
        std::vector<NodeId> inside = some(2);
        const auto grow = [&] {
            for (const NodeId node : some(1))
                inside.push_back(node);
            std::sort(inside.begin(), inside.end());
            inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
        };
        for (std::uint64_t zone = 1 + random.below(3); zone > 0; --zone) {
            cut.zones.push_back({cut.steps, 1 + random.below(4), inside, some(2), some(2), {}});
            cut.steps += cut.zones.back().steps;
            if (random.coin()) grow();
        }
        cut.last_zone = inside;
        add_up(problem, cut);
        const std::string whole = check_certificate(problem, cut);
        EXPECT_EQ(whole, check_certificate(problem, step_by_step(cut)));
        if (!whole.empty()) continue;
        ++proofs;
        EXPECT_GT(make_plan(problem).at_least, cut.steps);
    }
    EXPECT_GT(proofs, 30);
}

TEST(CertificateChecks, WithDelaysLongZonesTakeNoTime) {
    const network::Network path = test::stored_network("path:n=2");
    const Tokens tokens = Tokens{1} << 60U;
    const Problem problem{&path, {tokens, 0}, at_most(2, tokens / 2), {}, {}, {7}};
    const Step steps = static_cast<Step>(tokens / 2) - 1;
    const Certificate cut{steps, {{0, steps, {0}, {0}, {}, {}}}, {0}, tokens / 2, tokens / 2 - 1};
    EXPECT_EQ(check_certificate(problem, cut), "");
}

TEST(ScheduleChecks, StepsTooLateToCountAreRefused) {
    const network::Network path = test::stored_network("path:n=2");
    Problem problem{&path, {2, 0}, at_most(2, 1), {}, {}, {}};
    EXPECT_FALSE(check_schedule(problem, std::vector<Move>{{steps_most, 0, 1}}).holds);
    EXPECT_FALSE(check_schedule(problem, std::vector<Move>{{steps_most - 1, 0, 1}}).holds);
    problem.delays = {steps_most - 3};
    EXPECT_FALSE(check_schedule(problem, std::vector<Move>{{5, 0, 1}}).holds);
}

}  // namespace
}  // namespace equipoise::optimum
