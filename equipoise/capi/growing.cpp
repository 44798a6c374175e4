#include "equipoise/capi/growing.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "equipoise/base/error.hpp"

namespace equipoise::capi {

std::byte* Memory::resize(void* memory, std::size_t bytes) const {
    if (bytes == 0) {
        free(memory);
        return nullptr;
    }
    void* const resized =
        reallocate_ == nullptr ? std::realloc(memory, bytes) : reallocate_(memory, bytes, context_);
    if (resized == nullptr) throw std::bad_alloc();
    return static_cast<std::byte*>(resized);
}

void Memory::free(void* memory) const noexcept {
    if (memory == nullptr) return;
    if (reallocate_ == nullptr)
        std::free(memory);
    else
        static_cast<void>(reallocate_(memory, 0, context_));
}

GrowingArray::GrowingArray(void* pointer, const Memory& memory)
    : pointer_(pointer), memory_(memory) {
    if (pointer == nullptr)
        throw InputError("expected the address of a pointer to the items, found NULL");
    std::memcpy(&now_, pointer_, sizeof now_);
}

GrowingArray::~GrowingArray() {
    memory_.free(next_);
}

void GrowingArray::resize(std::size_t bytes) {
    now_ = memory_.resize(now_, bytes);
    std::memcpy(pointer_, &now_, sizeof now_);
}

std::byte* GrowingArray::allocate(std::size_t bytes) {
    next_ = memory_.resize(nullptr, bytes);
    allocated_ = true;
    return next_;
}

void GrowingArray::replace() noexcept {
    if (!allocated_) return;
    memory_.free(now_);
    now_ = next_;
    next_ = nullptr;
    allocated_ = false;
    std::memcpy(pointer_, &now_, sizeof now_);
}

}  // namespace equipoise::capi
