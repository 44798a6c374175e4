#pragma once
// Memory in large pages, for arrays that are read at random.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace equipoise {

/// Bytes of a large page: smaller arrays are allocated as usual.
inline constexpr std::size_t large_page_bytes = std::size_t{1} << 21U;

[[nodiscard]] constexpr std::align_val_t page_alignment(std::size_t bytes) {
    constexpr std::size_t cache_line_bytes = 64;
    return std::align_val_t{bytes < large_page_bytes ? cache_line_bytes : large_page_bytes};
}

/// Aligned memory for `bytes`, in large pages if the system has them and there are enough bytes.
/// A random read may then miss the caches, but seldom the TLB as well. Free it with
/// `free_pages`. Throws std::bad_alloc.
[[nodiscard]] inline void* allocate_pages(std::size_t bytes) {
    void* const memory = ::operator new(bytes, page_alignment(bytes));
#if defined(__linux__)
    // Only advice: without large pages the memory serves as well, but is slower.
    if (bytes >= large_page_bytes) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return memory;
}
inline void free_pages(void* memory, std::size_t bytes) {
    ::operator delete(memory, page_alignment(bytes));
}

/// What a heap may note beside a block of memory.
inline constexpr std::size_t heap_note_bytes = 64;

/// How long a block to reserve for `bytes` that are about to be written, so that all of them can
/// lie in large pages: Linux lets what a heap takes from it begin with a large page if it is a
/// whole number of them long. The rest is never touched, and takes only addresses.
[[nodiscard]] constexpr std::size_t bytes_to_reserve(std::size_t bytes) {
    if (bytes < large_page_bytes / 2 ||
        bytes > std::numeric_limits<std::size_t>::max() - 2 * large_page_bytes)
        return bytes;
    const std::size_t noted = bytes + heap_note_bytes;
    return (noted + large_page_bytes - 1) / large_page_bytes * large_page_bytes - heap_note_bytes;
}

/// Asks for large pages in a block of memory of which the first `used` bytes are about to be
/// touched for the first time, wherever at least half of a large page is used: that then takes a
/// fraction of the time. Only advice.
inline void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t reserved,
                               [[maybe_unused]] std::size_t used) {
#if defined(__linux__)
#if defined(MADV_COLLAPSE)
    constexpr int collapse = MADV_COLLAPSE;
#else
    constexpr int collapse = 25;  // since Linux 6.1; older systems refuse it
#endif
    constexpr std::uintptr_t small_page_bytes = 4096;
    constexpr auto down = [](std::uintptr_t address, std::uintptr_t unit) {
        return address & ~(unit - 1);
    };
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t noted = first % large_page_bytes;
    const bool begins_page = noted <= heap_note_bytes;
    const std::uintptr_t begin =
        down(begins_page ? first : first + large_page_bytes - 1, large_page_bytes);
    const std::uintptr_t end =
        std::min(down(first + used + large_page_bytes / 2, large_page_bytes),
                 down(first + reserved + small_page_bytes - 1, large_page_bytes));
    if (begin >= end) return;
    std::byte* const pages = begins_page ? static_cast<std::byte*>(memory) - noted
                                         : static_cast<std::byte*>(memory) + (begin - first);
    static_cast<void>(madvise(pages, end - begin, MADV_HUGEPAGE));
    // The heap's note has brought a small page, which stands in the way of the first large one.
    if (begins_page && noted > 0) static_cast<void>(madvise(pages, large_page_bytes, collapse));
#endif
}

/// Touches the pages of memory that is about to be written, all in one call instead of one fault
/// for each. Only advice.
inline void touch_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
    constexpr std::uintptr_t page_bytes = 4096;
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t before = first & (page_bytes - 1);
    static_cast<void>(
        madvise(static_cast<std::byte*>(memory) - before, before + bytes, MADV_POPULATE_WRITE));
#endif
}

/// An allocator for `std::vector`: cache lines, and large pages if the vector is large.
template <class T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class Other>
    explicit(false) LargePages(const LargePages<Other>& /*other*/) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
        return static_cast<T*>(allocate_pages(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) { free_pages(memory, count * sizeof(T)); }

    friend bool operator==(const LargePages& /*one*/, const LargePages& /*other*/) { return true; }
};

}  // namespace equipoise
