#pragma once
// Memory for the coroutine frames of one program: slots of one size in aligned chunks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "equipoise/base/assert.hpp"

namespace equipoise::model {

/// Hands out frames of equal size in the order of addresses and takes them back. A frame finds its
/// slab through the head of its chunk, so a frame costs no byte besides itself. Belongs to one
/// engine and is used by one thread at a time. Cost O(1) per call.
class FrameSlab {
  public:
    FrameSlab() = default;
    FrameSlab(const FrameSlab&) = delete;
    FrameSlab& operator=(const FrameSlab&) = delete;
    ~FrameSlab() { EQUIPOISE_ASSERT(live_ == 0); }

    /// A frame. The first call fixes the size for all: one slab serves one program.
    [[nodiscard]] void* allocate(std::size_t bytes) {
        if (frame_bytes_ == 0) frame_bytes_ = (bytes + alignment - 1) / alignment * alignment;
        EQUIPOISE_ASSERT(bytes <= frame_bytes_ && frame_bytes_ + head_bytes <= chunk_bytes);
        ++live_;
        if (free_ != nullptr) {
            FreeFrame* const frame = free_;
            free_ = frame->next;
            frame->~FreeFrame();
            return frame;
        }
        if (chunks_.empty() || used_ + frame_bytes_ > chunk_bytes) {
            chunks_.emplace_back(new Chunk(this));
            used_ = head_bytes;
        }
        std::byte* const frame = reinterpret_cast<std::byte*>(chunks_.back().get()) + used_;
        used_ += frame_bytes_;
        return frame;
    }

    /// Takes back what `allocate` of any slab gave.
    static void deallocate(void* frame) {
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(frame) % chunk_bytes;
        auto* const chunk = reinterpret_cast<Chunk*>(static_cast<std::byte*>(frame) - offset);
        FrameSlab& slab = *chunk->owner;
        slab.free_ = new (frame) FreeFrame{slab.free_};
        --slab.live_;
    }

    [[nodiscard]] std::size_t frame_bytes() const { return frame_bytes_; }
    [[nodiscard]] std::size_t live() const { return live_; }
    [[nodiscard]] std::size_t memory_bytes() const { return chunks_.size() * chunk_bytes; }

  private:
    static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    static constexpr std::size_t chunk_bytes = std::size_t{1} << 16U;
    static constexpr std::size_t head_bytes = alignment;
    struct FreeFrame {
        FreeFrame* next;
    };
    struct alignas(chunk_bytes) Chunk {
        // The rest stays untouched. NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
        explicit Chunk(FrameSlab* slab) : owner(slab) {}
        FrameSlab* owner;
        std::byte rest[chunk_bytes - sizeof(FrameSlab*)];  // NOLINT(modernize-avoid-c-arrays)
    };

    std::vector<std::unique_ptr<Chunk>> chunks_;
    FreeFrame* free_ = nullptr;
    std::size_t used_ = 0;
    std::size_t frame_bytes_ = 0;
    std::size_t live_ = 0;
};

}  // namespace equipoise::model
