#include "equipoise/protocols/baselines/rooted_target.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using protocols::baselines::RootedTarget;

/// Colour classes of a tree with every link pointing to the end that is nearer to the root.
model::PeriodicSchedule towards_root(const network::Network& tree, NodeId root) {
    std::vector<NodeId> depth(tree.node_count(), 0);
    std::vector<NodeId> queue{root};
    std::vector<bool> seen(tree.node_count(), false);
    seen[root] = true;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const NodeId next : tree.neighbours(queue[i])) {
            if (seen[next]) continue;
            seen[next] = true;
            depth[next] = depth[queue[i]] + 1;
            queue.push_back(next);
        }
    auto classes = test::greedy_colouring(tree).classes(tree);
    for (auto& links : classes)
        for (Ends& ends : links)
            if (depth[ends.tail] < depth[ends.head]) std::swap(ends.tail, ends.head);
    return model::PeriodicSchedule(classes);
}

void expect_target(const network::Network& tree, NodeId root, const load::Loads& loads,
                   Tokens target) {
    model::PeriodicSchedule schedule = towards_root(tree, root);
    const auto run = engine::run_rounds(RootedTarget(target, schedule.period()), schedule, loads,
                                        tree, test::steps(1'000'000));
    EXPECT_EQ(run.stopped_because, model::StopReason::own_termination);
    EXPECT_EQ(run.loads, load::Loads(tree.node_count(), target));
    EXPECT_EQ(load::total(loads) + run.created - run.destroyed,
              target * static_cast<Tokens>(tree.node_count()));
}

TEST(RootedTarget, IsReachedFromAllSmallLoadsOnAllTreesUpToFiveNodesAndAllRoots) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const network::Network& tree : test::connected_graphs(nodes)) {
            if (tree.link_count() != nodes - 1) continue;
            for (NodeId root = 0; root < nodes; ++root)
                test::for_each_loads(nodes, nodes <= 4 ? 3 : 2, [&](const load::Loads& loads) {
                    for (Tokens target = 0; target <= 2; ++target)
                        expect_target(tree, root, loads, target);
                });
        }
}

TEST(RootedTarget, IsReachedOnRandomTreesFromASpike) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    RandomStream random(7, Purpose::sampling);
    for (int run = 0; run < 30; ++run) {
        const network::Network tree = test::random_connected_graph(40, 0, random);
        for (const load::Loads& loads : test::uneven_loads(40, 80, 1, random))
            expect_target(tree, static_cast<NodeId>(random.below(40)), loads, 2);
    }
}

TEST(RootedTarget, NeverMovesATokenInASubtreeThatIsDone) {
    const network::Network path(4, {{0, 1}, {1, 2}, {2, 3}});
    model::PeriodicSchedule schedule = towards_root(path, 0);
    engine::EdgeRounds rounds(RootedTarget(2, schedule.period()), schedule, {9, 0, 2, 2}, path, {});
    for (int step = 0; step < 50; ++step) {
        rounds.step();
        EXPECT_EQ(rounds.loads()[3], 2);
        EXPECT_EQ(rounds.loads()[2], 2);
    }
}

}  // namespace
}  // namespace equipoise
