#pragma once
// Proofs of small plans in the form of those of large ones.

#include <optional>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// The flow over time that a schedule is: moves of one link in consecutive steps, as many in each,
/// are a window. Cost O(moves log moves).
[[nodiscard]] FlowOverTime flow_of(std::span<const Move> moves, Step steps);

/// The flow over time that fat steps are: each of their moves at a constant rate.
[[nodiscard]] FlowOverTime flow_of(std::span<const FatStep> steps);

/// The certificate of one zone that a cut is whose nodes and gates stay the same; nothing if some
/// change.
[[nodiscard]] std::optional<Certificate> static_certificate(const CutOverTime& cut);

}  // namespace equipoise::optimum
