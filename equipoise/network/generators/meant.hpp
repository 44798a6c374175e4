#pragma once
// What was probably meant by the name of a network that there is not.

#include <string>
#include <string_view>

namespace equipoise::network {

/// ": did you mean "mesh:8x8"?" of `grid:8x8`, "torus:8x8" of `torus(8,8)`; empty if the text
/// reminds of no generator.
[[nodiscard]] std::string meant_network(std::string_view text);

}  // namespace equipoise::network
