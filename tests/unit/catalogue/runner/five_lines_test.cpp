// The five-line use of the library, as the README shows it.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/model/run/record_json.hpp"
#include <equipoise/equipoise.hpp>

namespace {

TEST(FiveLines, LevelATorusAndWriteTheRecord) {
    const std::string path = testing::TempDir() + "equipoise_five_lines.json";

    const auto network = equipoise::network::generate("torus:8x8", 0);
    equipoise::Loads loads(network.node_count(), 0);
    loads[0] = 1000;
    const auto run = equipoise::run("discrepancy-1", network, loads);
    run.write(path);

    EXPECT_LE(run.discrepancy(), 1);
    EXPECT_GT(run.steps(), 0U);
    EXPECT_EQ(run.loads(), equipoise::model::read_record(path).final_loads);
    std::remove(path.c_str());
}

}  // namespace
