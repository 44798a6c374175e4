// Node programs on the nodes of several ranks: the invariants of the simulation hold, the recorded
// order leads the simulation to the same end, items follow tokens, errors reach every rank.

#include <algorithm>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/run_program.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/minimum_exchanges.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/async_one_token_diffusion.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/programs/partially_asynchronous.hpp"
#include "equipoise/programs/perfect_tree.hpp"
#include "equipoise/programs/perfect_tree_batched.hpp"
#include "equipoise/programs/self_stabilising.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::mpi {
namespace {

using balancer::world_rank;
using balancer::world_size;
using engine::RankRun;

/// A network and the loads of all its nodes.
struct Instance {
    network::Network network;
    load::Loads loads;
};

/// Trees smaller than, as large as and larger than the ranks are many.
std::vector<Instance> trees() {
    std::vector<Instance> all;
    RandomStream random(17, Purpose::sampling);
    const auto ranks = static_cast<NodeId>(world_size());
    for (const NodeId nodes : {NodeId{1}, ranks, NodeId{30}})
        for (const NodeId reach : {NodeId{1}, NodeId{30}}) {
            Instance instance{test::random_tree(nodes, random, reach), load::Loads(nodes, 0)};
            for (Tokens& load : instance.loads)
                load = static_cast<Tokens>(random.below(9));
            instance.loads[random.below(nodes)] += 40;
            all.push_back(std::move(instance));
        }
    return all;
}

std::vector<Instance> networks() {
    std::vector<Instance> all;
    for (const std::string spec : {"path:n=2", "torus:4x5", "complete:n=6"}) {
        network::Network network = test::stored_network(spec);
        load::Loads loads = test::corner_loads(network.node_count(), 50);
        loads[1] = 7;
        all.push_back({std::move(network), std::move(loads)});
    }
    return all;
}

std::pair<NodeId, NodeId> own_nodes(const network::Network& network) {
    return nodes_of_rank(network, world_rank(), world_size());
}

/// Plays on the ranks; what they recorded must lead the simulation to the same end.
template <class Program>
RankRun play(const Program& program, const Instance& instance) {
    const auto [begin, end] = own_nodes(instance.network);
    RankRun run = run_program(MPI_COMM_WORLD, program, instance.network,
                              std::span(instance.loads).subspan(begin, end - begin),
                              {.seed = 3, .keeps_order = true});
    EXPECT_EQ(load::total(instance.loads), load::total(run.loads));
    EXPECT_EQ(world_rank() != 0, run.order.empty());
    if (world_rank() != 0) return run;
    EXPECT_EQ(run.figures.events + instance.loads.size(), run.order.size());
    engine::SimulationOptions options;
    options.seed = 3;
    options.replays = &run.order;
    options.recounts_tokens = true;
    engine::Simulation simulation(program, instance.network, instance.loads, options);
    const engine::SimulationOutcome replayed = simulation.run();
    EXPECT_EQ(run.loads, replayed.loads);
    EXPECT_EQ(run.figures.exchanges, replayed.exchanges);
    EXPECT_EQ(run.figures.time, replayed.time);
    EXPECT_EQ(run.figures.nodes_done == instance.loads.size(), simulation.all_done());
    // After its last event a program that never falls silent may have sent what nobody received.
    if (run.reason == engine::Parting::quiet) {
        EXPECT_EQ(run.figures.messages, replayed.messages);
    }
    return run;
}

void expect_perfect(const RankRun& run, const Instance& instance) {
    const auto nodes = static_cast<Tokens>(instance.loads.size());
    const Tokens least = load::total(instance.loads) / nodes;
    for (const Tokens load : run.loads)
        EXPECT_TRUE(load == least || load == least + 1) << load;
    EXPECT_EQ(instance.loads.size(), run.figures.nodes_done);
    EXPECT_EQ(engine::Parting::quiet, run.reason);
}

void expect_one_balanced(const RankRun& run, const Instance& instance) {
    EXPECT_GE(1, load::local_imbalance(instance.network, std::span<const Tokens>(run.loads)));
}

TEST(PerfectTreeOnRanks, EndsWithFloorOrCeilingEverywhere) {
    for (const Instance& tree : trees())
        for (const auto root : {programs::PerfectTree::RootChoice::reserve,
                                programs::PerfectTree::RootChoice::link_end})
            expect_perfect(play(programs::PerfectTree(root), tree), tree);
}

TEST(PerfectTreeBatchedOnRanks, EndsWithFloorOrCeilingEverywhere) {
    for (const Instance& tree : trees())
        expect_perfect(play(programs::PerfectTreeBatched(), tree), tree);
}

TEST(MinimumExchangeTreeOnRanks, NeedsExactlyTheFewestExchanges) {
    for (const Instance& tree : trees())
        for (const bool bundled : {false, true}) {
            const RankRun run = play(programs::MinimumExchangeTree(bundled), tree);
            expect_perfect(run, tree);
            const Tokens fewest = optimum::minimum_exchanges(tree.network, tree.loads).exchanges;
            EXPECT_EQ(static_cast<std::uint64_t>(fewest), run.figures.exchanges);
        }
}

TEST(AsyncDealAgreementOnRanks, EndsOneBalanced) {
    for (const Instance& instance : networks()) {
        const RankRun run = play(programs::AsyncDealAgreement(), instance);
        expect_one_balanced(run, instance);
        EXPECT_EQ(engine::Parting::quiet, run.reason);
    }
}

TEST(SelfStabilisingOnRanks, EndsOneBalancedOnBothKindsOfLinks) {
    for (const Instance& instance : networks()) {
        const RankRun numbered =
            play(programs::SelfStabilising(programs::SequenceLink()), instance);
        expect_one_balanced(numbered, instance);
        EXPECT_EQ(engine::Parting::settled, numbered.reason);
        const RankRun labelled =
            play(programs::SelfStabilising(programs::LabelledLink(1)), instance);
        expect_one_balanced(labelled, instance);
        EXPECT_EQ(engine::Parting::settled, labelled.reason);
    }
}

TEST(ProgramsWithClocksOnRanks, FallSilent) {
    for (const Instance& instance : networks()) {
        const RankRun run = play(programs::PartiallyAsynchronous(8), instance);
        expect_one_balanced(run, instance);
        EXPECT_EQ(engine::Parting::quiet, run.reason);
        const Port degree = instance.network.degree_max();
        const RankRun diffused = play(programs::AsyncOneTokenDiffusion(degree, 8), instance);
        EXPECT_GE(Tokens{2} * degree,
                  load::local_imbalance(instance.network, std::span<const Tokens>(diffused.loads)));
    }
}

// ---- items

using balancer::Grain;

/// Items of this rank's nodes, numbered through over all nodes.
template <class Item, class Make>
std::vector<std::vector<Item>> items_of(const Instance& instance, const Make& make) {
    const auto [begin, end] = own_nodes(instance.network);
    std::vector<std::vector<Item>> items(end - begin);
    Tokens number = 0;
    for (NodeId node = 0; node < end; ++node)
        for (Tokens i = 0; i < instance.loads[node]; ++i, ++number)
            if (node >= begin) items[node - begin].push_back(make(number));
    return items;
}

template <class Program>
void expect_items_to_follow(const Program& program, const Instance& instance) {
    auto items =
        items_of<Grain>(instance, [](Tokens number) { return balancer::make_grain(number, 5); });
    const RankRun run = run_program(MPI_COMM_WORLD, program, instance.network, items, {.seed = 4});
    const auto [begin, end] = own_nodes(instance.network);
    ASSERT_EQ(end - begin, items.size());
    std::vector<Grain> mine;
    for (NodeId node = begin; node < end; ++node) {
        EXPECT_EQ(static_cast<std::size_t>(run.loads[node]), items[node - begin].size());
        for (const Grain& grain : items[node - begin])
            EXPECT_EQ(balancer::make_grain(grain.number, 5), grain);
        mine.insert(mine.end(), items[node - begin].begin(), items[node - begin].end());
    }
    const std::vector<std::int64_t> numbers = balancer::all_numbers(mine);
    EXPECT_EQ(static_cast<std::size_t>(load::total(instance.loads)), numbers.size());
    EXPECT_TRUE(balancer::all_there(numbers));
}

TEST(ItemsOnRanks, FollowTokensSoThatEachArrivesOnce) {
    for (const Instance& tree : trees()) {
        expect_items_to_follow(programs::PerfectTree(), tree);
        expect_items_to_follow(programs::MinimumExchangeTree(true), tree);
    }
    for (const Instance& instance : networks()) {
        expect_items_to_follow(programs::AsyncDealAgreement(), instance);
        // Tokens change owners before the items behind them arrive.
        for (int round = 0; round < 3; ++round)
            expect_items_to_follow(programs::SelfStabilising(programs::SequenceLink(), 2),
                                   instance);
    }
}

TEST(ItemsOnRanks, MayBeLargerThanAParcel) {
    struct Boulder {
        std::int64_t number;
        std::array<char, 3 << 18> weight;
    };
    const auto ranks = static_cast<NodeId>(world_size());
    RandomStream random(1, Purpose::sampling);
    const Instance path{test::random_tree(ranks, random, 1),
                        test::corner_loads(ranks, 2 * Tokens{ranks})};
    auto items = items_of<Boulder>(path, [](Tokens number) {
        Boulder boulder{number, {}};
        boulder.weight.back() = static_cast<char>(number);
        return boulder;
    });
    run_program(MPI_COMM_WORLD, programs::MinimumExchangeTree(true), path.network, items);
    ASSERT_EQ(1U, items.size());
    EXPECT_EQ(2U, items[0].size());
    for (const Boulder& boulder : items[0])
        EXPECT_EQ(static_cast<char>(boulder.number), boulder.weight.back());
}

// ---- errors

/// Nodes throw tokens at each other for ever, until one of them has had enough.
struct HotPotatoes {
    enum class Kind : std::uint8_t { potato };
    struct Message {
        Tokens carried;
        Kind kind;
        [[nodiscard]] Tokens tokens() const { return carried; }
    };
    struct State {
        int events = 0;
    };
    struct PortState {};
    bool enough = false;  ///< on this rank
    bool out_of_memory = false;
    std::stop_source* stop = nullptr;  ///< asked to stop, instead of throwing

    model::NodeTask operator()(model::NodeContext<Message> context, State& state,
                               std::span<PortState> /*ports*/) const {
        for (;; ++state.events) {
            static_cast<void>(co_await context.receive_any_within(4));
            if (state.events > 20 && enough) {
                if (stop != nullptr)
                    stop->request_stop();
                else if (out_of_memory)
                    throw std::bad_alloc();
                else
                    throw std::runtime_error("a potato too many");
            }
            for (Port port = 0; port < context.degree(); ++port)
                if (context.tokens() > 0) context.send(port, {1, Kind::potato});
        }
    }
};

TEST(ErrorsOfAProgram, AreThrownOnEveryRankAndTheItemsStay) {
    const Instance ring{test::stored_network("cycle:n=14"), test::corner_loads(14, 30)};
    for (int failing = 0; failing < world_size(); ++failing)
        for (const bool out_of_memory : {false, true}) {
            auto items = items_of<Tokens>(ring, [](Tokens number) { return number; });
            const auto before = items;
            try {
                run_program(MPI_COMM_WORLD, HotPotatoes{world_rank() == failing, out_of_memory},
                            ring.network, items);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const CollectiveError& error) {
                EXPECT_EQ(out_of_memory ? Failure::memory : Failure::user_code, error.failure());
                EXPECT_EQ(failing, error.rank()) << error.what();
            }
            EXPECT_EQ(before, items);
        }
    // Nothing stays behind that the next run could mistake for its own.
    expect_items_to_follow(programs::AsyncDealAgreement(), ring);
}

TEST(DifferingCalls, AreRefusedOnEveryRank) {
    const network::Network ring = test::stored_network("cycle:n=14");
    const network::Network path = test::stored_network("path:n=14");
    const auto [begin, end] = own_nodes(ring);
    const std::vector<Tokens> loads(end - begin, 1);
    const std::vector<Tokens> wrong(end - begin + 1, 1);
    const bool here = world_rank() == world_size() - 1;
    const programs::AsyncDealAgreement program;
    EXPECT_THROW(run_program(MPI_COMM_WORLD, program, ring, here ? wrong : loads), CollectiveError);
    if (world_size() == 1) return;
    EXPECT_THROW(run_program(MPI_COMM_WORLD, program, here ? path : ring, loads), CollectiveError);
}

TEST(InterruptedRuns, EndOnAllRanksWithoutLosingSightOfAToken) {
    const network::Network torus = test::stored_network("torus:6x7");
    const load::Loads loads = test::corner_loads(42, 1000);
    const auto [begin, end] = own_nodes(torus);
    const auto mine = std::span(loads).subspan(begin, end - begin);
    for (int tired = 0; tired < world_size(); ++tired) {
        RankTransport transport(MPI_COMM_WORLD);
        std::stop_source source;
        engine::RankOptions options;
        options.interrupt = source.get_token();
        const HotPotatoes program{world_rank() == tired, false, &source};
        const RankRun run = engine::run_on_ranks(program, torus, mine, transport, options);
        EXPECT_EQ(engine::Parting::interrupted, run.reason);
        EXPECT_EQ(1000, load::total(run.loads));
        EXPECT_TRUE(
            std::all_of(run.loads.begin(), run.loads.end(), [](Tokens load) { return load >= 0; }));
    }
}

}  // namespace
}  // namespace equipoise::mpi
