#include <gtest/gtest.h>

#include "equipoise/engine/parts/thread_fabric.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::test {

void on_ranks(const std::function<void(engine::Fabric&)>& play) {
    for (const int ranks : {1, 2, 3, 4, 7})
        engine::run_as_threads(ranks, play);
}

std::string shared_file(const std::string& name) {
    return testing::TempDir() + "threads-" + name;
}

}  // namespace equipoise::test
