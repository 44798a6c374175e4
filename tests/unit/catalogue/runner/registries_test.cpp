// Every example of every registry can be made and played.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/spec_rows.hpp"
#include "equipoise/catalogue/runner/asynchrony.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

Instance instance_of(const std::string& network, const std::string& loads) {
    NetworkRequest request;
    request.spec = network;
    request.largest_component = true;
    return make_instance(request, loads);
}

Outcome play(const std::string& algorithm, const Instance& instance, const RunOptions& options) {
    return run(algorithm, instance.network, instance.loads, options);
}

TEST(Registries, ExamplesOfNetworksAndLoadsArePlayed) {
    RunOptions options;
    options.steps_max = 2;
    for (const SpecInfo& row : network::generators()) {
        SCOPED_TRACE(row.example);
        const Instance instance = instance_of(row.example, "spike:tokens=1000");
        EXPECT_GT(play("diffusion", instance, options).steps(), 0U);
    }
    for (const SpecInfo& row : load_generators()) {
        SCOPED_TRACE(row.example);
        const bool for_trees = row.name == "worst-stable" || row.name == "one-side";
        const Instance instance = instance_of(for_trees ? "tree:k=2,h=2" : "mesh:3x3", row.example);
        const model::Record record = play("diffusion", instance, options).record;
        EXPECT_EQ(load::total(record.final_loads),
                  load::total(instance.loads) * static_cast<Tokens>(record.load_scale));
    }
}

/// A file for examples that name one, removed at the end.
class ExampleFile {
  public:
    explicit ExampleFile(const std::string& text)
        : path_(testing::TempDir() + "equipoise_registries_" + std::to_string(text.size()) +
                ".csv") {
        std::ofstream(path_) << text;
    }
    ~ExampleFile() { std::remove(path_.c_str()); }
    ExampleFile(const ExampleFile&) = delete;
    ExampleFile& operator=(const ExampleFile&) = delete;

    [[nodiscard]] std::string in(std::string example) const {
        const std::size_t at = example.find("FILE.csv");
        return at == std::string::npos ? example : example.replace(at, 8, path_);
    }

  private:
    std::string path_;
};

TEST(Registries, ExamplesOfArrivalsAndChurnArePlayed) {
    const ExampleFile arrivals("step,node,delta\n2,3,7\n");
    const ExampleFile churn("step,subject,id,state\n2,node,3,down\n9,node,3,up\n");
    const Instance instance = instance_of("torus:4x4", "uniform:tokens=160");
    RunOptions options;
    options.steps_max = 120;
    for (const SpecInfo& row : model::arrival_generators()) {
        options.arrivals = arrivals.in(row.example);
        EXPECT_GT(play("deal-agreement-2", instance, options).record.world->arrived, 0)
            << row.example;
    }
    options.arrivals.clear();
    options.record_level = model::RecordLevel::full;
    const Instance complete = instance_of("complete:n=6", "uniform:tokens=60");
    for (const SpecInfo& row : model::churn_generators()) {
        options.churn = churn.in(row.example);
        const Instance& suitable = row.name == "adversary" ? complete : instance;
        EXPECT_FALSE(play("deal-agreement-2", suitable, options).record.switches.empty())
            << row.example;
    }
}

TEST(Registries, ExamplesOfDelaysAdversariesAndFaultsArePlayed) {
    const Instance instance = instance_of("path:n=4", "spike:tokens=12");
    for (const SpecInfo& row : delay_models()) {
        RunOptions options;
        options.asynchrony.delays = row.example;
        EXPECT_TRUE(play("async-deal-agreement", instance, options).reached()) << row.example;
    }
    for (const SpecInfo& row : adversaries()) {
        RunOptions options;
        options.asynchrony.adversary = row.example;
        EXPECT_TRUE(play("async-deal-agreement", instance, options).reached()) << row.example;
    }
    for (const FaultInfo& fault : fault_kinds()) {
        RunOptions options;
        options.asynchrony.faults =
            fault.info.example + (fault.info.name == "capacity" ? "" : ",capacity=2");
        options.steps_max = 500;
        EXPECT_GT(play("self-stabilising", instance, options).steps(), 0U) << fault.info.example;
    }
}

TEST(Registries, ExamplesOfStopRulesAreWrittenAsTheyAreReadAndEndRuns) {
    const Instance instance = instance_of("path:n=5", "spike:tokens=12");
    for (const SpecInfo& row : stop_rules()) {
        RunOptions options;
        options.stop = parse_stop(row.example);
        EXPECT_EQ(to_text(*options.stop), row.example);
        const Outcome outcome = play("threshold-2", instance, options);
        EXPECT_EQ(outcome.record.asked_stop, row.example);
        EXPECT_GT(outcome.steps(), 0U) << row.example;
    }
}

}  // namespace
}  // namespace equipoise::catalogue
