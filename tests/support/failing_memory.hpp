#pragma once
// Memory that runs out when a test says so, for programs with failing_memory.cpp.

#include <atomic>
#include <cstdint>

namespace equipoise::test {

/// While this object lives, allocation number `which` of this thread, counted from 0, throws
/// std::bad_alloc and sets `failed`; negative: none does.
class FailingMemory {
  public:
    FailingMemory(std::int64_t which, std::atomic<bool>& failed);
    FailingMemory(const FailingMemory&) = delete;
    FailingMemory& operator=(const FailingMemory&) = delete;
    ~FailingMemory();

    /// Whether memory can be made to run out in this program.
    [[nodiscard]] static bool works();
};

}  // namespace equipoise::test
