// Every real network is read, balanced and its record checked: those of the repository, and those
// of ../shared/data where it is there.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

/// How many networks of a folder were balanced.
int expect_balanced(const std::filesystem::path& folder) {
    int balanced = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        SCOPED_TRACE(file.path().filename().string());
        const Instance instance = make_instance(
            {.spec = file.path().string(), .simplify = true, .largest_component = true},
            "spike:tokens=40");
        // Checked builds recount all tokens after every step.
        if (checked_build && instance.network.node_count() > 1000) continue;
        const Outcome flat = run("threshold-2", instance.network, instance.loads);
        EXPECT_TRUE(flat.reached());
        EXPECT_LE(flat.local_imbalance(), 1);
        EXPECT_LE(flat.discrepancy(), *flat.guarantee().discrepancy);
        const Outcome level = run("discrepancy-1", instance.network, instance.loads);
        EXPECT_TRUE(level.reached());
        EXPECT_LE(level.discrepancy(), 1);
        for (const Outcome* outcome : {&flat, &level})
            EXPECT_TRUE(verify::verify(outcome->record).passed());
        ++balanced;
    }
    return balanced;
}

TEST(RealNetworks, AreBalancedByThreshold2AndDiscrepancy1AndTheRecordsHold) {
    const std::filesystem::path root = EQUIPOISE_SOURCE_DIR;
    EXPECT_GE(expect_balanced(root / "examples" / "networks"), 2);
    const std::filesystem::path data = root / ".." / "shared" / "data" / "networks";
    if (!std::filesystem::exists(data)) return;
    EXPECT_GE(expect_balanced(data), checked_build ? 10 : 14);
}

TEST(WorstStableLoads, StayForEverUnderThreshold1OnATree) {
    const Instance instance = make_instance({.spec = "tree:k=2,h=4"}, "worst-stable");
    EXPECT_EQ(load::discrepancy(instance.loads), 3);
    const Outcome outcome = run("threshold-1", instance.network, instance.loads);
    EXPECT_EQ(outcome.discrepancy(), 3);
    EXPECT_TRUE(outcome.reached());
}

TEST(WorstStableLoads, StayForEverOnAMeshAndOnATorusAndKeepWhatIsPromised) {
    for (const auto& [spec, kept] : {std::pair{"mesh:5x4", 2}, std::pair{"torus:4x5", 4}}) {
        const Instance instance = make_instance({.spec = spec}, "worst-stable:node=7");
        EXPECT_EQ(instance.loads[7], 0);
        const Outcome outcome = run("threshold-1", instance.network, instance.loads);
        EXPECT_EQ(outcome.discrepancy(), kept);
        EXPECT_EQ(outcome.record.guarantee.discrepancy, kept);
        EXPECT_TRUE(outcome.reached());
    }
}

TEST(WorstStableLoads, AreRefusedWhereTheNetworkIsTooLargeOrTheNodeIsUnknown) {
    EXPECT_THROW((void)make_instance({.spec = "cycle:n=5000"}, "worst-stable"), UnsuitableError);
    EXPECT_THROW((void)make_instance({.spec = "path:n=5"}, "worst-stable:node=9"), InputError);
}

TEST(OneSidedLoads, LieOnTheSmallerSideOfTheLinkThatHalvesATreeBest) {
    const auto loads = [](const char* tree) {
        return make_instance({.spec = tree}, "one-side:high=7").loads;
    };
    EXPECT_EQ(loads("path:n=5"), (load::Loads{7, 7, 0, 0, 0}));
    EXPECT_EQ(loads("star:leaves=3"), (load::Loads{0, 7, 0, 0}));
    EXPECT_EQ(loads("tree:k=2,h=2"), (load::Loads{0, 7, 0, 7, 7, 0, 0}));
    EXPECT_EQ(loads("broom:handle=2,bristles=4"), (load::Loads{7, 0, 0, 0, 0, 0}));
    EXPECT_EQ(loads("path:n=1"), (load::Loads{0}));
    EXPECT_EQ(loads("path:n=2"), (load::Loads{0, 7}));
    EXPECT_THROW((void)make_instance({.spec = "cycle:n=5"}, "one-side:high=7"), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::catalogue
