// Names that algorithms had stay usable, everywhere where a name is taken.

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/studies/compare.hpp"
#include "equipoise/catalogue/studies/scenario.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

Outcome played(const std::string& name) {
    const network::AnyNetwork torus = network::generate("torus:6x6", 0);
    RunOptions options;
    options.seed = 4;
    options.record_level = model::RecordLevel::full;
    return run(name, torus, test::spike(torus, 500), options);
}

TEST(FormerNames, AreOfOneAlgorithmEachAndOfNoneThatThereIs) {
    std::set<std::string> names;
    int former = 0;
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name;
        for (const std::string& name : algorithm.former_names) {
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_EQ(&find_algorithm(name), &algorithm);
            ++former;
        }
    }
    EXPECT_GE(former, 1);
}

TEST(FormerNames, CoinMatchingPlaysTheRunOfCoinAveraging) {
    const Outcome now = played("coin-averaging");
    const Outcome before = played("coin-matching");
    EXPECT_EQ(before.record.algorithm, "coin-averaging");
    EXPECT_GT(now.record.transfers.size(), 100U);
    EXPECT_EQ(before.record.transfers, now.record.transfers);
    EXPECT_EQ(before.loads(), now.loads());
    EXPECT_EQ(before.steps(), now.steps());
    EXPECT_EQ(before.record.parameters, now.record.parameters);
}

TEST(FormerNames, RecordsThatBearOneVerifyAndReplay) {
    model::Record record = played("coin-averaging").record;
    record.algorithm = "coin-matching";
    record.parameters.erase("smoothing");  // which it did not have
    for (const verify::Check& check : verify::verify(record).checks)
        EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    const Replay again = replay(record);
    EXPECT_TRUE(again.same) << again.detail;
}

TEST(FormerNames, AreTakenByComparisonsAndScenarios) {
    const std::vector<std::string> names = {"coin-matching", "threshold-2"};
    EXPECT_NO_THROW(Contest(names, RunRequest()));
    const std::string path = testing::TempDir() + "former-name.json";
    std::ofstream(path) << R"({"networks": ["cycle:n=6"], "loads": ["spike:tokens=20"],
        "algorithms": ["coin-matching"]})";
    EXPECT_EQ(read_scenario(path).algorithms.size(), 1U);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace equipoise::catalogue
