#pragma once
// Items that functions of the caller turn into bytes and back.

#include <cstddef>
#include <cstdint>

#include "equipoise/balancer/placed.hpp"
#include "equipoise/capi/equipoise.h"

namespace equipoise::capi {

/// Throws InputError for a null pointer.
void check_packing(const equipoise_packing* packing);

/// The items of an array with memory of their own.
class PackedArray final : public balancer::PlacedItems {
  public:
    /// `from` and `to` are the old and the new array. Throws InputError for a null pointer.
    PackedArray(const void* from, void* to, std::size_t item_size,
                const equipoise_packing* packing);

    void pack(Tokens place, balancer::ByteWriter& out) override;
    void unpack(Tokens place, balancer::ByteReader& in) override;
    void discard(Tokens place) noexcept override;
    void keep(Tokens from, Tokens to) noexcept override;
    void leave(Tokens place) noexcept override;

  private:
    [[nodiscard]] std::byte* old_item(Tokens place) const;
    [[nodiscard]] std::byte* new_item(Tokens place) const;

    std::byte* from_;
    std::byte* to_;
    std::size_t item_size_;
    equipoise_packing packing_ = {};
};

}  // namespace equipoise::capi
