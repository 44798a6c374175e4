#pragma once
// Proofs of small plans in the form of those of large plans.

#include <optional>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// A schedule as a flow over time: moves over one link in consecutive steps, the same number in
/// each, make up a window. Cost O(moves log moves).
[[nodiscard]] FlowOverTime flow_of(std::span<const Move> moves, Step steps);

/// The certificate of one zone for a cut whose nodes and gates never change; nothing if some
/// change.
[[nodiscard]] std::optional<Certificate> static_certificate(const CutOverTime& cut);

}  // namespace equipoise::optimum
