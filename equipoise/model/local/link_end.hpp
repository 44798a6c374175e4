#pragma once
// The two ends of a link, told apart.

#include <cstdint>

namespace equipoise::model {

/// Which end of a link a node is: as the schedule orients it or, without a schedule, tail for the
/// end with the smaller number. This one bit breaks a link's symmetry.
enum class LinkEnd : std::uint8_t { tail, head };

}  // namespace equipoise::model
