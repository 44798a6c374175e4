#pragma once
// Arrays of the caller that a call replaces by longer or shorter ones.

#include <cstddef>

#include "equipoise/capi/equipoise.h"

namespace equipoise::capi {

/// Memory by the caller's function, or by realloc and free.
class Memory {
  public:
    explicit Memory(const equipoise_options& options)
        : reallocate_(options.reallocate), context_(options.reallocate_context) {}

    /// As realloc; null for 0 bytes, for which it frees. Throws std::bad_alloc.
    [[nodiscard]] std::byte* resize(void* memory, std::size_t bytes) const;
    void free(void* memory) const noexcept;

  private:
    equipoise_reallocate* reallocate_;
    void* context_;
};

/// The array that a pointer of the caller points to: it changes its size, or another replaces it.
class GrowingArray {
  public:
    /// `pointer` is the address of the caller's pointer. Throws InputError if it is null.
    GrowingArray(void* pointer, const Memory& memory);
    GrowingArray(const GrowingArray&) = delete;
    GrowingArray& operator=(const GrowingArray&) = delete;
    /// Frees the new array unless it has replaced the old one.
    ~GrowingArray();

    [[nodiscard]] void* now() const { return now_; }
    /// Sets the pointer to an array of another size with the same bytes, as far as both have them.
    /// Throws std::bad_alloc.
    void resize(std::size_t bytes);
    std::byte* allocate(std::size_t bytes);
    /// Frees the old array and sets the pointer; does nothing unless a new one was allocated.
    void replace() noexcept;

  private:
    void* pointer_;
    Memory memory_;
    void* now_ = nullptr;
    std::byte* next_ = nullptr;
    bool allocated_ = false;
};

}  // namespace equipoise::capi
