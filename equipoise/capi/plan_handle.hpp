#pragma once
// The plan behind a handle of C.

#include <string_view>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/numbered.hpp"

struct equipoise_plan : equipoise::capi::Numbered {
    equipoise::balancer::Plan plan;
};

namespace equipoise::capi {

/// Throws InputError for a null handle.
[[nodiscard]] const balancer::Plan& plan_of(const equipoise_plan* handle);

/// equipoise_plan_make. `failure` is any earlier failure of this rank, `what` as for
/// balancer::make_plan.
void make_plan(MPI_Comm comm, std::int64_t count, const equipoise_options* given,
               equipoise_plan** plan, engine::LocalFailure failure, std::string_view what);

}  // namespace equipoise::capi
