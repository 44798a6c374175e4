#include "equipoise/reassign/search/search.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

SearchOptions of_effort(std::uint64_t effort) {
    SearchOptions options;
    options.seconds.reset();
    options.effort = effort;
    return options;
}

/// Items of very different sizes, all but the last machine hold some.
Problem uneven_problem(ItemId items, MachineId machines) {
    test::Draw<Tokens> draw(items);
    std::vector<MachineId> places;
    std::vector<Tokens> bytes;
    for (ItemId item = 0; item < items; ++item) {
        places.push_back(static_cast<MachineId>(draw(0, machines - 2)));
        bytes.push_back(draw(1, 9) * draw(1, 9) * draw(1, 9));
    }
    Problem problem = test::reassign_problem(places, bytes, machines);
    problem.level = {{1, 100'000}};
    problem.fewest = 1;
    return problem;
}

TEST(SearchPlaces, FindWhatTheSearchOfAllPlacesProves) {
    test::ReassignDraw drawn(31);
    int equal = 0;
    constexpr int rounds = 300;
    for (int round = 0; round < rounds; ++round) {
        const Problem problem =
            drawn.draw({.items = 9, .machines = 4, .objectives = true, .budgets = true});
        const std::optional<SearchedPlacement> all = search_all_places(problem, 5'000'000);
        ASSERT_TRUE(all.has_value());
        const SearchedPlacement found = search_places(problem, of_effort(20'000), all->score);
        const Standing standing = stand(problem, found.places);
        EXPECT_EQ(standing.score, found.score);
        EXPECT_TRUE(may_end(problem, found.places, standing, stand(problem, problem.places)));
        EXPECT_TRUE(within(problem.budget, standing.moved));
        EXPECT_GE(found.score, all->score);
        if (found.score == all->score) ++equal;
    }
    EXPECT_GE(equal, rounds * 99 / 100);
}

TEST(SearchPlaces, AreTheSameWithTheSameSeedThreadsAndEffort) {
    const Problem problem = uneven_problem(120, 8);
    SearchOptions options = of_effort(60'000);
    options.threads = 2;
    const SearchedPlacement once = search_places(problem, options);
    const SearchedPlacement again = search_places(problem, options);
    EXPECT_EQ(once.places, again.places);
    EXPECT_EQ(once.effort, 60'000U);
    options.seed = 2;
    EXPECT_NE(once.places, search_places(problem, options).places);
}

TEST(SearchPlaces, OfALevelStateAreThePresentOnes) {
    Problem problem = uneven_problem(200, 6);
    const SearchedPlacement first = search_places(problem, of_effort(40'000));
    ASSERT_EQ(first.score.over_levels, 0);
    EXPECT_GT(first.score.moves, 0);
    problem.places = first.places;
    const SearchedPlacement second = search_places(problem, of_effort(40'000));
    EXPECT_EQ(second.places, first.places);
    EXPECT_TRUE(second.proved);
    EXPECT_EQ(second.effort, 0U);
}

TEST(SearchPlaces, EndAtAScoreThatIsGoodEnough) {
    const Problem problem = uneven_problem(200, 6);
    const Score enough = search_places(problem, of_effort(40'000)).score;
    const SearchedPlacement found = search_places(problem, of_effort(10'000'000), enough);
    EXPECT_LE(found.score, enough);
    EXPECT_LE(found.effort, 40'000U);
}

TEST(SearchPlaces, TellWhatTheyHaveAndStopWhenAsked) {
    const Problem problem = uneven_problem(300, 10);
    SearchOptions options;
    options.seconds.reset();
    std::stop_source stop;
    options.stop = stop.get_token();
    std::vector<Score> told;
    options.progress = [&](const Score& best, std::uint64_t effort) {
        told.push_back(best);
        EXPECT_GT(effort, 0U);
        if (told.size() == 3) stop.request_stop();
    };
    const SearchedPlacement found = search_places(problem, options);
    ASSERT_EQ(told.size(), 3U);
    EXPECT_TRUE(std::is_sorted(told.rbegin(), told.rend()));
    EXPECT_LE(found.score, told.back());
}

/// Three replicas of each partition on brokers in five racks, with sizes that differ much; broker 0
/// is emptied, and the last one is new.
Problem cluster(MachineId brokers, std::uint32_t partitions) {
    test::Draw<std::uint32_t> draw(brokers);
    std::vector<MachineId> places;
    std::vector<Tokens> bytes;
    for (std::uint32_t partition = 0; partition < partitions; ++partition) {
        const Tokens size = Tokens{1} << draw(8, 14);
        const std::uint32_t first = draw(0, brokers - 2);
        for (std::uint32_t replica = 0; replica < 3; ++replica) {
            places.push_back((first + replica * draw(1, 2)) % (brokers - 1));
            bytes.push_back(size + draw(0, 255));
        }
    }
    Problem problem = test::reassign_problem(places, bytes, brokers);
    problem.machines = {};
    for (MachineId broker = 0; broker < brokers; ++broker)
        problem.machines.number_of(std::to_string(broker));
    problem.item_labels[0] = {"item", {}, {}};
    for (ItemId item = 0; item < places.size(); ++item) {
        const std::string name = "p" + std::to_string(item / 3);
        problem.item_labels[0].of.push_back(problem.item_labels[0].values.number_of(name));
    }
    Label racks{"rack", {}, {}};
    for (MachineId broker = 0; broker < brokers; ++broker)
        racks.of.push_back(racks.values.number_of("r" + std::to_string(broker % 5)));
    problem.machine_labels = {racks};
    problem.spread = {{0, 0, 0}};
    problem.drained[0] = true;
    problem.level = {{1, 100'000}};
    problem.fewest = 1;
    return problem;
}

TEST(SearchPlaces, MoveLittleMoreThanWhatRulesAndLimitsMakeMachinesGive) {
    Problem problem = cluster(26, 700);
    // Rules hold in the first plan, which leaves nothing to the second but what a machine has less.
    const SearchedPlacement repaired = search_places(problem, of_effort(300'000));
    ASSERT_EQ(repaired.score.broken, 0);
    ASSERT_EQ(repaired.score.over_levels, 0);
    problem.places = repaired.places;
    problem.drained[0] = false;
    problem.drained[1] = true;
    Tokens must_go = 0;
    const Standing before = stand(problem, problem.places);
    const std::vector<Tokens> limits = problem.level_limits(problem.level[0]);
    for (MachineId broker = 0; broker < problem.machine_count(); ++broker)
        must_go += std::max<Tokens>(before.used[broker * std::size_t{2} + 1] - limits[broker], 0);
    const SearchedPlacement found = search_places(problem, of_effort(300'000));
    EXPECT_EQ(found.score.broken, 0) << static_cast<double>(found.effort);
    EXPECT_EQ(found.score.over_levels, 0);
    EXPECT_LE(found.score.fewest * 100, Int128{must_go} * 101);
}

TEST(SearchPlaces, AreLevelSoonInALargeState) {
    const SearchedPlacement found = search_places(cluster(301, 2000), of_effort(1'500'000),
                                                  Score{0, 0, 0, 0, tokens_max, tokens_max});
    EXPECT_EQ(found.score.broken, 0) << static_cast<double>(found.effort);
    EXPECT_EQ(found.score.over_levels, 0);
}

TEST(SearchPlaces, RefuseWhatMemoryDoesNotSufficeFor) {
    SearchOptions options = of_effort(1);
    options.memory = 1000;
    EXPECT_THROW((void)search_places(uneven_problem(100, 5), options), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::reassign
