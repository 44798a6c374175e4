// Transfers in waves, beside a search of all ways.

#include "equipoise/replication/transfers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::replication {
namespace {

using Pairs = std::set<std::pair<MachineId, ItemId>>;

Pairs pairs_of(const Problem& problem, const std::vector<ItemId>& placement) {
    Pairs pairs;
    for (std::uint32_t slot = 0; slot < placement.size(); ++slot)
        pairs.emplace(slot / problem.slots, placement[slot]);
    return pairs;
}

/// The fewest waves of all ways: every set of pairs that may arrive in a wave, wave after wave.
class EveryWay {
  public:
    EveryWay(const Problem& problem, const std::vector<ItemId>& placement, Tokens at_once)
        : at_once_(at_once), machines_(problem.machines) {
        const Pairs had = pairs_of(problem, problem.placement);
        std::set<ItemId> exist;
        for (const auto& [machine, item] : had)
            exist.insert(item);
        for (const auto& pair : pairs_of(problem, placement))
            if (!had.contains(pair) && exist.contains(pair.second)) wanted_.push_back(pair);
        reached_.insert(had);
    }
    Step waves() {
        for (Step waves = 0;; ++waves) {
            std::set<Pairs> next;
            for (const Pairs& has : reached_) {
                if (std::all_of(wanted_.begin(), wanted_.end(),
                                [&](const auto& pair) { return has.contains(pair); }))
                    return waves;
                Pairs grown = has;
                std::vector<Tokens> given(machines_, 0);
                std::vector<Tokens> taken(machines_, 0);
                arrive(0, has, grown, given, taken, next);
            }
            reached_ = std::move(next);
        }
    }

  private:
    void arrive(std::size_t index, const Pairs& has, Pairs& grown, std::vector<Tokens>& given,
                std::vector<Tokens>& taken, std::set<Pairs>& next) {
        if (index == wanted_.size()) {
            next.insert(grown);
            return;
        }
        arrive(index + 1, has, grown, given, taken, next);
        const auto [to, item] = wanted_[index];
        if (has.contains({to, item}) || taken[to] == at_once_) return;
        for (MachineId from = 0; from < machines_; ++from) {
            if (!has.contains({from, item}) || given[from] == at_once_) continue;
            ++given[from];
            ++taken[to];
            grown.emplace(to, item);
            arrive(index + 1, has, grown, given, taken, next);
            grown.erase({to, item});
            --taken[to];
            --given[from];
        }
    }
    Tokens at_once_;
    std::uint32_t machines_;
    std::vector<std::pair<MachineId, ItemId>> wanted_;
    std::set<Pairs> reached_;
};

/// Different items on each machine, drawn.
std::vector<ItemId> random_placement(const Problem& problem, RandomStream& random) {
    std::vector<ItemId> placement;
    for (MachineId machine = 0; machine < problem.machines; ++machine) {
        std::set<ItemId> items;
        while (items.size() < problem.slots)
            items.insert(static_cast<ItemId>(random.below(problem.items())));
        placement.insert(placement.end(), items.begin(), items.end());
    }
    return placement;
}

Problem random_problem(std::uint32_t items, std::uint32_t machines, std::uint32_t slots,
                       std::uint32_t hosts, RandomStream& random) {
    Problem problem{std::vector<Tokens>(items, 1), machines, slots, hosts, 0, {}};
    problem.placement = random_placement(problem, random);
    return problem;
}

TEST(ReplicationTransfers, AreAsFewWavesAsAnyOfSmallProblems) {
    std::uint64_t problems = 0;
    std::uint64_t exact = 0;
    std::uint64_t proved = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const auto machines = static_cast<std::uint32_t>(2 + random.below(4));
        const auto slots = static_cast<std::uint32_t>(1 + random.below(2));
        const auto items = static_cast<std::uint32_t>(slots + random.below(3));
        const Problem problem = random_problem(items, machines, slots, 1, random);
        const std::vector<ItemId> placement = random_placement(problem, random);
        const auto at_once = static_cast<Tokens>(1 + random.below(2));
        const Transfers transfers = plan_transfers(problem, placement, at_once);
        ASSERT_EQ(fault_of(problem, placement, transfers, at_once), "") << "seed " << seed;
        const Step fewest = EveryWay(problem, placement, at_once).waves();
        ASSERT_LE(transfers.waves_at_least, fewest) << "seed " << seed << transfers.reason;
        ++problems;
        exact += transfers.waves == fewest ? 1 : 0;
        proved += transfers.waves_at_least == fewest ? 1 : 0;
    }
    EXPECT_EQ(exact, problems);
    EXPECT_GT(100 * proved, 95 * problems);
}

TEST(ReplicationTransfers, HoldForDrawnPlacementsOfManySizes) {
    std::uint64_t problems = 0;
    std::uint64_t proved = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const auto hosts = static_cast<std::uint32_t>(1 + random.below(4));
        const std::uint32_t machines = hosts * static_cast<std::uint32_t>(1 + random.below(8));
        const auto slots = static_cast<std::uint32_t>(1 + random.below(9));
        const auto items = static_cast<std::uint32_t>(slots + random.below(40));
        const Problem problem = random_problem(items, machines, slots, hosts, random);
        const std::vector<ItemId> placement = random_placement(problem, random);
        const auto at_once = static_cast<Tokens>(1 + random.below(3));
        const Transfers transfers = plan_transfers(problem, placement, at_once);
        ASSERT_EQ(fault_of(problem, placement, transfers, at_once), "") << "seed " << seed;
        ASSERT_LE(transfers.waves_at_least, transfers.waves) << "seed " << seed;
        ++problems;
        proved += transfers.waves_at_least == transfers.waves ? 1 : 0;
    }
    EXPECT_GT(100 * proved, 90 * problems);
}

TEST(ReplicationTransfers, ManyTakersOfOneItemPassItOn) {
    // One machine has item 0, and seven others want it: holders double.
    Problem problem{{8, 1}, 8, 1, 1, 0, {0, 1, 1, 1, 1, 1, 1, 1}};
    const std::vector<ItemId> placement = {1, 0, 0, 0, 0, 0, 0, 0};
    const Transfers transfers = plan_transfers(problem, placement, 1);
    EXPECT_EQ(fault_of(problem, placement, transfers, 1), "");
    EXPECT_EQ(transfers.list.size(), 8U);
    EXPECT_EQ(transfers.waves, 3U);
    EXPECT_EQ(transfers.waves_at_least, 3U);
    EXPECT_EQ(transfers.reason, "1 GPU has expert 0 at first, and 7 more want it");
    EXPECT_EQ(plan_transfers(problem, placement, 7).waves, 1U);
}

TEST(ReplicationTransfers, OneMachineThatAloneHasManyItemsGivesThemOneByOne) {
    const Problem problem{std::vector<Tokens>(6, 1),           4, 3, 1, 0,
                          {0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5}};
    const std::vector<ItemId> placement = {0, 1, 2, 3, 4, 0, 3, 4, 1, 3, 5, 2};
    const Transfers transfers = plan_transfers(problem, placement, 1);
    EXPECT_EQ(fault_of(problem, placement, transfers, 1), "");
    EXPECT_EQ(transfers.waves, 3U);
    EXPECT_EQ(transfers.waves_at_least, 3U);
    EXPECT_EQ(transfers.reason,
              "3 experts must be given by 1 GPU, since no others had them at first");
}

TEST(ReplicationTransfers, ComeFromTheSameHostWhereThatTakesNoMoreWaves) {
    // Item 0 is on both hosts, and machines 1 and 3 want it.
    const Problem problem{{4, 1, 1}, 4, 1, 2, 0, {0, 1, 0, 2}};
    const std::vector<ItemId> placement = {1, 0, 2, 0};
    const Transfers transfers = plan_transfers(problem, placement, 1);
    EXPECT_EQ(fault_of(problem, placement, transfers, 1), "");
    EXPECT_EQ(transfers.waves, 1U);
    for (const Transfer& transfer : transfers.list)
        EXPECT_EQ(problem.host_of(transfer.from), problem.host_of(transfer.to));
}

TEST(ReplicationTransfers, BringNothingThatNoMachineHas) {
    const Problem problem{{1, 1, 1}, 2, 2, 1, 0, {0, 1, 1, 0}};
    const std::vector<ItemId> placement = {0, 2, 1, 2};
    EXPECT_TRUE(plan_transfers(problem, placement, 1).list.empty());
    EXPECT_EQ(fault_of(problem, placement, plan_transfers(problem, placement, 1), 1), "");
    const Problem fresh{{1, 1, 1}, 2, 2, 1, 0, {}};
    const Transfers none = plan_transfers(fresh, placement, 1);
    EXPECT_EQ(none.waves, 0U);
    EXPECT_EQ(none.reason, "nothing is copied");
}

TEST(ReplicationTransfers, BreachesOfTheRulesAreNamed) {
    const Problem problem{{1, 1, 1}, 3, 1, 1, 0, {0, 1, 2}};
    const std::vector<ItemId> placement = {1, 1, 1};
    const auto fault = [&](std::vector<Transfer> list, Step waves) {
        return fault_of(problem, placement, {std::move(list), waves, 0, ""}, 1);
    };
    EXPECT_EQ(fault({{0, 1, 1, 0}, {1, 1, 1, 2}}, 2), "");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {1, 1, 0, 2}}, 2), "") << "passed on";
    EXPECT_EQ(fault({{0, 1, 1, 0}, {0, 1, 1, 2}}, 1),
              "wave 0: GPU 1 gives expert 1 to GPU 2, and gives too many at once");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {0, 1, 0, 2}}, 1),
              "wave 0: GPU 0 gives expert 1 to GPU 2, which it has not");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {0, 0, 0, 2}, {1, 1, 1, 2}}, 2),
              "GPU 2 gets expert 0, which it is not to have");
    EXPECT_EQ(fault({{0, 1, 1, 0}}, 1), "GPU 2 never gets expert 1");
    EXPECT_EQ(fault({{1, 1, 1, 0}, {0, 1, 1, 2}}, 2),
              "wave 0: GPU 1 gives expert 1 to GPU 2 after a later wave");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {1, 1, 1, 0}}, 2),
              "wave 1: GPU 1 gives expert 1 to GPU 0, which has it");
    EXPECT_EQ(fault({{0, 1, 1, 3}}, 1),
              "wave 0: GPU 1 gives expert 1 to GPU 3, which does not exist");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {1, 1, 1, 2}}, 3),
              "the transfers end with wave 1, not after 3 waves");
    EXPECT_EQ(fault({{0, 1, 1, 0}, {0, 0, 0, 0}}, 1),
              "wave 0: GPU 0 gives expert 0 to GPU 0, which has it");
}

}  // namespace
}  // namespace equipoise::replication
