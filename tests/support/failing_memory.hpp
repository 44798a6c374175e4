#pragma once
// Memory that runs out when a test says so, for programs with failing_memory.cpp.

#include <atomic>
#include <cstdint>

namespace equipoise::test {

/// Whether memory is there again once an allocation has failed.
enum class Shortage : std::uint8_t { passes, lasts };

/// While this object lives, allocation number `which` of this thread, counted from 0, throws
/// std::bad_alloc and sets `failed`, and if the shortage lasts so do all later ones; negative: none
/// does.
class FailingMemory {
  public:
    FailingMemory(std::int64_t which, std::atomic<bool>& failed,
                  Shortage shortage = Shortage::passes);
    FailingMemory(const FailingMemory&) = delete;
    FailingMemory& operator=(const FailingMemory&) = delete;
    ~FailingMemory();

    /// Whether memory can be made to run out in this program.
    [[nodiscard]] static bool works();
};

}  // namespace equipoise::test
