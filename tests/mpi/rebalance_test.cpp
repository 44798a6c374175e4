#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/cereal.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/placement/hierarchical.hpp"
#include "equipoise/placement/targets.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

std::size_t me() {
    return static_cast<std::size_t>(world_rank());
}
Tokens total_of(const std::vector<Tokens>& counts) {
    return std::accumulate(counts.begin(), counts.end(), Tokens{0});
}

TEST(MinimumMoves, LevelsEveryDistributionWithTheFewestMoves) {
    for (const auto& counts : distributions(world_size())) {
        const std::vector<Grain> before = make_items(counts, make_grain);
        std::vector<Grain> items = before;
        const Report report = rebalance(MPI_COMM_WORLD, items);

        const std::vector<Tokens> targets = placement::level_targets({counts, {}, {}});
        EXPECT_EQ(targets[me()], static_cast<Tokens>(items.size()));
        EXPECT_EQ(placement::surplus(counts, targets), report.moved);
        EXPECT_EQ(report.moved, report.minimum);
        EXPECT_LE(report.after.most - report.after.least, 1);
        EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), report.before.most);
        EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), report.before.least);
        EXPECT_DOUBLE_EQ(static_cast<double>(total_of(counts)) / world_size(),
                         report.before.average);
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
        // What stays is the beginning of what was there.
        const std::size_t stays = std::min(before.size(), items.size());
        EXPECT_TRUE(
            std::equal(before.begin(), before.begin() + static_cast<Tokens>(stays), items.begin()));
    }
}

TEST(Policies, BringItemsWhateverCapacityVectorsHave) {
    for (const Policy policy : {Policy::minimum_moves, Policy::keep_order})
        for (const auto& counts : distributions(world_size()))
            for (const bool spare : {false, true}) {
                std::vector<Grain> items = make_items(counts, make_grain);
                items.shrink_to_fit();
                if (spare) items.reserve(static_cast<std::size_t>(total_of(counts)));
                const Report report = rebalance(MPI_COMM_WORLD, items, {.policy = policy});
                EXPECT_LE(report.after.most - report.after.least, 1);
                const std::vector<std::int64_t> numbers = all_numbers(items);
                EXPECT_TRUE(all_there(numbers));
                EXPECT_TRUE(undamaged(items));
                EXPECT_TRUE(policy != Policy::keep_order ||
                            std::is_sorted(numbers.begin(), numbers.end()));
            }
}

TEST(MinimumMoves, DoesNotMoveTheSecondTime) {
    std::vector<Grain> items = make_items(distributions(world_size())[6], make_grain);
    rebalance(MPI_COMM_WORLD, items);
    const std::vector<Grain> before = items;
    EXPECT_EQ(0, rebalance(MPI_COMM_WORLD, items).moved);
    EXPECT_EQ(before, items);
}

TEST(MinimumMoves, SplitsLongMessages) {
    for (const std::size_t bytes : {1U, 7U, 24U, 1024U}) {
        const auto counts = distributions(world_size())[2];
        std::vector<Grain> items = make_items(counts, make_grain);
        rebalance(MPI_COMM_WORLD, items, {.message_bytes_max = bytes});
        EXPECT_EQ(placement::level_targets({counts, {}, {}})[me()],
                  static_cast<Tokens>(items.size()));
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
    }
}

TEST(MinimumMoves, FollowsSpeeds) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<double> speeds;
        speeds.reserve(counts.size());
        for (int rank = 0; rank < world_size(); ++rank)
            speeds.push_back(0.5 * (rank % 3));
        if (world_size() == 1) speeds = {2};
        std::vector<Grain> items = make_items(counts, make_grain);
        const Report report = rebalance(MPI_COMM_WORLD, items, {.speed = speeds[me()]});
        const std::vector<Tokens> targets = placement::level_targets({counts, {}, speeds});
        EXPECT_EQ(targets[me()], static_cast<Tokens>(items.size()));
        EXPECT_EQ(placement::surplus(counts, targets), report.moved);
        EXPECT_TRUE(all_there(all_numbers(items)));
    }
}

TEST(MinimumMoves, NeverMovesPinnedItems) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Tokens> pinned = counts;
        for (Tokens& items : pinned)
            items -= items / 3;
        const std::vector<Grain> before = make_items(counts, make_grain);
        std::vector<Grain> items = before;
        rebalance(MPI_COMM_WORLD, items, {.pinned = pinned[me()]});
        ASSERT_LE(pinned[me()], static_cast<Tokens>(items.size()));
        EXPECT_TRUE(std::equal(before.begin(), before.begin() + pinned[me()], items.begin()));
        EXPECT_TRUE(all_there(all_numbers(items)));
        const bool level =
            total_of(counts) == 0 || *std::max_element(counts.begin(), counts.end()) -
                                             *std::min_element(counts.begin(), counts.end()) <=
                                         1;
        EXPECT_EQ(level ? counts[me()] : placement::level_targets({counts, pinned, {}})[me()],
                  static_cast<Tokens>(items.size()));
    }
}

TEST(KeepOrder, KeepsTheItemsOfAllRanksInOrder) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        const Report report = rebalance(MPI_COMM_WORLD, items, {.policy = Policy::keep_order});
        EXPECT_LE(report.after.most - report.after.least, 1);
        EXPECT_GE(report.moved, report.minimum);
        EXPECT_TRUE(counts_up(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
    }
}

TEST(Hierarchical, MovesFewestBetweenSimulatedMachines) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<int> machine;
        machine.reserve(counts.size());
        for (int rank = 0; rank < world_size(); ++rank)
            machine.push_back(rank % 2);
        std::vector<Grain> items = make_items(counts, make_grain);
        const Report report = rebalance(MPI_COMM_WORLD, items,
                                        {.policy = Policy::hierarchical, .machine = machine[me()]});
        const std::vector<Tokens> targets =
            placement::hierarchical_targets({counts, {}, {}}, {machine, machine});
        EXPECT_LE(report.after.most - report.after.least, 1);
        if (report.moved > 0) {
            EXPECT_EQ(targets[me()], static_cast<Tokens>(items.size()));
            EXPECT_EQ(placement::surplus_of_groups(counts, targets, machine),
                      report.between_machines);
        }
        EXPECT_TRUE(all_there(all_numbers(items)));
    }
}

TEST(Hierarchical, AsksMpiForMachinesAndSockets) {
    const auto counts = distributions(world_size())[2];
    std::vector<Grain> items = make_items(counts, make_grain);
    const Report report = rebalance(MPI_COMM_WORLD, items, {.policy = Policy::hierarchical});
    EXPECT_EQ(0, report.between_machines);
    EXPECT_LE(report.after.most - report.after.least, 1);
    EXPECT_TRUE(all_there(all_numbers(items)));
}

TEST(RandomPairs, LevelEveryDistributionInRoundsOfPairs) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        const Options options = {.policy = Policy::random_pairs};
        const Plan plan = make_plan(MPI_COMM_WORLD, counts[me()], options);
        const Report report = plan.execute(items);
        EXPECT_EQ(report.messages, plan.transfers().size());
        EXPECT_LE(report.after.most - report.after.least, 1);
        ASSERT_TRUE(report.minimum.has_value());
        EXPECT_GE(report.moved, *report.minimum);
        EXPECT_EQ(report.rounds > 0, report.moved > 0);
        EXPECT_EQ(static_cast<Tokens>(items.size()), plan.size_after());
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
        EXPECT_EQ(0, rebalance(MPI_COMM_WORLD, items, options).moved);
    }
}

TEST(RandomPairs, CarrySerialisedItemsOverSeveralHops) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Sack> items = make_items(counts, make_sack);
        rebalance(MPI_COMM_WORLD, items, {.policy = Policy::random_pairs}, SackSerialiser());
        EXPECT_TRUE(all_there(all_numbers(items)));
        for (const Sack& sack : items)
            EXPECT_EQ(make_sack(sack.number, std::stoi(sack.name.substr(8))), sack);
    }
}

// The ranks in a row or in a ring.
MPI_Comm make_line(bool closed) {
    const std::array<int, 1> size = {world_size()};
    const std::array<int, 1> periodic = {closed ? 1 : 0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, size.data(), periodic.data(), 0, &line);
    return line;
}

TEST(NeighboursOnly, MovesAlongLinksAndLeavesNeighboursWithinOneItem) {
    MPI_Comm ring = make_line(true);
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        const Options options = neighbours_only();
        const Plan plan = make_plan(ring, counts[me()], options);
        for (const Transfer& transfer : plan.transfers()) {
            const int apart = std::abs(transfer.from - transfer.to);
            EXPECT_TRUE(apart == 1 || apart == world_size() - 1);
        }
        const Report report = plan.execute(items);
        EXPECT_GE(report.moved, report.minimum);
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(undamaged(items));
        const Tokens mine = static_cast<Tokens>(items.size());
        Tokens next = 0;
        MPI_Sendrecv(&mine, 1, MPI_INT64_T, (world_rank() + 1) % world_size(), 0, &next, 1,
                     MPI_INT64_T, (world_rank() + world_size() - 1) % world_size(), 0, ring,
                     MPI_STATUS_IGNORE);
        EXPECT_LE(std::abs(next - mine), 1);
    }
    MPI_Comm_free(&ring);
}

TEST(NeighboursOnly, CarriesSerialisedItemsOverSeveralHops) {
    // A star: rank 0 in the middle, links told by the outer ranks alone.
    MPI_Comm star = MPI_COMM_NULL;
    const int middle = 0;
    const int outer = world_rank() == 0 ? 0 : 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &middle, MPI_UNWEIGHTED, outer, &middle,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
    for (const auto& counts : distributions(world_size())) {
        std::vector<Sack> items = make_items(counts, make_sack);
        const Report report =
            rebalance(star, items, neighbours_only("discrepancy-1"), SackSerialiser());
        EXPECT_LE(report.after.most - report.after.least, 1);
        EXPECT_TRUE(all_there(all_numbers(items)));
        for (const Sack& sack : items)
            EXPECT_EQ(make_sack(sack.number, std::stoi(sack.name.substr(8))), sack);
    }
    MPI_Comm_free(&star);
}

// The sizes on all ranks after the algorithm ran on items, or nothing if it was refused.
std::vector<Tokens> sizes_after(const std::string& algorithm, MPI_Comm line,
                                const std::vector<Tokens>& counts) {
    std::vector<Grain> items = make_items(counts, make_grain);
    try {
        rebalance(line, items, neighbours_only(algorithm));
    } catch (const mpi::CollectiveError&) {
        return {};
    }
    EXPECT_TRUE(all_there(all_numbers(items))) << algorithm;
    EXPECT_TRUE(undamaged(items)) << algorithm;
    std::vector<Tokens> sizes(counts.size());
    const Tokens mine = static_cast<Tokens>(items.size());
    MPI_Allgather(&mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    return sizes;
}

TEST(NeighboursOnly, BringsItemsWhereAnyAlgorithmOfTheCatalogueBringsTokens) {
    MPI_Comm line = make_line(false);
    const std::vector<Tokens> counts = distributions(world_size())[2];
    const auto ranks = static_cast<NodeId>(world_size());
    std::vector<Ends> links;
    for (NodeId rank = 0; rank + 1 < ranks; ++rank)
        links.push_back({rank, rank + 1});
    const network::AnyNetwork path(network::Network(ranks, links));
    std::vector<std::string> served;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms()) {
        const std::vector<Tokens> sizes = sizes_after(algorithm.name, line, counts);
        if (sizes.empty()) continue;
        served.push_back(algorithm.name);
        std::optional<catalogue::Outcome> alone;
        try {
            alone = catalogue::run(algorithm.name, path, counts);
        } catch (const UnsuitableError&) {
            EXPECT_EQ(world_size(), 1) << algorithm.name;  // one rank asks no algorithm
            continue;
        }
        // More than 1 on a single rank only.
        const auto units_a_token = static_cast<Tokens>(alone->record.load_scale);
        for (std::size_t rank = 0; rank < sizes.size(); ++rank)
            EXPECT_EQ(alone->loads()[rank], units_a_token * sizes[rank]) << algorithm.name;
    }
    for (const char* name :
         {"threshold-1", "threshold-2", "discrepancy-1", "diffusion", "dimension-exchange",
          "deal-agreement-2", "deal-agreement-3", "random-walks", "perfect-tree",
          "perfect-tree-batched", "minimum-exchange-tree", "async-deal-agreement",
          "self-stabilising", "partially-asynchronous", "async-one-token-diffusion"})
        EXPECT_NE(std::find(served.begin(), served.end(), name), served.end()) << name;
    MPI_Comm_free(&line);
}

TEST(Weighted, EndsWithinTheLargestItemOfTheTarget) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Grain> items = make_items(counts, make_grain);
        std::vector<double> weights;
        weights.reserve(items.size());
        for (const Grain& grain : items)
            weights.push_back(grain.weight);
        const Tokens all = total_of(counts);
        const double largest = static_cast<double>(all);
        const double target =
            static_cast<double>(all + 1) * static_cast<double>(all) / 2 / world_size();
        const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(items.size()),
                                    {.policy = Policy::weighted, .weights = weights});
        const Report report = plan.execute(items);
        plan.execute(weights);
        double load = 0;
        for (const Grain& grain : items)
            load += grain.weight;
        EXPECT_LE(std::abs(load - target), largest);
        EXPECT_LE(report.weight_after.most, target + largest);
        EXPECT_GE(report.weight_after.least, target - largest);
        EXPECT_FALSE(report.minimum.has_value());
        EXPECT_TRUE(all_there(all_numbers(items)));
        ASSERT_EQ(items.size(), weights.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_EQ(items[i].weight, weights[i]);
    }
}

TEST(Weighted, WeightsMoveWithTheirItemsAndServeTheNextCall) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Sack> items = make_items(counts, make_sack);
        std::vector<double> weights;
        const auto weight_of = [](const Sack& sack) {
            return 1 + static_cast<double>(sack.number % 7);
        };
        for (const Sack& sack : items)
            weights.push_back(weight_of(sack));
        rebalance(MPI_COMM_WORLD, items, weights, {}, SackSerialiser());
        std::vector<Grain> grains = make_items(counts, make_grain);
        std::vector<double> of_grains;
        for (const Grain& grain : grains)
            of_grains.push_back(grain.weight);
        const Report first = rebalance(MPI_COMM_WORLD, grains, of_grains);
        const Report again = rebalance(MPI_COMM_WORLD, grains, of_grains);
        EXPECT_DOUBLE_EQ(first.weight_after.most, again.weight_before.most);
        EXPECT_TRUE(all_there(all_numbers(items)));
        EXPECT_TRUE(all_there(all_numbers(grains)));
        ASSERT_EQ(items.size(), weights.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_EQ(weight_of(items[i]), weights[i]);
        ASSERT_EQ(grains.size(), of_grains.size());
        for (std::size_t i = 0; i < grains.size(); ++i)
            EXPECT_EQ(grains[i].weight, of_grains[i]);
    }
}

TEST(Weighted, MovesNothingThatBringsNobodyNearer) {
    std::vector<Grain> items(2);
    const std::vector<double> weights = {0.5, 0.5};
    const Report report =
        rebalance(MPI_COMM_WORLD, items, {.policy = Policy::weighted, .weights = weights});
    EXPECT_EQ(0, report.moved);
    EXPECT_DOUBLE_EQ(1, report.weight_after.most);
}

template <class Serialiser>
void expect_sacks_to_survive(const Serialiser& serialiser, const Options& options) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Sack> items = make_items(counts, make_sack);
        const Report report = rebalance(MPI_COMM_WORLD, items, options, serialiser);
        EXPECT_LE(report.after.most - report.after.least, 1);
        const auto numbers = all_numbers(items);
        EXPECT_TRUE(options.policy == Policy::keep_order ? counts_up(numbers) : all_there(numbers));
        for (const Sack& sack : items) {
            const int maker = std::stoi(sack.name.substr(8));
            EXPECT_EQ(make_sack(sack.number, maker), sack);
        }
    }
}

TEST(SerialisedItems, ArriveWholeUnderEveryPolicyAndMessageLength) {
    expect_sacks_to_survive(SackSerialiser(), {});
    expect_sacks_to_survive(SackSerialiser(), {.message_bytes_max = 13});
    expect_sacks_to_survive(SackSerialiser(), {.policy = Policy::keep_order});
    expect_sacks_to_survive(SackSerialiser(), {.policy = Policy::hierarchical});
}

TEST(SerialisedItems, MayBeWhateverCerealArchives) {
    expect_sacks_to_survive(CerealSerialiser<Sack>(), {});
}

TEST(PlanOfMoves, ServesSeveralArraysAndSaysWhatItWillDo) {
    const auto counts = distributions(world_size())[2];
    std::vector<Grain> items = make_items(counts, make_grain);
    std::vector<float> charges;
    charges.reserve(items.size());
    for (const Grain& grain : items)
        charges.push_back(static_cast<float>(grain.number));
    const Plan plan = make_plan(MPI_COMM_WORLD, counts[me()]);
    EXPECT_EQ(counts[me()], plan.size_before());
    EXPECT_EQ(placement::items_moved(plan.transfers()), plan.moved());

    auto moving = plan.begin(items);
    auto moving_too = plan.begin(charges);
    EXPECT_EQ(plan.moved(), moving_too.end().moved);
    const Report report = moving.end();
    EXPECT_EQ(plan.moved(), report.moved);
    EXPECT_EQ(plan.size_after(), static_cast<Tokens>(items.size()));
    ASSERT_EQ(items.size(), charges.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(static_cast<float>(items[i].number), charges[i]);
    EXPECT_TRUE(all_there(all_numbers(items)));
}

TEST(PlanOfMoves, DescribesWhoSendsWhatToWhom) {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts[0] = 4000;
    const Plan plan = make_plan(MPI_COMM_WORLD, counts[me()]);
    const std::string text = plan.describe(1);
    if (world_size() == 4) {
        EXPECT_EQ(
            "minimum-moves on 4 ranks\n"
            "before: 0 to 4,000 items per rank, 1,000 on average\n"
            "after:  1,000 to 1,000 items per rank, 1,000 on average\n"
            "moves:  3,000 items in 3 messages, the fewest possible for these final sizes\n"
            "  rank 0 -> rank 1: 1,000 items\n"
            "  and 2 more\n",
            text);
    } else if (world_size() == 1) {
        EXPECT_EQ(
            "minimum-moves on 1 rank\n"
            "before: 4,000 to 4,000 items per rank, 4,000 on average\n"
            "nothing moves\n",
            text);
    }
}

// Sizes 2 and 1 need two moves, 1 and 2 would need one.
TEST(Reports, SayThatMovesAreTheFewestForTheFinalSizesAlone) {
    if (world_size() < 2) return;
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() / 2, world_rank(), &pair);
    int ranks = 0;
    MPI_Comm_size(pair, &ranks);
    if (ranks == 2) {
        const Plan plan = make_plan(pair, 3 * (world_rank() % 2), {.policy = Policy::keep_order});
        EXPECT_EQ(2, plan.moved());
        EXPECT_EQ(
            "keep-order on 2 ranks\n"
            "before: 0 to 3 items per rank, 1.5 on average\n"
            "after:  1 to 2 items per rank, 1.5 on average\n"
            "moves:  2 items in 1 message, the fewest possible for these final sizes\n"
            "  rank 1 -> rank 0: 2 items\n",
            plan.describe());
        // Every item goes elsewhere, and the sizes stay.
        const std::vector<int> to(3, 1 - world_rank() % 2);
        EXPECT_NE(std::string::npos, plan_to(pair, to).describe().find(
                                         "; any plan with these final sizes must move 0 items\n"));
    }
    MPI_Comm_free(&pair);
}

TEST(Reports, DescribeThemselvesAsPlansDo) {
    std::vector<Grain> items = make_items(distributions(world_size())[2], make_grain);
    const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(items.size()));
    const std::string planned = plan.describe(0);
    const std::string done = plan.execute(items).describe();
    const std::string figures = planned.substr(0, planned.find("  and "));
    EXPECT_TRUE(done.starts_with(figures)) << done;
    EXPECT_NE(std::string::npos, done.find(" ms to plan, ")) << done;
    EXPECT_TRUE(done.ends_with(" ms to move\n")) << done;
}

TEST(PlanOfMoves, IsWorthItsCostWhereStepsSaveMoreThanMovingTakes) {
    const auto counts = distributions(world_size())[2];
    const Plan plan = make_plan(MPI_COMM_WORLD, counts[me()]);
    const double most_after = static_cast<double>(plan.report().after.most);
    const CostModel costs = {.seconds_per_item = 1e-6,
                             .steps = me() == 0 ? 10.0 : 0.0,  // the largest that any rank names
                             .seconds_per_item_moved = 2e-6,
                             .seconds_per_message = 1e-5};
    const Verdict verdict = plan.worth_it(costs);
    EXPECT_DOUBLE_EQ(world_size() == 1 ? 0 : 1e-5 * (1000 - most_after), verdict.seconds_saved);
    EXPECT_DOUBLE_EQ(world_size() == 1
                         ? 0
                         : static_cast<double>(plan.moved()) * 2e-6 + 1e-5 * (world_size() - 1),
                     verdict.seconds_spent);
    EXPECT_EQ(world_size() > 1, static_cast<bool>(verdict));
    EXPECT_FALSE(
        plan.worth_it({.seconds_per_item = 1e-6, .steps = 1, .seconds_per_item_moved = 1}));
}

TEST(Rebalance, ServesEveryCommunicator) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &half);
    int rank = 0;
    MPI_Comm_rank(half, &rank);
    std::vector<int> items(rank == 0 ? 100 : 0, world_rank() % 2);
    const Report report = rebalance(half, items);
    EXPECT_LE(report.after.most - report.after.least, 1);
    EXPECT_EQ(std::vector<int>(items.size(), world_rank() % 2), items);
    MPI_Comm_free(&half);
    std::vector<int> alone(7, 1);
    EXPECT_EQ(0, rebalance(MPI_COMM_SELF, alone).moved);
}

}  // namespace
}  // namespace equipoise::balancer
