// Asynchronous algorithms of the catalogue under the fault plans that they support.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

const std::string algorithm = "self-stabilising";

RunOptions in_world(const AsynchronyTexts& world, std::uint64_t seed = 3) {
    RunOptions options;
    options.asynchrony = world;
    options.seed = seed;
    options.steps_max = 30'000'000;
    return options;
}

/// Those that support faults.
const std::vector<std::string> both = {algorithm, "perfect-self-stabilising"};

/// What an algorithm promises of one world.
void expect_promise_kept(const std::string& name, const network::AnyNetwork& network,
                         const load::Loads& loads, const AsynchronyTexts& world) {
    const Outcome outcome = run(name, network, loads, in_world(world));
    const std::string where =
        name + ' ' + world.delays + ' ' + world.adversary + ' ' + world.faults;
    EXPECT_TRUE(outcome.reached()) << where;
    EXPECT_EQ(outcome.stopped_because(), "quiet") << where;
    EXPECT_LE(outcome.local_imbalance(), 1) << where;
    ASSERT_TRUE(outcome.guarantee().discrepancy.has_value());
    EXPECT_LE(outcome.discrepancy(), *outcome.guarantee().discrepancy) << where;
    if (world.faults.find("corrupt-start") == std::string::npos) {
        EXPECT_EQ(load::total(outcome.loads()), load::total(loads)) << where;
        EXPECT_TRUE(outcome.record.created.empty()) << where;
        EXPECT_TRUE(outcome.record.destroyed.empty()) << where;
    }
    EXPECT_EQ(outcome.record.asynchrony->faults_met.has_value(), !world.faults.empty());
}

/// Every fault of channels and nodes, alone and together, for ever and until they heal.
const std::vector<std::string>& fault_plans() {
    static const std::vector<std::string> plans = {
        "",
        "loss=0.2",
        "duplicate=0.3",
        "reorder=0.3",
        "capacity=1",
        "crash=0.01",
        "loss=0.2,duplicate=0.2,reorder=0.2,crash=0.01,down=100",
        "loss=0.2,duplicate=0.2,reorder=0.2,crash=0.01,capacity=1",
        "loss=0.5,duplicate=0.5,reorder=0.5,capacity=3,until=500",
        "capacity=2,corrupt-start",
        "loss=0.2,duplicate=0.2,reorder=0.2,capacity=1,crash=0.01,corrupt-start,until=2000",
    };
    return plans;
}

/// The Kentucky Data Link network, or nothing if the data is not there.
std::optional<network::AnyNetwork> kentucky_data_link() {
    const std::string path = std::string(EQUIPOISE_SOURCE_DIR) + "/../shared/data/networks/Kdl.gml";
    if (!std::filesystem::exists(path)) return std::nullopt;
    NetworkRequest request;
    request.spec = path;
    request.simplify = true;
    request.largest_component = true;
    return make_network(request);
}

std::vector<std::string> adversaries_at(const std::string& node, const std::string& neighbour) {
    return {"",
            "starve:" + node,
            "slow-link:" + node + '-' + neighbour,
            "slow-link:" + neighbour + '-' + node,
            "newest-first",
            "hold-acks"};
}

TEST(Faults, BothKeepTheirPromiseOnAGridUnderEveryFaultPlanAndEveryAdversary) {
    const Instance instance = make_instance({.spec = "torus:4x3"}, "spike:tokens=120");
    const std::vector<std::string> all = adversaries_at("3", "4");
    for (std::size_t plan = 0; plan < fault_plans().size(); ++plan) {
        const char* const delays = plan % 2 == 0 ? "random:max=4" : "";
        for (const std::string& name : both)
            expect_promise_kept(name, instance.network, instance.loads,
                                {delays, all[(plan + 1) % all.size()], fault_plans()[plan]});
    }
}

TEST(FaultsLong, BothKeepTheirPromiseOnAGridUnderEveryFaultPlanWithEveryAdversary) {
    const Instance instance = make_instance({.spec = "torus:4x3"}, "spike:tokens=120");
    for (const std::string& name : both)
        for (const std::string& faults : fault_plans())
            for (const std::string& adversary : adversaries_at("3", "4"))
                expect_promise_kept(name, instance.network, instance.loads,
                                    {"", adversary, faults});
    // Starved channels are a thousand times slower still: one node of them is enough to wait for.
    for (const std::string& faults : fault_plans())
        for (const std::string& adversary : adversaries_at("3", "4"))
            if (!adversary.starts_with("starve"))
                expect_promise_kept(algorithm, instance.network, instance.loads,
                                    {"heavy-tail:max=64", adversary, faults});
}

TEST(Faults, BothLevelTheKentuckyDataLinkNetworkAmidFaults) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    const auto network = kentucky_data_link();
    if (!network) GTEST_SKIP() << "no data at ../shared/data/networks/Kdl.gml";
    const load::Loads loads = load::make_loads("zipf:tokens=5000", *network, 1);
    for (const std::string& name : both)
        expect_promise_kept(name, *network, loads, {"", "", fault_plans()[6]});
}

TEST(FaultsLong, SelfStabilisingLevelsTheKentuckyDataLinkNetworkUnderEveryFaultPlanAndAdversary) {
    const auto network = kentucky_data_link();
    if (!network) GTEST_SKIP() << "no data at ../shared/data/networks/Kdl.gml";
    const load::Loads loads = load::make_loads("zipf:tokens=5000", *network, 1);
    NodeId leaf = 0;
    while (network->degree(leaf) != 1)
        ++leaf;
    for (const std::string& faults : fault_plans())
        expect_promise_kept(algorithm, *network, loads, {"random", "", faults});
    for (const std::string& adversary :
         adversaries_at(network->name(leaf), network->name(network->neighbour(leaf, 0))))
        for (const std::string& faults : {fault_plans()[0], fault_plans()[6]})
            expect_promise_kept(algorithm, *network, loads, {"", adversary, faults});
}

TEST(Faults, FullRecordsOfFaultyRunsAreVerifiedReadBackAndReplayed) {
    const Instance instance = make_instance({.spec = "random-tree:n=12"}, "zipf:tokens=200");
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string& faults = fault_plans()[i < 2 ? 6 : 10];
        RunOptions options = in_world({"random:max=9", "", faults});
        options.record_level = model::RecordLevel::full;
        const Outcome outcome = run(both[i % 2], instance.network, instance.loads, options);
        EXPECT_TRUE(verify::verify(outcome.record).passed()) << faults;
        const model::Record read =
            model::record_from_json(model::to_json(outcome.record), "record");
        EXPECT_EQ(read.asynchrony, outcome.record.asynchrony);
        const Replay again = replay(read);
        EXPECT_TRUE(again.same) << again.detail;
    }
}

TEST(Faults, NodesComeAndGoAndNothingIsLost) {
    const Instance instance = make_instance({.spec = "torus:6x6"}, "spike:tokens=720");
    for (const char* faults : {"", "loss=0.2,duplicate=0.2", "capacity=1,loss=0.1"}) {
        RunOptions options = in_world({"", "", faults});
        options.churn = "random:nodes=0.001,back=0.01";
        options.steps_max = 3000;
        const Outcome outcome = run(algorithm, instance.network, instance.loads, options);
        EXPECT_EQ(outcome.steps(), 3000U);
        EXPECT_EQ(load::total(outcome.loads()), 720) << faults;
        ASSERT_TRUE(outcome.record.world.has_value());
        EXPECT_LT(outcome.record.world->discrepancy_50, 720);
    }
}

TEST(Faults, PlansThatAreNotSupportedAreRefused) {
    const Instance instance = make_instance({.spec = "path:n=5"}, "spike:tokens=9");
    const auto refusal = [&](const RunOptions& options,
                             const std::string& name = algorithm) -> std::string {
        try {
            static_cast<void>(run(name, instance.network, instance.loads, options));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(in_world({"", "", "corrupt-start"})),
              "--faults corrupt-start: channels without a bound may hold any number of forged "
              "messages; expected capacity=K with it");
    RunOptions options = in_world({"", "", "corrupt-start,capacity=1"});
    options.parameters["link"] = "numbered";
    EXPECT_NE(refusal(options).find("numbered packets do not tolerate an arbitrary start"),
              std::string::npos);
    options = in_world({"", "", "duplicate=0.1"});
    options.parameters["link"] = "labelled";
    EXPECT_NE(refusal(options).find("expected capacity=K in --faults, or link=numbered"),
              std::string::npos);
    options = in_world({"", "", "loss=0.1,capacity=100"});
    options.parameters["link"] = "labelled";
    EXPECT_NE(refusal(options).find("of capacity 1 to 62, found 100"), std::string::npos);
    EXPECT_NE(refusal(in_world({"", "", "crash=2"})), "");
    EXPECT_NE(refusal(in_world({"", "", "corrupt-start=7"})), "");
    options = in_world({});
    options.churn = "random:nodes=0.1";
    EXPECT_TRUE(
        refusal(options, "async-deal-agreement")
            .starts_with("async-deal-agreement does not support --churn; these algorithms do: "));
    options.churn = "random:links=0.5";
    EXPECT_NE(refusal(options).find("links cannot be cut"), std::string::npos);
    options.churn.clear();
    options.arrivals = "poisson:rate=0.5";
    EXPECT_TRUE(refusal(options, "partially-asynchronous")
                    .starts_with("partially-asynchronous does not support --arrivals; these "
                                 "algorithms do: "));
}

}  // namespace
}  // namespace equipoise::catalogue
