#include "equipoise/report/pictures/observer_walks.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/report/pictures/strip.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

/// THRESHOLD-1 on a path of four nodes, links 0-1 and 2-3 first: five tokens at an end.
model::Record four_nodes() {
    model::Record record;
    record.algorithm = "threshold-1";
    record.level = model::RecordLevel::full;
    record.labels.origin = "four.edges";
    record.node_count = 4;
    record.links = {{0, 1}, {1, 2}, {2, 3}};
    record.link_count = 3;
    record.network_digest = network::digest(network::Network(4, record.links));
    record.given.colouring = {{{0, 1}, {2, 3}}, {{1, 2}}};
    record.initial_loads = {5, 0, 0, 0};
    record.transfers = {{0, 0, 1, 1}, {1, 1, 2, 1}, {2, 0, 1, 1}, {2, 2, 3, 1}};
    record.final_loads = {3, 1, 0, 1};
    record.costs.steps = 4;
    return record;
}

template <typename Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ObserverWalks, FollowTheTourOfTheColouring) {
    const model::Record record = four_nodes();
    ObserverWalks walks(record, {0, 3});
    EXPECT_EQ(walks.before(0), (std::vector<NodeId>{0, 3}));
    EXPECT_EQ(walks.before(1), (std::vector<NodeId>{1, 2}));
    EXPECT_EQ(walks.before(2), (std::vector<NodeId>{2, 1}));
    EXPECT_EQ(walks.before(4), (std::vector<NodeId>{3, 0}));
    EXPECT_EQ(walks.before(5), (std::vector<NodeId>{2, 1}));
    // Round by round they visit the nodes in the c-ordering.
    const network::Network path(4, record.links);
    const network::ObserverTour tour(path, {2, {0, 1, 0}});
    ObserverWalks one(record, {0});
    for (NodeId round = 0; round < 8; ++round)
        EXPECT_EQ(tour.gap(0, one.before(Step{2} * round).front()), round % 4) << round;
}

TEST(ObserverWalks, RefuseARunThatDoesNotFollowTheColouring) {
    model::Record record = four_nodes();
    record.transfers.push_back({3, 0, 1, 1});
    record.final_loads = {2, 2, 0, 1};
    EXPECT_NE(refusal([&] {
                  static_cast<void>(ObserverWalks(record, {0}));
              }).find("a token from 0 to 1 in step 4"),
              std::string::npos);
}

TEST(ObserverWalks, BeginAtDifferentNodesThatAreThere) {
    const model::Record record = four_nodes();
    EXPECT_EQ(observers_from_text("3,0", record), (std::vector<NodeId>{3, 0}));
    EXPECT_EQ(observers_from_text("3, 0 ", record), (std::vector<NodeId>{3, 0}));
    const auto message = [&](const char* text) {
        return refusal([&] { static_cast<void>(observers_from_text(text, record)); });
    };
    EXPECT_NE(message("4").find("found \"4\""), std::string::npos);
    EXPECT_NE(message("1,1").find("\"1\" twice"), std::string::npos);
    EXPECT_NE(message("").find("found an empty one in \"\""), std::string::npos);
    EXPECT_NE(message("1,").find("found an empty one in \"1,\""), std::string::npos);
}

TEST(Strip, DrawsARingForEachObserverAndWhatAStepDoesToItsLoad) {
    const std::string svg =
        strip_svg(four_nodes(), std::vector<Step>{1, 2, 3}, {.observers = {0, 3}});
    // Four places of each observer, and its colour's meaning.
    EXPECT_EQ(count_of(svg, "#009e73"), 5U);
    EXPECT_EQ(count_of(svg, "#cc79a7"), 5U);
    EXPECT_EQ(count_of(svg, ">colours of the links<"), 1U);
    EXPECT_EQ(count_of(svg, ">step 1, 0: 5 → 1<"), 1U);
    EXPECT_EQ(count_of(svg, ">step 2<"), 1U);  // 1 and 0 change places: both loads stay
    EXPECT_EQ(count_of(svg, ">step 3, 3: 0 → 3<"), 1U);
    EXPECT_EQ(count_of(svg, "stroke-width=\"2.6\""), 5U);  // active links
}

}  // namespace
}  // namespace equipoise::report
