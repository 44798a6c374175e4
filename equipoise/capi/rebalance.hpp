#pragma once
// Moves by a plan that replace an array of the caller.

#include <cstddef>
#include <cstdint>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/capi/equipoise.h"

namespace equipoise::capi {

/// Moves the items of an array by a plan, and replaces the array. Collective.
void replace(const balancer::Plan& plan, void* items, std::int64_t* count, std::size_t item_size,
             const equipoise_options* options, equipoise_report* report);

}  // namespace equipoise::capi
