#include "tests/support/failing_memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local std::int64_t allocations_left = -1;
thread_local std::atomic<bool>* told = nullptr;
thread_local bool lasts = false;

}  // namespace

// ThreadSanitizer has an allocator of its own, which cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEMORY_IS_THE_SANITIZERS
#endif
#endif

#ifndef MEMORY_IS_THE_SANITIZERS
namespace {

void fail_when_due() {
    if (allocations_left < 0) return;
    if (allocations_left > 0) {
        --allocations_left;
        return;
    }
    if (!lasts) allocations_left = -1;
    told->store(true);
    throw std::bad_alloc();
}

}  // namespace

// The whole program allocates with these.
void* operator new(std::size_t size) {
    fail_when_due();
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new(std::size_t size, const std::nothrow_t& /*nothing*/) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
#endif

namespace equipoise::test {

bool FailingMemory::works() {
    std::atomic<bool> failed = false;
    try {
        const FailingMemory memory(0, failed);
        // Uses pointers that no compiler sees through, since it may omit an allocation that is only
        // freed again.
        void* (*volatile const take)(std::size_t) = ::operator new;
        void (*volatile const give_back)(void*) = ::operator delete;
        give_back(take(1));
    } catch (const std::bad_alloc&) {
        return failed;
    }
    return false;
}

FailingMemory::FailingMemory(std::int64_t which, std::atomic<bool>& failed, Shortage shortage) {
    told = &failed;
    lasts = shortage == Shortage::lasts;
    allocations_left = which;
}

FailingMemory::~FailingMemory() {
    allocations_left = -1;
}

}  // namespace equipoise::test
