#pragma once
// Arrays of the caller that a plan moves.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/moving_handle.hpp"

namespace equipoise::capi {

/// The bytes of an array. Throws InputError if there are items but the pointer is null, and for
/// more bytes than memory can have.
[[nodiscard]] std::span<const std::byte> bytes_of(const void* items, Tokens count,
                                                  std::size_t item_size);

/// Throws InputError for arrays that the plan cannot move, std::bad_alloc where one has no room.
void check_arrays(const balancer::Plan& plan, std::span<const equipoise_array> arrays);

/// Arrays on their way to arrays of the caller.
class ArraysMoving final : public equipoise_moving {
  public:
    /// Throws as check_arrays does.
    ArraysMoving(const balancer::Plan& plan, std::span<const equipoise_array> arrays);

    void begin(engine::LocalFailure& failure) override;
    [[nodiscard]] balancer::Report end() override;

  private:
    balancer::Plan plan_;
    std::vector<equipoise_array> arrays_;
    std::vector<balancer::Column> columns_;
    bool arrives_ = false;  // something comes to this rank or leaves it
    std::optional<balancer::Moving<balancer::ColumnsMove>> moving_;
};

/// Arrays of a caller of C that are to move. Throws as check_arrays does.
[[nodiscard]] std::unique_ptr<equipoise_moving> move_arrays(const balancer::Plan& plan,
                                                            const equipoise_array* arrays,
                                                            std::size_t count);

}  // namespace equipoise::capi
