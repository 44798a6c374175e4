#pragma once
// Rows that move within arrays of a caller in C.

#include <cstddef>
#include <memory>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/capi/equipoise_rows.h"
#include "equipoise/capi/moving_handle.hpp"

namespace equipoise::capi {

/// Rows that are to move; `rows` need not live on. Throws InputError for a null pointer and for
/// devices of another version.
[[nodiscard]] std::unique_ptr<equipoise_moving> move_rows(const balancer::Plan& plan,
                                                          const equipoise_rows* rows,
                                                          std::size_t count);

}  // namespace equipoise::capi
