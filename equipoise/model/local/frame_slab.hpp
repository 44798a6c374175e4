#pragma once
// Memory for the coroutine frames of one program: slots of one size in aligned chunks.

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/large_pages.hpp"

namespace equipoise::model {

/// Hands out frames of equal size in the order of addresses and takes them back. A frame finds its
/// slab through the head of its chunk, so a frame costs no extra byte. Belongs to one engine and is
/// used by one thread at a time. Cost O(1) per call.
class FrameSlab {
  public:
    FrameSlab() = default;
    FrameSlab(const FrameSlab&) = delete;
    FrameSlab& operator=(const FrameSlab&) = delete;
    ~FrameSlab() {
        EQUIPOISE_ASSERT(live_ == 0);
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            if (i < chunks_a_page)
                ::operator delete(blocks_[i], chunk_alignment);
            else
                free_pages(blocks_[i], large_page_bytes);
        }
    }

    /// A frame. The first call fixes the size for all: one slab serves one program.
    [[nodiscard]] void* allocate(std::size_t bytes) {
        if (frame_bytes_ == 0) frame_bytes_ = (bytes + alignment - 1) / alignment * alignment;
        EQUIPOISE_ASSERT(bytes <= frame_bytes_ && frame_bytes_ + head_bytes <= chunk_bytes);
        if (free_ != nullptr) {
            FreeFrame* const frame = free_;
            free_ = frame->next;
            frame->~FreeFrame();
            ++live_;
            return frame;
        }
        if (chunk_ == nullptr || used_ + frame_bytes_ > chunk_bytes) {
            chunk_ = next_chunk();
            used_ = head_bytes;
        }
        std::byte* const frame = reinterpret_cast<std::byte*>(chunk_) + used_;
        used_ += frame_bytes_;
        ++live_;
        return frame;
    }

    /// Takes back what `allocate` of any slab gave.
    static void deallocate(void* frame) {
        const auto address = reinterpret_cast<std::uintptr_t>(frame);
        std::byte* const chunk = static_cast<std::byte*>(frame) - address % chunk_bytes;
        FrameSlab& slab = *reinterpret_cast<Chunk*>(chunk)->owner;
        slab.free_ = new (frame) FreeFrame{slab.free_};
        --slab.live_;
    }

    [[nodiscard]] std::size_t frame_bytes() const { return frame_bytes_; }
    [[nodiscard]] std::size_t live() const { return live_; }
    [[nodiscard]] std::size_t memory_bytes() const { return chunk_count_ * chunk_bytes; }

  private:
    static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    static constexpr std::size_t chunk_bytes = std::size_t{1} << 16U;
    static constexpr std::size_t head_bytes = alignment;
    static constexpr std::size_t chunks_a_page = large_page_bytes / chunk_bytes;
    struct FreeFrame {
        FreeFrame* next;
    };
    struct Chunk {
        FrameSlab* owner;
    };
    static constexpr std::align_val_t chunk_alignment{chunk_bytes};

    /// The first frames take single chunks, later ones large pages of chunks. Memory that is not
    /// used stays untouched.
    [[nodiscard]] Chunk* next_chunk() {
        const bool in_page = chunk_count_ >= chunks_a_page;
        const std::size_t place = in_page ? chunk_count_ % chunks_a_page : 0;
        if (place == 0) take_block(in_page);
        std::byte* const chunk = static_cast<std::byte*>(blocks_.back()) + place * chunk_bytes;
        ++chunk_count_;
        return new (chunk) Chunk{this};
    }

    void take_block(bool page) {
        blocks_.push_back(nullptr);
        try {
            blocks_.back() = page ? allocate_pages(large_page_bytes)
                                  : ::operator new(chunk_bytes, chunk_alignment);
        } catch (...) {
            blocks_.pop_back();
            throw;
        }
    }

    std::vector<void*> blocks_;  ///< the first ones of one chunk each
    Chunk* chunk_ = nullptr;
    std::size_t chunk_count_ = 0;
    FreeFrame* free_ = nullptr;
    std::size_t used_ = 0;
    std::size_t frame_bytes_ = 0;
    std::size_t live_ = 0;
};

}  // namespace equipoise::model
