#pragma once
// Arrays whose items move while the arrays themselves only grow or shrink.

#include <array>
#include <cstddef>
#include <span>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/row_buffers.hpp"
#include "equipoise/capi/growing.hpp"
#include "equipoise/mpi/messages.hpp"

namespace equipoise::capi {

/// Moves the items of one or two arrays by a plan of one round. Memory: the items that leave and
/// those that arrive, beside the larger of the old and the new array. After a failure the arrays
/// have their old contents, although an array that was to grow may already have done so.
class InPlaceMove {
  public:
    struct Array {
        GrowingArray* array = nullptr;  ///< null only after a failure
        std::size_t item_size = 0;
    };
    InPlaceMove(const balancer::Plan& plan, std::span<const Array> arrays);

    [[nodiscard]] const balancer::Plan& plan() const { return plan_; }
    void begin(engine::LocalFailure& failure);
    void end();

  private:
    void take_memory();
    [[nodiscard]] std::span<const Array> arrays() const { return std::span(arrays_).first(count_); }

    balancer::Plan plan_;
    std::array<Array, 2> arrays_ = {};
    std::array<balancer::RowBuffers, 2> buffers_;
    std::size_t count_;
    mpi::Messages messages_;
};

}  // namespace equipoise::capi
