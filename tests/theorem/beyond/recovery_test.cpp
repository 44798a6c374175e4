// Dinitz, Dolev, Kumar 2020, Section 6: "The self-stabilizing solution can be extended to act as a
// superstabilizing algorithm [12], gracefully dealing with dynamic settings, where nodes can
// join/leave the graph anytime." [12], Dolev and Herman 1997, measure that after one change of a
// legitimate (here: 1-balanced) state: the time until it is legitimate again, the nodes that must
// adjust, and a passage predicate that holds in between. For the monotone Algorithms 2 and 3 the
// predicate is that no load leaves the range of the loads right after the change, and the time is
// at most 3 (floor(Phi / 2) + 1) steps, Phi the potential then.

#include "equipoise/report/runs/recovery.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test::recovery {
namespace {

class OneChange {
  public:
    OneChange()
        : path_((std::filesystem::temp_directory_path() /
                 ("equipoise-change-" + std::to_string(getpid()) + ".csv"))
                    .string()) {}
    OneChange(const OneChange&) = delete;
    OneChange& operator=(const OneChange&) = delete;
    ~OneChange() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    /// The spec of the churn in which this node goes before the first step.
    [[nodiscard]] std::string of(NodeId node) const {
        std::ofstream(path_) << "step,subject,id,state\n0,node," << node << ",down\n";
        return "replay:" + path_;
    }

  private:
    std::string path_;
};

/// The loads of all other nodes when a node has gone.
load::Loads after_change(const network::Network& graph, load::Loads loads, NodeId gone) {
    if (graph.degree(gone) > 0) loads[graph.neighbour(gone, 0)] += loads[gone];
    loads.erase(loads.begin() + gone);
    return loads;
}

TEST(Superstabilising, DealsRecoverInRangeAndInTimeWhenAnyNodeGoesFromAnySmallLevelNetwork) {
    const OneChange churn;
    std::uint64_t recovered = 0;
    for (const char* name : {"deal-agreement-2", "deal-agreement-3"})
        for (NodeId nodes = 2; nodes <= 5; ++nodes)
            for (const network::Network& graph : connected_graphs(nodes)) {
                const network::AnyNetwork network(graph);
                const catalogue::NetworkFacts facts(network);
                for (NodeId gone = 0; gone < nodes; ++gone) {
                    catalogue::RunOptions options;
                    options.churn = churn.of(gone);
                    options.record_level = model::RecordLevel::full;
                    for_each_loads(nodes, nodes < 5 ? 3 : 2, [&](const load::Loads& loads) {
                        if (load::local_imbalance(graph, loads) > 1) return;
                        const load::Loads left = after_change(graph, loads, gone);
                        const Step bound = 3 * (theory::deal_rounds_by_potential(
                                                    load::potential(left), nodes - 1) +
                                                1);
                        options.steps_max = bound + 3;
                        const catalogue::Outcome run =
                            catalogue::run(catalogue::find_algorithm(name), facts, loads, options);
                        const auto found = report::recovery_of(run.record);
                        ASSERT_TRUE(found);
                        ASSERT_EQ(found->changes, 1U);
                        ASSERT_EQ(found->recovered, 1U);
                        ASSERT_LE(found->steps, bound);
                        ASSERT_LE(found->adjusted, nodes - 1);
                        ASSERT_TRUE(found->passage);
                        ++recovered;
                    });
                }
            }
    EXPECT_GT(recovered, 1000U);
}

}  // namespace
}  // namespace equipoise::test::recovery
