#pragma once
// The two ends of a link, told apart.

#include <cstdint>

namespace equipoise::model {

/// Which end of a link a node is: by the schedule's orientation where there is a schedule, else the
/// end with the smaller number is the tail. One bit a link that breaks its symmetry.
enum class LinkEnd : std::uint8_t { tail, head };

}  // namespace equipoise::model
