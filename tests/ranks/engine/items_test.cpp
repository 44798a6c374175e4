// Items that follow the tokens of node programs across ranks, and programs that fail, differ or are
// interrupted.

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/self_stabilising.hpp"
#include "tests/support/grains.hpp"
#include "tests/support/hot_potatoes.hpp"
#include "tests/support/program_instances.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/watchdog.hpp"

namespace equipoise::engine {
namespace {

using test::Grain;
using test::HotPotatoes;
using test::Instance;

std::pair<NodeId, NodeId> own_nodes(Fabric& fabric, const network::Network& network) {
    const Partition partition = Partition::contiguous(network.node_count(), fabric.ranks());
    return {partition.first(fabric.rank()), partition.first(fabric.rank() + 1)};
}

/// Items of this rank's nodes, numbered across all nodes.
template <class Item, class Make>
std::vector<std::vector<Item>> items_of(Fabric& fabric, const Instance& instance,
                                        const Make& make) {
    const auto [begin, end] = own_nodes(fabric, instance.network);
    std::vector<std::vector<Item>> items(end - begin);
    Tokens number = 0;
    for (NodeId node = 0; node < end; ++node)
        for (Tokens i = 0; i < instance.loads[node]; ++i, ++number)
            if (node >= begin) items[node - begin].push_back(make(number));
    return items;
}

template <class Program>
void expect_items_to_follow(Fabric& fabric, const Program& program, const Instance& instance) {
    const test::Watchdog watchdog("items on ranks");
    auto items = items_of<Grain>(fabric, instance,
                                 [](Tokens number) { return test::make_grain(number, 5); });
    RankOptions options;
    options.seed = 4;
    const RankRun run = run_on_ranks(program, instance.network, items, fabric, options);
    const auto [begin, end] = own_nodes(fabric, instance.network);
    ASSERT_EQ(end - begin, items.size());
    std::vector<std::int64_t> numbers;
    for (NodeId node = begin; node < end; ++node) {
        EXPECT_EQ(static_cast<std::size_t>(run.loads[node]), items[node - begin].size());
        for (const Grain& grain : items[node - begin]) {
            EXPECT_EQ(test::make_grain(grain.number, 5), grain);
            numbers.push_back(grain.number);
        }
    }
    numbers = values_of<std::int64_t>(
        fabric.gather(std::as_bytes(std::span<const std::int64_t>(numbers))));
    if (fabric.rank() != 0) return;
    EXPECT_EQ(static_cast<std::size_t>(load::total(instance.loads)), numbers.size());
    EXPECT_TRUE(test::all_there(numbers));
}

TEST(ItemsOnRanks, FollowTokensSoThatEachArrivesOnce) {
    test::on_ranks([](Fabric& fabric) {
        for (const Instance& tree : test::program_trees(fabric.ranks())) {
            expect_items_to_follow(fabric, programs::PerfectTree(), tree);
            expect_items_to_follow(fabric, programs::MinimumExchangeTree(true), tree);
        }
        for (const Instance& instance : test::program_networks()) {
            expect_items_to_follow(fabric, programs::AsyncDealAgreement(), instance);
            // Tokens change owners before the items behind them arrive.
            for (int round = 0; round < 3; ++round)
                expect_items_to_follow(
                    fabric, programs::SelfStabilising(programs::SequenceLink(), 2), instance);
        }
    });
}

struct Boulder {
    std::int64_t number;
    std::array<char, 3 << 18> weight;
};

TEST(ItemsOnRanks, MayBeLargerThanAParcel) {
    test::on_ranks([](Fabric& fabric) {
        const auto ranks = static_cast<NodeId>(fabric.ranks());
        RandomStream random(1, Purpose::sampling);
        const Instance path{test::random_tree(ranks, random, 1),
                            test::corner_loads(ranks, 2 * Tokens{ranks})};
        auto items = items_of<Boulder>(fabric, path, [](Tokens number) {
            Boulder boulder{number, {}};
            boulder.weight.back() = static_cast<char>(number);
            return boulder;
        });
        run_on_ranks(programs::MinimumExchangeTree(true), path.network, items, fabric);
        ASSERT_EQ(1U, items.size());
        EXPECT_EQ(2U, items[0].size());
        for (const Boulder& boulder : items[0])
            EXPECT_EQ(static_cast<char>(boulder.number), boulder.weight.back());
    });
}

TEST(ErrorsOfAProgram, AreThrownOnEveryRankAndTheItemsStay) {
    const Instance ring{test::stored_network("cycle:n=14"), test::corner_loads(14, 30)};
    test::on_ranks([&](Fabric& fabric) {
        const test::Watchdog watchdog("a program that fails");
        for (int failing = 0; failing < fabric.ranks(); ++failing)
            for (const bool out_of_memory : {false, true}) {
                auto items = items_of<Tokens>(fabric, ring, [](Tokens number) { return number; });
                const auto before = items;
                const HotPotatoes program{fabric.rank() == failing, out_of_memory};
                try {
                    run_on_ranks(program, ring.network, items, fabric);
                    ADD_FAILURE() << "nothing was thrown";
                } catch (const std::bad_alloc&) {
                    EXPECT_TRUE(out_of_memory);
                } catch (const std::runtime_error& error) {
                    EXPECT_FALSE(out_of_memory);
                    const std::string rank =
                        fabric.ranks() == 1 ? "" : "rank " + std::to_string(failing) + ": ";
                    EXPECT_EQ(error.what(), rank + "a potato too many");
                }
                EXPECT_EQ(before, items);
            }
        // Nothing is left behind that the next run could mistake for its own.
        expect_items_to_follow(fabric, programs::AsyncDealAgreement(), ring);
    });
}

TEST(DifferingCallsOnRanks, AreRefusedOnEveryRank) {
    const network::Network ring = test::stored_network("cycle:n=14");
    const network::Network path = test::stored_network("path:n=14");
    test::on_ranks([&](Fabric& fabric) {
        const auto [begin, end] = own_nodes(fabric, ring);
        const std::vector<Tokens> loads(end - begin, 1);
        const std::vector<Tokens> wrong(end - begin + 1, 1);
        const bool here = fabric.rank() == fabric.ranks() - 1;
        const programs::AsyncDealAgreement program;
        EXPECT_THROW(
            static_cast<void>(run_on_ranks(program, ring, std::span(here ? wrong : loads), fabric)),
            InputError);
        if (fabric.ranks() == 1) return;
        EXPECT_THROW(static_cast<void>(run_on_ranks(program, here ? path : ring,
                                                    std::span<const Tokens>(loads), fabric)),
                     InputError);
    });
}

TEST(InterruptedProgramsOnRanks, EndWithoutLosingSightOfAToken) {
    const network::Network torus = test::stored_network("torus:6x7");
    const load::Loads loads = test::corner_loads(42, 1000);
    test::on_ranks([&](Fabric& fabric) {
        const test::Watchdog watchdog("an interrupted program");
        const auto [begin, end] = own_nodes(fabric, torus);
        const auto mine = std::span(loads).subspan(begin, end - begin);
        for (int tired = 0; tired < fabric.ranks(); ++tired) {
            std::stop_source source;
            RankOptions options;
            options.interrupt = source.get_token();
            const HotPotatoes program{fabric.rank() == tired, false, &source};
            const RankRun run = run_on_ranks(program, torus, mine, fabric, options);
            EXPECT_EQ(Parting::interrupted, run.reason);
            EXPECT_EQ(1000, load::total(run.loads));
            EXPECT_TRUE(std::all_of(run.loads.begin(), run.loads.end(),
                                    [](Tokens load) { return load >= 0; }));
        }
    });
}

}  // namespace
}  // namespace equipoise::engine
