// Where the final loads of a run on ranks are: only where they are asked for, with figures that are
// the same wherever they are.

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/structure/node_orders.hpp"
#include "tests/support/catalogue_runs.hpp"
#include "tests/support/fabrics.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using model::FinalLoads;

constexpr FinalLoads everywhere = FinalLoads::on_every_rank;

Instance instance_on(const std::string& network, const std::string& loads) {
    NetworkRequest request;
    request.spec = network;
    request.seed = 6;
    return make_instance(request, loads);
}

/// The figures that all ranks must know, as one text.
std::string figures_of(const Outcome& outcome) {
    const model::Record& record = outcome.record;
    return "costs " + std::to_string(record.costs.steps) + ' ' +
           std::to_string(record.costs.rounds) + ' ' + std::to_string(record.costs.exchanges) +
           ' ' + std::to_string(record.costs.messages) + ", discrepancy " +
           std::to_string(outcome.discrepancy()) + ", imbalance " +
           std::to_string(outcome.local_imbalance()) + ", reached " +
           std::to_string(outcome.reached()) + ", because " + outcome.stopped_because();
}

/// Plays on all ranks and, alone, the definition; compares figures and loads.
void expect_loads_where_asked(const Algorithm& algorithm, const NetworkFacts& facts,
                              const load::Loads& loads, const RunOptions& asked,
                              engine::Fabric& fabric) {
    RunOptions alone = asked;
    alone.partition = nullptr;
    alone.reorder = network::NodeOrder::natural;
    const Outcome one = run(algorithm, facts, loads, alone);
    for (const FinalLoads where : {everywhere, FinalLoads::on_rank_0, FinalLoads::apart}) {
        RunOptions options = asked;
        options.fabric = &fabric;
        options.final_loads = where;
        const Outcome many = run(algorithm, facts, loads, options);
        EXPECT_EQ(figures_of(many), figures_of(one)) << algorithm.name;
        const bool rounds = algorithm.plays_rounds();
        const bool here = where == everywhere ||
                          (fabric.rank() == 0 && (where == FinalLoads::on_rank_0 || !rounds));
        EXPECT_EQ(many.loads(), here ? one.loads() : load::Loads()) << algorithm.name;
        if (fabric.rank() == 0) {
            EXPECT_EQ(many.record.created, one.record.created) << algorithm.name;
        }
    }
}

/// Every algorithm that can serve the instance; returns how many can.
int expect_of_all(engine::Fabric& fabric, const Instance& instance, const RunOptions& options,
                  std::size_t place) {
    const NetworkFacts facts(instance.network);
    int served = 0;
    for (const Algorithm& algorithm : algorithms()) {
        ++place;
        if (!test::refusal(algorithm, facts, instance.loads, options).empty()) continue;
        ++served;
        if (test::plays_case(fabric.ranks(), place))
            expect_loads_where_asked(algorithm, facts, instance.loads, options, fabric);
    }
    return served;
}

TEST(FinalLoadsOnRanks, AreWhereTheyAreAskedForAndTheirFiguresEverywhere) {
    test::on_ranks([](engine::Fabric& fabric) {
        std::size_t place = 0;
        for (const std::string network :
             {"path:n=2", "torus:4x5", "random-regular:n=20,d=3", "random-tree:n=30"}) {
            RunOptions options;
            options.seed = 11;
            const Instance instance = instance_on(network, "zipf:tokens=190");
            EXPECT_GE(expect_of_all(fabric, instance, options, ++place), 15);
        }
    });
}

TEST(FinalLoadsOnRanks, AreTheSameInAnyPartsOrdersAndWithStopRules) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_on("torus:4x5", "spike:tokens=170");
        const engine::Partition drawn =
            test::drawn_partition(instance.network.node_count(), fabric.ranks());
        RunOptions parts;
        parts.partition = &drawn;
        EXPECT_GE(expect_of_all(fabric, instance, parts, 0), 15);
        RunOptions order;
        order.reorder = network::NodeOrder::cuthill_mckee;
        EXPECT_GE(expect_of_all(fabric, instance, order, 1), 15);
        for (const bool one_balanced : {false, true}) {
            RunOptions stop;
            stop.steps_max = 40;
            stop.stop.emplace();
            stop.stop->own_termination = false;
            stop.stop->one_balanced = one_balanced;
            if (!one_balanced) stop.stop->discrepancy = 3;
            EXPECT_GE(expect_of_all(fabric, instance, stop, 2), 15);
        }
        RunOptions arriving;
        arriving.arrivals = "poisson:rate=0.5,consume=0.5";
        arriving.steps_max = 30;
        EXPECT_GE(expect_of_all(fabric, instance, arriving, 3), 5);
    });
}

TEST(FinalLoadsOnRanks, OfEveryWidthAreLookedAtByTheirOwners) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const std::string tokens : {"900", "90000000", "900000000000000"}) {
            const Instance instance = instance_on("torus:6x6", "zipf:tokens=" + tokens);
            const NetworkFacts facts(instance.network);
            RunOptions options;
            options.steps_max = 25;
            for (const char* name : {"threshold-1", "diffusion", "dimension-exchange"})
                expect_loads_where_asked(find_algorithm(name), facts, instance.loads, options,
                                         fabric);
        }
    });
}

/// The bytes that this rank gets in a run of 20 steps whose figures take the loads of cut links.
std::size_t bytes_received(engine::Fabric& fabric, const Instance& instance, FinalLoads where,
                           const Supervision* supervision = nullptr) {
    test::WatchedFabric watched(fabric);
    RunOptions options;
    options.fabric = &watched;
    options.final_loads = where;
    options.steps_max = 20;
    options.supervision = supervision;
    static_cast<void>(run("threshold-1", instance.network, instance.loads, options));
    return watched.received();
}

TEST(FinalLoadsOnRanks, TravelOnlyToTheRanksThatNeedThem) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_on("torus:16x16", "zipf:tokens=5000");
        const NodeId nodes = instance.network.node_count();
        const auto partition = engine::Partition::contiguous(nodes, fabric.ranks());
        const std::size_t others = (nodes - partition.size_of(fabric.rank())) * sizeof(Tokens);
        const std::size_t to_all = bytes_received(fabric, instance, everywhere);
        const std::size_t to_one = bytes_received(fabric, instance, FinalLoads::on_rank_0);
        const std::size_t apart = bytes_received(fabric, instance, FinalLoads::apart);
        EXPECT_EQ(to_all - to_one, fabric.rank() == 0 ? 0 : others);
        // The figures then take the loads of the two rows beside the part, at most.
        EXPECT_LE(apart, to_all - others + 2 * 16 * sizeof(Tokens));
        if (fabric.rank() == 0 && fabric.ranks() > 1) {
            EXPECT_LT(apart, to_one);
        }
    });
}

/// Counts what it is told, and looks at no loads.
class Counter final : public model::Observer {
  public:
    [[nodiscard]] bool wants_loads() const override { return false; }
    void on_start(const model::StepView& view) override { look(view, starts); }
    void on_step(const model::StepView& view) override { look(view, steps); }
    void on_end(const model::StepView& view) override { look(view, ends); }

    int starts = 0;
    int steps = 0;
    int ends = 0;
    std::size_t loads_seen = 0;

  private:
    void look(const model::StepView& view, int& calls) {
        ++calls;
        loads_seen += view.loads.size();
    }
};

TEST(ObserversThatLookAtNoLoads, AreCalledWithoutBringingAnyTogether) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_on("torus:16x16", "zipf:tokens=5000");
        Counter counter;
        Supervision supervision;
        supervision.observers = {&counter};
        EXPECT_EQ(bytes_received(fabric, instance, FinalLoads::apart, &supervision),
                  bytes_received(fabric, instance, FinalLoads::apart));
        const int called = fabric.rank() == 0 ? 1 : 0;
        EXPECT_EQ(counter.starts, called);
        EXPECT_EQ(counter.steps, 20 * called);
        EXPECT_EQ(counter.ends, called);
        EXPECT_EQ(counter.loads_seen, 0);
    });
}

TEST(RecordsOnRanks, AreNotWrittenWithoutTheFinalLoads) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_on("cycle:n=40", "spike:tokens=40");
        RunOptions options;
        options.fabric = &fabric;
        options.final_loads = FinalLoads::apart;
        const Outcome outcome = run("diffusion", instance.network, instance.loads, options);
        const std::string file = test::shared_file("apart.json");
        EXPECT_EQ(test::thrown_by([&] { outcome.write(file); }),
                  "input: " + file +
                      ": expected the final loads of 40 nodes, found 0 (RunOptions::final_loads)");
    });
}

}  // namespace
}  // namespace equipoise::catalogue
