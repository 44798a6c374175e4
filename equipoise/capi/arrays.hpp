#pragma once
// Arrays of the caller that a plan moves.

#include <optional>
#include <span>
#include <vector>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/capi/equipoise.h"

/// What equipoise_end() completes.
struct equipoise_moving {
    equipoise_moving() = default;
    equipoise_moving(const equipoise_moving&) = delete;
    equipoise_moving& operator=(const equipoise_moving&) = delete;
    virtual ~equipoise_moving() = default;
    [[nodiscard]] virtual equipoise::balancer::Report end() = 0;
};

namespace equipoise::capi {

/// The bytes of an array. Throws InputError for a null pointer to something, and for more bytes
/// than there can be.
[[nodiscard]] std::span<const std::byte> bytes_of(const void* items, Tokens count,
                                                  std::size_t item_size);

/// Arrays on their way to arrays of the caller.
class ArraysMoving final : public equipoise_moving {
  public:
    /// Throws InputError, or std::bad_alloc where an array has no room.
    ArraysMoving(const balancer::Plan& plan, std::span<const equipoise_array> arrays);

    /// Collective.
    void begin(engine::LocalFailure& failure);
    [[nodiscard]] balancer::Report end() override;

  private:
    balancer::Plan plan_;
    std::vector<equipoise_array> arrays_;
    std::vector<balancer::Column> columns_;
    bool arrives_ = false;  // something comes to this rank or leaves it
    std::optional<balancer::Moving<balancer::ColumnsMove>> moving_;
};

}  // namespace equipoise::capi
