// Figure 2: the transitions between the states of Phase 1. A node is in S1.1 until it has heard
// from all neighbours but one, then in S1.2; from there it goes to S1.3 if it sends and to S1.4 if
// it receives; S1.3 is followed by S1.5. Leaves begin in S1.2.

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::programs {
namespace {

using At = PerfectTree::At;
using Transitions = std::map<std::pair<At, At>, std::uint64_t>;

/// PerfectTree, whose nodes note every transition that they make.
class WatchedTree {
  public:
    using Message = PerfectTree::Message;
    using State = PerfectTree::State;
    using PortState = PerfectTree::PortState;

    struct Node {
        PerfectTree::Node node;
        Transitions* seen;

        void start() {
            watch([&] { node.start(); });
        }
        [[nodiscard]] model::Ask awaited() const { return node.awaited(); }
        void handle(const model::Received<Message>& received) {
            watch([&] { node.handle(received); });
        }
        void answered(bool granted) {
            watch([&] { node.answered(granted); });
        }
        template <class Act>
        void watch(const Act& act) {
            const At before = node.state.at;
            act();
            ++(*seen)[{before, node.state.at}];
            expect_as_many_heard_from_as_the_state_says();
        }
        void expect_as_many_heard_from_as_the_state_says() const {
            const auto degree = static_cast<Port>(node.ports.size());
            const Port received = node.state.received;
            switch (node.state.at) {
                case At::S1_1:
                    EXPECT_LT(received + 1, degree);
                    break;
                case At::S1_2:
                case At::S1_3:
                    EXPECT_EQ(received + 1, degree);
                    break;
                case At::S1_4:
                    EXPECT_EQ(received, degree);
                    break;
                default:
                    break;
            }
        }
    };
    explicit WatchedTree(Transitions& seen) : seen_(&seen) {}
    [[nodiscard]] Node node(model::NodeContext<Message> context, State& state,
                            std::span<PortState> ports) const {
        return {tree_.node(context, state, ports), seen_};
    }

  private:
    PerfectTree tree_;
    Transitions* seen_;
};

/// The states of Phase 2 and later are one: the end of Phase 1. A busy channel is still S1.2.
std::pair<At, At> as_printed(std::pair<At, At> transition) {
    const auto printed = [](At at) {
        if (at == At::S1_2_busy) return At::S1_2;
        return at > At::S1_5 ? At::final : at;
    };
    return {printed(transition.first), printed(transition.second)};
}

TEST(Figure2Margara, NoOtherTransitionOccursInAnyOrderOnTreesOfTwoToSixNodes) {
    Transitions seen;
    const WatchedTree program(seen);
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const network::Network& tree : test::all_trees(nodes)) {
            engine::Explorer<WatchedTree> explorer(program, tree, std::vector<Tokens>(nodes, 0));
            const auto explored = explorer.explore([](const auto&) {}, [](const auto&) {});
            EXPECT_TRUE(explored.complete);
        }
    }
    std::vector<std::pair<At, At>> between;
    for (const auto& [transition, times] : seen) {
        const auto printed = as_printed(transition);
        if (printed.first == printed.second || printed.first == At::final) continue;
        if (between.empty() || between.back() != printed) between.push_back(printed);
    }
    // A leaf that has heard from its parent has nobody to tell: for it S1.5 is the end of Phase 1.
    const std::vector<std::pair<At, At>> expected = {
        {At::start, At::S1_1}, {At::start, At::S1_2}, {At::S1_1, At::S1_2},
        {At::S1_2, At::S1_3},  {At::S1_2, At::S1_4},  {At::S1_3, At::S1_5},
        {At::S1_3, At::final}, {At::S1_4, At::final}, {At::S1_5, At::final}};
    EXPECT_EQ(between, expected);
}

}  // namespace
}  // namespace equipoise::programs
