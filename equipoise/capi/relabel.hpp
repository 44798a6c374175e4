#pragma once
// Ranks for the parts of a new partition.

#include <cstdint>

#include "equipoise/capi/equipoise.h"
#include "equipoise/engine/local_failure.hpp"

namespace equipoise::capi {

/// equipoise_relabel. `failure` is any earlier failure of this rank.
void relabel(MPI_Comm comm, std::int64_t count, int* parts, const std::int64_t* bytes,
             const equipoise_relabel_options* options, equipoise_relabelling* found,
             engine::LocalFailure failure);

}  // namespace equipoise::capi
