// Flows without time: removing circles.

#include "equipoise/optimum/steps/static_flow.hpp"

#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/steps/flow_windows.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

/// By node: what it sends less what it receives.
std::vector<Tokens> given_by(const Problem& problem, const StaticFlow& flow) {
    std::vector<Tokens> given(problem.loads.size(), 0);
    for (NodeId node = 0; node < given.size(); ++node)
        for (Port port = 0; port < problem.network->degree(node); ++port)
            given[node] += flow.sent(node, port);
    return given;
}

/// Whether all tokens go from nodes that come earlier to nodes that come later.
bool goes_forward(const Problem& problem, const StaticFlow& flow,
                  const std::vector<NodeId>& order) {
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    for (const NodeId node : order)
        for (Port port = 0; port < problem.network->degree(node); ++port)
            if (flow.sent(node, port) > 0 &&
                place[node] > place[problem.network->neighbour(node, port)])
                return false;
    return true;
}

/// Few nodes hold all tokens; gates let more pass than necessary, so that circles are long.
Problem scattered(const Network& network, bool all_ports) {
    load::Loads loads(network.node_count(), 0);
    RandomStream random(61, Purpose::sampling);
    for (NodeId i = 0; i < network.node_count() / 4; ++i)
        loads[random.below(network.node_count())] += static_cast<Tokens>(random.below(2000));
    return test::levelling(network, loads, all_ports);
}

TEST(StaticFlow, LosesItsCirclesAndNothingElse) {
    for (const std::string spec :
         {"random-regular:n=3000,d=4", "preferential-attachment:n=3000,k=3", "torus:50x50"})
        for (const bool all_ports : {false, true}) {
            const Network network = test::stored_network(spec, 1);
            const Problem problem = scattered(network, all_ports);
            StaticFlow flow(problem);
            flow.lengthen(scaled_bound(problem).at_least);
            ASSERT_EQ(flow.carry({}), FlowOutcome::carried) << spec;
            const std::vector<Tokens> given = given_by(problem, flow);
            const std::vector<NodeId> order = flow.straighten();
            ASSERT_EQ(order.size(), network.node_count());
            EXPECT_TRUE(goes_forward(problem, flow, order)) << spec;
            EXPECT_EQ(given_by(problem, flow), given) << spec;
        }
}

TEST(StaticFlow, AndItsWindowsStopWhenAsked) {
    const Network network = test::stored_network("random-regular:n=100000,d=4", 1);
    const Problem problem = scattered(network, false);
    const Step steps = scaled_bound(problem).at_least;
    StaticFlow flow(problem);
    flow.lengthen(steps);
    ASSERT_EQ(flow.carry({}), FlowOutcome::carried);
    StaticFlow other = flow;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(other.straighten(stop.get_token()).empty());
    const std::vector<NodeId> order = flow.straighten();
    EXPECT_FALSE(FlowWindows(problem, flow).lay(order, steps, false, stop.get_token()));
}

}  // namespace
}  // namespace equipoise::optimum
