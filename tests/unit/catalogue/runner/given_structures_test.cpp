// Spanning trees and colourings that a caller names or brings.

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/studies/observers.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

Outcome run_on(const network::AnyNetwork& network, const network::GivenStructures& given,
               const std::string& algorithm, const load::Loads& loads) {
    RunOptions options;
    options.record_level = model::RecordLevel::full;
    Outcome outcome = run(find_algorithm(algorithm), NetworkFacts(network, given), loads, options);
    EXPECT_TRUE(outcome.reached());
    EXPECT_TRUE(verify::verify(outcome.record).passed());
    const Replay again = replay(outcome.record);
    EXPECT_TRUE(again.same) << again.detail;
    return outcome;
}

TEST(GivenTree, OfLowDegreeMakesDiscrepancy1QuickOnCompleteNetworks) {
    const network::AnyNetwork complete = network::generate("complete:n=64", 0);
    const load::Loads loads = test::spike(complete, 64);
    const Outcome star = run_on(complete, {}, "discrepancy-1", loads);
    const Outcome line =
        run_on(complete, {network::SpanningTree::low_degree, {}, {}}, "discrepancy-1", loads);
    EXPECT_EQ(star.record.constants.at("tree_colours"), "63");
    EXPECT_LE(std::stoi(line.record.constants.at("tree_colours")), 3);
    EXPECT_LE(10 * line.steps(), star.steps());
    EXPECT_LE(*line.guarantee().steps * 10, *star.guarantee().steps);
    EXPECT_EQ(line.record.parameters.at("tree"), "low-degree");
}

TEST(GivenTree, OfAnyKindServesEveryAlgorithmThatRunsOnOne) {
    const network::AnyNetwork network = network::generate("gnp:n=14,p=0.4", 3);
    const load::Loads loads = test::spike(network, 70);
    const network::Network own = network::breadth_first_tree(network, 13);
    for (const std::string& algorithm :
         test::names_of([](const Algorithm& entry) { return entry.takes_tree; }))
        for (const network::SpanningTree kind :
             {network::SpanningTree::breadth_first, network::SpanningTree::minimum_diameter,
              network::SpanningTree::low_degree, network::SpanningTree::given}) {
            network::GivenStructures given;
            given.tree = kind;
            if (kind == network::SpanningTree::given)
                given.tree_links.assign(own.links().begin(), own.links().end());
            const Outcome outcome = run_on(network, given, algorithm, loads);
            EXPECT_LE(outcome.discrepancy(), 1);
            for (const model::Transfer& moved : outcome.record.transfers)
                EXPECT_TRUE(kind != network::SpanningTree::given ||
                            network::port_to(own, moved.from, moved.to))
                    << algorithm;
        }
}

TEST(GivenColouring, IsWhatSinglePortStepsFollow) {
    const network::AnyNetwork grid = network::generate("mesh:3x4", 0);
    const load::Loads loads = test::spike(grid, 100);
    // Every link a colour of its own: one pair a step.
    network::GivenStructures one_by_one;
    for (const Ends& link : network::all_links(grid))
        one_by_one.colouring.push_back({link});
    for (const std::string& algorithm :
         test::names_of([](const Algorithm& entry) { return entry.takes_colouring; })) {
        const Outcome outcome = run_on(grid, one_by_one, algorithm, loads);
        std::map<Step, Ends> link_of_step;
        for (const model::Transfer& moved : outcome.record.transfers) {
            const Ends& due =
                one_by_one.colouring[moved.step % one_by_one.colouring.size()].front();
            EXPECT_EQ(std::min(moved.from, moved.to), due.tail) << algorithm;
            EXPECT_EQ(std::max(moved.from, moved.to), due.head) << algorithm;
        }
        // The program's own colours, given: the same run.
        network::GivenStructures own;
        own.colouring = NetworkFacts(grid).colouring().classes(grid);
        EXPECT_EQ(run_on(grid, own, algorithm, loads).steps(),
                  run_on(grid, {}, algorithm, loads).steps());
    }
}

TEST(GivenStructures, AreRefusedWhereTheySayNothing) {
    const network::AnyNetwork network = network::generate("complete:n=6", 0);
    const load::Loads loads = test::spike(network, 20);
    const auto message = [&](const std::string& algorithm, const network::GivenStructures& given,
                             const ParameterTexts& parameters = {}) {
        return test::message_of([&] {
            RunOptions options;
            options.parameters = parameters;
            static_cast<void>(
                run(find_algorithm(algorithm), NetworkFacts(network, given), loads, options));
        });
    };
    const network::GivenStructures low{network::SpanningTree::low_degree, {}, {}};
    network::GivenStructures colours;
    colours.colouring = NetworkFacts(network).colouring().classes(network);
    EXPECT_EQ(message("threshold-2", low),
              "threshold-2 does not run on a spanning tree: --tree cannot be used with it");
    EXPECT_EQ(message("discrepancy-1", colours),
              "discrepancy-1 does not take its steps from an edge colouring: --colouring cannot be "
              "used with it");
    EXPECT_EQ(message("discrepancy-1", low, {{"tree", "minimum-diameter"}}),
              "expected one spanning tree, found --tree low-degree and the parameter "
              "tree=minimum-diameter");
    EXPECT_EQ(message("discrepancy-1", {}, {{"tree", "given"}}),
              "tree=given: expected the links of a tree (--tree FILE), found none");
}

TEST(Observers, AreOneTourOnATreeAndItsGapsAreSumsOfStableGaps) {
    const network::AnyNetwork tree = network::generate("random-tree:n=23", 4);
    const NetworkFacts facts(tree);
    for (std::uint64_t gap = 1; gap < 23; ++gap) {
        const report::ObserverFigures figures = find_observers(facts, gap);
        ASSERT_EQ(figures.tours.size(), 1U);
        EXPECT_EQ(figures.tours.front().size(), 23U);
        EXPECT_EQ(figures.stability_window, figures.round * 23);
        ASSERT_TRUE(figures.gap);
        EXPECT_EQ(figures.gap->subgraph.size(), gap);
        EXPECT_LE(figures.gap->stability, figures.gap->sums.shorter().size());
        std::uint64_t sum = 0;
        for (const std::uint64_t part : figures.gap->sums.shorter())
            sum += part;
        EXPECT_EQ(sum % 23, gap);
    }
    const network::AnyNetwork torus = network::generate("torus:4x4", 0);
    EXPECT_GT(find_observers(NetworkFacts(torus)).tours.size(), 1U);
    EXPECT_EQ(test::message_of([&] { static_cast<void>(find_observers(facts, 23)); }),
              "--gap: expected a whole number from 1 to 22, found 23");
}

}  // namespace
}  // namespace equipoise::catalogue
