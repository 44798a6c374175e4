#include "equipoise/placement/assignment.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/random.hpp"
#include "equipoise/placement/assignment_check.hpp"
#include "equipoise/placement/relabel.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

struct Instance {
    int parts = 0;
    std::vector<int> capacity;
    std::vector<Gain> gains;
};

// Few different values, so that many assignments are equally good.
Instance any_instance(int most) {
    Instance instance;
    instance.parts = *rc::gen::inRange(1, most + 1);
    instance.capacity = *rc::gen::container<std::vector<int>>(
        static_cast<std::size_t>(*rc::gen::inRange(1, most + 1)), rc::gen::inRange(0, 3));
    const Tokens largest = *rc::gen::element<Tokens>(2, 10, tokens_max);
    for (int part = 0; part < instance.parts; ++part)
        for (int rank = 0; rank < static_cast<int>(instance.capacity.size()); ++rank)
            if (*rc::gen::inRange(0, 3) > 0)
                instance.gains.push_back({part, rank, *rc::gen::inRange<Tokens>(0, largest)});
    return instance;
}

// The largest gain, by trying everything.
Int128 best_by_trial(const Instance& instance, int part, std::vector<int>& room) {
    if (part == instance.parts) return 0;
    Int128 best = best_by_trial(instance, part + 1, room);
    for (const Gain& gain : instance.gains) {
        int& left = room[static_cast<std::size_t>(gain.rank)];
        if (gain.part != part || left == 0) continue;
        --left;
        best = std::max(best, gain.value + best_by_trial(instance, part + 1, room));
        ++left;
    }
    return best;
}

TEST(BestAssignment, GainsWhatTheBestOfAllGains) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = any_instance(5);
        const PartsOnRanks best =
            best_assignment(instance.parts, instance.capacity, instance.gains);
        RC_ASSERT(fault_of(best, instance.capacity, instance.gains) == "");
        std::vector<int> room = instance.capacity;
        RC_ASSERT(best.gain == best_by_trial(instance, 0, room));
    }));
}

TEST(BestAssignment, IsCertifiedByItsPrices) {
    EXPECT_TRUE(test::holds([] {
        const Instance instance = any_instance(30);
        RC_ASSERT(fault_of(best_assignment(instance.parts, instance.capacity, instance.gains),
                           instance.capacity, instance.gains) == "");
    }));
}

TEST(CheckOfAssignments, FindsEveryFaultInAClaim) {
    const std::vector<int> capacity = {1, 1};
    const std::vector<Gain> gains = {{0, 0, 5}, {0, 1, 4}, {1, 0, 4}, {1, 1, 1}};
    const PartsOnRanks best = best_assignment(2, capacity, gains);
    EXPECT_EQ("", fault_of(best, capacity, gains));
    EXPECT_TRUE(best.gain == 8);
    PartsOnRanks claim = best;
    claim.rank_of_part = {0, 1};
    EXPECT_EQ("the gain is not that of the pairs", fault_of(claim, capacity, gains));
    claim.gain = 6;
    EXPECT_EQ("the prices allow a larger gain", fault_of(claim, capacity, gains));
    claim = best;
    claim.rank_of_part = {1, 1};
    EXPECT_EQ("rank 1 has more parts than it takes", fault_of(claim, capacity, gains));
    claim.rank_of_part = {2, 1};
    EXPECT_EQ("part 0 has a rank that is not there", fault_of(claim, capacity, gains));
    claim = best;
    claim.prices.rank[0] += 1;
    EXPECT_EQ("the prices allow a larger gain", fault_of(claim, capacity, gains));
    claim.prices.rank[0] -= 2;
    EXPECT_NE("", fault_of(claim, capacity, gains));
    claim.prices.rank = {-1, 9};
    EXPECT_EQ("a rank has a negative price", fault_of(claim, capacity, gains));
    claim.prices.part.clear();
    EXPECT_EQ("not every part and rank has a price", fault_of(claim, capacity, gains));
}

struct Relabels {
    RelabelProblem problem;
    std::vector<Holding> holdings;
    std::vector<int> machines;

    Relabels(int ranks, int parts, int parts_a_rank, bool machines_first) {
        const int machine_count = *rc::gen::inRange(1, 4);
        if (machines_first)
            for (int rank = 0; rank < ranks; ++rank)
                machines.push_back(*rc::gen::inRange(0, machine_count));
        for (int rank = 0; rank < ranks; ++rank)
            for (int part = 0; part < parts; ++part)
                if (*rc::gen::inRange(0, 2) == 0)
                    holdings.push_back({rank, part, *rc::gen::inRange<Tokens>(0, 8)});
        problem = {parts, ranks, parts_a_rank, holdings, machines};
    }
    Relabels(const Relabels&) = delete;
    Relabels& operator=(const Relabels&) = delete;
};

// Bytes between machines and bytes between ranks of a relabelling.
std::pair<Tokens, Tokens> bytes_of(const RelabelProblem& problem, const std::vector<int>& rank_of) {
    std::pair<Tokens, Tokens> bytes;
    for (const Holding& holding : problem.holdings) {
        const int to = rank_of[static_cast<std::size_t>(holding.part)];
        if (to != holding.rank) bytes.second += holding.bytes;
        if (!problem.machines.empty() &&
            problem.machines[static_cast<std::size_t>(to)] !=
                problem.machines[static_cast<std::size_t>(holding.rank)])
            bytes.first += holding.bytes;
    }
    return bytes;
}

// Of all ways to give every part a place: each rank is listed once for each part that it takes.
std::pair<Tokens, Tokens> fewest_by_trial(const RelabelProblem& problem) {
    std::vector<int> places;
    for (int rank = 0; rank < problem.ranks; ++rank)
        places.insert(places.end(), static_cast<std::size_t>(problem.parts_a_rank), rank);
    std::pair<Tokens, Tokens> best = {tokens_max, tokens_max};
    do
        best = std::min(best, bytes_of(problem, places));
    while (std::next_permutation(places.begin(), places.end()));
    return best;
}

void expect_fewest(const Relabels& instance) {
    const RelabelProblem& problem = instance.problem;
    const Relabelling best = fewest_bytes(problem);
    RC_ASSERT(fault_of(best, problem) == "");
    const auto bytes = bytes_of(problem, best.rank_of_part);
    RC_ASSERT(best.moved == bytes.second);
    RC_ASSERT(best.between_machines == bytes.first);
    RC_ASSERT(bytes == fewest_by_trial(problem));
    std::vector<int> identity(static_cast<std::size_t>(problem.parts));
    for (std::size_t part = 0; part < identity.size(); ++part)
        identity[part] = static_cast<int>(part) / problem.parts_a_rank;
    RC_ASSERT(best.moved_by_identity == bytes_of(problem, identity).second);
    RC_ASSERT(best.between_machines_by_identity == bytes_of(problem, identity).first);
}

TEST(FewestBytes, AreThoseOfTheBestOfAllPermutations) {
    EXPECT_TRUE(test::holds([] {
        const int ranks = *rc::gen::inRange(1, 8);
        expect_fewest(Relabels(ranks, *rc::gen::inRange(0, ranks + 1), 1, false));
    }));
}

TEST(FewestBytes, BetweenMachinesComeFirstIfAsked) {
    EXPECT_TRUE(test::holds([] {
        const int ranks = *rc::gen::inRange(1, 8);
        expect_fewest(Relabels(ranks, *rc::gen::inRange(0, ranks + 1), 1, true));
    }));
}

TEST(FewestBytes, GoToRanksThatTakeSeveralParts) {
    EXPECT_TRUE(test::holds([] {
        const int ranks = *rc::gen::inRange(1, 4);
        expect_fewest(
            Relabels(ranks, *rc::gen::inRange(0, 2 * ranks + 1), 2, *rc::gen::arbitrary<bool>()));
    }));
}

// Dense and sparse, with many ties and with none, on 1 to 7 ranks.
TEST(FewestBytes, AreThoseOfTheBestOfAllPermutationsOfSevenParts) {
    RandomStream random(5, Purpose::sampling);
    for (int ranks = 1; ranks <= 7; ++ranks)
        for (int trial = 0; trial < 24; ++trial) {
            std::vector<Holding> holdings;
            std::vector<int> machines;
            const std::uint64_t largest = trial % 2 == 0 ? 4 : 1'000'000;
            for (int rank = 0; rank < ranks; ++rank) {
                if (trial % 3 == 0) machines.push_back(static_cast<int>(random.below(3)));
                for (int part = 0; part < ranks; ++part)
                    if (random.below(4) < 1 + static_cast<std::uint64_t>(trial % 4))
                        holdings.push_back(
                            {rank, part, static_cast<Tokens>(random.below(largest))});
            }
            const RelabelProblem problem = {ranks, ranks, 1, holdings, machines};
            const Relabelling best = fewest_bytes(problem);
            EXPECT_EQ("", fault_of(best, problem));
            EXPECT_EQ(fewest_by_trial(problem), bytes_of(problem, best.rank_of_part));
        }
}

TEST(FewestBytes, AreRefusedIfThereAreTooManyPartsOrBytes) {
    try {
        static_cast<void>(fewest_bytes({.parts = 7, .ranks = 3, .parts_a_rank = 2}));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ("expected at most 2 parts for each of 3 ranks, found 7 parts", error.what());
    }
    const std::vector<Holding> holdings = {{0, 0, tokens_max}, {1, 0, tokens_max}};
    EXPECT_THROW(static_cast<void>(fewest_bytes({.parts = 1, .ranks = 2, .holdings = holdings})),
                 InputError);
    const std::vector<Holding> most = {{0, 0, tokens_max - 1}, {1, 0, 1}};
    const std::vector<int> machines = {0, 1};
    const RelabelProblem largest = {1, 2, 1, most, machines};
    EXPECT_EQ("", fault_of(fewest_bytes(largest), largest));
    EXPECT_EQ(1, fewest_bytes(largest).between_machines);
}

TEST(FewestBytes, OfAShuffledPartitionAreNone) {
    const int ranks = 1000;
    std::vector<int> shuffled(ranks);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    RandomStream random(1, Purpose::sampling);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::vector<Holding> holdings;
    for (int rank = 0; rank < ranks; ++rank)
        holdings.push_back({rank, shuffled[static_cast<std::size_t>(rank)], 1000});
    const Relabelling best = fewest_bytes({.parts = ranks, .ranks = ranks, .holdings = holdings});
    EXPECT_EQ(0, best.moved);
    EXPECT_GT(best.moved_by_identity, 900'000);
}

}  // namespace
}  // namespace equipoise::placement
