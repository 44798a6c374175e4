#include "equipoise/agent/task_queue.hpp"

#include <gtest/gtest.h>

namespace equipoise::agent {
namespace {

TEST(Inlet, DropsWhatComesFasterThanItIsCarriedOut) {
    TaskQueue queue;
    const Inlet inlet(queue);
    unsigned done = 0;
    for (unsigned round = 1; round <= 2; ++round) {
        for (unsigned at = 0; at < 10 * Inlet::waiting_max; ++at)
            inlet.put([&] { ++done; });
        queue.put([&] { ++done; });  // what others put finds room
        queue.carry_out(TaskQueue::Clock::now());
        EXPECT_EQ(done, round * (Inlet::waiting_max + 1));
    }
}

}  // namespace
}  // namespace equipoise::agent
