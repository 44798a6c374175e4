#include "tests/support/failing_memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local std::int64_t allocations_left = -1;
thread_local std::atomic<bool>* told = nullptr;

void fail_when_due() {
    if (allocations_left < 0 || allocations_left-- != 0) return;
    told->store(true);
    throw std::bad_alloc();
}

}  // namespace

// The whole program allocates by these.
void* operator new(std::size_t size) {
    fail_when_due();
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

namespace equipoise::test {

FailingMemory::FailingMemory(std::int64_t which, std::atomic<bool>& failed) {
    told = &failed;
    allocations_left = which;
}

FailingMemory::~FailingMemory() {
    allocations_left = -1;
}

}  // namespace equipoise::test
