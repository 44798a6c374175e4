#include <cstddef>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/parts/thread_fabric.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::test {

void on_ranks(const std::function<void(engine::Fabric&)>& play) {
    for (const int ranks : {1, 2, 3, 4, 7})
        engine::run_as_threads(ranks, play);
}

bool plays_case(int ranks, std::size_t which) {
    return !checked_build || ranks <= 2 || which % 5 == 0;
}

// Tests of one program run side by side, each in a process of its own.
std::string shared_file(const std::string& name) {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "threads-" + test->test_suite_name() + '-' + test->name() + '-' +
           name;
}

}  // namespace equipoise::test
