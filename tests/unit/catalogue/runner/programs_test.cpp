// Asynchronous algorithms of the catalogue, in every world that they support.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

/// Node programs for channels without faults, on any connected network.
std::vector<std::string> programs() {
    return test::names_of([](const Algorithm& algorithm) {
        return algorithm.program && algorithm.program->expect_supported == nullptr &&
               algorithm.name != "async-ring-distribution";
    });
}

/// Whether a program ends by itself, as those on trees do; the others come to rest.
bool ends_by_itself(const std::string& name) {
    return name.find("tree") != std::string::npos;
}

/// Every delay model and adversary; `from` and `to` are joined in every spanning tree.
std::vector<AsynchronyTexts> worlds(const std::string& node, const std::string& from,
                                    const std::string& to) {
    std::vector<AsynchronyTexts> all;
    for (const char* delays : {"", "random", "heavy-tail:max=256"})
        for (const std::string& adversary :
             {std::string(), "starve:" + node, "slow-link:" + from + '-' + to,
              "slow-link:" + to + '-' + from, std::string("newest-first"),
              std::string("hold-acks")})
            all.push_back({delays, adversary, ""});
    all.push_back({"", "", "", "1"});
    all.push_back({"random", "starve:" + node, "", "1"});
    return all;
}

void expect_promise_kept(const std::string& name, const network::AnyNetwork& network,
                         const load::Loads& loads, const AsynchronyTexts& world) {
    RunOptions options;
    options.asynchrony = world;
    options.seed = 5;
    const Outcome outcome = run(name, network, loads, options);
    const std::string where = name + ' ' + world.delays + ' ' + world.adversary + ' ' + world.ports;
    EXPECT_TRUE(outcome.reached()) << where;
    EXPECT_EQ(outcome.stopped_because(), ends_by_itself(name) ? "own-termination" : "quiet")
        << where;
    EXPECT_EQ(load::total(outcome.loads()), load::total(loads)) << where;
    if (ends_by_itself(name)) {
        EXPECT_LE(outcome.discrepancy(), 1) << where;
    } else if (name != "async-one-token-diffusion" && name != "async-coin-averaging") {
        EXPECT_LE(outcome.local_imbalance(), 1) << where;
    }
    // Coins make nothing certain.
    ASSERT_EQ(outcome.guarantee().discrepancy.has_value(), name != "async-coin-averaging") << where;
    EXPECT_LE(outcome.discrepancy(),
              outcome.guarantee().discrepancy.value_or(outcome.discrepancy()))
        << where;
    EXPECT_LE(outcome.steps(), outcome.guarantee().steps.value_or(outcome.steps())) << where;
    EXPECT_GT(outcome.messages(), 0U);
    EXPECT_GT(outcome.record.asynchrony->largest_message_bits, 0U);
    EXPECT_GT(outcome.record.asynchrony->memory_bits, 0U);
}

/// Every world for a network that has a leaf, whose link is in every spanning tree.
std::vector<AsynchronyTexts> worlds_around_a_leaf(const network::AnyNetwork& network) {
    NodeId leaf = 0;
    while (network.degree(leaf) != 1)
        ++leaf;
    return worlds(network.name(leaf), network.name(leaf), network.name(network.neighbour(leaf, 0)));
}

TEST(Programs, EndAsPromisedOnTheKarateClubUnderEveryDelayModelAndAdversary) {
    const Instance instance = make_instance(
        {.spec = EQUIPOISE_SOURCE_DIR "/examples/networks/karate.graph"}, "zipf:tokens=500");
    for (const std::string& name : programs())
        for (const AsynchronyTexts& world : worlds_around_a_leaf(instance.network))
            expect_promise_kept(name, instance.network, instance.loads, world);
}

/// The Kentucky Data Link network with some tokens, or nothing if the data is not there. Labels
/// repeat in its file: nodes are named by the file's ids.
std::optional<Instance> kentucky_data_link() {
    const std::string path = EQUIPOISE_SOURCE_DIR "/../shared/data/networks/Kdl.gml";
    if (!std::filesystem::exists(path)) return std::nullopt;
    return make_instance({.spec = path, .simplify = true, .largest_component = true, .seed = 1},
                         "zipf:tokens=5000");
}

TEST(Programs, EndAsPromisedOnTheKentuckyDataLinkNetworkWithEachWorldAtLeastOnce) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    const auto instance = kentucky_data_link();
    if (!instance) GTEST_SKIP() << "no data at ../shared/data/networks/Kdl.gml";
    const std::vector<AsynchronyTexts> all = worlds_around_a_leaf(instance->network);
    const std::vector<std::string> names = programs();
    for (std::size_t i = 0; i < std::max(all.size(), names.size()); ++i)
        expect_promise_kept(names[i % names.size()], instance->network, instance->loads,
                            all[i % all.size()]);
}

TEST(ProgramsLong, EndAsPromisedOnTheKentuckyDataLinkNetworkUnderEveryDelayModelAndAdversary) {
    const auto instance = kentucky_data_link();
    if (!instance) GTEST_SKIP() << "no data at ../shared/data/networks/Kdl.gml";
    for (const std::string& name : programs())
        for (const AsynchronyTexts& world : worlds_around_a_leaf(instance->network))
            expect_promise_kept(name, instance->network, instance->loads, world);
}

TEST(Programs, EndAsPromisedOnAGridWithoutStoredLinks) {
    const Instance instance = make_instance({.spec = "torus:5x4"}, "spike:tokens=333");
    for (const std::string& name : programs())
        for (const char* delays : {"unit", "random:max=3", "heavy-tail"})
            for (const char* adversary : {"", "starve:7", "newest-first", "hold-acks"})
                expect_promise_kept(name, instance.network, instance.loads,
                                    {delays, adversary, ""});
}

TEST(Programs, FullRecordsAreVerifiedReadBackAndReplayed) {
    const Instance instance = make_instance({.spec = "random-tree:n=25"}, "zipf:tokens=400");
    for (const std::string& name : programs()) {
        RunOptions options;
        options.record_level = model::RecordLevel::full;
        options.asynchrony = {"random:max=9", "starve:3", ""};
        const Outcome outcome = run(name, instance.network, instance.loads, options);
        EXPECT_TRUE(verify::verify(outcome.record).passed()) << name;
        const model::Record read =
            model::record_from_json(model::to_json(outcome.record), "record");
        EXPECT_EQ(read.asynchrony, outcome.record.asynchrony);
        EXPECT_EQ(read.transfers, outcome.record.transfers);
        EXPECT_EQ(read.asynchrony->digest, outcome.record.asynchrony->digest);
        ASSERT_GT(read.asynchrony->deliveries.size(), instance.loads.size()) << name;
        const Replay again = replay(read);
        EXPECT_TRUE(again.same) << name << ": " << again.detail;
        EXPECT_EQ(again.outcome.record.asynchrony, outcome.record.asynchrony);
    }
}

TEST(Programs, ARecordedOrderIsReplayedWhateverTheSeedAndTheDelaysSay) {
    const Instance instance = make_instance({.spec = "random-tree:n=25"}, "zipf:tokens=400");
    RunOptions options;
    options.record_level = model::RecordLevel::full;
    options.asynchrony = {"heavy-tail", "newest-first", ""};
    model::Record record = run("perfect-tree", instance.network, instance.loads, options).record;
    record.seed += 1;
    record.asynchrony->delays = "random:max=5";
    record.asynchrony->adversary.clear();
    const Replay again = replay(record);
    EXPECT_TRUE(again.same) << again.detail;
    EXPECT_NE(again.detail.find("in the recorded order"), std::string::npos);
    *record.asynchrony->digest += 1;
    EXPECT_EQ(replay(record).detail, "events came in another order");
}

TEST(Programs, PlayWithSinglePortsOrAllAsAsked) {
    const Instance star = make_instance({.spec = "star:leaves=40"}, "spike:tokens=0");
    const auto steps = [&](const char* ports) {
        RunOptions options;
        options.asynchrony.ports = ports;
        options.record_level = model::RecordLevel::full;
        const Outcome outcome = run("perfect-tree", star.network, star.loads, options);
        EXPECT_TRUE(outcome.reached());
        EXPECT_LE(outcome.steps(), outcome.guarantee().steps.value());
        EXPECT_TRUE(verify::verify(outcome.record).passed());
        const model::Record read =
            model::record_from_json(model::to_json(outcome.record), "record");
        EXPECT_EQ(read.asynchrony->ports, ports);
        EXPECT_TRUE(replay(read).same);
        return outcome.steps();
    };
    EXPECT_LE(steps("all"), 10U);
    EXPECT_EQ(steps(""), steps("all"));
    EXPECT_GE(steps("1"), 80U);  // 40 messages in, and 40 out
}

TEST(Programs, OfTreesWithPhasesSayWhenTheseEnd) {
    const Instance tree = make_instance({.spec = "random-tree:n=30"}, "uniform:tokens=90");
    for (const std::string& name : programs()) {
        RunOptions options;
        options.record_level = model::RecordLevel::full;
        model::Record record = run(name, tree.network, tree.loads, options).record;
        std::vector<model::PhaseEnd>& phases = record.asynchrony->phases;
        EXPECT_EQ(phases.size(), name.starts_with("perfect-tree") ? 3U : 0U) << name;
        if (phases.empty()) continue;
        EXPECT_EQ(phases.back().last, record.asynchrony->time);
        EXPECT_TRUE(replay(record).same);
        ++*phases[1].first;
        EXPECT_EQ(replay(record).detail,
                  "the recorded asynchrony.phases[1] differs from the new one")
            << name;
        phases.clear();  // as earlier versions wrote it
        EXPECT_TRUE(replay(record).same);
    }
}

TEST(Programs, PromiseTimeWithSinglePortsWhereItIsProved) {
    const Instance tree = make_instance({.spec = "random-tree:n=30"}, "uniform:tokens=90");
    for (const std::string& name : programs()) {
        RunOptions options;
        options.asynchrony.ports = "1";
        const Outcome outcome = run(name, tree.network, tree.loads, options);
        EXPECT_TRUE(outcome.reached()) << name;
        EXPECT_EQ(outcome.guarantee().steps.has_value(), name == "perfect-tree") << name;
    }
}

TEST(Programs, SelfStabilisingSettlesWithSinglePortsAmongManyNeighbours) {
    const Instance star = make_instance({.spec = "star:leaves=50"}, "spike:tokens=1000");
    for (const char* faults : {"", "loss=0.2,duplicate=0.2,reorder=0.2,until=3000",
                               "loss=0.1,duplicate=0.3,capacity=2"}) {
        RunOptions options;
        options.asynchrony = {"", "", faults, "1"};
        options.steps_max = 500'000;
        const Outcome outcome = run("self-stabilising", star.network, star.loads, options);
        EXPECT_TRUE(outcome.reached()) << faults;
        EXPECT_LE(outcome.local_imbalance(), 1) << faults;
    }
}

TEST(Programs, AShortenedRunKeepsAllTokens) {
    const Instance instance = make_instance({.spec = "path:n=20"}, "spike:tokens=100");
    for (const std::string& name : programs()) {
        RunOptions options;
        options.steps_max = 9;
        options.record_level = model::RecordLevel::full;
        const Outcome outcome = run(name, instance.network, instance.loads, options);
        EXPECT_FALSE(outcome.reached());
        EXPECT_EQ(outcome.steps(), 9U);
        EXPECT_EQ(load::total(outcome.loads()), 100);
        EXPECT_TRUE(verify::verify(outcome.record).passed()) << name;
    }
}

TEST(Programs, MinimumExchangeTreeSharesBySpeed) {
    const Instance instance = make_instance({.spec = "path:n=3"}, "spike:tokens=60");
    RunOptions options;
    options.speeds = {1, 2, 3};
    const Outcome outcome = run("minimum-exchange-tree", instance.network, instance.loads, options);
    EXPECT_TRUE(outcome.reached());
    EXPECT_EQ(outcome.loads(), (load::Loads{10, 20, 30}));
    EXPECT_EQ(outcome.exchanges(), 80U);
}

TEST(Programs, RefuseWorldsThatTheyDoNotSupport) {
    const Instance instance = make_instance({.spec = "path:n=5"}, "spike:tokens=9");
    const auto refusal = [&](const char* name, const AsynchronyTexts& world) -> std::string {
        RunOptions options;
        options.asynchrony = world;
        try {
            static_cast<void>(run(name, instance.network, instance.loads, options));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    for (const std::string& name : programs())
        EXPECT_NE(refusal(name.c_str(), {"", "", "loss=0.1"}).find("--faults cannot be used"),
                  std::string::npos);
    EXPECT_EQ(refusal("threshold-2", {"random", "", ""}),
              "threshold-2 is synchronous: --delays, --adversary, --faults and --ports cannot be "
              "used with it");
    EXPECT_EQ(refusal("threshold-2", {"", "", "", "1"}),
              refusal("threshold-2", {"random", "", ""}));
    EXPECT_EQ(refusal("perfect-tree", {"", "", "", "2"}),
              "--ports: expected 1 or all, found \"2\"");
    EXPECT_EQ(refusal("perfect-tree", {"slow", "", ""}),
              "unknown kind of delays \"slow\": expected unit, random or heavy-tail");
    EXPECT_EQ(refusal("perfect-tree", {"", "starve:9", ""}),
              "--adversary starve: expected the name of a node (\"0\" to \"4\"), found \"9\"");
    EXPECT_EQ(refusal("perfect-tree", {"", "slow-link:0-3", ""}),
              "--adversary slow-link: there is no link from 0 to 3");
    EXPECT_EQ(refusal("perfect-tree", {"", "starv:1", ""}),
              "unknown adversary \"starv:1\": did you mean \"starve:NODE\"?");
    EXPECT_EQ(refusal("perfect-tree", {"", "newest-first:3", ""}),
              "--adversary: expected newest-first alone, found \"newest-first:3\"");
    EXPECT_EQ(refusal("perfect-tree", {"", "", "los=0.1"}),
              "--faults 'los=0.1': unknown key \"los\": did you mean \"loss\"?");
    EXPECT_NE(refusal("perfect-tree", {"", "slow-link:03", ""}).find("FROM-TO"), std::string::npos);
    EXPECT_NE(refusal("perfect-tree", {"", "sleepy", ""}).find("expected starve:NODE"),
              std::string::npos);
    EXPECT_NE(refusal("perfect-tree", {"", "", "loss=2"}), "");
}

}  // namespace
}  // namespace equipoise::catalogue
