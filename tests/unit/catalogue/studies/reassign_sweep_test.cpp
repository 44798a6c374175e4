#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/scenario.hpp"
#include "equipoise/catalogue/studies/sweep.hpp"
#include "tests/support/contents.hpp"

namespace equipoise::catalogue {
namespace {

class ReassignSweepTest : public testing::Test {
  protected:
    const std::string name_ = testing::TempDir() + "equipoise_reassign_sweep_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string csv_ = name_ + ".csv";
    const std::string items_ = name_ + "_items.csv";
    void SetUp() override { write_file(items_, "item,machine,size\nx,a,4\ny,a,4\nz,b,0\n"); }
    void TearDown() override {
        for (const std::string& file : {csv_, csv_ + ".partial", items_})
            std::remove(file.c_str());
    }
    /// A scenario that empties each machine in turn, with more keys.
    [[nodiscard]] Scenario emptying(const std::string& more) const {
        return parse_scenario(R"({"verb": "reassign", "items": [")" + items_ +
                                  R"("], "options": {"drain": ["a", "b"], "effort": 100}, )" +
                                  more + '}',
                              "s.json");
    }
};

TEST_F(ReassignSweepTest, HoldsThePlansOfFilesOfItems) {
    SweepOptions options;
    options.csv = csv_;
    options.threads = 1;
    EXPECT_EQ(sweep(emptying(R"("columns": ["reached", "totals.moves"])"), options).ran, 2U);
    EXPECT_EQ(test::contents(csv_),
              "items,seed,drain,effort,reached,totals_moves,left_out_because\n" + items_ +
                  ",0,a,100,true,2,\n" + items_ + ",0,b,100,true,1,\n");
}

TEST_F(ReassignSweepTest, RefusesWhatIsAboutNetworksAndUnknownColumns) {
    for (const char* const wrong :
         {R"("columns": ["totals.move"])", R"("columns": ["reached"], "networks": ["path:n=3"])",
          R"("columns": ["reached"], "loads": ["staircase"])",
          R"("columns": ["reached"], "algorithms": ["threshold-2"])",
          R"("columns": ["reached"], "simplify": true)"})
        EXPECT_THROW(static_cast<void>(emptying(wrong)), InputError) << wrong;
}

}  // namespace
}  // namespace equipoise::catalogue
