#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "equipoise/analysis/construct_subgraph.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/observer_tour.hpp"

namespace equipoise::catalogue {
namespace {

std::string tree_drawing(const std::string& spec, const std::string& network) {
    const network::AnyNetwork made = network::generate(network, 1);
    const NetworkFacts facts(made);
    return structure_svg(spec, {.facts = facts});
}

std::size_t count_in(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

const std::vector<std::string>& drawn_trees() {
    static const std::vector<std::string> specs = {"path:n=2",
                                                   "path:n=9",
                                                   "star:leaves=7",
                                                   "tree:k=2,h=3",
                                                   "caterpillar:spine=4,legs=2",
                                                   "broom:handle=4,bristles=5",
                                                   "binomial-tree:d=4",
                                                   "random-tree:n=20"};
    return specs;
}

TEST(ObserverTourPicture, HasEveryArcOfATreeOnceAndEveryPlaceOfTheTour) {
    for (const std::string& spec : drawn_trees()) {
        SCOPED_TRACE(spec);
        const network::AnyNetwork tree = network::generate(spec, 1);
        const std::string svg = tree_drawing("observer-tour", spec);
        EXPECT_EQ(count_in(svg, "<polygon"), 2 * tree.link_count());
        for (NodeId place = 0; place < tree.node_count(); ++place)
            EXPECT_GE(count_in(svg, fmt::format(">{}</text>", place)), 1U);
    }
}

TEST(ObserverTourPicture, SaysInWhichStepAnObserverCrosses) {
    // Links 0-1, 1-2 of colours 0, 1: 0>1 in step 1, 1>2 in step 2, waiting, back in 4 and 5.
    const std::string svg = tree_drawing("observer-tour", "path:n=3");
    for (const char* step : {">1</text>", ">2</text>", ">4</text>", ">5</text>"})
        EXPECT_GE(count_in(svg, step), 1U) << step;
    EXPECT_EQ(count_in(svg, ">3</text>"), 0U);
    EXPECT_EQ(count_in(svg, ">6</text>"), 0U);
    EXPECT_EQ(count_in(svg, "steps, 1 to 6; nodes by their places in the 0-ordering</text>"), 1U);
    EXPECT_NE(tree_drawing("observer-tour:colour=1", "path:n=3"), svg);
}

TEST(ObserverTourPicture, HasAPanelForEachTourOfANetworkWithCycles) {
    const network::AnyNetwork torus = network::generate("torus:4x4", 0);
    const NetworkFacts facts(torus);
    const network::ObserverTour tour(torus, facts.colouring());
    const std::string svg = tree_drawing("observer-tour", "torus:4x4");
    EXPECT_GT(tour.cycle_count(), 1U);
    EXPECT_EQ(count_in(svg, fmt::format(" of {}: ", tour.cycle_count())), tour.cycle_count());
    EXPECT_THROW(static_cast<void>(tree_drawing("observer-tour:colour=9", "path:n=3")), InputError);
    EXPECT_THROW(static_cast<void>(tree_drawing("observer-tour", "path:n=1")), UnsuitableError);
    EXPECT_THROW(static_cast<void>(tree_drawing("observer-tour", "path:n=61")), InputError);
}

TEST(MeetingPicture, ExistsExactlyForStableGapsWithAPanelForEachSideOfThatSize) {
    for (const std::string& spec : drawn_trees()) {
        SCOPED_TRACE(spec);
        const network::AnyNetwork tree = network::generate(spec, 1);
        const NetworkFacts facts(tree);
        const auto stable = analysis::stable_gaps(facts.stored());
        for (NodeId gap = 1; gap < tree.node_count(); ++gap) {
            const std::string named = fmt::format("meeting:gap={}", gap);
            if (std::find(stable.gaps.begin(), stable.gaps.end(), gap) == stable.gaps.end()) {
                EXPECT_THROW(static_cast<void>(tree_drawing(named, spec)), UnsuitableError) << gap;
                continue;
            }
            std::size_t sides = 0;
            for (LinkId link = 0; link < tree.link_count(); ++link) {
                const Ends ends = tree.ends(link);
                // The component of one end, by the other's absence.
                std::vector<bool> seen(tree.node_count(), false);
                seen[ends.head] = seen[ends.tail] = true;
                std::vector<NodeId> waiting = {ends.tail};
                NodeId size = 0;
                while (!waiting.empty()) {
                    const NodeId node = waiting.back();
                    waiting.pop_back();
                    ++size;
                    for (const NodeId other : facts.stored().neighbours(node)) {
                        if (seen[other]) continue;
                        seen[other] = true;
                        waiting.push_back(other);
                    }
                }
                sides += (size == gap ? 1U : 0U) + (tree.node_count() - size == gap ? 1U : 0U);
            }
            EXPECT_EQ(count_in(tree_drawing(named, spec), ">step "), sides) << gap;
        }
    }
}

TEST(StableGapPicture, ShowsAsManyTermsAsTheGapsStability) {
    for (const std::string& spec : drawn_trees()) {
        SCOPED_TRACE(spec);
        const network::AnyNetwork tree = network::generate(spec, 1);
        const NetworkFacts facts(tree);
        const auto stability = analysis::stabilities(analysis::stable_gaps(facts.stored()));
        for (NodeId gap = 1; gap < tree.node_count(); ++gap) {
            const std::string svg = tree_drawing(fmt::format("stable-gap:gap={}", gap), spec);
            EXPECT_EQ(count_in(svg, ": gap "), stability[gap]) << gap;
            EXPECT_NE(
                svg.find(stability[gap] == 1 ? "1 token apart"
                                             : fmt::format("{} tokens apart", stability[gap])),
                std::string::npos)
                << gap;
        }
    }
}

TEST(ConstructSubgraphPicture, HasAPanelForEachIterationAndOneForTheSubtreesBeyond) {
    for (const std::string& spec : drawn_trees()) {
        SCOPED_TRACE(spec);
        const network::AnyNetwork tree = network::generate(spec, 1);
        const NetworkFacts facts(tree);
        for (NodeId gap = 1; gap < tree.node_count(); ++gap) {
            const std::string svg =
                tree_drawing(fmt::format("construct-subgraph:gap={}", gap), spec);
            const auto found = analysis::construct_subgraph(facts.stored(), gap);
            EXPECT_EQ(count_in(svg, ">iteration "), found.iterations) << gap;
            EXPECT_NE(svg.find(fmt::format("|α| = {} = {} − (", gap, tree.node_count())),
                      std::string::npos)
                << gap;
        }
    }
    EXPECT_NE(tree_drawing("construct-subgraph:gap=9", "path:n=12").find("|α| = 9 = 12 − (3)"),
              std::string::npos);
}

TEST(TreeStructures, AreRefusedElsewhere) {
    for (const char* name : {"meeting:gap=1", "stable-gap:gap=1", "construct-subgraph:gap=1"}) {
        EXPECT_THROW(static_cast<void>(tree_drawing(name, "cycle:n=6")), UnsuitableError) << name;
        EXPECT_THROW(static_cast<void>(tree_drawing(name, "path:n=1")), UnsuitableError) << name;
        EXPECT_THROW(static_cast<void>(tree_drawing(name, "path:n=61")), InputError) << name;
    }
    for (const char* name : {"meeting:gap=9", "stable-gap:gap=0", "construct-subgraph:gap=9"})
        EXPECT_THROW(static_cast<void>(tree_drawing(name, "path:n=9")), InputError) << name;
}

}  // namespace
}  // namespace equipoise::catalogue
