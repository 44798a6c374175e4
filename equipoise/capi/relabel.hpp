#pragma once
// Ranks for the parts of a new partition.

#include <cstdint>

#include "equipoise/capi/equipoise.h"
#include "equipoise/engine/local_failure.hpp"

namespace equipoise::capi {

/// equipoise_relabel and, for numbers of 64 bits, equipoise_relabel64. `failure` is any earlier
/// failure of this rank.
template <class Number>
void relabel(MPI_Comm comm, std::int64_t count, Number* parts, const std::int64_t* bytes,
             const equipoise_relabel_options* options, equipoise_relabelling* found,
             engine::LocalFailure failure);

}  // namespace equipoise::capi
